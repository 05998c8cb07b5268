// The policies for events that accumulate.

#include <gtest/gtest.h>

#include "testing/battery_models.h"

namespace arges {
namespace {

using testing::Ball;
using testing::Collector;

class Sticking : public ::testing::TestWithParam<const char*> {
 protected:
  RunOptions options(double stop, ZenoPolicy policy) const {
    RunOptions options;
    options.stop_time = stop;
    options.solver = GetParam();
    options.numerics.rtol = 1e-9;
    options.on_zeno = policy;
    return options;
  }
  Collector log_;
};

TEST_P(Sticking, BallComesToRestAndTimeGoesOn) {
  Ball ball(0.5);
  const RunResult result = simulate(ball, options(20, ZenoPolicy::kStick), &log_);
  ASSERT_EQ(result.status.reason, RunReason::kFinished) << result.status.message;
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_NEAR(result.final.x[ball.x.index], 0, 1e-9);
  EXPECT_NEAR(result.final.x[ball.v.index], 0, 1e-5);
  EXPECT_EQ(log_.rows.back()[log_.column("der(v)")], 0);
  EXPECT_EQ(result.final_row[log_.column("der(v)")], 0);
}

// A relay drives x to zero; then it slides, while y goes on: x' = u + 0.5 sin t with u = -sign(x),
// y' = u, so that on the surface u is -0.5 sin t on the average, and y = y0 + 0.5 (cos t - cos t0).
// From t = 6 on a drift of 2 pulls x away.
class Relay : public HybridSystem {
 public:
  Relay() : HybridSystem("relay") {
    x = declare_state("x", 1);
    y = declare_state("y", 0);
    u = declare_discrete("u", -1);
    relay = declare_event("relay", Direction::kBoth);
  }
  void derivatives(const Point& at, Rates xdot) const override {
    xdot[x] = at[u] + 0.5 * std::sin(at.t) + std::max(0.0, at.t - 6);
    xdot[y] = at[u];
  }
  void conditions(const Point& at, Conditions g) const override { g[relay] = at[x]; }
  void on_event(EventId, Update& now) const override { now[u] = now.rising() ? -1 : 1; }

  StateId x, y;
  DiscreteId u;
  EventId relay;
};

TEST_P(Sticking, RelaySlidesAlongItsSurfaceAndLeavesWhenPulledAway) {
  const Relay model;
  const RunResult result = simulate(model, options(9, ZenoPolicy::kStick), &log_);
  ASSERT_EQ(result.status.reason, RunReason::kFinished) << result.status.message;

  // Arrival: 1 - t + 0.5 (1 - cos t) = 0.
  double arrival = 1.4;
  for (int i = 0; i < 50; ++i) {
    arrival -= (1 - arrival + 0.5 * (1 - std::cos(arrival))) / (-1 + 0.5 * std::sin(arrival));
  }
  EXPECT_NEAR(log_.events.front().time, arrival, 1e-6);
  // Departure: -1 + 0.5 sin t + (t - 6) = 0.
  double departure = 7.3;
  for (int i = 0; i < 50; ++i) {
    departure -= (-1 + 0.5 * std::sin(departure) + departure - 6) / (0.5 * std::cos(departure) + 1);
  }
  EXPECT_EQ(log_.events.back().component, "relay (leaves)");
  EXPECT_NEAR(log_.events.back().time, departure, 1e-6);

  const double y_at_arrival = -arrival;
  const int y = log_.column("y"), x = log_.column("x");
  for (std::size_t i = 0; i < log_.times.size(); ++i) {
    const double t = log_.times[i];
    if (t < arrival + 1e-3 || t > 6) continue;
    EXPECT_NEAR(log_.rows[i][x], 0, 1e-6) << t;
    EXPECT_NEAR(log_.rows[i][y], y_at_arrival + 0.5 * (std::cos(t) - std::cos(arrival)), 1e-6) << t;
  }
  // Afterwards it moves freely with u = -1.
  EXPECT_GT(log_.rows.back()[x], 1);
  EXPECT_EQ(log_.rows.back()[log_.column("u")], -1);
}

TEST_P(Sticking, GoingOnHandlesEventAfterEventUpToTheLimit) {
  RunOptions go = options(9, ZenoPolicy::kGo);
  go.max_events = 200;
  const RunResult result = simulate(Relay(), go, &log_);
  EXPECT_EQ(result.status.reason, RunReason::kZeno);
  EXPECT_EQ(result.events, 201);
  EXPECT_TRUE(result.notes.empty());
}

INSTANTIATE_TEST_SUITE_P(Solvers, Sticking, ::testing::Values("rodas5p", "dopri5", "cvode-bdf"),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace arges
