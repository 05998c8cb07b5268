// Events of components that come fast: `go` ends what accumulates without end, and no policy ends
// what has an end.

#include <array>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "arges/devs/coupled.h"
#include "arges/hybrid_devs/hybrid_simulator.h"

namespace arges::hybrid_devs {
namespace {

const char* const kSolvers[] = {"tsit5", "dopri5", "rodas5p", "cvode-bdf"};

RunOptions options_for(const char* solver, double stop, ZenoPolicy policy) {
  RunOptions options;
  options.solver = solver;
  options.stop_time = stop;
  options.numerics.rtol = 1e-8;
  options.on_zeno = policy;
  return options;
}

// Bounces that shrink so slowly that rounding keeps them alive.
class Ball : public HybridAtomic<Ball> {
 public:
  struct State {
    std::array<double, 2> x = {1, 0};
  };
  static constexpr std::array kConditions = {Direction::kFalling};
  explicit Ball(double restitution) : e_(restitution) {}
  double end_time() const { return std::sqrt(2 / 9.81) * (1 + e_) / (1 - e_); }
  void derivatives(const State&, const Flow& at, std::span<double> dx) const {
    dx[0] = at.x[1];
    dx[1] = -9.81;
  }
  void conditions(const State&, const Flow& at, std::span<double> g) const { g[0] = at.x[0]; }
  void state_event(State& s, StateEvents) const { s.x[1] *= -e_; }

 private:
  double e_;
};

TEST(HybridGoingOn, EndsWhenManyBouncesHardlyMoveTime) {
  for (const char* solver : kSolvers) {
    for (const double restitution : {0.95, 0.99}) {
      SCOPED_TRACE(::testing::Message() << solver << " " << restitution);
      const Ball ball(restitution);
      HybridSimulator simulator(ball, options_for(solver, 1e4, ZenoPolicy::kGo));
      const RunStatus status = simulator.run_until(1e4);
      EXPECT_EQ(status.reason, RunReason::kZeno) << status.message;
      EXPECT_NE(status.message.find("has accumulated"), std::string::npos) << status.message;
      EXPECT_NEAR(status.time, ball.end_time(), 1e-3);
      EXPECT_LT(simulator.statistics().state_events, 50'000);
    }
  }
}

// x rises from 0 to 1, again and again, ever more slowly: x' = 2.0005e11 exp(-t/1e-8), 2000.5 in
// all.
class Saw : public HybridAtomic<Saw> {
 public:
  static constexpr double kStop = 1e6;
  static constexpr int kCount = 2000;
  struct State {
    std::array<double, 1> x = {0};
    int count = 0;
  };
  static constexpr std::array kConditions = {Direction::kBoth};
  void derivatives(const State&, const Flow& at, std::span<double> dx) const {
    dx[0] = 2.0005e11 * std::exp(-at.t / 1e-8);
  }
  void conditions(const State&, const Flow& at, std::span<double> g) const { g[0] = at.x[0] - 1; }
  void state_event(State& s, StateEvents events) const {
    if (!events[0].rising) return;
    s.x[0] = 0;
    ++s.count;
  }
};

// A relay with a hysteresis: a way of 1, then ways of 2, ever more slowly, 2000 in all.
class FastRelay : public HybridAtomic<FastRelay> {
 public:
  static constexpr double kStop = 1e6;
  static constexpr int kCount = 1000;
  struct State {
    std::array<double, 1> x = {0};
    double direction = 1;
    int count = 0;
  };
  static constexpr std::array kConditions = {Direction::kBoth, Direction::kBoth};
  void derivatives(const State& s, const Flow& at, std::span<double> dx) const {
    dx[0] = s.direction * 2e11 * std::exp(-at.t / 1e-8);
  }
  void conditions(const State&, const Flow& at, std::span<double> g) const {
    g[0] = at.x[0] - 1;
    g[1] = -1 - at.x[0];
  }
  void state_event(State& s, StateEvents events) const {
    for (const StateEvent& event : events) {
      if (!event.rising) continue;
      s.direction = event.condition == 0 ? -1 : 1;
      ++s.count;
    }
  }
};

template <class Model>
void expect_all() {
  const Model model;
  for (const char* solver : kSolvers) {
    for (const ZenoPolicy policy : {ZenoPolicy::kStop, ZenoPolicy::kGo}) {
      SCOPED_TRACE(::testing::Message() << solver << " " << static_cast<int>(policy));
      HybridSimulator simulator(model, options_for(solver, Model::kStop, policy));
      const RunStatus status = simulator.run_until(Model::kStop);
      EXPECT_TRUE(status.ok()) << status.message;
      EXPECT_EQ(simulator.state(model).count, Model::kCount);
    }
  }
}

TEST(HybridGoingOn, FinishesAFastMotionAtTheStartOfALongRun) { expect_all<Saw>(); }

TEST(HybridGoingOn, FinishesAFastRelayWithAHysteresis) { expect_all<FastRelay>(); }

}  // namespace
}  // namespace arges::hybrid_devs
