// C2: what holds for any rule of ties.

#include <string>

#include <gtest/gtest.h>

#include "arges/driver/run_model.h"
#include "argesim/c02_assembly/model.h"

namespace arges::argesim::c02 {
namespace {

Outcome with(int pallets) {
  Parameters parameters;
  parameters.pallets = pallets;
  return simulate(parameters);
}

TEST(FlexibleAssembly, OnePalletTakesTheSumOfItsTimes) {
  // Around the loop once: 56 places on the loop less those that the ways through the stations
  // replace. A1, A2, A3, A4 and A5 serve the pallet, A6 and two of the A2 are passed by.
  const Outcome outcome = with(1);
  const double move = 4.0 / 3, shift = 2;
  const double loop = (8 + 6) * move + 2 * 4 * move + 5 * move;  // Sx, links, bypasses
  const double bypass_sy = 3 * move;
  const double stations = 15 + 60 + 3 * 20 + 5 * (2 * shift + 2 * move) + move * (2 + 4);
  EXPECT_NEAR(outcome.mean_time, loop + bypass_sy + stations, 1e-9);
}

TEST(FlexibleAssembly, FollowsLittlesLaw) {
  const Outcome outcome = with(20);
  EXPECT_NEAR(outcome.mean_time, 20 * 28800.0 / outcome.parts, 0.005 * outcome.mean_time);
}

TEST(FlexibleAssembly, IsNeverFasterThanTheThreeStationsA2) {
  for (const int pallets : {15, 20, 30}) {
    EXPECT_LE(with(pallets).parts, 3 * (28800 / (60 + 4.0 / 3)) + 3);
  }
}

TEST(FlexibleAssembly, SaysWhatWaitsForWhatInATotalJam) {
  Parameters parameters;
  parameters.pallets = 90;
  try {
    simulate(parameters);
    FAIL() << "90 pallets fill all places";
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("no event is left"), std::string::npos) << text;
    EXPECT_NE(text.find("waits for A"), std::string::npos) << text;
  }
}

TEST(FlexibleAssembly, RunsByItsNameWithColumnsAndStatistics) {
  ModelRegistry registry;
  registry.add(make_model());
  RunRequest request;
  request.model = "C2";
  request.values = {{"pallets", 10}, {"warm_up", 100}};
  request.stop_time = 4000;
  request.keep_trajectory = true;
  const RunOutcome outcome = run_model(registry, request);
  ASSERT_TRUE(outcome.result.status.ok()) << outcome.result.status.message;
  EXPECT_EQ(outcome.result.solver, "process");
  EXPECT_GT(outcome.trajectory->final_value("parts"), 100);
  EXPECT_EQ(*outcome.trajectory->find_parameter("pallets"), 10);
  EXPECT_NE(outcome.trajectory->manifest.find("result.mean_time"), nullptr);
  request.values = {{"pallets", 90}};
  request.stop_time = 36000;
  EXPECT_EQ(run_model(registry, request).result.status.reason, RunReason::kEvaluationFailed);
}

}  // namespace
}  // namespace arges::argesim::c02
