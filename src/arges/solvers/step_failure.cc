#include "arges/solvers/step_failure.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace arges {

int worst_variable(int n, const double* error, const double* x_old, const double* x_new,
                   const double* atol, double rtol) {
  int worst = n > 0 ? 0 : -1;
  double largest = -1;
  for (int i = 0; i < n; ++i) {
    const double scale = atol[i] + rtol * std::max(std::abs(x_old[i]), std::abs(x_new[i]));
    const double ratio = std::abs(error[i]) / scale;
    if (ratio > largest) {
      largest = ratio;
      worst = i;
    }
  }
  return worst;
}

int first_nonfinite(int n, const double* x) {
  for (int i = 0; i < n; ++i) {
    if (!std::isfinite(x[i])) return i;
  }
  return -1;
}

std::string describe(const StepFailure& failure, StepStatus status, const Equations& equations,
                     double t, double h) {
  const std::string name =
      failure.variable >= 0 ? fmt::format("'{}'", equations.name(failure.variable)) : "";
  const std::string where = h > 0 ? fmt::format("at t = {}, even with a step of {:.3g}", t, h)
                                  : fmt::format("at t = {}", t);
  switch (status) {
    case StepStatus::kStepTooSmall:
      return fmt::format(
          "the error test cannot be passed {}; the error of {} is the largest. Either the solution "
          "goes to infinity or jumps there (then model the jump as an event), or the tolerance is "
          "too tight",
          where, name);
    case StepStatus::kNewtonFailed:
      return fmt::format(
          "the iteration matrix is singular {}: the equations do not determine {}. Look for an "
          "algebraic loop without a unique solution",
          where, name);
    case StepStatus::kNonFinite:
      return fmt::format(
          "{}{} is not a finite number {}. Look for a division by zero, a logarithm or root of a "
          "negative number, or growth without bound",
          failure.in_derivative ? "the derivative of " : "",
          name.empty() ? "an intermediate value" : name, where);
    case StepStatus::kEvaluationFailed:
      return fmt::format("the model cannot be evaluated {}: {}", where, failure.what);
    case StepStatus::kOk:
      break;
  }
  return {};
}

}  // namespace arges
