#include "argesim/c12_spheres/model.h"

#include <cmath>

#include <fmt/format.h>

#include "arges/hybrid/update.h"

namespace arges::argesim {

RowOfSpheres::RowOfSpheres() : HybridSystem("C12", "Collisions in a row of four spheres") {
  for (int i = 0; i < kSpheres; ++i) {
    x[i] = declare_state(fmt::format("x[{}]", i + 1), 0, "m", "position");
  }
  for (int i = 0; i < kSpheres; ++i) {
    v[i] = declare_state(fmt::format("v[{}]", i + 1), 0, "m/s", "velocity");
  }
  declare_jacobian();
  declare_autonomous();
  a = declare_parameter("a", 1, "m", "gap between neighbours at the start");
  d = declare_parameter("d", 1, "m", "diameter");
  v0 = declare_parameter("v0", 1, "m/s", "velocity of the first sphere at the start");
  e = declare_parameter("e", 0.2, "", "coefficient of restitution");
  c = declare_parameter("c", 0, "1/m", "quadratic drag");
  collisions = declare_discrete("collisions", 0, ValueType::kInteger, "collisions so far");
  for (int i = 0; i + 1 < kSpheres; ++i) {
    collision[i] = declare_event(fmt::format("{} hits {}", i + 1, i + 2), Direction::kFalling);
  }
  declare_experiment({.stop_time = 20});
}

void RowOfSpheres::derivatives(const Point& at, Rates rate) const {
  for (int i = 0; i < kSpheres; ++i) {
    rate[x[i]] = at[v[i]];
    rate[v[i]] = -at[c] * at[v[i]] * std::abs(at[v[i]]);
  }
}

void RowOfSpheres::jacobian(const Point& at, const double*, double, JacobianEntries J) const {
  for (int i = 0; i < kSpheres; ++i) {
    J(x[i], v[i]) = 1;
    J(v[i], v[i]) = -2 * at[c] * std::abs(at[v[i]]);
  }
}

void RowOfSpheres::conditions(const Point& at, Conditions g) const {
  for (int i = 0; i + 1 < kSpheres; ++i) g[collision[i]] = at[x[i + 1]] - at[x[i]] - at[d];
}

void RowOfSpheres::initialize(Update& now) const {
  for (int i = 0; i < kSpheres; ++i) now[x[i]] = i * (now[d] + now[a]);
  now[v[0]] = now[v0];
}

void RowOfSpheres::on_event(EventId event, Update& now) const {
  const int i = event.index - collision[0].index;
  const double mean = (now[v[i]] + now[v[i + 1]]) / 2;
  const double half_difference = (now[v[i]] - now[v[i + 1]]) / 2;
  if (half_difference <= 0) return;  // they touch, but part already
  now[v[i]] = mean - now[e] * half_difference;
  now[v[i + 1]] = mean + now[e] * half_difference;
  now[collisions] += 1;
}

}  // namespace arges::argesim
