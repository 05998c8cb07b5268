#include "bench/models.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "arges/hybrid/update.h"
#include "bench/reference_values.h"

namespace arges::bench {

Heat::Heat() : HybridSystem("heat") {
  std::vector<std::pair<StateId, StateId>> entries;
  const double dx = 1.0 / (kHeat_n + 1);
  std::vector<StateId> x;
  for (int i = 0; i < kHeat_n; ++i) {
    x.push_back(declare_state("x[" + std::to_string(i + 1) + "]",
                              std::sin(std::numbers::pi * (i + 1) * dx)));
  }
  for (int i = 0; i < kHeat_n; ++i) {
    for (int j = std::max(0, i - 1); j <= std::min(kHeat_n - 1, i + 1); ++j)
      entries.emplace_back(x[i], x[j]);
  }
  declare_sparsity(entries);
  declare_jacobian();
  declare_autonomous();
}

void Heat::derivatives(const Point& at, Rates d) const {
  const double k = (kHeat_n + 1.0) * (kHeat_n + 1.0);
  for (int i = 0; i < kHeat_n; ++i) {
    const double left = i > 0 ? at.x[i - 1] : 0, right = i + 1 < kHeat_n ? at.x[i + 1] : 0;
    d.data()[i] = k * (left - 2 * at.x[i] + right);
  }
}

void Heat::jacobian(const Point&, const double*, double, JacobianEntries J) const {
  const double k = (kHeat_n + 1.0) * (kHeat_n + 1.0);
  double* value = J.values();  // column by column: above, on and below the diagonal
  for (int j = 0; j < kHeat_n; ++j) {
    if (j > 0) *value++ = k;
    *value++ = -2 * k;
    if (j + 1 < kHeat_n) *value++ = k;
  }
}

Switching::Switching(By by, double the_period) : HybridSystem("switching"), period(the_period) {
  x = declare_state("x", 1);
  declare_jacobian();
  z = declare_discrete("z", 1);
  next = declare_discrete("next", period);
  if (by == By::kState) passes = declare_event("t passes next", Direction::kRising);
  if (by == By::kTimer) declare_timer("every period", period, period);
}

void Switching::derivatives(const Point& at, Rates d) const { d[x] = -at[z] * at[x]; }

void Switching::jacobian(const Point& at, const double*, double, JacobianEntries J) const {
  J(x, x) = -at[z];
}

void Switching::conditions(const Point& at, Conditions g) const { g[passes] = at.t - at[next]; }

void Switching::on_event(EventId, Update& now) const {
  now[next] += period;
  now[z] = -now[z];
}

void Switching::on_timer(TimerId, Update& now) const { now[z] = -now[z]; }

}  // namespace arges::bench
