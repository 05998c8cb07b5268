#include "argesim/c09_fuzzy_tanks/model.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "arges/hybrid/update.h"

namespace arges::argesim {

namespace c9 {

Controllers::Controllers() : first_(fuzzy::And::kProduct, 0.5), second_(fuzzy::And::kMinimum, 0.5) {
  for (int input = 0; input < 2; ++input) {
    first_.add_input(fuzzy::partition({-1, -0.5, 0, 0.5, 1}));
    second_.add_input({fuzzy::falling(-0.6, -0.1), fuzzy::trapezoid(-0.6, -0.1, 0.1, 0.6),
                       fuzzy::rising(0.1, 0.6)});
  }
  const auto rule = [](double gain) {
    return [gain](std::size_t i, std::size_t j) {
      return std::clamp(0.5 + gain * (static_cast<double>(i) - static_cast<double>(j)), 0.0, 1.0);
    };
  };
  first_.add_table(rule(0.25));
  second_.add_table(rule(0.5));
}

double Controllers::fc1(double e, double v) const { return first_(std::array{e, v}); }
double Controllers::fc2(double e, double v) const { return second_(std::array{e, v}); }
double Controllers::fc3(double e, double v) const {
  return std::abs(e) * fc2(e, v) + (1 - std::abs(e)) * fc1(e, v);
}
double Controllers::control(int which, double e, double v) const {
  return which == 1 ? fc1(e, v) : which == 2 ? fc2(e, v) : fc3(e, v);
}

}  // namespace c9

FuzzyTanks::FuzzyTanks() : HybridSystem("C9", "Two tanks with fuzzy control") {
  x1 = declare_state("x1", 0.1, "m", "level of the first tank");
  x2 = declare_state("x2", 0.05, "m", "level of the second tank");
  declare_jacobian();
  declare_autonomous();
  area = declare_parameter("area", 0.02, "m2", "of each tank");
  opening = declare_parameter("opening", 3e-5, "m2", "between the tanks, and out of the second");
  inflow = declare_parameter("inflow", 2e-4, "m3/s", "with the valve open");
  g = declare_parameter("g", 9.81, "m/s2", "");
  wanted = declare_parameter("wanted", 0.4, "m", "level of the second tank");
  controller = declare_parameter("controller", 1, "", "1, 2, or 3: a mixture of both");
  e = declare_discrete("e", 0, ValueType::kReal, "error of the level, relative");
  v = declare_discrete("v", 0, ValueType::kReal, "rise of the level, scaled");
  u = declare_discrete("u", 0, ValueType::kReal, "opening of the valve");
  sample = declare_timer("control", 0, 1);
  declare_experiment({.stop_time = 1000, .rtol = 1e-10});
}

double FuzzyTanks::through(double head, const Point& at) const {
  return std::copysign(at[opening] * std::sqrt(2 * at[g] * std::abs(head)), head);
}

double FuzzyTanks::rise(const Point& at) const {
  return (through(at[x1] - at[x2], at) - through(at[x2], at)) / at[area];
}

void FuzzyTanks::derivatives(const Point& at, Rates d) const {
  d[x1] = (at[inflow] * at[u] - through(at[x1] - at[x2], at)) / at[area];
  d[x2] = rise(at);
}

void FuzzyTanks::jacobian(const Point& at, const double*, double, JacobianEntries J) const {
  const auto slope = [&](double head) {
    return at[opening] * std::sqrt(at[g] / (2 * std::abs(head))) / at[area];
  };
  const double between = slope(at[x1] - at[x2]), out = slope(at[x2]);
  J(x1, x1) = -between;
  J(x1, x2) = between;
  J(x2, x1) = between;
  J(x2, x2) = -between - out;
}

void FuzzyTanks::on_timer(TimerId, Update& now) const {
  const Point& at = now.point();
  now[e] = std::clamp((at[wanted] - at[x2]) / at[wanted], -1.0, 1.0);
  now[v] = std::clamp(rise(at) / 0.002, -1.0, 1.0);
  now[u] = controllers_.control(static_cast<int>(std::lround(at[controller])), now[e], now[v]);
}

}  // namespace arges::argesim
