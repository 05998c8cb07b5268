// Events and time itself: conditions in t alone, the stop time, and t = 0. With every solver.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "testing/battery_models.h"

namespace arges {
namespace {

using testing::Collector;
using testing::Ramp;

class EventsInTime : public ::testing::TestWithParam<std::string> {
 protected:
  RunResult run(const HybridSystem& model, double start, double stop, double interval = 0) {
    RunOptions options;
    options.start_time = start;
    options.stop_time = stop;
    options.interval = interval;
    options.solver = GetParam();
    options.numerics.rtol = 1e-8;
    if (!find_solver(GetParam()).adaptive) options.numerics.step = (stop - start) / 8;
    return simulate(model, options, &log_);
  }
  Collector log_;
};

INSTANTIATE_TEST_SUITE_P(EverySolver, EventsInTime, ::testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const SolverInfo& solver : solver_catalogue()) {
                             if (!solver.quantised || solver.order > 1)
                               names.emplace_back(solver.name);
                           }
                           return names;
                         }()),
                         [](const auto& each) {
                           std::string name = each.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

double sine(const Point& at) { return std::sin(2 * std::numbers::pi * at.t - 0.3); }

TEST_P(EventsInTime, AConditionInTimeAloneIsSeenBesideAStateAtRest) {
  Ramp model(0, 0);
  model.add("swings", Direction::kBoth, sine);
  ASSERT_TRUE(run(model, 0, 100).status.ok());
  ASSERT_EQ(log_.events.size(), 200u);
  for (int k = 0; k < 200; ++k)
    EXPECT_NEAR(log_.events[k].time, 0.5 * k + 0.15 / std::numbers::pi, 1e-12) << k;
}

// An event that changes something restarts the solver, and the next step is as long as it likes.
TEST_P(EventsInTime, AConditionInTimeAloneIsSeenAfterEachRestart) {
  Ramp model(0, 0);
  model.add("swings", Direction::kRising, sine, [&](Update& now) { now[model.x] += 1; });
  const RunResult result = run(model, 0, 100);
  ASSERT_TRUE(result.status.ok());
  EXPECT_EQ(log_.events.size(), 100u);
  EXPECT_EQ(result.final.x[0], 100);
}

TEST_P(EventsInTime, AShortOutputIntervalMakesTheLookCloser) {
  Ramp model(0, 0);
  model.add("swings", Direction::kRising, sine);
  ASSERT_TRUE(run(model, 0, 5000, 1).status.ok());
  EXPECT_EQ(log_.events.size(), 5000u);
}

// x reaches 0.7 at the stop time, but for rounding. One tenth is not a double, nor is 0.7 / 3.
TEST_P(EventsInTime, AnEventAtTheStopTimeHappensWhateverRoundingSays) {
  for (const double level : {0.1, 0.7, 1.0 / 3, 1.1, 2.3}) {
    for (const double shift : {-4.0, -1.0, 0.0, 1.0, 4.0}) {
      Ramp model;
      const double goal = level * (1 + shift * 2.2e-16);
      model.add("arrives", Direction::kRising, [=](const Point& at) { return at.x[0] - goal; });
      log_ = Collector();
      ASSERT_TRUE(run(model, 0, level).status.ok());
      ASSERT_EQ(log_.events.size(), 1u) << level << ", " << shift;
      EXPECT_NEAR(log_.events[0].time, level, 1e-14 * level);
      EXPECT_LE(log_.events[0].time, level);
    }
  }
}

TEST_P(EventsInTime, AnEventClearlyAfterTheStopTimeDoesNotHappen) {
  Ramp model;
  model.add("arrives", Direction::kRising,
            [](const Point& at) { return at.x[0] - 0.7 * (1 + 1e-12); });
  model.add("rests", Direction::kRising, [](const Point& at) { return 0 * at.t - 1e-17; });
  model.add("leaves", Direction::kBoth, [](const Point& at) { return at.x[0] + 1e-17; });
  ASSERT_TRUE(run(model, 0, 0.7).status.ok());
  EXPECT_TRUE(log_.events.empty());
}

TEST_P(EventsInTime, AStateEventAndATimerAtZeroAreOneInstantInARunFromBefore) {
  Ramp model(-0.7);
  std::vector<double> seen;
  model.add(
      "state", Direction::kRising, [](const Point& at) { return at.x[0]; },
      [&](Update& now) { seen.push_back(now[model.z]); });
  model.add_timer("timer", 0, 0, [&](Update& now) { now[model.z] = 3; });
  ASSERT_TRUE(run(model, -0.7, 1).status.ok());
  EXPECT_EQ(log_.event_names(), (std::vector<std::string>{"timer", "state"}));
  EXPECT_EQ(seen, std::vector<double>{3});
}

// x passes 1e-300 in a step that begins at zero.
TEST_P(EventsInTime, EventTimesNearZeroAreNotBelowTheResolutionOfTheStep) {
  Ramp model;
  model.add("at once", Direction::kRising, [](const Point& at) { return at.x[0] - 1e-300; });
  ASSERT_TRUE(run(model, 0, 1).status.ok());
  ASSERT_EQ(log_.events.size(), 1u);
  EXPECT_GE(log_.events[0].time, 1e-300);
  EXPECT_LT(log_.events[0].time, 1e-15);
}

}  // namespace
}  // namespace arges
