// Where a condition goes that stands on zero: the part of the Simulator that looks ahead.

#include <algorithm>
#include <cmath>

#include "arges/base/error.h"
#include "arges/hybrid/mode_runtime.h"

namespace arges {

// Conditions stand on zero and the slope of the motion does not say where they go: they are left in
// second or higher order, or rest. The solver takes a few steps, which are not part of the run, and
// starts anew.
std::span<const Crossing> Simulator::look_ahead() {
  restart_solver(0);
  if (ended_) return {};
  Stepper& ahead = *stepper_;
  double limit = std::min(options_.stop_time, next_due());
  if (has_memory_) limit = std::min(limit, context_.t + system_.longest_step(point_at(context_)));
  monitor_.look_along(ahead, limit, [&](const EventMonitor::Undecided& each, double t) {
    return would_turn(each, ahead, t);
  });
  restart_needed_ = true;
  return monitor_.decide();
}

// The event has fired where nothing moves its condition, so that its action had nothing to turn (a
// ball that is put on the floor). Would it turn the motion that has now been seen at t? Then it is
// armed; else it has done its part.
bool Simulator::would_turn(EventMonitor::Undecided undecided, const Stepper& stepper, double t) {
  const Direction direction = system_.schema().events[undecided.event.index].direction;
  const bool rising = direction == Direction::kRising;
  if (direction == Direction::kBoth || (undecided.side > 0) != rising) return false;
  const ModeEquations& equations = runtime(context_.mode).equations;
  const Context now = context_;
  const std::vector<double> rates_now = xdot_;
  context_.t = t;
  stepper.interpolate(t, context_.x.data());
  bool turned = false;
  try {
    const auto heading = [&] {
      return monitor_.heading(equations, t, context_.x.data(), rates(equations), undecided.event);
    };
    const Context there = context_;
    const bool is_moved = heading() == undecided.side;
    Update update(system_, there, context_);
    update.set_rising(rising);
    system_.on_event(undecided.event, update);
    turned = is_moved && context_.mode == now.mode && !update.termination() &&
             heading() != undecided.side;
  } catch (const EvaluationError&) {
  }
  context_ = now;
  xdot_ = rates_now;
  return turned;
}

}  // namespace arges
