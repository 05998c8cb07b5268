#include "arges/solvers/constraint_jacobian.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace arges {

void evaluate_constraint_jacobian(const Equations& equations, double t, const double* x,
                                  double* values) {
  if (equations.constraint_jacobian(t, x, values)) return;
  constexpr double kIncrement = 1.5e-8;
  const auto n = static_cast<std::size_t>(equations.size());
  const auto m = static_cast<std::size_t>(equations.constraint_count());
  std::vector<double> moved(x, x + n), here(m), there(m);
  equations.constraints(t, x, here.data());
  const std::span<const double> nominal = equations.nominal();
  for (std::size_t j = 0; j < n; ++j) {
    moved[j] += kIncrement * std::max(std::abs(x[j]), nominal.empty() ? 1 : nominal[j]);
    equations.constraints(t, moved.data(), there.data());
    for (std::size_t i = 0; i < m; ++i)
      values[i + j * m] = (there[i] - here[i]) / (moved[j] - x[j]);
    moved[j] = x[j];
  }
}

}  // namespace arges
