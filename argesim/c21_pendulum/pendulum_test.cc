#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "argesim/c21_pendulum/model.h"
#include "argesim/c21_pendulum/reference.h"
#include "argesim/common/experiment.h"

namespace arges::argesim {
namespace {

using std::numbers::pi;

constexpr const char* kText = "argesim/c21_pendulum/RotatingPendulum.mo";

void expect_turns(const Recording& result, const std::string& what) {
  ASSERT_EQ(result.final("turns"), c21::kTurns.size()) << what;
  for (std::size_t i = 0; i < c21::kTurns.size(); ++i) {
    const std::vector<double> times = result.change_times("turns", static_cast<double>(i) + 1);
    ASSERT_FALSE(times.empty()) << what << i;
    EXPECT_NEAR(times[0], c21::kTurns[i].t, 1e-6) << what << i;
  }
  EXPECT_NEAR(result.final("psi"), c21::kTurns.back().psi, 1e-6) << what;
}

class PendulumWithFlight : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Solvers, PendulumWithFlight,
                         ::testing::Values("rodas5p", "dopri5", "tsit5", "dop853", "cvode-bdf",
                                           "cvode-adams", "ida", "arkode-erk", "arkode-dirk"));

// The fall begins on the surface that ends it. Slightly different runs must not end it at once.
TEST_P(PendulumWithFlight, FallsOnceFromEveryStart) {
  const RotatingPendulum two_spaces;
  for (int i = 0; i < 20; ++i) {
    const Settings settings = {{"phi", pi / 4 + 1e-3 * i}};
    const Recording result = run(two_spaces, options(GetParam(), 1e-9, 20), settings);
    EXPECT_EQ(result.event_times("slack").size(), 1u) << i;
    ASSERT_FALSE(result.change_times("turns").empty()) << i;
    EXPECT_NEAR(result.event_times("taut").back() - result.event_times("slack")[0], 0.74, 0.05)
        << i;
  }
}

TEST_P(PendulumWithFlight, AllFormulationsTurnAtTheSameTimes) {
  const RunOptions wanted = options(GetParam(), 1e-10, 20);
  const RotatingPendulum two_spaces;
  expect_turns(run(two_spaces, wanted), "two state spaces");
  for (const char* name : {"MaximalStateSpace", "DaeForm"}) {
    const auto model = text_model(kText, name);
    expect_turns(run(*model, wanted), name);
  }
  for (const char* name : {"TwoStateSpaces", "WithConstraint"}) {
    const auto model = text_model("argesim/c21_pendulum/PendulumMachine.mo", name);
    expect_turns(run(*model, wanted), name);
  }
}

TEST(RotatingPendulum, VariablesOfTheOtherModeAreAbsent) {
  const RotatingPendulum model;
  const Recording result = run(model, options("dop853", 1e-10, 20));
  const std::vector<double> phi = result.trajectory.values_of("phi"),
                            x = result.trajectory.values_of("x");
  bool swung = false, fell = false;
  for (std::size_t i = 0; i < phi.size(); ++i) {
    EXPECT_NE(std::isnan(phi[i]), std::isnan(x[i])) << result.trajectory.times[i];
    swung = swung || std::isnan(x[i]);
    fell = fell || std::isnan(phi[i]);
  }
  EXPECT_TRUE(swung && fell);
}

TEST(RotatingPendulum, TheDaeStaysOnTheCircleWhileItSwings) {
  const RotatingPendulumDae model;
  for (const char* solver : {"rodas5p", "ida"}) {
    const Recording result = run(model, options(solver, 1e-10, 20));
    expect_turns(result, solver);
    const std::vector<double> x = result.trajectory.values_of("x"),
                              y = result.trajectory.values_of("y"),
                              lambda = result.trajectory.values_of("lambda");
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (std::isnan(lambda[i])) continue;
      EXPECT_NEAR(std::hypot(x[i], y[i]), 1, 1e-7) << solver << result.trajectory.times[i];
    }
  }
}

TEST(RotatingPendulum, WithoutDragAndFastEnoughItNeverFalls) {
  const RotatingPendulum model;
  const Recording result = run(model, options("dop853", 1e-10, 5), {{"k", 0}});
  EXPECT_TRUE(result.event_times().empty());
  const double omega = result.final("omega"), y = result.final("y_mass");
  EXPECT_NEAR(omega * omega / 2 + 9.81 * y, 225 / 2.0 + 9.81 * std::cos(pi / 4), 1e-7);
}

}  // namespace
}  // namespace arges::argesim
