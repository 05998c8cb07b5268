#include "arges/solvers/initial_step.h"

#include <algorithm>
#include <cmath>

#include "arges/base/error.h"
#include "arges/solvers/failure_messages.h"

namespace arges {

namespace {

bool try_evaluate(const Equations& equations, double t, const double* x, double* f) {
  try {
    equations.rhs(t, x, f);
  } catch (const EvaluationError& error) {
    if (!error.recoverable()) throw;
    return false;
  }
  return find_non_finite(equations.size(), f) < 0;
}

}  // namespace

double initial_step(const Equations& equations, double t, const double* x, const double* f0,
                    std::span<const double> atol, double rtol, int order, double room,
                    double max_step, double* y, double* f1, std::int64_t& evaluations) {
  const int n = equations.size();
  if (n == 0) return std::min(room, max_step);
  // A variable that starts next to zero (after an event, on its threshold) is expected to become
  // larger soon: its magnitude now would make the step needlessly tiny.
  const auto magnitude = [&](int i) {
    const double nominal = equations.nominal().empty() ? 1 : equations.nominal()[i];
    return std::max(std::fabs(x[i]), 1e-3 * nominal);
  };
  double x_norm = 0, f_norm = 0;
  for (int i = 0; i < n; ++i) {
    const double scale = atol[i] + rtol * magnitude(i);
    x_norm += (magnitude(i) / scale) * (magnitude(i) / scale);
    f_norm += (f0[i] / scale) * (f0[i] / scale);
  }
  x_norm = std::sqrt(x_norm / n);
  f_norm = std::sqrt(f_norm / n);
  // The norms may overflow when a tolerance is next to nothing: then the step must not become NaN.
  double h = 0.01 * x_norm / f_norm;
  if (x_norm < 1e-5 || f_norm < 1e-5 || !std::isfinite(h) || h == 0) h = 1e-6;
  h = std::min({h, room, max_step});

  bool evaluated = false;
  for (int attempt = 0; attempt < 6 && !evaluated; ++attempt) {
    if (attempt > 0) h *= 1e-3;
    for (int i = 0; i < n; ++i) y[i] = x[i] + h * f0[i];
    ++evaluations;
    evaluated = try_evaluate(equations, t + h, y, f1);
  }
  if (!evaluated) return h;

  double curvature = 0;
  for (int i = 0; i < n; ++i) {
    const double ratio = (f1[i] - f0[i]) / (atol[i] + rtol * magnitude(i));
    curvature += ratio * ratio;
  }
  curvature = std::sqrt(curvature / n) / h;
  const double steepest = std::max(curvature, f_norm);
  const double wanted =
      steepest <= 1e-15 ? std::max(1e-6, h * 1e-3) : std::pow(0.01 / steepest, 1.0 / order);
  const double first = std::min({100 * h, wanted, max_step});
  return first > 0 ? first : h;
}

}  // namespace arges
