// Every integrator has its theoretical order, with and without an event in the middle of the run.

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "arges/hybrid/simulator.h"

namespace arges {
namespace {

// x' = x cos t, so x = exp(sin t), until (if there is an event) x rises to 2, at sin t = ln 2; from
// there x' = k x^2 cos t, so 1/x = 1/2 - k (sin t - ln 2). The event is at t = 0.766..., which no
// step hits; over a run to t = 10 the solution swings three times.
class Swing : public HybridSystem {
 public:
  explicit Swing(bool with_event) : HybridSystem("swing"), with_event_(with_event) {
    exponential_ = declare_mode("exponential");
    x_ = declare_state("x", 1);
    declare_jacobian();
    hyperbolic_ = declare_variant("hyperbolic", exponential_);
    if (with_event) rises_ = declare_event("x rises to 2", Direction::kRising, exponential_);
  }
  void derivatives(const Point& at, Rates d) const override {
    const double x = at[x_];
    d[x_] = at.mode == exponential_ ? x * std::cos(at.t) : kStrength * x * x * std::cos(at.t);
  }
  void jacobian(const Point& at, const double*, double, JacobianEntries J) const override {
    const double x = at[x_], c = std::cos(at.t), s = std::sin(at.t);
    const bool exponential = at.mode == exponential_;
    J(x_, x_) = exponential ? c : 2 * kStrength * x * c;
    J.dt(x_) = exponential ? -x * s : -kStrength * x * x * s;
  }
  void conditions(const Point& at, Conditions g) const override { g[rises_] = at[x_] - 2; }
  void on_event(EventId, Update& now) const override { now.go_to(hyperbolic_); }

  double exact(double t) const {
    return with_event_ ? 1 / (0.5 - kStrength * (std::sin(t) - std::log(2)))
                       : std::exp(std::sin(t));
  }

 private:
  static constexpr double kStrength = 0.15;
  bool with_event_;
  ModeId exponential_, hyperbolic_;
  StateId x_;
  EventId rises_;
};

struct Outcome {
  double error;  // relative
  double steps;
};

Outcome solve(const std::string& solver, bool with_event, double rtol, double step) {
  const Swing model(with_event);
  RunOptions options;
  options.stop_time = 10;
  options.solver = solver;
  options.numerics.rtol = rtol;
  options.numerics.step = step;
  const RunResult result = simulate(model, options);
  EXPECT_TRUE(result.status.ok()) << result.status.message;
  EXPECT_EQ(result.events, with_event ? 1 : 0);
  return {std::abs(result.final.x[0] / model.exact(10) - 1),
          static_cast<double>(result.statistics.steps)};
}

// Slope of the line of least squares through (log x, log y).
double log_slope(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += std::log(x[i]) / n;
    mean_y += std::log(y[i]) / n;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (std::log(x[i]) - mean_x) * (std::log(x[i]) - mean_x);
    xy += (std::log(x[i]) - mean_x) * (std::log(y[i]) - mean_y);
  }
  return xy / xx;
}

std::string name_of(const std::string& solver, bool with_event) {
  return solver + (with_event ? " with an event" : " without events");
}

struct FixedStep {
  const char* solver;
  double order;
};
class FixedStepOrder : public ::testing::TestWithParam<FixedStep> {};

TEST_P(FixedStepOrder, HalvingTheStepDividesTheErrorByTwoToTheOrder) {
  const auto& [solver, order] = GetParam();
  for (const bool with_event : {false, true}) {
    std::vector<double> steps, errors;
    for (double h = 0.08; h > 0.002; h /= 2) {
      steps.push_back(h);
      errors.push_back(solve(solver, with_event, 1e-6, h).error);
    }
    EXPECT_NEAR(log_slope(steps, errors), order, 0.2) << name_of(solver, with_event);
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, FixedStepOrder,
                         ::testing::Values(FixedStep{"euler", 1}, FixedStep{"heun", 2},
                                           FixedStep{"ab3", 3}, FixedStep{"rk4", 4}),
                         [](const auto& param_info) {
                           return std::string(param_info.param.solver);
                         });

// The error of a step is kept at the tolerance. An error estimate of order h^p makes steps ~
// tol^(-1/p): p is the order of the one-step methods here (they go on with the better of two
// solutions), and one more than the order of multistep ones. A method of variable order takes
// higher ones as the tolerance gets tighter, and its apparent order is larger.
struct Adaptive {
  const char* solver;
  double least_order, largest_order;  // apparent, from the number of steps
  double error_factor;                // errors at the end, in units of rtol
};
class AdaptiveOrder : public ::testing::TestWithParam<Adaptive> {};

TEST_P(AdaptiveOrder, ErrorsFollowTheToleranceAndStepsTheOrder) {
  const auto& [solver, least_order, largest_order, error_factor] = GetParam();
  for (const bool with_event : {false, true}) {
    std::vector<double> tolerances, errors, tight, steps;
    for (double digits = 4; digits < 12; digits += 0.5) {
      const double rtol = std::pow(10, -digits);
      const Outcome outcome = solve(solver, with_event, rtol, 0);
      EXPECT_LT(outcome.error, error_factor * rtol)
          << name_of(solver, with_event) << ", rtol " << rtol;
      tolerances.push_back(rtol);
      errors.push_back(outcome.error);
      if (digits < 8) continue;
      tight.push_back(rtol);
      steps.push_back(outcome.steps);
    }
    EXPECT_GT(log_slope(tolerances, errors), 0.7) << name_of(solver, with_event);
    EXPECT_LT(log_slope(tolerances, errors), 1.3) << name_of(solver, with_event);
    const double order = -1 / log_slope(tight, steps);
    EXPECT_GT(order, least_order) << name_of(solver, with_event);
    EXPECT_LT(order, largest_order) << name_of(solver, with_event);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Solvers, AdaptiveOrder,
    ::testing::Values(Adaptive{"dopri5", 4.7, 5.5, 20}, Adaptive{"tsit5", 4.7, 5.5, 20},
                      Adaptive{"dop853", 7.5, 9, 40}, Adaptive{"rodas5p", 4.7, 5.5, 40},
                      Adaptive{"arkode-erk", 4.7, 5.6, 20}, Adaptive{"arkode-dirk", 4.7, 5.6, 40},
                      Adaptive{"cvode-bdf", 5.5, 8, 500}, Adaptive{"ida", 5.5, 8, 500},
                      Adaptive{"cvode-adams", 7, 14, 100}),
    [](const auto& param_info) {
      std::string name = param_info.param.solver;
      for (char& c : name) c = c == '-' ? '_' : c;
      return name;
    });

}  // namespace
}  // namespace arges
