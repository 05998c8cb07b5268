// Conditions that stand on zero where the slope of the motion does not say where they go: roots
// that are left in second or higher order, bodies at rest. Each case runs with every solver, from
// several start times.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "testing/battery_models.h"
#include "testing/every_solver.h"

namespace arges {
namespace {

using testing::Collector;

// A chain of integrators x' = v, v' = a, a' = jerk, and a body beside it that always moves, so that
// rounding has a scale. Any condition on x.
class Body : public HybridSystem {
 public:
  Body(double x0, double v0, double a0, double jerk, Direction direction)
      : HybridSystem("body"), jerk_(jerk) {
    x = declare_state("x", x0);
    v = declare_state("v", v0);
    a = declare_state("a", a0);
    beside = declare_state("beside", 1);
    count = declare_discrete("count", 0);
    leaves = declare_event("leaves", direction);
    put = declare_timer("put", 1e300);
  }
  void derivatives(const Point& at, Rates d) const override {
    d[x] = at[v];
    d[v] = at[a];
    d[a] = jerk_;
    d[beside] = 0.1;
  }
  void conditions(const Point& at, Conditions g) const override {
    g[leaves] = scale * (at[x] - level);
  }
  void on_event(EventId, Update& now) const override {
    if (action) action(now);
  }
  void on_timer(TimerId, Update& now) const override {
    if (timer_action) timer_action(now);
  }

  StateId x, v, a, beside;
  DiscreteId count;
  EventId leaves;
  TimerId put;
  double scale = 1, level = 0;
  std::function<void(Update&)> action, timer_action;

 private:
  double jerk_;
};

class RestOnRoot : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { quantised_ = GetParam() != "auto" && find_solver(GetParam()).quantised; }
  static bool is_fixed() { return GetParam() != "auto" && !find_solver(GetParam()).adaptive; }

  RunResult run(const HybridSystem& model, double start, double stop, double rtol) {
    RunOptions options;
    options.start_time = start;
    options.stop_time = stop;
    options.solver = GetParam();
    options.numerics.rtol = quantised_ ? std::max(rtol, 1e-4) : rtol;
    if (is_fixed()) options.numerics.step = 1.0 / 128;
    options.max_steps = 100000;
    log_ = Collector();
    return simulate(model, options, &log_);
  }
  // An action that counts, so that the solver starts anew, or none at all.
  void set_action(Body& model, bool counts) {
    if (counts) model.action = [&model](Update& now) { now[model.count] += 1; };
  }

