// The event battery: each case runs with every solver.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "testing/battery_models.h"
#include "testing/every_solver.h"

namespace arges {
namespace {

using testing::Ball;
using testing::Collector;
using testing::Ramp;

class EventBattery : public ::testing::TestWithParam<std::string> {
 protected:
  RunOptions options(double stop) const {
    RunOptions options;
    options.stop_time = stop;
    options.solver = GetParam();
    options.numerics.rtol = 1e-8;
    if (!find_solver(GetParam()).adaptive) options.numerics.step = 0.1;
    return options;
  }
  RunResult run(const HybridSystem& model, double stop) {
    return simulate(model, options(stop), &log_);
  }

  static double x(const Point& at) { return at.x[0]; }
  Collector log_;
};

void expect_times(const std::vector<double>& actual, const std::vector<double>& expected,
                  double tolerance = 1e-14) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i)
    EXPECT_NEAR(actual[i], expected[i], tolerance) << "event " << i;
}

TEST_P(EventBattery, DirectionsFireAsDeclared) {
  Ramp model;  // rises to 0.8, falls back
  model.add(
      "turn", Direction::kRising, [](const Point& at) { return x(at) - 0.8; },
      [&](Update& now) { now[model.z] = -1; });
  model.add("up", Direction::kRising, [](const Point& at) { return x(at) - 0.35; });
  model.add("down", Direction::kFalling, [](const Point& at) { return x(at) - 0.35; });
  model.add("both", Direction::kBoth, [](const Point& at) { return x(at) - 0.55; });
  ASSERT_TRUE(run(model, 1.5).status.ok());
  EXPECT_EQ(log_.event_names(), (std::vector<std::string>{"up", "both", "turn", "both", "down"}));
  expect_times(log_.event_times(), {0.35, 0.55, 0.8, 1.05, 1.25});
}

TEST_P(EventBattery, ConditionThatStaysAwayFromZeroNeverFires) {
  Ramp model;
  model.add("near miss", Direction::kBoth,
            [](const Point& at) { return (x(at) - 0.5) * (x(at) - 0.5) + 1e-6; });
  ASSERT_TRUE(run(model, 1).status.ok());
  EXPECT_TRUE(log_.events.empty());
}

TEST_P(EventBattery, RootOnAStepBoundaryFiresOnce) {
  Ramp model;
  model.add("half", Direction::kRising, [](const Point& at) { return x(at) - 0.5; });
  model.add_timer("stop the step there", 0.5, 0, {});
  ASSERT_TRUE(run(model, 1).status.ok());
  const auto names = log_.event_names();
  EXPECT_EQ(std::ranges::count(names, "half"), 1);
}

TEST_P(EventBattery, TwoCrossingsInsideOneStepAreFound) {
  // Nothing moves but time, so that steps are as long as they can be; the dip below zero is 2e-3
  // wide.
  Ramp model(0, 0);
  model.add("dip", Direction::kBoth,
            [](const Point& at) { return (at.t - 1.03) * (at.t - 1.03) - 1e-6; });
  RunOptions long_steps = options(7);
  if (long_steps.numerics.step > 0) long_steps.numerics.step = 7;
  ASSERT_TRUE(simulate(model, long_steps, &log_).status.ok());
  expect_times(log_.event_times(), {1.03 - 1e-3, 1.03 + 1e-3}, 1e-12);
}

TEST_P(EventBattery, ConditionThatJumpsIsLocalisedToo) {
  Ramp model;  // as a compiler writes Boolean conditions
  model.add("jump", Direction::kRising, [](const Point& at) { return x(at) < 0.3 ? -1.0 : 1.0; });
  ASSERT_TRUE(run(model, 1).status.ok());
  expect_times(log_.event_times(), {0.3}, 1e-13);
}

TEST_P(EventBattery, PeriodicConditionInTimeFiresOncePerPeriodThoughTheStateHardlyMoves) {
  Ramp model(1, -1e-11);
  model.add(
      "wave", Direction::kRising, [](const Point& at) { return std::sin(2 * M_PI * at.t - 1); },
      [&](Update& now) { now[model.z] = now[model.z] * 0.5; });
  RunOptions short_steps = options(60);
  short_steps.numerics.max_step = 0.3;
  if (short_steps.numerics.step > 0) short_steps.numerics.step = 0.3;
  const RunResult result = simulate(model, short_steps, &log_);
  ASSERT_TRUE(result.status.ok()) << result.status.message;
  ASSERT_EQ(log_.events.size(), 60u);
  for (int k = 0; k < 60; ++k) EXPECT_NEAR(log_.events[k].time, k + 0.5 / M_PI, 1e-12);
}

TEST_P(EventBattery, NarrowDipOfAStateIsPassedForwardsInTime) {
  // The two roots are 2e-5 apart, inside one long step, and change nothing.
  Ramp model;
  model.add("dip", Direction::kBoth,
            [](const Point& at) { return (x(at) - 0.3713) * (x(at) - 0.3713) - 1e-10; });
  RunOptions few_events = options(1);
  few_events.max_events = 10;
  ASSERT_TRUE(simulate(model, few_events, &log_).status.ok());
  expect_times(log_.event_times(), {0.37129, 0.37131}, 1e-11);
}

