// DAEs through the kernel: consistent values, events, failures.

#include <gtest/gtest.h>

#include <cmath>

#include "testing/battery_models.h"

namespace arges {
namespace {

using testing::Collector;

// x' = -z, 0 = z^3 + z - x: semi-explicit, index 1. An event at x = 0.5 doubles the rate.
class CubicLaw : public HybridSystem {
 public:
  explicit CubicLaw(double guess = 3) : HybridSystem("cubic law") {
    x = declare_state("x", 2);
    z = declare_algebraic("z", guess);
    declare_autonomous();
    k = declare_discrete("k", 1);
    half = declare_event("x falls to 0.5", Direction::kFalling);
  }
  void derivatives(const Point& at, Rates f) const override {
    f[x] = -at[k] * at[z];
    f[z] = at[z] * at[z] * at[z] + at[z] - at[x];
  }
  void conditions(const Point& at, Conditions g) const override { g[half] = at[x] - 0.5; }
  void on_event(EventId, Update& now) const override { now[k] = 2; }

  // With x = z^3 + z: dt = -(3 z^2 + 1)/z dz / k, so t = (3/2 (z0^2 - z^2) + ln(z0/z)) / k.
  static double time_from(double z0, double z) {
    return 1.5 * (z0 * z0 - z * z) + std::log(z0 / z);
  }
  static double root(double x) {
    double z = 1;
    for (int i = 0; i < 60; ++i) z -= (z * z * z + z - x) / (3 * z * z + 1);
    return z;
  }

  StateId x, z;
  DiscreteId k;
  EventId half;
};

// y = x^3 along a harmonic oscillation: a condition on an algebraic variable, whose action makes
// the solver start anew.
class Cube : public HybridSystem {
 public:
  explicit Cube(Direction direction) : HybridSystem("cube") {
    x = declare_state("x", 1);
    v = declare_state("v", 0);
    y = declare_algebraic("y", 1);
    n = declare_discrete("n", 0);
    level = declare_event("level", direction);
  }
  void derivatives(const Point& at, Rates f) const override {
    f[x] = at[v];
    f[v] = -at[x];
    f[y] = at[y] - at[x] * at[x] * at[x];
  }
  void conditions(const Point& at, Conditions g) const override { g[level] = at[y] - 0.3; }
  void on_event(EventId, Update& now) const override { now[n] += 1; }

