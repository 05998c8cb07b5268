// Conditions that come back to their root just after they have left it: the part of the
// EventMonitor that does not take what the dense output says there for the motion.

#include <algorithm>
#include <cmath>

#include "arges/base/float_spacing.h"
#include "arges/hybrid/event_monitor.h"

namespace arges {

// A condition has just set out from its root, and is back after a few steps. Is that the motion, or
// only the dense output? That of a long step is rounded more than the states are, so that the
// condition seems to be back while it still rises. That of a multistep method is a straight line at
// first: the time and speed at which it comes back may be those of the line; the solver, whose
// errors are below its tolerance, does not care. The crossing counts when the equations at its
// state do not contradict: they move the condition across, and with a multistep method at about the
// same speed. If they do, the monitor is back at the beginning of the step.
bool EventMonitor::contradicts_motion(Stepper& stepper, double h) {
  if (equations_->form() == EquationForm::kImplicit || !stepper.sets_out_along_equations())
    return false;
  const double* x = event_state_.data();
  equations_->rhs(event_time_, x, xdot_try_.data());
  const auto sets_out = [&](const Crossing& crossing) {
    return set_out_[crossing.event.index] == kByMotion;
  };
  bool contradicts = std::any_of(crossings_.begin(), crossings_.end(),
                                 [&](const Crossing& crossing) { return moves_away(crossing); });
  if (stepper.is_multistep() && !contradicts) {
    const double apart = 1e-3 * h;
    for (int i = 0; i < equations_->size(); ++i) x_try_[i] = x[i] - apart * xdot_try_[i];
    evaluate(event_time_ - apart, x_try_.data(), g_hi_.data());
    evaluate_inside(stepper, event_time_ - apart, g_lo_.data());
    contradicts = std::any_of(crossings_.begin(), crossings_.end(), [&](const Crossing& crossing) {
      const int k = crossing.event.index;
      const double by_motion = g_[k] - g_hi_[k], by_line = g_[k] - g_lo_[k];
      const double larger = std::max(std::abs(by_motion), std::abs(by_line));
      return sets_out(crossing) && larger > rounding_[k] &&
             !(std::abs(by_motion - by_line) <= 0.5 * larger);
    });
  }
  if (!contradicts) return false;
  std::copy_n(node_values(0), event_count_, g_.data());
  std::copy(side_at_begin_.begin(), side_at_begin_.end(), side_.begin());
  std::copy(fresh_at_begin_.begin(), fresh_at_begin_.end(), fresh_.begin());
  for (const Crossing& crossing : crossings_) located_[crossing.event.index] = 0;
  crossings_.clear();
  return true;
}

// The motion along xdot_try_ at the event leads a condition that has set out back to its side.
bool EventMonitor::moves_away(const Crossing& crossing) {
  if (set_out_[crossing.event.index] == 0) return false;
  return heading(*equations_, event_time_, event_state_.data(), xdot_try_.data(), crossing.event) ==
         (crossing.rising ? -1 : 1);
}

// Nothing moved these conditions when they were last looked at, and yet they have left their root
// at the node: by rounding, unless something moves them there.
void EventMonitor::hold_resting(Stepper& stepper, int node) {
  const double* g = node_values(node);
  if (equations_->form() == EquationForm::kImplicit) return;
  bool has_slope = false;
  for (const int k : active_) {
    if (!is_at_rest(k, g[k]) || !crosses(k, g[k])) continue;
    if (!has_slope) {
      stepper.interpolate(node_t_[node], x_begin_.data());
      equations_->rhs(node_t_[node], x_begin_.data(), xdot_try_.data());
      has_slope = true;
    }
    if (heading(*equations_, node_t_[node], x_begin_.data(), xdot_try_.data(), EventId{k}) != 0) {
      rests_[k] = 0;
    } else if (side_[k] != 0) {
      set_fresh(k, g[k]);
    } else {
      slack_[k] = std::abs(g[k]);
    }
  }
}

// No step is shorter than this one, and yet a condition that moves away from its root has crossed
// it: by rounding. It goes on leaving, from where it is.
EventMonitor::Finding EventMonitor::refuse_sinking(const Stepper& stepper) {
  if (equations_->form() == EquationForm::kImplicit || !stepper.sets_out_along_equations())
    return Finding::kEvent;
  equations_->rhs(event_time_, event_state_.data(), xdot_try_.data());
  const double* end = node_values(node_count_ - 1);
  std::erase_if(crossings_, [&](const Crossing& crossing) {
    const int k = crossing.event.index;
    if (!moves_away(crossing)) return false;
    set_fresh(k, side_[k] * std::min(side_[k] * g_[k], side_[k] * end[k]));
    located_[k] = 0;
    return true;
  });
  if (!crossings_.empty()) return Finding::kEvent;
  std::copy_n(end, event_count_, g_.data());
  return Finding::kNothing;
}

// The crossings are at t, where the conditions are g_.
void EventMonitor::take_as_event(const Stepper& stepper, double t) {
  event_time_ = dense_time_ = t;
  event_accuracy_ = kSimultaneous * unit(stepper);
  std::copy(g_.begin(), g_.end(), dense_g_.begin());
  std::copy(side_.begin(), side_.end(), side_before_.begin());
  std::copy(fresh_.begin(), fresh_.end(), fresh_before_.begin());
  if (t == stepper.t()) {
    std::copy_n(stepper.x(), equations_->size(), event_state_.data());
  } else {
    stepper.interpolate(t, event_state_.data());
  }
}

}  // namespace arges
