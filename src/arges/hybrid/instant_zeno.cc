// Events that accumulate or chatter: what the user's choice makes of them.

#include <algorithm>

#include <fmt/format.h>

#include "arges/hybrid/context_changes.h"
#include "arges/hybrid/mode_runtime.h"
#include "arges/hybrid/simulator.h"
#include "arges/solvers/failure_messages.h"

namespace arges {

// The policy `go`: a condition whose bounces have become smaller than what the solver resolves must
// not sink for that. It is armed again, fires again, and ends the run when that is all it does. A
// relation cannot be armed: it ends the run at once. So do events that go on accumulating while
// time stands still. Never is that earlier than `stop` ends the run.
void Simulator::go_on(Crossing crossing, const ZenoGuard& guard, bool sinks, bool creeps) {
  const EventInfo& event = system_.schema().events[crossing.event.index];
  const bool relation = event.direction == Direction::kBoth;
  if (guard.lost_contact() && !relation)
    monitor_.depart(crossing.event, crossing.rising ? -1 : 1, true, context_.t, context_.x.data());
  if (!sinks && !(guard.lost_contact() && relation) && !creeps) return;
  const std::string& name = system_.schema().events[leader(crossing).event.index].name;
  end(RunReason::kZeno,
      fmt::format("event '{}' has accumulated at t = {:.12g} (Zeno): its last {}{}", name,
                  context_.t,
                  creeps ? fmt::format("{} times were within {:.3g} of each other",
                                       ZenoGuard::kCreep, guard.standstill(context_.t))
                         : "bounces were smaller than rounding",
                  can_stick() ? "; --on-zeno stick holds it there" : ""),
      name);
}

bool Simulator::can_stick() {
  return runtime(context_.mode).equations.form() == EquationForm::kExplicit;
}

ZenoGuard& Simulator::guard_of(Crossing crossing) {
  return zeno_[2 * static_cast<std::size_t>(crossing.event.index) + (crossing.rising ? 1 : 0)];
}

// Of the events that have fired along with this one the one that set states most often: others only
// watch.
Crossing Simulator::leader(Crossing crossing) {
  // In gaps. Where events go on without progress, the one that acted may be some time ago; but what
  // is to rest must have taken part.
  const double lately = options_.on_zeno == ZenoPolicy::kStick ? 1e3 : 1e6;
  const ZenoGuard& own = guard_of(crossing);
  Crossing found = crossing;
  for (std::size_t i = 0; i < zeno_.size(); ++i) {
    if (zeno_[i].acted() > guard_of(found).acted() && zeno_[i].fires_with(own, lately))
      found = {EventId{static_cast<std::int32_t>(i / 2)}, i % 2 == 1};
  }
  return found;
}

void Simulator::check_zeno(std::span<const Crossing> crossings) {
  const bool acts = before_.mode == context_.mode && !same(before_.x, context_.x);
  for (const Crossing& crossing : crossings) {
    ZenoGuard& guard = guard_of(crossing);
    // An action that leads to another mode has dealt with the motion as it wants.
    const bool handled = before_.mode != context_.mode || monitor_.is_armed(crossing);
    const bool sank = monitor_.sank(crossing.event);
    ZenoFinding finding = guard.observe(context_.t, handled, acts, sank && acts);
    // Short gaps alone are no chattering: a fast relay with a hysteresis moves.
    if (finding == ZenoFinding::kChattering &&
        monitor_.swings(crossing.event, context_.t, context_.x.data()))
      finding = ZenoFinding::kNone;
    // A relation that acts, and was not seen back since it acted last: no progress, either.
    const bool rests = monitor_.hardly_left(crossing.event);
    const bool counts = sank || acts || !rests;
    const bool sinks = counts && guard.sinks_without_end(sank || rests) && !guard.missed();
    if (sinks && finding == ZenoFinding::kNone) finding = ZenoFinding::kChattering;
    if (options_.on_zeno == ZenoPolicy::kGo)
      go_on(crossing, guard, sinks, guard.creeps(context_.t, finding != ZenoFinding::kNone));
    if (finding == ZenoFinding::kNone || options_.on_zeno == ZenoPolicy::kGo) continue;
    return stop_or_stick(crossing, finding, immediate_.size() <= 1);
  }
}

// Events on one surface switch each other on and off without leaving it. The policy `go` leaves the
// instant all the same: what is due then crosses in the next step.
void Simulator::chatter_at_one_instant(Crossing crossing) {
  if (options_.on_zeno == ZenoPolicy::kGo) return;
  stop_or_stick(crossing, ZenoFinding::kChattering, false);
}

// An event has accumulated or chatters, and the user does not want to go on. `alone`: it is all
// that happened at this instant.
void Simulator::stop_or_stick(Crossing crossing, ZenoFinding finding, bool alone) {
  const double accumulation =
      finding == ZenoFinding::kZeno ? guard_of(crossing).accumulation_time() : context_.t;
  if (const Crossing leading = leader(crossing); &guard_of(leading) != &guard_of(crossing)) {
    guard_of(crossing).forget();
    crossing = leading;
    finding = ZenoFinding::kZeno;  // what sets states does not slide
    alone = false;
  }
  ZenoGuard& guard = guard_of(crossing);
  const std::string& name = system_.schema().events[crossing.event.index].name;
  const std::string way_out = way_out_of_chattering(stepper_, context_.solver);
  const std::string what =
      finding == ZenoFinding::kZeno
          ? fmt::format(
                "event '{}' accumulates at t = {:.12g} (Zeno): after {} events the gaps "
                "are below the resolution of time",
                name, accumulation, result_.events)
          : fmt::format(
                "event '{}' chatters at t = {:.12g}: {} events, its last {} within {:.3g} of each "
                "other, or too small to be seen; {}",
                name, context_.t, result_.events, ZenoGuard::kBurst, guard.resolution(context_.t),
                way_out);
  if (options_.on_zeno == ZenoPolicy::kStick && can_stick()) {
    result_.notes.push_back(what + "; it sticks from there on");
    begin_sliding(crossing, finding, alone);
    guard.forget();
    return;
  }
  const char* advice = options_.on_zeno == ZenoPolicy::kStick
                           ? "; a DAE cannot stick, only stop or go"
                           : "; --on-zeno stick or go changes what happens";
  if (finding == ZenoFinding::kZeno) result_.accumulation = accumulation;
  end(RunReason::kZeno, what + advice, name);
}

}  // namespace arges
