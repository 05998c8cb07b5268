// State events of components that accumulate or chatter.

#include <array>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "arges/hybrid_devs/hybrid_simulator.h"
#include "testing/every_solver.h"

namespace arges::hybrid_devs {
namespace {

constexpr double kGravity = 9.81;

// Falls from 1 m; at the ground v := -e v, by its state transition or by the internal one after it.
class Ball : public HybridAtomic<Ball> {
 public:
  struct State {
    std::array<double, 2> x = {1, 0};
    bool hits = false;
    int bounces = 0;
  };
  ContinuousOut height{this, "height"};
  static constexpr std::array kConditions = {Direction::kFalling};
  Ball(double restitution, bool in_two_steps) : e_(restitution), in_two_steps_(in_two_steps) {}
  void derivatives(const State&, const Flow& at, std::span<double> dx) const {
    dx[0] = at.x[1];
    dx[1] = -kGravity;
  }
  void conditions(const State&, const Flow& at, std::span<double> g) const { g[0] = at.x[0]; }
  void outputs(const State&, const Flow& at, ContinuousValues y) const { y[height] = at.x[0]; }
  void state_event(State& s, StateEvents) const {
    ++s.bounces;
    s.hits = in_two_steps_;
    if (!in_two_steps_) s.x[1] *= -e_;
  }
  double time_advance(const State& s) const { return s.hits ? 0 : devs::kInfinity; }
  void internal(State& s) const {
    s.hits = false;
    s.x[1] *= -e_;
  }

 private:
  double e_;
  bool in_two_steps_;
};

// Watches another component, and does nothing.
class Watcher : public HybridAtomic<Watcher> {
 public:
  struct State {
    std::array<double, 0> x = {};
    int seen = 0;
  };
  ContinuousIn u{this, "u"};
  static constexpr std::array kConditions = {Direction::kFalling};
  void conditions(const State&, const Flow& at, std::span<double> g) const { g[0] = at[u]; }
  void state_event(State& s, StateEvents) const { ++s.seen; }
};

class Hall : public devs::Coupled {
 public:
  ContinuousOut height{this, "height"};
  Hall(double restitution, bool in_two_steps) {
    couple(add<Ball>("ball", restitution, in_two_steps).height, height);
  }
};
class Floor : public devs::Coupled {
 public:
  explicit Floor(double restitution, bool in_two_steps = false) {
    auto& watcher = add<Watcher>("watcher");
    couple(add<Hall>("hall", restitution, in_two_steps).height, watcher.u);
  }
};

// The bounces end at t0 (1 + e)/(1 - e).
double accumulation(double e) { return std::sqrt(2 / kGravity) * (1 + e) / (1 - e); }

RunOptions options_for(const std::string& solver) {
  RunOptions options;
  options.solver = solver;
  options.stop_time = 3;
  options.numerics.rtol = find_solver(solver).quantised ? 1e-4 : 1e-7;
  if (!find_solver(solver).adaptive) options.numerics.step = 0.01;
  return options;
}

TEST(HybridZeno, ABallThatBouncesForEverEndsAsZeno) {
  // (Euler's method gives the ball as much energy in each step as it loses at last.)
  const auto keeps_energy = [](const SolverInfo& info) { return info.order > 1; };
  for (const std::string& solver : test::solvers_that(keeps_energy)) {
    for (const bool in_two_steps : {false, true}) {
      SCOPED_TRACE(::testing::Message() << solver << in_two_steps);
      const Floor floor(0.5, in_two_steps);
      HybridSimulator simulator(floor, options_for(solver));
      const RunStatus status = simulator.run_until(3);
      EXPECT_EQ(status.reason, RunReason::kZeno) << status.message;
      EXPECT_EQ(status.component, "hall.ball") << status.message;
      EXPECT_NEAR(status.time, accumulation(0.5), 2e-2);
      EXPECT_NEAR(simulator.accumulation(), accumulation(0.5), 2e-2);
      EXPECT_LT(simulator.statistics().state_events, 2000);
    }
  }
}

TEST(HybridZeno, ComponentsStopOrGoOn) {
  const Floor floor(0.5);
  RunOptions options = options_for("dopri5");
  HybridSimulator stops(floor, options);
  const RunStatus status = stops.run_until(3);
  EXPECT_EQ(status.reason, RunReason::kZeno);
  EXPECT_NE(status.message.find("--on-zeno stick or go"), std::string::npos) << status.message;

  options.on_zeno = ZenoPolicy::kGo;  // it goes on, and ends when that is all that happens
  HybridSimulator goes(floor, options);
  goes.run_until(3);
  EXPECT_GT(goes.statistics().state_events, stops.statistics().state_events);
  EXPECT_LT(goes.statistics().state_events, 100'000);
}

TEST(HybridZeno, ABallThatComesToTheEndFirstIsNone) {
  const Floor floor(0.9);
  HybridSimulator simulator(floor, options_for("dopri5"));
  EXPECT_TRUE(simulator.run_until(3).ok()) << simulator.status().message;
}

// A relay without hysteresis: x' = -1 above zero, 1 below.
class Relay : public HybridAtomic<Relay> {
 public:
  struct State {
    std::array<double, 1> x = {1};
    double rate = -1;
  };
  static constexpr std::array kConditions = {Direction::kBoth};
  void derivatives(const State& s, const Flow&, std::span<double> dx) const { dx[0] = s.rate; }
  void conditions(const State&, const Flow& at, std::span<double> g) const { g[0] = at.x[0]; }
  void state_event(State& s, StateEvents events) const { s.rate = events[0].rising ? -1 : 1; }
};
class Switches : public devs::Coupled {
 public:
  Switches() { add<Relay>("relay"); }
};

TEST(HybridZeno, ChatteringIsFoundAsWell) {
  {
    const Switches switches;
    RunOptions options = options_for("dopri5");
    options.on_zeno = ZenoPolicy::kStick;
    HybridSimulator simulator(switches, options);
    const RunStatus status = simulator.run_until(3);
    EXPECT_FALSE(status.ok());
    EXPECT_NE(status.message.find("not slide along it"), std::string::npos) << status.message;
  }
  for (const std::string solver : {"dopri5", "rodas5p", "cvode-bdf", "qss2", "liqss2"}) {
    SCOPED_TRACE(solver);
    const Switches switches;
    HybridSimulator simulator(switches, options_for(solver));
    const RunStatus status = simulator.run_until(3);
    EXPECT_TRUE(status.reason == RunReason::kZeno ||
                status.reason == RunReason::kEventsDidNotSettle)
        << status.message;
    EXPECT_EQ(status.component, "relay");
    EXPECT_NEAR(status.time, 1, 1e-3);
    if (status.reason != RunReason::kZeno) continue;
    // What to do about it; with quantised states, which may swing by themselves, another solver.
    EXPECT_NE(status.message.find("hysteresis"), std::string::npos) << status.message;
    EXPECT_EQ(status.message.find("or rodas5p") != std::string::npos ||
                  status.message.find("or --solver rodas5p") != std::string::npos,
              find_solver(solver).quantised)
        << status.message;
  }
}

}  // namespace
}  // namespace arges::hybrid_devs