TEST_P(EventBattery, SimultaneousEventsRunInTheOrderOfPriorityThenDeclaration) {
  Ramp model;
  const auto at_half = [](const Point& at) { return x(at) - 0.5; };
  model.add("third", Direction::kRising, at_half, {}, 1);
  model.add("first", Direction::kRising, at_half, {}, -1);
  model.add("second", Direction::kRising, at_half, {}, 0);
  model.add("fourth", Direction::kRising, at_half, {}, 1);
  ASSERT_TRUE(run(model, 1).status.ok());
  EXPECT_EQ(log_.event_names(), (std::vector<std::string>{"first", "second", "third", "fourth"}));
  for (const EventRecord& event : log_.events) EXPECT_EQ(event.time, log_.events.front().time);
}

TEST_P(EventBattery, EventsAFewRoundingErrorsApartAllFireOnce) {
  Ramp model;
  double threshold = 0.5;
  for (int i = 0; i < 6; ++i) {
    model.add("e" + std::to_string(i), Direction::kRising,
              [threshold](const Point& at) { return x(at) - threshold; });
    threshold = std::nextafter(threshold, 1.0);
  }
  ASSERT_TRUE(run(model, 1).status.ok());
  EXPECT_EQ(log_.event_names(), (std::vector<std::string>{"e0", "e1", "e2", "e3", "e4", "e5"}));
  expect_times(log_.event_times(), std::vector<double>(6, 0.5));
}

TEST_P(EventBattery, TimerAndStateEventAtOneInstantRunTimerFirst) {
  Ramp model;
  std::vector<double> seen;
  model.add(
      "state", Direction::kRising, [](const Point& at) { return x(at) - 0.5; },
      [&](Update& now) { seen.push_back(now[model.z]); });
  model.add_timer("timer", 0.5, 0, [&](Update& now) { now[model.z] = 3; });
  ASSERT_TRUE(run(model, 1).status.ok());
  EXPECT_EQ(log_.event_names(), (std::vector<std::string>{"timer", "state"}));
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0], 3);
}

TEST_P(EventBattery, PeriodicTimersAreExactAndDoNotDrift) {
  Ramp model;
  model.add_timer("tick", 0.1, 0.1, {});
  ASSERT_TRUE(run(model, 10).status.ok());
  ASSERT_EQ(log_.events.size(), 100u);
  for (int k = 0; k < 100; ++k) EXPECT_EQ(log_.events[k].time, 0.1 + k * 0.1);
}

TEST_P(EventBattery, EventThatResetsItsOwnStateFiresAgain) {
  Ramp model;  // saw tooth
  model.add(
      "reset", Direction::kRising, [](const Point& at) { return x(at) - 0.3; },
      [&](Update& now) { now[model.x] = 0; });
  ASSERT_TRUE(run(model, 2).status.ok());
  expect_times(log_.event_times(), {0.3, 0.6, 0.9, 1.2, 1.5, 1.8}, 1e-13);
  for (const EventRecord& event : log_.events) EXPECT_EQ(event.kind, "SE-X");
}

TEST_P(EventBattery, EventRestartedOnItsOwnRootIsArmedByTheDirectionOfMotion) {
  Ramp model(0.25, -1);  // bounces between 0 and 0.5
  model.add(
      "floor", Direction::kFalling, [](const Point& at) { return x(at); },
      [&](Update& now) { now[model.z] = 1; });
  model.add(
      "ceiling", Direction::kRising, [](const Point& at) { return x(at) - 0.5; },
      [&](Update& now) { now[model.z] = -1; });
  const RunResult result = run(model, 2.6);
  ASSERT_TRUE(result.status.ok()) << result.status.message;
  expect_times(log_.event_times(), {0.25, 0.75, 1.25, 1.75, 2.25}, 1e-13);
}

TEST_P(EventBattery, ChainsRunAtOneInstantWithRisingIteration) {
  Ramp model;
  model.add(
      "last", Direction::kRising, [&](const Point& at) { return at.z[0] - 2.5; },
      [&](Update& now) { now[model.z] = 1; });
  model.add(
      "middle", Direction::kRising, [&](const Point& at) { return at.z[0] - 1.5; },
      [&](Update& now) { now[model.z] = 3; });
  model.add(
      "start", Direction::kRising, [](const Point& at) { return x(at) - 0.5; },
      [&](Update& now) { now[model.z] = 2; });
  ASSERT_TRUE(run(model, 1).status.ok());
  EXPECT_EQ(log_.event_names(), (std::vector<std::string>{"start", "middle", "last"}));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(log_.events[i].iteration, i);
    EXPECT_EQ(log_.events[i].time, log_.events[0].time);
  }
}

