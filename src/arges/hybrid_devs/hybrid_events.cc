// State events: where conditions stand when the solver begins, and what their transitions do.

#include <algorithm>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/hybrid/event_side.h"
#include "arges/hybrid_devs/hybrid_simulator.h"

namespace arges::hybrid_devs {

bool HybridSimulator::has_fired(std::uint32_t component, const devs::Model* model, int condition,
                                bool rising) const {
  return std::any_of(fired_.begin(), fired_.end(), [&](const Fired& f) {
    return f.component == component && f.model == model && f.condition == condition &&
           f.rising == rising;
  });
}

// The solver begins at (t_, x_). Conditions that fired at this time are on their new sides.
void HybridSimulator::start() {
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
    monitor_->reset(std::max(options_.stop_time - options_.start_time, 1e-6) / 500,
                    options_.numerics.rtol, options_.numerics.effective_atol());
  }
  ++statistics_.phases;
  std::vector<double> xdot(x_.size());
  part_->forget_non_finite();
  equations_->rhs(t_, x_.data(), xdot.data());
  if (part_->non_finite().entry != nullptr) return fail_non_finite();
  stepper_->start(t_, x_.data(), nullptr, 0);
  const auto standing = monitor_->restart(*equations_, t_, x_.data(), xdot.data());
  std::vector<Crossing> now;
  for (const Crossing& crossing : standing) {
    const auto [entry, condition] = part_->owner(crossing.event);
    const ContinuousPart::Entry& e = part_->entries()[entry];
    if (!has_fired(e.component, e.model, condition, crossing.rising)) now.push_back(crossing);
  }
  if (!fired_.empty()) {
    for (const Fired& f : fired_) {
      for (const ContinuousPart::Entry& e : part_->entries()) {
        if (e.component != f.component || e.model != f.model) continue;
        const EventId event{static_cast<int>(e.first_g) + f.condition};
        // Transitions may have thrown it back to where it came from: then it is there.
        const double g = monitor_->value(event);
        const bool is_back = g != f.g && (g < 0) == f.rising && monitor_->is_off_root(event);
        if (!is_back) monitor_->mark_fired({event, f.rising});
      }
    }
    const auto again = monitor_->restart(*equations_, t_, x_.data(), xdot.data());
    now.insert(now.end(), again.begin(), again.end());
  }
  if (now.empty()) {
    check_zeno();
  } else if (++turns_ > kMostTurns) {
    const ContinuousPart::Entry& entry = part_->entries()[part_->owner(now.front().event).first];
    fail(
        RunReason::kEventsDidNotSettle,
        fmt::format("{} state events one after the other at t = {:.17g}: a state transition undoes "
                    "what another did, or a condition stays true after it",
                    kMostTurns, t_),
        part_->path(entry));
  } else {
    fire(now);
  }
}

// The state transitions of the components concerned, each once, in their order.
void HybridSimulator::fire(std::span<const Crossing> crossings) {
  std::vector<std::pair<std::size_t, StateEvent>> all;
  for (const Crossing& crossing : crossings) {
    const auto [entry, condition] = part_->owner(crossing.event);
    all.push_back({entry, {condition, crossing.rising}});
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second.condition < b.second.condition;
  });
  needs_start_ = true;
  part_->conditions(equations_->point(t_, x_.data()), Conditions(g_.data()));
  std::vector<StateEvent> events;
  for (std::size_t i = 0; i < all.size();) {
    const ContinuousPart::Entry& entry = part_->entries()[all[i].first];
    events.clear();
    for (const std::size_t first = all[i].first; i < all.size() && all[i].first == first; ++i) {
      events.push_back(all[i].second);
      fired_.push_back({entry.component, entry.model, all[i].second.condition, all[i].second.rising,
                        g_[entry.first_g + all[i].second.condition]});
    }
    if (++statistics_.state_events > options_.max_events) {
      return fail(RunReason::kZeno,
                  fmt::format("more than {} state events by t = {:.17g}; raise --max-events if "
                              "they are meant",
                              options_.max_events, t_),
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
  states_are_finite();  // also when nothing comes after it
}

std::vector<HybridSimulator::Before> HybridSimulator::conditions_now() {
  std::vector<Before> all;
  if (part_->condition_count() == 0) return all;
  part_->conditions(equations_->point(t_, x_.data()), Conditions(g_.data()));
  for (const ContinuousPart::Entry& entry : part_->entries()) {
    for (std::size_t k = 0; k < entry.g_count; ++k) {
      all.push_back({entry.component, entry.model, static_cast<int>(k), g_[entry.first_g + k]});
    }
  }
  return all;
}

// A transition has let a condition jump over zero.
void HybridSimulator::fire_chained(const std::vector<Before>& before) {
  if (!needs_start_) return;
  const std::vector<Before> after = conditions_now();
  std::vector<Crossing> crossings;
  std::size_t at = 0;
  for (std::size_t k = 0; k < after.size(); ++k) {
    const Before& now = after[k];
    // Components keep their order; new ones come at the end, or with another model.
    std::size_t found = at;
    while (found < before.size() &&
           !(before[found].component == now.component && before[found].model == now.model &&
             before[found].condition == now.condition)) {
      ++found;
    }
    if (found == before.size()) continue;
    at = found + 1;
    const double was = before[found].g;
    if (was == now.g || was == 0 || !leaves(sign(was), now.g)) continue;
    const bool rising = was < 0;
    const auto [entry, condition] = part_->owner(EventId{static_cast<int>(k)});
    const Direction direction = part_->entries()[entry].behaviour->conditions_of[condition];
    if (!matches(direction, rising)) continue;
    // It has fired at this time: that it was on the old side is rounding.
    if (has_fired(now.component, now.model, now.condition, rising)) continue;
    crossings.push_back({EventId{static_cast<int>(k)}, rising});
  }
  if (!crossings.empty()) fire(crossings);
}

}  // namespace arges::hybrid_devs
