// How a run ends before its time: the part of the Simulator that says what went wrong.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/hybrid/mode_runtime.h"

namespace arges {

// An evaluation that was interrupted reports a failure of its own: what counts is who asked.
void Simulator::end(RunReason reason, std::string message, std::string component) {
  if (ended_) return;
  const bool failed =
      reason == RunReason::kEvaluationFailed || reason == RunReason::kInitialisationFailed;
  if (failed && interrupt_.requested()) check_limits();
  if (ended_) return;
  ended_ = true;
  result_.status.reason = reason;
  result_.status.message = std::move(message);
  result_.status.component = std::move(component);
}

void Simulator::step_failed(const Stepper& stepper, StepStatus status) {
  const std::string& why = stepper.message();
  switch (status) {
    case StepStatus::kOk:
      break;
    case StepStatus::kStepTooSmall:
      end(RunReason::kStepTooSmall, why);
      break;
    case StepStatus::kNewtonFailed:
      end(RunReason::kNewtonFailed, why);
      break;
    case StepStatus::kNonFinite:
      end(RunReason::kNonFinite, why + what_is_not_finite(stepper.t(), stepper.x()));
      break;
    case StepStatus::kEvaluationFailed:
      end(RunReason::kEvaluationFailed, why);
      break;
  }
}

// The solver's trial points are gone. They were close to the last good one: the model is asked
// along its direction, further and further on.
std::string Simulator::what_is_not_finite(double t, const double* x) {
  const ModeEquations& equations = runtime(context_.mode).equations;
  if (equations.form() == EquationForm::kImplicit || sliding_) return {};
  const std::size_t n = static_cast<std::size_t>(equations.size());
  std::vector<double> slope(n), trial(n);
  try {
    equations.rhs(t, x, slope.data());
    const double span = options_.stop_time - options_.start_time;
    constexpr double kFactor = 4;
    for (double h = 0; h <= span; h = h == 0 ? 1e-15 * std::max(span, std::abs(t)) : kFactor * h) {
      for (std::size_t i = 0; i < n; ++i) trial[i] = h == 0 ? x[i] : x[i] + h * slope[i];
      const auto found = system_.find_non_finite(equations.point(t + h, trial.data()));
      if (!found.variable.empty())
        return fmt::format("; '{}' comes from {}", found.variable, found.equation);
      if (h > 0 && !(t + kFactor * h > t)) break;
    }
  } catch (const EvaluationError&) {
    // It has no more to say than the solver knows.
  }
  return {};
}

// Called after a row was made.
void Simulator::check_outputs(double t, const double* x) {
  if (!result_.status.ok()) return;
  if (!rows_.failure().empty()) {
    ended_ = false;  // also when the run has just reached its end
    return end(RunReason::kEvaluationFailed,
               fmt::format("an output cannot be computed at t = {:.17g}: {}", t, rows_.failure()));
  }
  const std::span<const double> row = rows_.computed();
  if (std::all_of(row.begin(), row.end(), [](double v) { return std::isfinite(v); })) return;
  const auto found = system_.find_non_finite(runtime(context_.mode).equations.point(t, x));
  if (found.variable.empty()) return;
  ended_ = false;
  end(RunReason::kNonFinite,
      fmt::format("'{}' is not finite at t = {:.17g}; it comes from {}", found.variable, t,
                  found.equation),
      found.variable);
}

}  // namespace arges