  StateId x, v, y;
  DiscreteId n;
  EventId level;
};

class DaeSolvers : public ::testing::TestWithParam<const char*> {};

TEST_P(DaeSolvers, FindConsistentValuesAndPassEvents) {
  CubicLaw model;
  RunOptions options;
  options.solver = GetParam();
  options.numerics.rtol = 1e-9;
  options.stop_time = 3;
  Collector log;
  const RunResult result = simulate(model, options, &log);
  ASSERT_TRUE(result.status.ok()) << result.status.message;
  EXPECT_NEAR(log.rows.front()[log.column("z")], 1, 1e-12);  // 1 + 1 = 2
  EXPECT_EQ(log.column("der(z)"), -1);
  ASSERT_EQ(log.events.size(), 1u);
  const double z_half = CubicLaw::root(0.5);
  const double t_half = CubicLaw::time_from(1, z_half);
  EXPECT_NEAR(log.events[0].time, t_half, 1e-7);
  const double z_end = result.final.x[model.z.index];
  EXPECT_NEAR(t_half + CubicLaw::time_from(z_half, z_end) / 2, 3, 1e-6);
}

TEST_P(DaeSolvers, FireOnceForEachCrossingOfAnAlgebraicVariable) {
  constexpr double kPeriod = 2 * 3.14159265358979323846;
  const double first = std::acos(std::cbrt(0.3));
  for (const double rtol : {1e-6, 1e-9, 1e-12}) {
    for (const Direction direction : {Direction::kRising, Direction::kFalling, Direction::kBoth}) {
      const Cube model(direction);
      RunOptions options;
      options.solver = GetParam();
      options.numerics.rtol = rtol;
      options.stop_time = 3 * kPeriod - 0.1;
      Collector log;
      ASSERT_TRUE(simulate(model, options, &log).status.ok());
      std::vector<double> expected;
      for (int i = 0; i < 3; ++i) {
        if (direction != Direction::kRising) expected.push_back(i * kPeriod + first);
        if (direction != Direction::kFalling) expected.push_back((i + 1) * kPeriod - first);
      }
      ASSERT_EQ(log.events.size(), expected.size()) << rtol;
      for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(log.events[i].time, expected[i], 500 * rtol) << rtol;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryDaeSolver, DaeSolvers, ::testing::Values("rodas5p", "ida", "auto"));

TEST(Dae, SolverWithoutAlgebraicVariablesIsRefusedWithAdvice) {
  RunOptions options;
  options.solver = "dopri5";
  try {
    simulate(CubicLaw(), options);
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("rodas5p"), std::string::npos) << error.what();
  }
}

// 0 = z^2 + 1 has no solution.
class Unsolvable : public HybridSystem {
 public:
  Unsolvable() : HybridSystem("unsolvable") {
    x = declare_state("x", 0);
    z = declare_algebraic("z", 0.7);
  }
  void derivatives(const Point& at, Rates f) const override {
    f[x] = 1;
    f[z] = at[z] * at[z] + 1;
  }
  StateId x, z;
};

TEST(Dae, FailedInitialisationNamesTheEquationThatDoesNotClose) {
  RunOptions options;
  options.solver = "rodas5p";
  const RunResult result = simulate(Unsolvable(), options);
  EXPECT_EQ(result.status.reason, RunReason::kInitialisationFailed);
  EXPECT_NE(result.status.message.find("'z'"), std::string::npos) << result.status.message;
  EXPECT_EQ(result.status.time, 0);
}

// Fully implicit: x' + x'^3/3 + y = 0 is solved for x' nowhere, and 0 = y - x.
class ImplicitDecay : public HybridSystem {
 public:
  ImplicitDecay() : HybridSystem("implicit decay") {
    declare_mode("only", EquationForm::kImplicit);
    x = declare_state("x", 1);
    y = declare_algebraic("y", 0);
  }
  void residual(const Point& at, const double* xdot, double* r) const override {
    r[x.index] = xdot[x.index] + xdot[x.index] * xdot[x.index] * xdot[x.index] / 3 + at[y];
    r[y.index] = at[y] - at[x];
  }
  StateId x, y;
};

TEST(Dae, FullyImplicitFormFindsItsDerivatives) {
  ImplicitDecay model;
  RunOptions options;
  options.numerics.rtol = 1e-9;
  options.stop_time = 1;
  Collector log;
  const RunResult result = simulate(model, options, &log);
  ASSERT_TRUE(result.status.ok()) << result.status.message;
  EXPECT_EQ(result.solver, "ida");
  const int x = log.column("x"), y = log.column("y"), rate = log.column("der(x)");
  for (const auto& row : log.rows) {
    EXPECT_NEAR(row[rate] + std::pow(row[rate], 3) / 3, -row[x], 1e-5);
    EXPECT_NEAR(row[y], row[x], 1e-12);
  }
  // With v = x': dx = -(1 + v^2) dv and dx = v dt give t = ln(v0/v) + (v0^2 - v^2)/2.
  const double v0 = log.rows.front()[rate], v = log.rows.back()[rate];
  EXPECT_NEAR(std::log(v0 / v) + (v0 * v0 - v * v) / 2, 1, 1e-6);
}

// Two modes of different dimension; the second has an algebraic variable that is solved for on
// entry.
class GrowingStructure : public HybridSystem {
 public:
  GrowingStructure() : HybridSystem("growing structure") {
    small = declare_mode("small");
    x = declare_state("x", 0);
    large = declare_mode("large");
    x2 = declare_state("x", -1);
    v = declare_state("v", 7);
    w = declare_algebraic("w", 1);
    grow = declare_event("grow", Direction::kRising, small);
    shrink = declare_event("shrink", Direction::kRising, large);
  }
  void derivatives(const Point& at, Rates f) const override {
    if (at.mode == small) {
      f[x] = 1;
      return;
    }
    f[x2] = at[w];
    f[v] = 1;
    f[w] = at[w] - 2;
  }
  void conditions(const Point& at, Conditions g) const override {
    if (at.mode == small) {
      g[grow] = at[x] - 0.5;
    } else {
      g[shrink] = at[x2] - 1.5;
    }
  }
  void on_event(EventId event, Update& now) const override {
    if (event == grow) {
      const double handed_over = now.pre(x);
      now.go_to(large);
      now[x2] = handed_over;
    } else {
      now.go_to(small);
      now[x] = 0.25;
    }
  }
  ModeId small, large;
  StateId x, x2, v, w;
  EventId grow, shrink;
};

TEST(Structure, ChangesDimensionWithHandOverStartValuesAndConsistentValues) {
  for (const char* solver : {"rodas5p", "ida"}) {
    GrowingStructure model;
    RunOptions options;
    options.solver = solver;
    options.numerics.rtol = 1e-9;
    options.stop_time = 1.2;
    Collector log;
    const RunResult result = simulate(model, options, &log);
    ASSERT_TRUE(result.status.ok()) << result.status.message;
    ASSERT_EQ(log.events.size(), 2u);
    EXPECT_NEAR(log.events[0].time, 0.5, 1e-8);
    EXPECT_NEAR(log.events[1].time, 1.0, 1e-8);
    EXPECT_EQ(log.events[0].kind, "SE-S");
    const int x = log.column("x"), v = log.column("v"), w = log.column("w");
    for (std::size_t i = 0; i < log.times.size(); ++i) {
      if (log.times[i] < 0.499 || log.times[i] > 1.001) {
        EXPECT_TRUE(std::isnan(log.rows[i][v])) << log.times[i];
        EXPECT_TRUE(std::isnan(log.rows[i][w])) << log.times[i];
      } else if (log.times[i] > 0.501 && log.times[i] < 0.999) {
        EXPECT_NEAR(log.rows[i][w], 2, 1e-7);
        EXPECT_NEAR(log.rows[i][x], 0.5 + 2 * (log.times[i] - 0.5), 1e-7);
        EXPECT_NEAR(log.rows[i][v], 7 + log.times[i] - 0.5, 1e-7);
      }
    }
    EXPECT_NEAR(log.rows.back()[x], 0.45, 1e-7);
  }
}

TEST(Structure, AutomaticChoiceLooksAtAllModes) {
  RunOptions options;
  options.stop_time = 1.2;
  const RunResult result = simulate(GrowingStructure(), options);
  EXPECT_TRUE(result.status.ok()) << result.status.message;
  EXPECT_EQ(result.solver, "rodas5p");
}

TEST(Structure, SolverThatCannotTakeTheNewModeEndsTheRunThere) {
  RunOptions options;
  options.stop_time = 1.2;
  options.solver = "dopri5";
  Collector log;
  const RunResult result = simulate(GrowingStructure(), options, &log);
  EXPECT_EQ(result.status.reason, RunReason::kEvaluationFailed);
  EXPECT_EQ(result.status.component, "large");
  EXPECT_NEAR(result.status.time, 0.5, 1e-9);
  EXPECT_GT(log.rows.size(), 200u);
}

}  // namespace
}  // namespace arges
