// The policy `go`: it ends what accumulates without end, and nothing that `stop` lets finish.

#include <cmath>

#include <gtest/gtest.h>

#include "testing/battery_models.h"

namespace arges {
namespace {

using testing::Ball;

const char* const kSolvers[] = {"tsit5", "dopri5", "dop853", "rodas5p", "cvode-bdf"};

RunOptions going_on(const char* solver, double stop) {
  RunOptions options;
  options.solver = solver;
  options.stop_time = stop;
  options.numerics.rtol = 1e-8;
  options.on_zeno = ZenoPolicy::kGo;
  return options;
}

// Its bounces shrink so slowly that rounding keeps them alive: they go on while time stands still.
// The end does not depend on how long the run was to be.
TEST(GoingOn, EndsWhenManyBouncesHardlyMoveTime) {
  for (const char* solver : kSolvers) {
    for (const double mu : {0.95, 0.97, 0.99, 0.999}) {
      for (const double stop : {1e4, 1e6}) {
        const Ball model(mu);
        const RunResult result = simulate(model, going_on(solver, stop));
        EXPECT_EQ(result.status.reason, RunReason::kZeno) << solver << result.status.message;
        EXPECT_NE(result.status.message.find("has accumulated"), std::string::npos);
        EXPECT_NE(result.status.message.find("--on-zeno stick"), std::string::npos);
        EXPECT_NEAR(result.status.time, model.end_time(), 1e-3);
        EXPECT_LT(result.events, 50'000);
      }
    }
  }
}

// Far from t = 0 the times of the bounces are rounded so coarsely that they never become short
// against the time since the start.
TEST(GoingOn, EndsFarFromTimeZero) {
  for (const char* solver : kSolvers) {
    for (const double mu : {0.5, 0.8, 0.95, 0.97, 0.99}) {
      for (const ZenoPolicy policy : {ZenoPolicy::kStop, ZenoPolicy::kGo}) {
        const Ball model(mu);
        RunOptions options = going_on(solver, 1e6 + 1000);
        options.start_time = 1e6;
        options.on_zeno = policy;
        const RunResult result = simulate(model, options);
        EXPECT_EQ(result.status.reason, RunReason::kZeno) << solver << result.status.message;
        EXPECT_NEAR(result.status.time, 1e6 + model.end_time(), 1e-2) << solver << " " << mu;
        EXPECT_LT(result.events, 50'000) << solver << " " << mu;
      }
    }
  }
}

// x rises from 0 to 1, again and again, ever more slowly: x' = 1e12 exp(-t/1e-8), 10000.5 in all.
class Saw : public HybridSystem {
 public:
  Saw() : HybridSystem("saw") {
    x = declare_state("x", 0);
    count = declare_discrete("count", 0);
    full = declare_event("full", Direction::kBoth);
  }
  void derivatives(const Point& at, Rates rates) const override {
    rates[x] = 1.00005e12 * std::exp(-at.t / 1e-8);
  }
  void conditions(const Point& at, Conditions g) const override { g[full] = at[x] - 1; }
  void on_event(EventId, Update& now) const override {
    if (!now.rising()) return;
    now[x] = 0;
    now[count] += 1;
  }

  StateId x;
  DiscreteId count;
  EventId full;
};

// The same at the end of a long rest: 1999.5 in 2e-7 after t = 1000.
class LateSaw : public HybridSystem {
 public:
  LateSaw() : HybridSystem("late saw") {
    x = declare_state("x", 0);
    speed = declare_discrete("speed", 0);
    count = declare_discrete("count", 0);
    begin = declare_event("begin", Direction::kRising);
    full = declare_event("full", Direction::kBoth);
  }
  static double duration() { return 1000.0000002 - 1000; }
  void derivatives(const Point& at, Rates rates) const override { rates[x] = at[speed]; }
  void conditions(const Point& at, Conditions g) const override {
    g[begin] = at.t - 1000;
    g[full] = at[x] - 1;
  }
  void on_event(EventId event, Update& now) const override {
    if (event == begin) {
      now[speed] = 1999.5 / duration();
    } else if (now.rising()) {
      now[x] = 0;
      now[count] += 1;
    }
  }

  StateId x;
  DiscreteId speed, count;
  EventId begin, full;
};

// A relay with a hysteresis: a way of 1, then ways of 2, ever more slowly, 10000 in all.
class FastRelay : public HybridSystem {
 public:
  FastRelay() : HybridSystem("fast relay") {
    x = declare_state("x", 0);
    u = declare_discrete("u", 1);
    count = declare_discrete("count", 0);
    above = declare_event("above", Direction::kBoth);
    below = declare_event("below", Direction::kBoth);
  }
  void derivatives(const Point& at, Rates rates) const override {
    rates[x] = at[u] * 1e12 * std::exp(-at.t / 1e-8);
  }
  void conditions(const Point& at, Conditions g) const override {
    g[above] = at[x] - 1;
    g[below] = -1 - at[x];
  }
  void on_event(EventId event, Update& now) const override {
    if (!now.rising()) return;
    now[u] = event == above ? -1 : 1;
    now[count] += 1;
  }

  StateId x;
  DiscreteId u, count;
  EventId above, below;
};

template <typename Model>
void expect_all_of(double stop, double count, double tolerance = 0) {
  const Model model;
  for (const char* solver : kSolvers) {
    for (const ZenoPolicy policy : {ZenoPolicy::kStop, ZenoPolicy::kStick, ZenoPolicy::kGo}) {
      RunOptions options = going_on(solver, stop);
      options.on_zeno = policy;
      const RunResult result = simulate(model, options);
      EXPECT_TRUE(result.status.ok()) << solver << ": " << result.status.message;
      EXPECT_NEAR(result.final.z[model.count.index], count, tolerance) << solver;
    }
  }
}

TEST(GoingOn, FinishesAFastMotionAtTheStartOfALongRun) { expect_all_of<Saw>(1e6, 10000); }

// Each lasts some 900 units in the last place of the time, and is found to a few of them.
TEST(GoingOn, FinishesAFastMotionLateInARun) { expect_all_of<LateSaw>(1000.0000002, 1999, 4); }

TEST(GoingOn, FinishesAFastRelayWithAHysteresis) { expect_all_of<FastRelay>(1e6, 5000); }

}  // namespace
}  // namespace arges