TEST_P(EventBattery, EndlessChainEndsWithItsNames) {
  Ramp model;
  model.add(
      "ping", Direction::kRising,
      [](const Point& at) { return at.t >= 0.5 ? 1.5 - at.z[0] : -1.0; },
      [&](Update& now) { now[model.z] = 2; });
  model.add(
      "pong", Direction::kRising, [](const Point& at) { return at.z[0] - 1.5; },
      [&](Update& now) { now[model.z] = 1; });
  model.add_timer("look", 0.5, 0, [&](Update& now) { now[model.z] = 2; });
  const RunResult result = run(model, 1);
  EXPECT_EQ(result.status.reason, RunReason::kEventsDidNotSettle);
  const std::string& message = result.status.message;
  EXPECT_TRUE(message.find("ping") != std::string::npos ||
              message.find("pong") != std::string::npos)
      << message;
  EXPECT_EQ(result.status.time, 0.5);
}

TEST_P(EventBattery, ConditionAtZeroAtTheStartFiresWhenTheMotionCrosses) {
  Ramp model(0, 1);
  model.add("leaves upwards", Direction::kRising, [](const Point& at) { return x(at); });
  model.add("would leave downwards", Direction::kFalling, [](const Point& at) { return x(at); });
  model.add("is above already", Direction::kRising, [](const Point& at) { return x(at) + 1; });
  ASSERT_TRUE(run(model, 1).status.ok());
  EXPECT_EQ(log_.event_names(), (std::vector<std::string>{"leaves upwards"}));
  EXPECT_EQ(log_.events[0].time, 0);
}

TEST_P(EventBattery, TimerAtTheStartFires) {
  Ramp model;
  model.add_timer("begin", 0, 0, [&](Update& now) { now[model.x] = 5; });
  ASSERT_TRUE(run(model, 1).status.ok());
  expect_times(log_.event_times(), {0.0});
  EXPECT_NEAR(log_.rows.back()[0], 6, 1e-12);
}

TEST_P(EventBattery, BothSidesOfAnEventAreRecorded) {
  Ramp model;
  model.add(
      "jump", Direction::kRising, [](const Point& at) { return x(at) - 0.51; },
      [&](Update& now) { now[model.x] = 7; });
  ASSERT_TRUE(run(model, 1).status.ok());
  int pairs = 0;
  for (std::size_t i = 1; i < log_.times.size(); ++i) {
    if (log_.times[i] != log_.times[i - 1]) continue;
    ++pairs;
    EXPECT_NEAR(log_.rows[i - 1][0], 0.51, 1e-12);
    EXPECT_EQ(log_.rows[i][0], 7);
  }
  EXPECT_EQ(pairs, 1);
}

TEST_P(EventBattery, OutputTraceChangesNothingAndNeedsNoRestart) {
  Ramp model;
  model.add("trace", Direction::kRising, [](const Point& at) { return x(at) - 0.505; });
  const RunResult traced = run(model, 1);
  ASSERT_TRUE(traced.status.ok());
  ASSERT_EQ(log_.events.size(), 1u);
  EXPECT_EQ(log_.events[0].kind, "SE-O");
  EXPECT_EQ(traced.statistics.steps, simulate(Ramp(), options(1)).statistics.steps);
}

TEST_P(EventBattery, BouncingBallNeverFallsThroughAndStopsByItself) {
  // Euler's ball gains energy from its steps and never comes to rest; all other methods are exact
  // on parabolas.
  if (GetParam() == "euler") return;
  Ball model;
  RunOptions fine = options(100);
  // With the quantum of a tighter tolerance the moves of quantised methods would be without number.
  const bool quantised = find_solver(GetParam()).quantised;
  fine.numerics.rtol = quantised ? 1e-5 : 1e-10;
  if (fine.numerics.step > 0) fine.numerics.step = 0.01;
  const RunResult result = simulate(model, fine, &log_);
  EXPECT_EQ(result.status.reason, RunReason::kZeno) << result.status.message;
  EXPECT_EQ(result.status.component, "bounce");
  for (const auto& row : log_.rows) EXPECT_GT(row[0], -1e-9);
  EXPECT_GE(log_.events.size(), 100u);
  EXPECT_NEAR(result.status.time, model.end_time(), 1e-4);
}

TEST_P(EventBattery, RelayWithoutHysteresisIsReportedAsChattering) {
  Ramp model(0.3, -1);
  model.add(
      "relay", Direction::kBoth, [](const Point& at) { return x(at); },
      [&](Update& now) { now[model.z] = now.rising() ? -1 : 1; });
  const RunResult result = run(model, 1);
  EXPECT_EQ(result.status.reason, RunReason::kZeno) << result.status.message;
  EXPECT_EQ(result.status.component, "relay");
  EXPECT_NE(result.status.message.find("chatters"), std::string::npos);
  EXPECT_NEAR(result.status.time, 0.3, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(EverySolver, EventBattery,
                         ::testing::ValuesIn(test::solvers_that(test::is_not_qss1)),
                         test::name_of_test);

}  // namespace
}  // namespace arges
