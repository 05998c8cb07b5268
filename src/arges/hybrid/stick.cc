// The policy `stick`: the part of the Simulator that holds a model on a surface and lets it go
// again.

#include <fmt/format.h>

#include "arges/hybrid/mode_runtime.h"

namespace arges {

void Simulator::begin_sliding(Crossing crossing, ZenoFinding finding) {
  const auto& modes = system_.schema().modes;
  const bool same_variables =
      modes[before_.mode.index].state_space == modes[context_.mode.index].state_space;
  const bool jumps = !same_variables || before_.x != context_.x;
  if (finding == ZenoFinding::kChattering && !jumps) {
    sliding_ = std::make_unique<Sliding>(system_, before_, context_, crossing.event);
  } else {
    sliding_ = std::make_unique<Sliding>(system_, context_, crossing.event,
                                         crossing.rising ? -1 : 1, context_.t, context_.x.data());
  }
  sliding_crossing_ = crossing;
  sliding_stepper_ = make_stepper(context_.solver, *sliding_, options_.numerics);
  monitor_.suppress(crossing.event, true);
  log_sliding("sticks");
  restart_needed_ = true;
}

// Looks whether the motion has left the surface within the step, and takes position where it did.
bool Simulator::leave_surface(Stepper& stepper) {
  if (sliding_->exit(stepper.t(), stepper.x()) == Sliding::Exit::kStays) return false;
  double lo = stepper.t_old(), hi = stepper.t();
  while (hi - lo > 4 * EventMonitor::unit(stepper)) {
    const double middle = lo + 0.5 * (hi - lo);
    if (!(middle > lo && middle < hi)) break;
    stepper.interpolate(middle, x_row_.data());
    (sliding_->exit(middle, x_row_.data()) == Sliding::Exit::kStays ? lo : hi) = middle;
  }
  record_until(stepper, hi);
  context_.t = hi;
  stepper.interpolate(hi, context_.x.data());
  record_row(hi, context_.x.data(), nullptr);
  end_sliding(sliding_->exit(hi, context_.x.data()));
  record_row(hi, context_.x.data(), nullptr);
  return true;
}

void Simulator::end_sliding(Sliding::Exit exit) {
  monitor_.suppress(sliding_crossing_.event, false);
  result_.statistics += sliding_stepper_->statistics();
  if (!sliding_->is_rest() && exit != Sliding::Exit::kStays) {
    const bool to_one = exit == Sliding::Exit::kToOne;
    const Context& values = to_one ? sliding_->one() : sliding_->other();
    context_.mode = values.mode;
    context_.p = values.p;
    context_.u = values.u;
    context_.z = values.z;
    // The condition is on the side that belongs to these values, whatever the last digit of g says.
    monitor_.mark_fired(
        {sliding_crossing_.event, to_one ? !sliding_crossing_.rising : sliding_crossing_.rising});
  }
  log_sliding("leaves");
  sliding_.reset();
  sliding_stepper_.reset();
  const ModeEquations& equations = runtime(context_.mode).equations;
  equations.rhs(context_.t, context_.x.data(), xdot_.data());
  monitor_.restart(equations, context_.t, context_.x.data(), xdot_.data());
  restart_needed_ = true;
}

void Simulator::log_sliding(const char* what) {
  if (sink_ == nullptr) return;
  EventRecord record;
  record.time = context_.t;
  record.kind = to_string(EventKind::kFunction);
  record.component =
      fmt::format("{} ({})", system_.schema().events[sliding_crossing_.event.index].name, what);
  sink_->event(record);
}

}  // namespace arges
