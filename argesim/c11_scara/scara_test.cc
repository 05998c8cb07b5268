#include <cmath>

#include <gtest/gtest.h>

#include "argesim/c11_scara/earlier_reference.h"
#include "argesim/c11_scara/reference.h"
#include "argesim/common/experiment.h"

namespace arges::argesim {
namespace {

constexpr const char* kText = "argesim/c11_scara/Scara.mo";

TEST(ScaraFormulations, AllMeetTheirLimitsAtTheSameTimes) {
  for (const char* name : {"PointToPointByHand", "PointToPointWithBodies"}) {
    const auto model = text_model(kText, name);
    const Recording result = run(*model, options("dop853", 1e-12, 2));
    for (const c11::Limit& limit : c11::kLimits) {
      const std::vector<double> times = result.change_times(limit.variable, limit.to ? 1 : 0);
      ASSERT_EQ(times.size(), 1u) << name << ": " << limit.what;
      EXPECT_NEAR(times[0], limit.t, 1e-9 * limit.t) << name << ": " << limit.what;
    }
  }
}

class Scara : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Solvers, Scara,
                         ::testing::Values("rodas5p", "dopri5", "tsit5", "dop853", "cvode-bdf",
                                           "ida", "arkode-dirk"));

TEST_P(Scara, MeetsAndLeavesItsLimitsOnTime) {
  const auto model = text_model(kText, "PointToPoint");
  const Recording result = run(*model, options(GetParam(), 1e-9, 2));
  for (const c11::Limit& limit : c11::kLimits) {
    const std::vector<double> times = result.change_times(limit.variable, limit.to ? 1 : 0);
    ASSERT_EQ(times.size(), 1u) << limit.what;
    EXPECT_NEAR(times[0], limit.t, 1e-6) << limit.what;
  }
  EXPECT_NEAR(result.final("q[1]"), c11::kStates.back().x[0], 1e-7);
  EXPECT_NEAR(result.final("q[2]"), c11::kStates.back().x[1], 1e-7);
  EXPECT_NEAR(result.final("q[3]"), c11::kStates.back().x[2], 1e-7);
}

TEST_P(Scara, WaitsOnceAndPassesAboveTheObstacle) {
  const auto model = text_model(kText, "Obstacle");
  RunOptions wanted = options(GetParam(), 1e-8, 2.5);
  wanted.interval = 0.005;
  const Recording result = run(*model, wanted);
  ASSERT_EQ(result.change_times("lifting").size(), 2u);
  EXPECT_NEAR(result.change_times("lifting")[0], c11::kCritical, 1e-6);
  EXPECT_NEAR(result.change_times("lifting")[1], c11::kClear, 1e-6);
  const std::vector<double> x = result.trajectory.values_of("x"),
                            z = result.trajectory.values_of("q[3]");
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] >= 0.2) continue;
    EXPECT_GE(z[i], 0.2) << result.trajectory.times[i];
  }
}

TEST_P(Scara, KeepsTheCurrentsWithinTheirLimits) {
  const auto model = text_model(kText, "Obstacle");
  RunOptions every = options(GetParam(), 1e-8, 1);
  every.interval = RunOptions::kEveryStep;
  const Recording result = run(*model, every);
  const double limits[] = {6.64, 2.771, 1.732};
  for (int k = 0; k < 3; ++k) {
    for (const double current : result.trajectory.values_of("I[" + std::to_string(k + 1) + "]"))
      EXPECT_LE(std::abs(current), limits[k] * (1 + 1e-9)) << k;
  }
}

TEST_P(Scara, LiftsOverTheObstacleAndGoesDownBehindItWithTheEarlierData) {
  const auto model = text_model(kText, "EarlierObstacle");
  const Recording result = run(*model, options(GetParam(), 1e-10, 2));
  ASSERT_EQ(result.change_times("phase").size(), c11::kEarlierPhases.size());
  for (std::size_t i = 0; i < c11::kEarlierPhases.size(); ++i)
    EXPECT_NEAR(result.change_times("phase")[i], c11::kEarlierPhases[i].t, 1e-7);
  const c11::State& end = c11::kEarlierObstacleStates.back().state;
  EXPECT_NEAR(result.final("q[1]"), end.x[0], 1e-6);
  EXPECT_NEAR(result.final("q[3]"), end.x[2], 1e-6);
}

}  // namespace
}  // namespace arges::argesim
