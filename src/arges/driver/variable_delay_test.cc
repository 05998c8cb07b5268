// delay() by a time that changes: jumps of the signal come out as events, at the right time.

#include <cmath>

#include <gtest/gtest.h>

#include "testing/text_run.h"

namespace arges {
namespace {

using testing::run_text;
using testing::TextRun;

TEST(VariableDelays, AJumpComesOutWhenTimeLessTheDelayReachesIt) {
  // t - 0.5 - 0.1 t = 1 at t = 5/3.
  const TextRun run = run_text(R"(model Model
  Real s = if time > 1 then 2 else 1;
  Real d = 0.5 + 0.1*time;
  Real z(start = 0, fixed = true);
equation
  der(z) = delay(s, d, 2);
end Model;)",
                               3);
  ASSERT_EQ(run.result.status.reason, RunReason::kFinished) << run.result.status.message;
  EXPECT_NEAR(run.trajectory.final_value("z"), 5.0 / 3 + 2 * (3 - 5.0 / 3), 1e-12);
}

TEST(VariableDelays, AJumpGoesBackWhereTheDelayGrowsFasterThanTime) {
  // t - d = 0.3 sin(3 t) passes 0.05 upwards, and downwards again.
  const TextRun run = run_text(R"(model Model
  Real s = if time > 0.05 then 1 else 0;
  Real d = time - 0.3*sin(3*time);
  Real z(start = 0, fixed = true);
equation
  der(z) = delay(s, d, 10);
end Model;)",
                               1.5);
  ASSERT_EQ(run.result.status.reason, RunReason::kFinished) << run.result.status.message;
  const double up = std::asin(1.0 / 6) / 3, down = (std::acos(-1.0) - std::asin(1.0 / 6)) / 3;
  EXPECT_NEAR(run.trajectory.final_value("z"), down - up, 1e-9);
}

TEST(VariableDelays, ADelayThatJumpsReadsBeforeTheJumpAgain) {
  const TextRun run = run_text(R"(model Model
  Real s = if time > 1 then 2 else 1;
  discrete Real d(start = 0.5, fixed = true);
  Real z(start = 0, fixed = true);
equation
  der(z) = delay(s, d, 3);
  when time > 2 then
    d = 1.5;
  elsewhen time > 2.25 then
    d = 0.1;
  end when;
end Model;)",
                               3);
  ASSERT_EQ(run.result.status.reason, RunReason::kFinished) << run.result.status.message;
  EXPECT_NEAR(run.trajectory.final_value("z"), 1.5 + 0.5 * 2 + 0.25 + 0.75 * 2, 1e-12);
}

TEST(VariableDelays, PulsesOnTheirWayComeOutOneAfterTheOther) {
  const TextRun run = run_text(R"(model Model
  Real s = if sin(7*time) > 0 then 1 else 0;
  Real d = 0.6 + 0.3*sin(time);
  Boolean c = sin(7*(time - d)) > 0 and time > d;
  Real z(start = 0, fixed = true);
  Real e(start = 0, fixed = true);
equation
  der(z) = delay(s, d, 2);
  der(e) = if c then 1 else 0;
end Model;)",
                               20);
  ASSERT_EQ(run.result.status.reason, RunReason::kFinished) << run.result.status.message;
  EXPECT_GT(run.trajectory.final_value("e"), 9);
  EXPECT_NEAR(run.trajectory.final_value("z"), run.trajectory.final_value("e"), 1e-9);
}

}  // namespace
}  // namespace arges
