// The choice behind solver `auto`.
//
// Stiff means that stability and not accuracy would limit the steps of an explicit method. Both
// step counts are estimated from the eigenvalues of df/dx at the start:
//
//   stability  horizon * decay / 3.3          decay: the largest -Re(lambda); 3.3: the reach of the
//                                             stability region of tsit5 and dopri5
//   accuracy   horizon * motion / (100 rtol)^(1/5), at least 30
//                                             motion: the fastest rate that stays in the solution,
//                                             the largest |Im(lambda)| or positive Re(lambda); for
//                                             autonomous systems also the smallest |lambda|
//
// An explicit method is taken when stability needs at most twice the steps of accuracy; a wrong
// choice of the implicit method costs a small factor, a wrong choice of the explicit one can cost
// many orders of magnitude.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/linear/dense.h"
#include "arges/solvers/jacobian.h"
#include "arges/solvers/stepper.h"

namespace arges {

namespace {

// Up to this size one Rosenbrock step (8 solves, a new Jacobian and LU each time) is cheap against
// the overhead of a multistep code, and all eigenvalues can be had.
constexpr int kSmall = 50;
constexpr double kStabilityReach = 3.3;
constexpr double kLeastAccuracySteps = 30;
constexpr double kTightTolerance = 1e-9;

struct Rates {
  double decay = 0;
  double motion = 0;
};

std::optional<std::vector<double>> jacobian_values(const Equations& equations, double t,
                                                   const double* x) {
  JacobianEvaluator evaluator(equations);
  std::vector<double> f(equations.size()), values(evaluator.values_size());
  try {
    equations.rhs(t, x, f.data());
    evaluator.evaluate(t, x, f.data(), 0, values.data(), nullptr);
  } catch (const EvaluationError&) {
    return std::nullopt;
  }
  if (!std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }))
    return std::nullopt;
  return values;
}

// y = J x, dense column-major or in pattern order.
void multiply(const Equations& equations, const std::vector<double>& values,
              const Eigen::VectorXd& x, Eigen::VectorXd& y) {
  const int n = equations.size();
  const SparsityPattern* pattern = equations.sparsity();
  y.setZero();
  for (int j = 0; j < n; ++j) {
    if (pattern == nullptr) {
      y += x[j] * Eigen::Map<const Eigen::VectorXd>(values.data() + std::ptrdiff_t{j} * n, n);
    } else {
      for (int p = pattern->column_start[j]; p < pattern->column_start[j + 1]; ++p)
        y[pattern->row[p]] += values[p] * x[j];
    }
  }
}

Rates rates_from_eigenvalues(const Equations& equations, const std::vector<double>& values) {
  const int n = equations.size();
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n);
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(n), column(n);
  for (int j = 0; j < n; ++j) {
    unit[j] = 1;
    multiply(equations, values, unit, column);
    matrix.col(j) = column;
    unit[j] = 0;
  }
  // Entries are finite, so the iteration converges.
  const Eigen::VectorXcd eigenvalues = dense::eigenvalues(matrix).value();
  Rates rates;
  double slowest = std::numeric_limits<double>::infinity();
  const double scale = eigenvalues.cwiseAbs().maxCoeff();
  for (const auto& lambda : eigenvalues) {
    rates.decay = std::max(rates.decay, -lambda.real());
    rates.motion = std::max({rates.motion, std::abs(lambda.imag()), lambda.real()});
    // Zero eigenvalues (conserved quantities) come out as rounding errors.
    if (std::abs(lambda) > 1e-13 * scale) slowest = std::min(slowest, std::abs(lambda));
  }
  if (equations.autonomous() && n > 1 && std::isfinite(slowest))
    rates.motion = std::max(rates.motion, slowest);
  return rates;
}

// Power iteration: the size of the largest eigenvalue, and by the Rayleigh quotient whether it
// decays.
Rates rates_from_power_iteration(const Equations& equations, const std::vector<double>& values) {
  const int n = equations.size();
  Eigen::VectorXd v(n), w(n);
  for (int i = 0; i < n; ++i) v[i] = 1 + 0.5 * std::sin(1.0 + 7.0 * i);  // no symmetry to fall into
  v.normalize();
  double norm = 0, quotient = 0;
  for (int k = 0; k < 50; ++k) {
    multiply(equations, values, v, w);
    norm = w.norm();
    quotient = v.dot(w);
    if (!(norm > 0)) return {};
    v = w / norm;
  }
  if (quotient < -0.5 * norm) return {norm, 0};
  return {std::max(0.0, -quotient), norm};
}

}  // namespace

SolverChoice choose_solver(const Equations& equations, const SolverOptions& options, double t,
                           const double* x, double horizon) {
  const int n = equations.size();
  const bool small = n <= kSmall;
  if (equations.form() == EquationForm::kImplicit)
    return {"ida", "the equations are implicit in the derivatives: IDA"};
  if (equations.form() == EquationForm::kSemiExplicit) {
    return small
               ? SolverChoice{"rodas5p", fmt::format("algebraic equations among {} variables: "
                                                     "Rosenbrock",
                                                     n)}
               : SolverChoice{"ida", fmt::format("algebraic equations among {} variables: IDA", n)};
  }
  if (n == 0) return {"rodas5p", "no states"};

  const std::string states = n == 1 ? "1 state" : fmt::format("{} states", n);
  const SolverChoice implicit{small ? "rodas5p" : "cvode-bdf",
                              states + (small ? ": Rosenbrock" : ": BDF")};
  const auto values = jacobian_values(equations, t, x);
  if (!values) {
    return {implicit.name, fmt::format("the Jacobian cannot be evaluated at t = {}, so the system "
                                       "is taken as stiff; {}",
                                       t, implicit.reason)};
  }
  const Rates rates = small ? rates_from_eigenvalues(equations, *values)
                            : rates_from_power_iteration(equations, *values);
  if (!std::isfinite(horizon)) horizon = 1e4 / std::max(rates.decay, 1e-300);
  const double stability = horizon * rates.decay / kStabilityReach;
  const double accuracy =
      std::max(kLeastAccuracySteps, horizon * rates.motion / std::pow(100 * options.rtol, 0.2));
  const std::string constant =
      rates.decay > 0 ? fmt::format("the fastest time constant is {:.2g} s, the horizon {:.4g} s",
                                    1 / rates.decay, horizon)
                      : "no part of the solution decays";
  if (stability > 2 * accuracy) {
    return {
        implicit.name,
        fmt::format("{}: stiff (an explicit method needs {:.2g} steps for stability, {:.2g} for "
                    "accuracy); {}",
                    constant, stability, accuracy, implicit.reason)};
  }
  const bool tight = options.rtol < kTightTolerance;
  return {tight ? "dop853" : "tsit5",
          fmt::format("{}: not stiff; the relative tolerance is {:.0e}: explicit Runge-Kutta of "
                      "order {}",
                      constant, options.rtol, tight ? 8 : 5)};
}

}  // namespace arges
