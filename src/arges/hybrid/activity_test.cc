#include "arges/hybrid/activity.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "arges/hybrid/simulator.h"

namespace arges {
namespace {

// x = cos t, v = -sin t.
class Swing : public HybridSystem {
 public:
  Swing() : HybridSystem("swing") {
    x_ = declare_state("x", 1);
    v_ = declare_state("v", 0);
    declare_autonomous();
  }
  void derivatives(const Point& at, Rates d) const override {
    d[x_] = at[v_];
    d[v_] = -at[x_];
  }

 private:
  StateId x_, v_;
};

TEST(Activity, IsTheLengthOfTheWayWithAnySolver) {
  for (const std::string solver : {"dopri5", "rodas5p", "cvode-bdf", "rk4", "qss2", "liqss3"}) {
    RunOptions options;
    options.stop_time = 4 * std::acos(-1.0);  // two periods: each state goes 8
    options.solver = solver;
    options.measures_activity = true;
    options.numerics.rtol = 1e-5;
    options.numerics.atol = 1e-5;
    if (solver == "rk4") options.numerics.step = 0.01;
    const RunResult result = simulate(Swing(), options);
    ASSERT_EQ(result.activity.size(), 2u) << solver;
    EXPECT_EQ(result.activity[0].name, "x");
    EXPECT_NEAR(result.activity[0].activity, 8, 0.02) << solver;
    EXPECT_NEAR(result.activity[1].activity, 8, 0.02) << solver;
    EXPECT_NEAR(result.activity[0].crossings, 8e5, 2e3) << solver;
  }
}

// Eight ways between 1 and zero: of each, ln(1e4) / rtol quanta lie where the relative quantum is
// the larger one, and 1 / rtol below.
TEST(Activity, FollowsARelativeQuantumThroughZero) {
  for (const std::string solver : {"dopri5", "rodas5p", "cvode-bdf", "qss1"}) {
    RunOptions options;
    options.stop_time = 4 * std::acos(-1.0);
    options.solver = solver;
    options.measures_activity = true;
    options.numerics.rtol = 1e-3;
    options.numerics.atol = 1e-7;
    const RunResult result = simulate(Swing(), options);
    const double foreseen = 8 * (1 + std::log(1e4)) * 1e3;
    EXPECT_NEAR(result.activity[0].crossings / foreseen, 1, 5e-3) << solver;
    const auto moves = result.activity[0].moves;
    EXPECT_NEAR(static_cast<double>(moves.value_or(foreseen)) / foreseen, 1, 5e-3) << solver;
  }
}

// Turning points lie inside of them.
TEST(Activity, IsRightWithLongSteps) {
  for (const std::string solver : {"dop853", "rodas5p"}) {
    RunOptions options;
    options.stop_time = 4 * std::acos(-1.0);
    options.solver = solver;
    options.measures_activity = true;
    options.numerics.rtol = options.numerics.atol = 1e-5;
    const RunResult result = simulate(Swing(), options);
    EXPECT_LT(result.statistics.steps, 30) << solver;
    EXPECT_NEAR(result.activity[0].activity, 8, 2e-3) << solver;
    EXPECT_NEAR(result.activity[1].activity, 8, 2e-3) << solver;
  }
}

// With a fixed quantum each move of qss1 is one quantum.
TEST(Activity, HasTheMovesOfQuantisedStates) {
  RunOptions options;
  options.stop_time = 4 * std::acos(-1.0);
  options.solver = "qss1";
  options.measures_activity = true;
  options.numerics.rtol = 0;
  options.numerics.atol = 1e-3;
  Swing swing;
  Simulator simulator(swing, options);
  for (int run = 0; run < 2; ++run) {  // each counts its own
    const RunResult result = simulator.run(make_context(swing));
    ASSERT_EQ(result.activity.size(), 2u);
    std::int64_t sum = 0;
    for (const StateActivity& each : result.activity) {
      ASSERT_TRUE(each.moves.has_value());
      EXPECT_NEAR(static_cast<double>(*each.moves), each.crossings, 0.01 * each.crossings);
      sum += *each.moves;
    }
    EXPECT_EQ(sum, result.statistics.steps);
  }
  options.solver = "dopri5";
  options.numerics.rtol = 1e-6;
  EXPECT_FALSE(simulate(swing, options).activity[0].moves.has_value());
}

TEST(Activity, IsNotMeasuredUnlessAskedFor) { EXPECT_TRUE(simulate(Swing(), {}).activity.empty()); }

}  // namespace
}  // namespace arges
