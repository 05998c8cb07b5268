#include "argesim/dae_realtime/model.h"

#include "argesim/dae_realtime/reference.h"

namespace arges::argesim {

RealTimePendulum::RealTimePendulum()
    : HybridSystem("dae-realtime", "A pendulum in Cartesian coordinates, for fixed steps") {
  g = declare_parameter("g", rt::kGravity, "m/s2", "gravity, for a period of 2 s");
  x = declare_state("x", 1, "m");
  y = declare_state("y", 0, "m");
  u = declare_state("u", 0, "m/s");
  v = declare_state("v", 0, "m/s");
  lambda = declare_algebraic("lambda", 0, "1/s2", "pull of the rod");
  declare_jacobian();
  declare_autonomous();
  declare_constraints(2);
  ExperimentInfo experiment;
  experiment.stop_time = 100;
  experiment.solver = "rodas5p";
  declare_experiment(experiment);
}

void RealTimePendulum::derivatives(const Point& at, Rates d) const {
  d[x] = at[u];
  d[y] = at[v];
  d[u] = at[lambda] * at[x];
  d[v] = at[lambda] * at[y] - at[g];
  d[lambda] =
      at[lambda] * (at[x] * at[x] + at[y] * at[y]) - at[g] * at[y] + at[u] * at[u] + at[v] * at[v];
}

void RealTimePendulum::jacobian(const Point& at, const double*, double, JacobianEntries J) const {
  J(x, u) = J(y, v) = 1;
  J(u, x) = J(v, y) = at[lambda];
  J(u, lambda) = at[x];
  J(v, lambda) = at[y];
  J(lambda, x) = 2 * at[lambda] * at[x];
  J(lambda, y) = 2 * at[lambda] * at[y] - at[g];
  J(lambda, u) = 2 * at[u];
  J(lambda, v) = 2 * at[v];
  J(lambda, lambda) = at[x] * at[x] + at[y] * at[y];
}

void RealTimePendulum::constraints(const Point& at, double* c) const {
  c[0] = at[x] * at[x] + at[y] * at[y] - 1;
  c[1] = at[x] * at[u] + at[y] * at[v];
}

bool RealTimePendulum::constraint_jacobian(const Point& at, double* values) const {
  const auto entry = [&](int row, StateId column) -> double& {
    return values[row + 2 * column.index];
  };
  entry(0, x) = 2 * at[x];
  entry(0, y) = 2 * at[y];
  entry(0, u) = entry(0, v) = entry(0, lambda) = entry(1, lambda) = 0;
  entry(1, x) = at[u];
  entry(1, y) = at[v];
  entry(1, u) = at[x];
  entry(1, v) = at[y];
  return true;
}

}  // namespace arges::argesim
