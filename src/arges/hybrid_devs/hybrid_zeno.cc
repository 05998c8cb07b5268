// State events that keep time from moving on: what the kernel does about them for continuous models
// (hybrid/instant.cc), for the conditions of components.

#include <algorithm>

#include <fmt/format.h>

#include "arges/hybrid_devs/hybrid_simulator.h"
#include "arges/solvers/failure_messages.h"

namespace arges::hybrid_devs {

// At the end of an instant, when the monitor has taken position.
void HybridSimulator::check_zeno() {
  for (; watched_ < fired_.size() && !failed_; ++watched_) {
    const Fired& f = fired_[watched_];
    // How often it happens at one time says nothing about how time moves on.
    const auto is_same = [&](const Fired& other) {
      return other.component == f.component && other.model == f.model &&
             other.condition == f.condition && other.rising == f.rising;
    };
    const auto here = fired_.begin() + static_cast<std::ptrdiff_t>(watched_);
    if (std::any_of(fired_.begin(), here, is_same)) continue;
    const auto entry = std::find_if(part_->entries().begin(), part_->entries().end(),
                                    [&](const ContinuousPart::Entry& e) {
                                      return e.component == f.component && e.model == f.model;
                                    });
    const EventKey key{f.component, f.model, f.condition, f.rising};
    if (entry == part_->entries().end()) {  // it is gone: the structure has dealt with the motion
      guards_.erase(key);
      continue;
    }
    const Crossing crossing{EventId{static_cast<std::int32_t>(entry->first_g) + f.condition},
                            f.rising};
    const auto [place, is_new] = guards_.try_emplace(key);
    ZenoGuard& guard = place->second;
    if (is_new) guard.start(options_.start_time, options_.stop_time);

    const bool same_layout = x_arrived_.size() == x_.size();
    const auto own = x_.begin() + static_cast<std::ptrdiff_t>(entry->first_x);
    const bool acts =
        !same_layout || !std::equal(own, own + static_cast<std::ptrdiff_t>(entry->x_count),
                                    x_arrived_.begin() + (own - x_.begin()));
    const bool changed = !same_layout || x_ != x_arrived_;
    const bool sank = monitor_->sank(crossing.event);
    ZenoFinding finding = guard.observe(t_, monitor_->is_armed(crossing), acts, sank && changed);
    // Short gaps alone are no chattering: a fast relay with a hysteresis moves.
    if (finding == ZenoFinding::kChattering && monitor_->swings(crossing.event, t_, x_.data()))
      finding = ZenoFinding::kNone;
    const bool rests = monitor_->hardly_left(crossing.event);
    const bool counts = sank || changed || !rests;
    const bool sinks = counts && guard.sinks_without_end(sank || rests) && !guard.missed();
    if (sinks && finding == ZenoFinding::kNone) finding = ZenoFinding::kChattering;
    if (options_.on_zeno == ZenoPolicy::kGo) {
      go_on(*entry, crossing, guard, sinks, guard.creeps(t_, finding != ZenoFinding::kNone));
    } else if (finding != ZenoFinding::kNone) {
      stop_for_zeno(key, finding, acts);
    }
  }
}

// A condition whose bounces have become smaller than what the solver resolves must not sink for
// that: it is armed again, and ends the run when that is all it does. So do events that go on
// accumulating while time stands still.
void HybridSimulator::go_on(const ContinuousPart::Entry& entry, Crossing crossing,
                            const ZenoGuard& guard, bool sinks, bool creeps) {
  const auto condition = static_cast<std::size_t>(crossing.event.index) - entry.first_g;
  const bool relation = entry.behaviour->conditions_of[condition] == Direction::kBoth;
  if (guard.lost_contact() && !relation)
    monitor_->depart(crossing.event, crossing.rising ? -1 : 1, true, t_, x_.data());
  if (!sinks && !(guard.lost_contact() && relation) && !creeps) return;
  accumulation_ = t_;
  const EventKey blamed =
      leader({entry.component, entry.model, static_cast<int>(condition), crossing.rising});
  const std::string path = discrete_.path(std::get<0>(blamed));
  fail(RunReason::kZeno,
       fmt::format("{}: condition {} has accumulated at t = {:.12g} (Zeno): its last {}", path,
                   std::get<2>(blamed) + 1, t_,
                   creeps ? fmt::format("{} times were within {:.3g} of each other",
                                        ZenoGuard::kCreep, guard.standstill(t_))
                          : "bounces were smaller than rounding"),
       path);
}

// Of the events that have fired along with this one the one that set its states most often: others
// only watch.
HybridSimulator::EventKey HybridSimulator::leader(const EventKey& event) const {
  constexpr double kLately = 1e6;  // in gaps
  const ZenoGuard& own = guards_.at(event);
  EventKey found = event;
  for (const auto& [key, guard] : guards_) {
    if (guard.acted() > guards_.at(found).acted() && guard.fires_with(own, kLately)) found = key;
  }
  return found;
}

// `acts`: the event has set states of its component.
void HybridSimulator::stop_for_zeno(const EventKey& event, ZenoFinding finding, bool acts) {
  const double accumulation =
      finding == ZenoFinding::kZeno ? guards_.at(event).accumulation_time() : t_;
  const EventKey blamed = leader(event);
  if (blamed != event || acts) finding = ZenoFinding::kZeno;  // what sets states does not chatter
  const bool rests = finding == ZenoFinding::kZeno;
  const std::string path = discrete_.path(std::get<0>(blamed));
  const int condition = std::get<2>(blamed) + 1;
  const std::string what =
      finding == ZenoFinding::kZeno
          ? fmt::format(
                "{}: condition {} accumulates at t = {:.12g} (Zeno): after {} state events the "
                "gaps are below the resolution of time",
                path, condition, accumulation, statistics_.state_events)
          : fmt::format(
                "{}: condition {} chatters at t = {:.12g}: {} state events, its last {} with "
                "hardly any progress; {}",
                path, condition, t_, statistics_.state_events, ZenoGuard::kBurst,
                way_out_of_chattering(stepper_.get(), solver_));
  if (options_.on_zeno == ZenoPolicy::kStick && rests && begin_rest(blamed)) {
    notes_.push_back(what + "; it rests from there on");
    guards_.erase(event);
    guards_.erase(blamed);
    return;
  }
  const char* advice =
      options_.on_zeno != ZenoPolicy::kStick ? "; --on-zeno stick or go changes what happens"
      : rests ? "; it cannot rest there: its own states, as they are now, do not hold it"
              : "; a component can rest on a condition, not slide along it: give it a hysteresis, "
                "or a state transition that ends the motion there (rates of zero)";
  if (finding == ZenoFinding::kZeno) accumulation_ = accumulation;
  fail(RunReason::kZeno, what + advice, path);
}

}  // namespace arges::hybrid_devs
