// The policies for events that accumulate.

#include <cmath>

#include <gtest/gtest.h>

#include "testing/battery_models.h"

namespace arges {
namespace {

using testing::Ball;
using testing::Collector;

class Sticking : public ::testing::TestWithParam<std::string> {
 protected:
  RunOptions options(double stop, ZenoPolicy policy) const {
    RunOptions options;
    options.stop_time = stop;
    options.solver = GetParam();
    options.numerics.rtol = 1e-9;
    options.on_zeno = policy;
    if (!find_solver(GetParam()).adaptive) options.numerics.step = 1e-3;
    return options;
  }
  static bool low_order() { return GetParam() == "euler"; }
  std::vector<double> times_of(const std::string& component) const {
    std::vector<double> times;
    for (const EventRecord& event : log_.events) {
      if (event.component == component) times.push_back(event.time);
    }
    return times;
  }
  Collector log_;
};

TEST_P(Sticking, BallComesToRestAndTimeGoesOn) {
  if (GetParam() == "euler") return;  // its ball gains energy from the steps
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

  const double tolerance = low_order() ? 1e-3 : 1e-6;
  // Arrival: 1 - t + 0.5 (1 - cos t) = 0.
  double arrival = 1.4;
  for (int i = 0; i < 50; ++i) {
    arrival -= (1 - arrival + 0.5 * (1 - std::cos(arrival))) / (-1 + 0.5 * std::sin(arrival));
  }
  EXPECT_NEAR(log_.events.front().time, arrival, tolerance);
  // Departure: -1 + 0.5 sin t + (t - 6) = 0.
  double departure = 7.3;
  for (int i = 0; i < 50; ++i) {
    departure -= (-1 + 0.5 * std::sin(departure) + departure - 6) / (0.5 * std::cos(departure) + 1);
  }
  EXPECT_EQ(log_.events.back().component, "relay (leaves)");
  EXPECT_NEAR(log_.events.back().time, departure, tolerance);

  const double y_at_arrival = -arrival;
  const int y = log_.column("y"), x = log_.column("x");
  for (std::size_t i = 0; i < log_.times.size(); ++i) {
    const double t = log_.times[i];
    if (t < arrival + 1e-3 || t > 6) continue;
    EXPECT_NEAR(log_.rows[i][x], 0, tolerance) << t;
    EXPECT_NEAR(log_.rows[i][y], y_at_arrival + 0.5 * (std::cos(t) - std::cos(arrival)), tolerance)
        << t;
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

// Dry friction as a naive relay: v' = -x + 1.2 sin(0.7 t) - 0.8 s, s = sign of v. It sticks while
// the force stays within 0.8. The times at which it arrives and leaves, from the same problem with
// modes for sticking and slipping (rtol 1e-12).
class Friction : public HybridSystem {
 public:
  Friction() : HybridSystem("friction") {
    x = declare_state("x", 0);
    v = declare_state("v", 1);
    s = declare_discrete("s", 1);
    stops = declare_event("v = 0", Direction::kBoth);
  }
  void derivatives(const Point& at, Rates rates) const override {
    rates[x] = at[v];
    rates[v] = -at[x] + 1.2 * std::sin(0.7 * at.t) - 0.8 * at[s];
  }
  void conditions(const Point& at, Conditions g) const override { g[stops] = at[v]; }
  void on_event(EventId, Update& now) const override { now[s] = now.rising() ? 1 : -1; }

  StateId x, v;
  DiscreteId s;
  EventId stops;
};

TEST_P(Sticking, DryFrictionSticksAndBreaksAwayInTime) {
  const Friction model;
  const RunResult result = simulate(model, options(30, ZenoPolicy::kStick), &log_);
  ASSERT_EQ(result.status.reason, RunReason::kFinished) << result.status.message;
  const double tolerance = low_order() ? 1e-2 : 1e-5;
  const std::vector<double> left = times_of("v = 0 (leaves)");
  ASSERT_EQ(left.size(), 2u);
  EXPECT_NEAR(left[0], 4.663613, tolerance);
  EXPECT_NEAR(left[1], 8.520573, tolerance);
  EXPECT_NEAR(result.final.x[model.x.index], 1.8579354951, tolerance);
  EXPECT_NEAR(result.final.x[model.v.index], 0.1764213298, tolerance);
}

// x' = u + 1.5 sin(w t), u = -sign(x). It slides while |1.5 sin(w t)| < 1: the exit depends on time
// alone, nothing moves before it.
class PushedRelay : public HybridSystem {
 public:
  explicit PushedRelay(double w) : HybridSystem("pushed relay"), w_(w) {
    x = declare_state("x", 0.1);
    u = declare_discrete("u", -1);
    relay = declare_event("relay", Direction::kBoth);
  }
  void derivatives(const Point& at, Rates rates) const override {
    rates[x] = at[u] + 1.5 * std::sin(w_ * at.t);
  }
  void conditions(const Point& at, Conditions g) const override { g[relay] = at[x]; }
  void on_event(EventId, Update& now) const override { now[u] = now.rising() ? -1 : 1; }

  StateId x;
  DiscreteId u;
  EventId relay;

 private:
  double w_;
};

TEST_P(Sticking, ExitThatOnlyTimeBringsIsFoundInsideLongSteps) {
  for (const auto& [w, exits] : {std::pair{0.2, 2}, {1.0, 7}, {3.0, 19}}) {
    log_ = {};
    const RunResult result = simulate(PushedRelay(w), options(20, ZenoPolicy::kStick), &log_);
    ASSERT_EQ(result.status.reason, RunReason::kFinished) << result.status.message;
    const std::vector<double> left = times_of("relay (leaves)");
    ASSERT_EQ(static_cast<int>(left.size()), exits) << w;
    for (int k = 0; k < exits; ++k)
      EXPECT_NEAR(left[k], (std::asin(1 / 1.5) + k * M_PI) / w, 1e-9) << w;
  }
}

// Two balls, of which the second bounces on while the first rests; from t = 4.5 on the first is
// lifted.
class TwoBalls : public HybridSystem {
 public:
  explicit TwoBalls(bool lift) : HybridSystem("balls"), lift_(lift) {
    for (int i : {0, 1}) {
      h[i] = declare_state(i == 0 ? "a.h" : "b.h", 1 + i);
      v[i] = declare_state(i == 0 ? "a.v" : "b.v", 0);
      bounce[i] = declare_event(i == 0 ? "a.bounce" : "b.bounce", Direction::kFalling);
    }
  }
  void derivatives(const Point& at, Rates rates) const override {
    for (int i : {0, 1}) {
      rates[h[i]] = at[v[i]];
      rates[v[i]] = -10;
    }
    if (lift_ && at.t > 4) rates[v[0]] += 20 * (at.t - 4);
  }
  void conditions(const Point& at, Conditions g) const override {
    for (int i : {0, 1}) g[bounce[i]] = at[h[i]];
  }
  void on_event(EventId event, Update& now) const override {
    const int i = event == bounce[0] ? 0 : 1;
    now[v[i]] = (i == 0 ? -0.5 : -0.7) * now[v[i]];
  }

  StateId h[2], v[2];
  EventId bounce[2];

 private:
  bool lift_;
};

TEST_P(Sticking, BallThatRestsGoesOnRestingWhenAnotherBounces) {
  if (GetParam() == "euler") return;  // its balls gain energy from the steps
  for (const bool lift : {false, true}) {
    log_ = {};
    const TwoBalls model(lift);
    const RunResult result = simulate(model, options(5, ZenoPolicy::kStick), &log_);
    ASSERT_EQ(result.status.reason, RunReason::kFinished) << result.status.message;
    EXPECT_EQ(times_of("a.bounce (sticks)").size(), 1u);
    EXPECT_EQ(times_of("b.bounce (sticks)").size(), 1u);
    EXPECT_EQ(times_of("b.bounce (leaves)").size(), 0u);
    for (const auto& row : log_.rows) {
      EXPECT_GT(row[log_.column("a.h")], -1e-12);
      EXPECT_GT(row[log_.column("b.h")], -1e-12);
    }
    EXPECT_NEAR(result.final.x[model.h[1].index], 0, 1e-12);
    const std::vector<double> left = times_of("a.bounce (leaves)");
    ASSERT_EQ(left.size(), lift ? 1u : 0u);
    if (!lift) continue;
    EXPECT_NEAR(left[0], 4.5, 1e-9);
    // h'' = 20 (t - 4.5) from there on.
    EXPECT_NEAR(result.final.x[model.h[0].index], 20.0 / 6 * 0.125, low_order() ? 2e-2 : 1e-4);
  }
}

// Two tanks and one pump that fills the one that has run empty, too slowly for both: they are empty
// at t = 8, after ever faster switching. From t = 9 on, the pump is strong enough for both.
class Tanks : public HybridSystem {
 public:
  explicit Tanks(bool stronger) : HybridSystem("tanks"), stronger_(stronger) {
    for (int i : {0, 1}) {
      level[i] = declare_state(i == 0 ? "x1" : "x2", 1);
      empty[i] = declare_event(i == 0 ? "x1 empty" : "x2 empty", Direction::kFalling);
    }
    filled = declare_discrete("filled", 0);
  }
  void derivatives(const Point& at, Rates rates) const override {
    const double leak = stronger_ && at.t > 9 ? 0.5 - (at.t - 9) : 0.5;
    for (int i : {0, 1}) rates[level[i]] = (at[filled] == i ? 0.75 : 0) - leak;
  }
  void conditions(const Point& at, Conditions g) const override {
    for (int i : {0, 1}) g[empty[i]] = at[level[i]];
  }
  void on_event(EventId event, Update& now) const override {
    now[filled] = event == empty[0] ? 0 : 1;
  }

  StateId level[2];
  EventId empty[2];
  DiscreteId filled;

 private:
  bool stronger_;
};

TEST_P(Sticking, TanksThatRunEmptyTogetherRestTogether) {
  for (const bool stronger : {false, true}) {
    log_ = {};
    const Tanks model(stronger);
    const RunResult result = simulate(model, options(10, ZenoPolicy::kStick), &log_);
    ASSERT_EQ(result.status.reason, RunReason::kFinished) << result.status.message;
    EXPECT_EQ(times_of("x1 empty (sticks)").size(), 1u);
    EXPECT_EQ(times_of("x2 empty (sticks)").size(), 1u);
    for (const auto& row : log_.rows) {
      EXPECT_GT(row[log_.column("x1")], -1e-9);
      EXPECT_GT(row[log_.column("x2")], -1e-9);
    }
    const double total = result.final.x[0] + result.final.x[1];
    if (!stronger) {
      EXPECT_NEAR(total, 0, 1e-8);
    } else {
      // The one that is not filled rises from t = 9.5 on, by (t - 9.5); the other by 0.75 more.
      EXPECT_NEAR(times_of("x1 empty (leaves)").at(0), 9.5, 1e-9);
      EXPECT_NEAR(total, 2 * 0.125 + 0.75 * 0.5, low_order() ? 1e-2 : 1e-6);
    }
  }
}

// The floor begins to rise at t = 4: what stands still would sink into it.
class RisingFloor : public HybridSystem {
 public:
  RisingFloor() : HybridSystem("rising floor") {
    h = declare_state("h", 1);
    v = declare_state("v", 0);
    bounce = declare_event("bounce", Direction::kFalling);
  }
  static double floor_speed(double t) { return std::max(0.0, t - 4); }
  void derivatives(const Point& at, Rates rates) const override {
    rates[h] = at[v];
    rates[v] = -10;
  }
  void conditions(const Point& at, Conditions g) const override {
    g[bounce] = at[h] - 0.5 * floor_speed(at.t) * floor_speed(at.t);
  }
  void on_event(EventId, Update& now) const override {
    now[v] = -0.5 * now[v] + 1.5 * floor_speed(now.t());
  }

  StateId h, v;
  EventId bounce;
};

TEST_P(Sticking, RestOnASurfaceThatMovesEndsTheRun) {
  if (GetParam() == "euler") return;
  const RunResult result = simulate(RisingFloor(), options(6, ZenoPolicy::kStick), &log_);
  EXPECT_EQ(result.status.reason, RunReason::kZeno);
  EXPECT_EQ(result.status.component, "bounce");
  EXPECT_NE(result.status.message.find("moves"), std::string::npos) << result.status.message;
  EXPECT_NEAR(result.status.time, 4, 1e-2);
}

TEST_P(Sticking, GoingOnNeverSinksThroughAndEndsWithTheEventNamed) {
  if (GetParam() == "euler") return;
  for (const double rtol : {1e-6, 1e-10}) {
    for (const double mu : {0.5, 0.8}) {
      log_ = {};
      const Ball model(mu);
      RunOptions go = options(100, ZenoPolicy::kGo);
      // Moves of the second order go with the root of the quantum.
      go.numerics.rtol = GetParam() == "liqss2" ? 100 * rtol : rtol;
      const RunResult result = simulate(model, go, &log_);
      EXPECT_EQ(result.status.reason, RunReason::kZeno) << result.status.message;
      EXPECT_EQ(result.status.component, "bounce");
      EXPECT_NEAR(result.status.time, model.end_time(), 1e-3);
      for (const auto& row : log_.rows) EXPECT_GT(row[0], -1e-11);
    }
  }
}

TEST_P(Sticking, GoingOnWithEventsThatLeadIntoEachOtherEndsWithZeno) {
  RunOptions few = options(10, ZenoPolicy::kGo);
  few.max_events = 50'000;
  const RunResult result = simulate(Tanks(false), few, &log_);
  EXPECT_EQ(result.status.reason, RunReason::kZeno) << result.status.message;
  EXPECT_NE(result.status.component.find("empty"), std::string::npos);
  EXPECT_NEAR(result.status.time, 8, 1e-6);
}

// A relay of two one-way events on one expression: on the line, or on one that moves.
class OneWayRelay : public HybridSystem {
 public:
  OneWayRelay(double start, bool moves) : HybridSystem("relay"), moves_(moves) {
    x = declare_state("x", start);
    power = declare_discrete("power", start > 0 ? -2 : 2);
    up = declare_event("up", Direction::kRising);
    down = declare_event("down", Direction::kFalling);
  }
  double line(double t) const { return moves_ ? std::sin(t) : 0; }
  void derivatives(const Point& at, Rates rates) const override { rates[x] = at[power]; }
  void conditions(const Point& at, Conditions g) const override {
    g[up] = g[down] = at[x] - line(at.t);
  }
  void on_event(EventId event, Update& now) const override { now[power] = event == up ? -2 : 2; }

  StateId x;
  DiscreteId power;
  EventId up, down;

 private:
  bool moves_;
};

TEST_P(Sticking, RelayOfTwoOneWayEventsChattersAndIsHandledLikeOneRelation) {
  for (const double start : {0.3, -0.25, 1.0}) {
    for (const bool moves : {false, true}) {
      const OneWayRelay model(start, moves);
      RunResult result = simulate(model, options(1, ZenoPolicy::kStop), &log_);
      EXPECT_EQ(result.status.reason, RunReason::kZeno) << result.status.message;
      EXPECT_NE(result.status.message.find("chatters"), std::string::npos);
      EXPECT_TRUE(result.status.component == "up" || result.status.component == "down");

      result = simulate(model, options(1, ZenoPolicy::kStick), &log_);
      EXPECT_TRUE(result.status.ok()) << result.status.message;
      EXPECT_NEAR(result.final.x[0], model.line(1), GetParam() == "euler" ? 1e-3 : 1e-6);

      RunOptions go = options(1, ZenoPolicy::kGo);
      go.max_events = 1000;
      result = simulate(model, go, &log_);
      EXPECT_EQ(result.status.reason, RunReason::kZeno) << result.status.message;
      EXPECT_NEAR(result.final.x[0], model.line(result.status.time), 1e-6);
    }
  }
}

std::vector<std::string> every_solver() {
  std::vector<std::string> names;
  for (const SolverInfo& info : solver_catalogue()) {
    // First-order quantised states move by one quantum: millions of times at these tolerances.
    if (!info.quantised || info.order > 1) names.emplace_back(info.name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Solvers, Sticking, ::testing::ValuesIn(every_solver()),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace arges
