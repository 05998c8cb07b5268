// How a hybrid run ends before its time: the part of the HybridSimulator that says what went wrong,
// when, and in which component.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/hybrid_devs/hybrid_simulator.h"

namespace arges::hybrid_devs {

void HybridSimulator::fail(RunReason reason, const std::string& message,
                           const std::string& component) {
  failed_ = true;
  status_.reason = reason;
  status_.time = t_;
  status_.component = component;
  if (component.empty() && reason == RunReason::kEvaluationFailed && part_ != nullptr) {
    status_.component = part_->broken();
  }
  status_.message = message;
}

// The last place at which all was well, in a step that is given up.
void HybridSimulator::stay_at(double t) {
  if (!(t > t_)) return;
  stepper_->interpolate(t, x_sample_.data());
  arrive(t, x_sample_.data());
}

void HybridSimulator::step_failed(StepStatus status) {
  arrive(stepper_->t(), stepper_->x());
  // A solver sees that a rate is not finite, and may end for what follows from that.
  if (status != StepStatus::kEvaluationFailed && part_->non_finite().entry != nullptr) {
    return fail_non_finite();
  }
  switch (status) {
    case StepStatus::kOk:
      break;
    case StepStatus::kStepTooSmall:
      return fail(RunReason::kStepTooSmall, stepper_->message(), fastest());
    case StepStatus::kNewtonFailed:
      return fail(RunReason::kNewtonFailed, stepper_->message(), fastest());
    case StepStatus::kNonFinite:
      return fail(RunReason::kNonFinite, stepper_->message(), fastest());
    case StepStatus::kEvaluationFailed:
      return fail(RunReason::kEvaluationFailed, stepper_->message());
  }
}

void HybridSimulator::fail_non_finite() {
  const ContinuousPart::NonFinite& what = part_->non_finite();
  fail(RunReason::kNonFinite, part_->describe(what), part_->path(*what.entry));
}

// After a transition: NaN in a state is found here, where it can be said who put it there.
bool HybridSimulator::states_are_finite() {
  for (const ContinuousPart::Entry& entry : part_->entries()) {
    const std::span<const double> x = entry.behaviour->states(entry.state);
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (std::isfinite(x[k])) continue;
      const std::string& path = part_->path(entry);
      fail(RunReason::kNonFinite,
           fmt::format("{}: x[{}] is set to {} at t = {:.17g}, by a transition or as its initial "
                       "value",
                       path, k + 1, x[k], t_),
           path);
      return false;
    }
  }
  return true;
}

// Something was not finite at a trial point of the step: is it at the point that counts?
bool HybridSimulator::is_finite_at(double t, const double* x) {
  std::vector<double> xdot(x_.size());
  part_->forget_non_finite();
  equations_->rhs(t, x, xdot.data());
  return part_->non_finite().entry == nullptr;
}

// An output that nobody reads does not stop the solver, which may have gone well beyond: where in
// the last step it was finite for the last time. non_finite() is what comes just behind that.
double HybridSimulator::last_finite_time(double from) {
  double good = from, bad = stepper_->t();
  const auto is_finite = [&](double t) {
    stepper_->interpolate(t, x_sample_.data());
    return is_finite_at(t, x_sample_.data());
  };
  if (!is_finite(from)) return from;
  for (double middle; (middle = good + (bad - good) / 2) > good && middle < bad;)
    (is_finite(middle) ? good : bad) = middle;
  if (bad < stepper_->t()) {
    is_finite(bad);
  } else {
    is_finite_at(bad, stepper_->x());
  }
  return good;
}

// The component whose states change fastest against their size at the present time: what a solver
// that cannot go on fails at, as far as one can tell.
std::string HybridSimulator::fastest() {
  std::vector<double> xdot(x_.size());
  try {
    equations_->rhs(t_, x_.data(), xdot.data());
  } catch (const EvaluationError&) {
    return part_->broken();
  }
  const ContinuousPart::Entry* found = &part_->entries().front();
  double largest = 0;
  for (const ContinuousPart::Entry& entry : part_->entries()) {
    for (std::size_t i = entry.first_x; i < entry.first_x + entry.x_count; ++i) {
      const double speed = std::abs(xdot[i]) / std::max(std::abs(x_[i]), 1.0);
      if (!(speed > largest)) continue;
      largest = speed;
      found = &entry;
    }
  }
  return part_->path(*found);
}

bool HybridSimulator::suspects_stiffness() const {
  return stepper_ != nullptr && stepper_->suspects_stiffness();
}

std::string HybridSimulator::way_out_of_stiffness() const {
  return fmt::format("the problem is stiff for '{}': take --solver {}", solver_,
                     stepper_->makes_moves() ? "liqss2 or rodas5p" : "rodas5p or cvode-bdf");
}

}  // namespace arges::hybrid_devs
