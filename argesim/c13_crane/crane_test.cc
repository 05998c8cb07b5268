#include <cmath>

#include <gtest/gtest.h>

#include "argesim/c13_crane/reference.h"
#include "argesim/common/experiment.h"

namespace arges::argesim {
namespace {

constexpr const char* kCraneText = "argesim/c13_crane/CraneCrab.mo";

class CraneCrab : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Solvers, CraneCrab,
                         ::testing::Values("rodas5p", "dopri5", "dop853", "ida"));

TEST_P(CraneCrab, MovesTheLoadAndPutsTheBrakeOn) {
  const auto model = text_model(kCraneText, "Controlled");
  const c13::ControlledRun* expected = nullptr;
  for (const c13::ControlledRun& each : c13::kControlled) {
    if (each.diagnosis && !each.second_push && !each.linear && !each.delayed) expected = &each;
  }
  ASSERT_NE(expected, nullptr);
  const Recording result = run(*model, options(GetParam(), 1e-7, 40), {{"diagnosis", 1}});
  for (std::size_t i = 0; c13::kTimes[i] <= 40; ++i) {
    EXPECT_NEAR(result.value_at(c13::kTimes[i], "xc"), expected->xc[i], 1e-5) << c13::kTimes[i];
    EXPECT_NEAR(result.value_at(c13::kTimes[i], "xl"), expected->xl[i], 1e-5) << c13::kTimes[i];
  }
  EXPECT_EQ(result.change_times("brake", 1), std::vector<double>{35.0});
  EXPECT_EQ(result.change_times("brake", 0), std::vector<double>{36.0});
}

TEST(CraneCrabLogic, AnEmergencyStopIsForGood) {
  const auto model = text_model(kCraneText, "Controlled");
  const Recording result = run(*model, options("rodas5p", 1e-7, 60),
                               {{"diagnosis", 1}, {"second_push", 1}, {"dc_brake", 500}});
  // With this poor brake the load pulls the car back from the end of the rail.
  EXPECT_FALSE(result.change_times("at_end", 0).empty());
  EXPECT_EQ(result.change_times("emergency"),
            std::vector<double>{result.change_times("emergency", 1)});
  EXPECT_EQ(result.final("brake"), 1);
  EXPECT_EQ(result.final("motor"), 0);
}

TEST(CraneCrabLogic, WithoutFrictionTheLoadKeepsItsMomentum) {
  const auto model = text_model(kCraneText, "OpenLoop");
  const Recording result =
      run(*model, options("dop853", 1e-10, 40), {{"dc_free", 0}, {"dl", 0}, {"push", 0}});
  const double car = result.final("vc"), alpha = result.final("alpha");
  const double load = car + 5 * result.final("omega") * std::cos(alpha);
  // 15 s of 160 N; what the motor was late with at the beginning it gave afterwards.
  EXPECT_NEAR(10 * car + 100 * load, 15 * 160, 1e-5);
}

}  // namespace
}  // namespace arges::argesim
