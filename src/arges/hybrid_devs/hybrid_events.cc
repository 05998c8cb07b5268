// State events: where conditions stand when the solver begins, and what their transitions do.

#include <algorithm>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/hybrid/event_side.h"
#include "arges/hybrid_devs/hybrid_simulator.h"

namespace arges::hybrid_devs {

// The solver begins at (t_, x_). Conditions that fired at this time are on their new sides.
void HybridSimulator::start(double limit) {
  needs_start_ = false;
  last_.clear();
  for (const ContinuousPart::Entry& entry : part_->entries()) {
    last_.push_back(discrete_.last_transition(entry.component));
  }
  if (stepper_ == nullptr) {
    solver_ = options_.solver;
    if (solver_ == "auto") {
      solver_ = choose_solver(*equations_, options_.numerics, t_, x_.data(),
                              std::max(options_.stop_time - t_, 1e-6))
                    .name;
    }
    stepper_ = make_stepper(solver_, *equations_, options_.numerics);
  }
  ++statistics_.phases;
  review_rests();
  if (failed_) return;
  std::vector<double> xdot(x_.size());
  part_->forget_non_finite();
  equations_->rhs(t_, x_.data(), xdot.data());
  if (part_->non_finite().entry != nullptr) return fail_non_finite();
  stepper_->start(t_, x_.data(), nullptr, 0);
  const std::vector<Crossing> now = take_position(xdot.data(), limit);
  if (now.empty()) {
    check_zeno();
  } else if (settles(now.front())) {
    fire(now, true);
  }
}

// The monitor takes position, too. Returns the conditions that cross at this time by standing on
// their roots and being about to leave them.
std::vector<Crossing> HybridSimulator::take_position(const double* xdot, double limit) {
  std::vector<Crossing> now;
  if (part_->condition_count() == 0) return now;
  look_at_conditions();
  tell_monitor();
  const auto add = [&](std::span<const Crossing> crossings) {
    now.insert(now.end(), crossings.begin(), crossings.end());
  };
  add(monitor_->restart(*equations_, t_, x_.data(), xdot));
  if (!monitor_->undecided().empty()) {
    const std::vector<double> anchors = part_->anchors();
    part_->set_motion(ContinuousPart::Motion::kMoves);
    monitor_->look_along(*stepper_, limit, nullptr);
    part_->set_motion(ContinuousPart::Motion::kNone);
    part_->set_anchors(anchors);
    add(monitor_->decide());
    part_->forget_non_finite();
    stepper_->start(t_, x_.data(), nullptr, 0);
  }
  for (const Surface::Member& member : released_)
    monitor_->depart(member.crossing.event, member.armed(), true, t_, x_.data());
  released_.clear();
  sides_.follow(*monitor_);
  return now;
}

// What the monitor cannot have seen: events, and jumps over roots.
void HybridSimulator::tell_monitor() {
  for (std::size_t k = 0; k < sides_.stands().size(); ++k) {
    const ConditionSides::Stand& stand = sides_.stands()[k];
    const EventId event{static_cast<int>(k)};
    if (!monitor_->is_active(event)) continue;  // its component rests there
    if (stand.side == 0 && stand.is_on_root()) monitor_->put_on_root(event);
    if (stand.side == 0 || !stand.is_known) continue;
    const bool rising = stand.side > 0;
    const bool relation = part_->schema().events[k].direction == Direction::kBoth;
    const bool went_to_and_fro = relation && stand.fired && !stand.told;
    if (stand.crossed && stand.is_on_root()) {
      // One in a single direction may be armed again by now; a relation stays where it was put.
      if (stand.told && !relation) continue;
      monitor_->mark_fired({event, rising != stand.turned});
      if (stand.turned) monitor_->note_turned_back(event);
      sides_.tell(event);
    } else if ((stand.moved && stand.is_on_root()) ||  // to which side, its value does not tell
               went_to_and_fro || !monitor_->is_armed({event, !rising})) {
      monitor_->depart(event, stand.side, stand.is_on_root(), t_, x_.data());
      sides_.tell(event);
    }
  }
}

void HybridSimulator::look_at_conditions() {
  if (part_->condition_count() == 0) return;
  const bool follows = stepper_ != nullptr && monitor_->any_active();
  sides_.look(*part_, equations_->point(t_, x_.data()), follows ? monitor_.get() : nullptr);
}

std::vector<Crossing> HybridSimulator::passed_by_transitions() {
  if (!needs_start_ || part_->condition_count() == 0) return {};
  std::vector<Crossing> passed = sides_.passed(*part_, equations_->point(t_, x_.data()));
  if (passed.empty()) note_turns();
  return passed;
}

// Conditions in one direction that stand on the root that they have crossed, and were turned round
// there: when a later transition sends them across again, they cross again.
void HybridSimulator::note_turns() {
  std::vector<double> xdot;
  for (std::size_t k = 0; k < sides_.stands().size(); ++k) {
    const ConditionSides::Stand& stand = sides_.stands()[k];
    const bool may_be = stand.crossed && !stand.turned && !stand.told && stand.is_on_root();
    if (!may_be || part_->schema().events[k].direction == Direction::kBoth) continue;
    const EventId event{static_cast<int>(k)};
    if (xdot.empty()) xdot = rates();
    if (monitor_->heading(*equations_, t_, x_.data(), xdot.data(), event) != stand.side)
      sides_.turn(event);
  }
}

std::vector<double> HybridSimulator::rates() const {
  std::vector<double> xdot(x_.size());
  equations_->rhs(t_, x_.data(), xdot.data());
  return xdot;
}

bool HybridSimulator::settles(const Crossing& crossing) {
  if (++turns_ <= kMostTurns) return true;
  fail(RunReason::kEventsDidNotSettle,
       fmt::format("{} state events one after the other at t = {:.17g}: a state transition undoes "
                   "what another did, or a condition stays true after it",
                   kMostTurns, t_),
       part_->path(part_->entries()[part_->owner(crossing.event).first]));
  return false;
}

// State events, and those that their transitions bring about.
void HybridSimulator::fire(std::vector<Crossing> crossings, bool located) {
  while (!crossings.empty()) {
    look_at_conditions();
    const std::vector<double> xdot = rates();
    for (const Crossing& crossing : crossings) {
      monitor_->note_motion(*equations_, t_, x_.data(), xdot.data(), crossing);
      sides_.cross(crossing, located);
    }
    located = false;
    run_state_transitions(crossings);
    if (failed_ || !states_are_finite()) return;  // also when nothing comes after it
    refresh();
    if (failed_) return;
    crossings = passed_by_transitions();
    if (!crossings.empty() && !settles(crossings.front())) return;
  }
}

// The state transitions of the components concerned, each once, in their order.
void HybridSimulator::run_state_transitions(std::span<const Crossing> crossings) {
  std::vector<std::pair<std::size_t, StateEvent>> all;
  for (const Crossing& crossing : crossings) {
    const auto [entry, condition] = part_->owner(crossing.event);
    all.push_back({entry, {condition, crossing.rising}});
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second.condition < b.second.condition;
  });
  needs_start_ = true;
  std::vector<StateEvent> events;
  for (std::size_t i = 0; i < all.size();) {
    const ContinuousPart::Entry& entry = part_->entries()[all[i].first];
    events.clear();
    for (const std::size_t first = all[i].first; i < all.size() && all[i].first == first; ++i) {
      events.push_back(all[i].second);
      fired_.push_back(
          {entry.component, entry.model, all[i].second.condition, all[i].second.rising});
    }
    if (++statistics_.state_events > options_.max_events) {
      return fail(
          RunReason::kZeno,
          fmt::format("more than {} state events by t = {:.17g}; {}", options_.max_events, t_,
                      suspects_stiffness() ? way_out_of_stiffness()
                                           : "raise --max-events if they are meant"),
          part_->path(entry));
    }
    const bool ok =
        discrete_.state_transition(entry.component, [&](const devs::Model& model, void* state) {
          return entry.behaviour->state_event(model, state, events);
        });
    if (!ok) {
      status_ = discrete_.status();
      failed_ = true;
      return;
    }
  }
}

}  // namespace arges::hybrid_devs
