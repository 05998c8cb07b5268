#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "argesim/c07_pendulum/model.h"
#include "argesim/c07_pendulum/reference.h"
#include "argesim/common/experiment.h"

namespace arges::argesim {
namespace {

using std::numbers::pi;

template <std::size_t N>
void expect_events(const Settings& settings, const std::array<c7::Switch, N>& expected,
                   const std::array<double, 2>& final) {
  const ConstrainedPendulum model;
  for (const char* solver : {"rodas5p", "dopri5", "tsit5", "dop853"}) {
    const Recording result = run(model, options(solver, 1e-11, 10), settings);
    const std::vector<double> times = result.event_times();
    ASSERT_EQ(times.size(), N) << solver;
    for (std::size_t i = 0; i < N; ++i) EXPECT_NEAR(times[i], expected[i].t, 1e-8) << solver;
    EXPECT_NEAR(result.result.final.x[0], final[0], 1e-8) << solver;
    EXPECT_NEAR(result.result.final.x[1], final[1], 1e-8) << solver;
  }
}

TEST(ConstrainedPendulum, HitsAndLeavesThePinOnTime) {
  expect_events({{"phi", pi / 6}, {"d", 0.2}}, c7::kEvents1, c7::kEvents1Final);
}

TEST(ConstrainedPendulum, MayBeginOnThePin) {
  expect_events({{"phi", -pi / 6}, {"d", 0.1}}, c7::kEvents2, c7::kEvents2Final);
}

TEST(ConstrainedPendulum, LinearModelAgreesWithItsReference) {
  expect_events({{"phi", pi / 6}, {"d", 0.2}, {"linear", 1}}, c7::kLinear1, c7::kLinear1Final);
  expect_events({{"phi", -pi / 6}, {"d", 0.1}, {"linear", 1}}, c7::kLinear2, c7::kLinear2Final);
}

TEST(ConstrainedPendulum, SpeedOfTheMassIsContinuousAtThePin) {
  const ConstrainedPendulum model;
  const Recording result = run(model, options("dop853", 1e-10, 10));
  const auto& times = result.trajectory.times;
  const std::vector<double> speed = result.trajectory.values_of("speed");
  int pairs = 0;
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (times[i] != times[i - 1]) continue;
    EXPECT_NEAR(speed[i], speed[i - 1], 1e-15) << times[i];
    ++pairs;
  }
  EXPECT_EQ(pairs, 8);
}

TEST(ConstrainedPendulum, WithoutDampingAndPinItKeepsItsEnergy) {
  const ConstrainedPendulum model;
  const auto x = final_state(model, options("dop853", 1e-12, 10), {{"d", 0}, {"lp", 0}}).final.x;
  const double energy = 0.5 * x[1] * x[1] - 9.81 * std::cos(x[0]);
  EXPECT_NEAR(energy, -9.81 * std::cos(pi / 6), 1e-10);
}

}  // namespace
}  // namespace arges::argesim