  bool quantised_ = false;
  Collector log_;
};

constexpr double kStarts[] = {0, 1, 1e6};
constexpr double kTolerances[] = {1e-4, 1e-8, 1e-11};

TEST_P(RestOnRoot, ARootLeftInSecondOrThirdOrderFiresOnceAtTheStart) {
  for (const double start : kStarts) {
    for (const double rtol : kTolerances) {
      for (const int order : {2, 3}) {
        for (const double sign : {1.0, -1.0}) {
          for (const Direction direction :
               {Direction::kRising, Direction::kFalling, Direction::kBoth}) {
            for (const bool counts : {false, true}) {
              Body model(0, 0, order == 2 ? sign : 0, order == 3 ? 6 * sign : 0, direction);
              set_action(model, counts);
              const RunResult result = run(model, start, start + 1, rtol);
              const bool fires =
                  direction == Direction::kBoth || (direction == Direction::kRising) == (sign > 0);
              ASSERT_TRUE(result.status.ok()) << result.status.message << " start " << start;
              ASSERT_EQ(log_.events.size(), fires ? 1u : 0u)
                  << "start " << start << " rtol " << rtol << " order " << order << " sign " << sign
                  << " direction " << static_cast<int>(direction) << " counts " << counts;
              if (fires) {
                EXPECT_EQ(log_.events[0].time, start);
              }
            }
          }
        }
      }
    }
  }
}

TEST_P(RestOnRoot, AScaleOfTheConditionChangesNothing) {
  for (const double scale : {1e-12, 1e12}) {
    for (const double start : {0.0, 1.0}) {
      Body model(0.5, 0, 0, 6, Direction::kRising);
      model.level = 0.5;
      model.scale = scale;
      set_action(model, true);
      ASSERT_TRUE(run(model, start, start + 1, 1e-8).status.ok());
      ASSERT_EQ(log_.events.size(), 1u) << scale;
      EXPECT_EQ(log_.events[0].time, start);
    }
  }
}

TEST_P(RestOnRoot, ABodyAtRestNeverFires) {
  for (const double start : kStarts) {
    for (const Direction direction : {Direction::kRising, Direction::kFalling, Direction::kBoth}) {
      for (const double level : {0.0, 0.1}) {
        Body model(level, 0, 0, 0, direction);
        model.level = level;
        set_action(model, true);
        ASSERT_TRUE(run(model, start, start + 2, 1e-8).status.ok());
        EXPECT_TRUE(log_.events.empty()) << start;
      }
    }
  }
}

// At rest until a timer sets it going.
TEST_P(RestOnRoot, ABodyThatLeavesItsRestFiresThen) {
  for (const double start : kStarts) {
    for (const double speed : {0.5, -0.5}) {
      for (const Direction direction :
           {Direction::kRising, Direction::kFalling, Direction::kBoth}) {
        Body model(0, 0, 0, 0, direction);
        set_action(model, true);
        model.timer_action = [&](Update& now) { now[model.v] = speed; };
        Context initial = make_context(model);
        initial.timers[0].due = start + 0.75;
        RunOptions options;
        options.start_time = start;
        options.stop_time = start + 1;
        options.solver = GetParam();
        options.numerics.rtol = quantised_ ? 1e-4 : 1e-8;
        if (is_fixed()) options.numerics.step = 1.0 / 128;
        log_ = Collector();
        ASSERT_TRUE(Simulator(model, options).run(initial, &log_).status.ok());
        const bool fires =
            direction == Direction::kBoth || (direction == Direction::kRising) == (speed > 0);
        std::vector<std::string> expected{"put"};
        if (fires) expected.emplace_back("leaves");
        EXPECT_EQ(log_.event_names(), expected) << start << ' ' << speed;
        for (const EventRecord& event : log_.events) EXPECT_EQ(event.time, start + 0.75);
      }
    }
  }
}

// A timer puts the body onto its root: that fires, once, wherever it goes from there.
TEST_P(RestOnRoot, AnActionThatPutsTheConditionOntoItsRootAtRestFiresOnce) {
  for (const double start : kStarts) {
    for (const double acceleration : {1.0, -1.0, 0.0}) {
      for (const Direction direction : {Direction::kRising, Direction::kBoth}) {
        Body model(-1, 0, 0, 0, direction);
        set_action(model, true);
        model.timer_action = [&](Update& now) {
          now[model.x] = 0;
          now[model.v] = 0;
          now[model.a] = acceleration;
        };
        Context initial = make_context(model);
        initial.timers[0].due = start + 0.5;
        RunOptions options;
        options.start_time = start;
        options.stop_time = start + 1;
        options.solver = GetParam();
        options.numerics.rtol = quantised_ ? 1e-4 : 1e-8;
        if (is_fixed()) options.numerics.step = 1.0 / 128;
        log_ = Collector();
        ASSERT_TRUE(Simulator(model, options).run(initial, &log_).status.ok());
        std::vector<std::string> expected{"put", "leaves"};
        // A relation is switched on, and off again when the body goes back.
        if (direction == Direction::kBoth && acceleration < 0) expected.emplace_back("leaves");
        EXPECT_EQ(log_.event_names(), expected) << start << ' ' << acceleration;
      }
    }
  }
}

// A condition on a discrete variable: it reaches zero, stays there, goes on.
TEST_P(RestOnRoot, ACounterThatReachesItsLimitFiresOnce) {
  for (const Direction direction : {Direction::kRising, Direction::kBoth}) {
    testing::Ramp model(0, 0);
    model.add("limit", direction, [](const Point& at) { return at.z[0] - 1; });
    model.add_timer("tick", 0.25, 0.25, [&](Update& now) { now[model.z] += 0.5; });
    ASSERT_TRUE(run(model, 0, 1.1, 1e-8).status.ok());
    EXPECT_EQ(log_.event_names(),
              (std::vector<std::string>{"tick", "tick", "limit", "tick", "tick"}));
  }
}

// A spring draws a body back that a latch has stopped, exactly at its threshold.
class Latch : public HybridSystem {
 public:
  explicit Latch(bool sets_position) : HybridSystem("latch"), sets_position_(sets_position) {
    x = declare_state("x", 0);
    v = declare_state("v", 1);
    latch = declare_event("latch", Direction::kRising);
  }
  void derivatives(const Point& at, Rates d) const override {
    d[x] = at[v];
    d[v] = -at[x];
  }
  void conditions(const Point& at, Conditions g) const override { g[latch] = at[x] - 0.5; }
  void on_event(EventId, Update& now) const override {
    now[v] = 0;
    if (sets_position_) now[x] = 0.5;
  }

  StateId x, v;
  EventId latch;

 private:
  bool sets_position_;
};

TEST_P(RestOnRoot, ALatchThatStopsTheBodyAtItsThresholdFiresOnce) {
  constexpr double kPi = 3.14159265358979323846;
  const bool coarse = quantised_ || is_fixed();
  for (const bool sets_position : {true, false}) {
    for (const double start : {0.0, 1.0, 1e3}) {
      for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
        const Latch model(sets_position);
        const RunResult result = run(model, start, start + 5, rtol);
        ASSERT_TRUE(result.status.ok()) << rtol << ": " << result.status.message;
        ASSERT_EQ(log_.events.size(), 1u) << rtol << " from " << start;
        EXPECT_NEAR(log_.events[0].time, start + kPi / 6, coarse ? 2e-2 : 10 * rtol + 1e-12);
      }
    }
  }
}

// A ball that stands on the floor has nothing for its bounce to turn. It does not fall through.
TEST_P(RestOnRoot, ABallThatBeginsOnTheFloorDoesNotFallThrough) {
  for (const double start : {0.0, 1.0}) {
    for (const double restitution : {0.8, 0.0}) {
      Body model(0, 0, -9.81, 0, Direction::kFalling);
      model.action = [&](Update& now) { now[model.v] = -restitution * now[model.v]; };
      const RunResult result = run(model, start, start + 1, 1e-8);
      // Euler's ball gains energy from its steps.
      if (GetParam() != "euler") {
        EXPECT_EQ(result.status.reason, RunReason::kZeno) << result.status.message;
      }
      for (const auto& row : log_.rows) EXPECT_GT(row[0], -1e-9) << start << ' ' << restitution;
    }
  }
}

std::vector<std::string> all_solvers() {
  std::vector<std::string> names = test::solvers_that(test::is_not_qss1);
  names.emplace_back("auto");
  return names;
}

INSTANTIATE_TEST_SUITE_P(EverySolver, RestOnRoot, ::testing::ValuesIn(all_solvers()),
                         test::name_of_test);

}  // namespace
}  // namespace arges
