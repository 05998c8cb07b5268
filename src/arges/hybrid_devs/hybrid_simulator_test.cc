#include "arges/hybrid_devs/hybrid_simulator.h"

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "testing/every_solver.h"

namespace arges::hybrid_devs {
namespace {

using devs::Bag;
using devs::In;
using devs::Out;
using devs::Output;

constexpr double kGravity = 9.81, kRestitution = 0.8;

// h'' = -g; at the ground v := -e v.
class Ball : public HybridAtomic<Ball> {
 public:
  struct State {
    std::array<double, 2> x = {1, 0};
    std::vector<double> bounces;
    double now = 0;
  };
  static constexpr std::array kConditions = {Direction::kFalling};
  void derivatives(const State&, const Flow& at, std::span<double> dx) const {
    dx[0] = at.x[1];
    dx[1] = -kGravity;
  }
  void conditions(const State&, const Flow& at, std::span<double> g) const { g[0] = at.x[0]; }
  void state_event(State& s, StateEvents events) const {
    EXPECT_EQ(events.size(), 1u);
    EXPECT_FALSE(events[0].rising);
    s.bounces.push_back(s.x[1]);
    s.x[1] = -kRestitution * s.x[1];
  }
};

TEST(HybridSimulator, AStateEventChangesContinuousStates) {
  const Ball ball;
  RunOptions options;
  options.solver = "dopri5";
  options.numerics.rtol = 1e-10;
  options.stop_time = 3;
  HybridSimulator simulator(ball, options);
  ASSERT_TRUE(simulator.run_until(3).ok()) << simulator.status().message;
  // v before bounce k is -v0 e^k; the bounces are at t0 (1 + 2 e + 2 e^2 + ...).
  const double v0 = std::sqrt(2 * kGravity), t0 = v0 / kGravity;
  const auto& bounces = simulator.state(ball).bounces;
  double t = t0;
  std::size_t count = 0;
  for (double e = kRestitution; t <= 3; e *= kRestitution) {
    ++count;
    t += 2 * t0 * e;
  }
  ASSERT_EQ(bounces.size(), count);
  for (std::size_t k = 0; k < count; ++k) {
    EXPECT_NEAR(bounces[k], -v0 * std::pow(kRestitution, static_cast<double>(k)), 1e-8) << k;
  }
}

// y = u + 1, at once.
class Plus : public HybridAtomic<Plus> {
 public:
  struct State {
    std::array<double, 0> x = {};
  };
  ContinuousIn in{this, "in"};
  ContinuousOut out{this, "out"};
  static constexpr bool kMealy = true;
  void outputs(const State&, const Flow& at, ContinuousValues y) const { y[out] = at[in] + 1; }
};

class Sum : public HybridAtomic<Sum> {
 public:
  struct State {
    std::array<double, 1> x = {0};
  };
  ContinuousIn in{this, "in"};
  ContinuousOut out{this, "out"};
  void derivatives(const State&, const Flow& at, std::span<double> dx) const { dx[0] = at[in]; }
  void outputs(const State&, const Flow& at, ContinuousValues y) const { y[out] = at.x[0]; }
};

// Built against the order of computation: the last first.
class Chain : public devs::Coupled {
 public:
  Sum& sum;
  explicit Chain(bool with_loop) : sum(add<Sum>("sum")) {
    auto& third = add<Plus>("third");
    auto& second = add<Plus>("second");
    auto& first = add<Plus>("first");
    couple(first.out, second.in);
    couple(second.out, third.in);
    couple(third.out, sum.in);
    if (with_loop) couple(third.out, first.in);
  }
};

TEST(HybridSimulator, MealyComponentsAreComputedInTheOrderOfTheirDependencies) {
  const Chain chain(false);
  HybridSimulator simulator(chain, {.solver = "dopri5"});
  ASSERT_TRUE(simulator.run_until(2).ok());
  EXPECT_NEAR(simulator.state(chain.sum).x[0], 6, 1e-12);  // 3 for 2 s
}

TEST(HybridSimulator, AnAlgebraicLoopIsReportedWithItsPaths) {
  const Chain chain(true);
  HybridSimulator simulator(chain, {.solver = "dopri5"});
  const RunStatus status = simulator.run_until(2);
  EXPECT_EQ(status.reason, RunReason::kEvaluationFailed);
  EXPECT_NE(status.message.find("algebraic loop"), std::string::npos) << status.message;
  for (const char* name : {"first", "second", "third"}) {
    EXPECT_NE(status.message.find(name), std::string::npos) << status.message;
  }
}

// A level that messages fill; says when it is above 1.
class Tank : public HybridAtomic<Tank> {
 public:
  struct State {
    std::vector<double> x = {0};
    int overflows = 0, transitions = 0;
  };
  In<double> fill{this, "fill"};
  static constexpr std::array kConditions = {Direction::kRising};
  void derivatives(const State&, const Flow&, std::span<double> dx) const {
    for (double& rate : dx) rate = -0.1;
  }
  void conditions(const State&, const Flow& at, std::span<double> g) const { g[0] = at.x[0] - 1; }
  void external(State& s, double, const Bag& x) const {
    for (const double amount : x.on(fill)) s.x[0] += amount;
    ++s.transitions;
    if (s.transitions == 3) s.x.push_back(5);  // one state more from now on
  }
  void state_event(State& s, StateEvents) const { ++s.overflows; }
};

class Pump : public devs::Atomic<Pump> {
 public:
  struct State {
    int count = 0;
  };
  Out<double> out{this, "out"};
  double time_advance(const State&) const { return 1; }
  void output(const State&, Output& y) const { y.send(out, 0.6); }
  void internal(State& s) const { ++s.count; }
};

class Filling : public devs::Coupled {
 public:
  Tank& tank;
  Filling() : tank(add<Tank>("tank")) { couple(add<Pump>("pump").out, tank.fill); }
};

TEST(HybridSimulator, AMessageThatLetsAConditionJumpIsAStateEvent) {
  const Filling model;
  HybridSimulator simulator(model, {.solver = "rk4", .numerics = {.step = 0.1}});
  // -0.1 + 0.6 = 0.5, 0.4 + 0.6 = 1.0 exactly or nearly, 0.9 + 0.6 = 1.5
  ASSERT_TRUE(simulator.run_until(3.5).ok()) << simulator.status().message;
  const Tank::State& s = simulator.state(model.tank);
  EXPECT_EQ(s.transitions, 3);
  EXPECT_GE(s.overflows, 1);
  EXPECT_NEAR(s.x[0], 1.45, 1e-9);
  ASSERT_EQ(s.x.size(), 2u);  // states come and go with events
  EXPECT_NEAR(s.x[1], 4.95, 1e-9);
}

// x' = rate comes to its mark when the message is due, give or take a few units in the last place.
class Arrival : public HybridAtomic<Arrival> {
 public:
  struct State {
    std::array<double, 1> x = {0};
    int arrivals = 0, arrivals_before_message = -1;
  };
  In<double> message{this, "message"};
  static constexpr std::array kConditions = {Direction::kRising};
  Arrival(double rate, double mark) : rate_(rate), mark_(mark) {}
  void derivatives(const State&, const Flow&, std::span<double> dx) const { dx[0] = rate_; }
  void conditions(const State&, const Flow& at, std::span<double> g) const {
    g[0] = at.x[0] - mark_;
  }
  void external(State& s, double, const Bag&) const { s.arrivals_before_message = s.arrivals; }
  void state_event(State& s, StateEvents) const { ++s.arrivals; }

 private:
  double rate_, mark_;
};

class Clock : public devs::Atomic<Clock> {
 public:
  struct State {
    bool rings = true;
  };
  Out<double> out{this, "out"};
  explicit Clock(double due) : due_(due) {}
  double time_advance(const State& s) const { return s.rings ? due_ : devs::kInfinity; }
  void output(const State&, Output& y) const { y.send(out, 1); }
  void internal(State& s) const { s.rings = false; }

 private:
  double due_;
};

class Meeting : public devs::Coupled {
 public:
  Arrival& arrival;
  Meeting(double rate, double due, double units)
      : arrival(add<Arrival>("arrival", rate,
                             rate * due * (1 + units * std::numeric_limits<double>::epsilon()))) {
    couple(add<Clock>("clock", due).out, arrival.message);
  }
};

// Just before it or just after, as in the kernel.
TEST(HybridSimulator, AStateEventAtADueTimeIsItsInstantAndComesFirst) {
  for (const std::string& solver : test::solvers_that(test::is_not_qss1)) {
    for (const double rate : {1.0, 3.0, 0.1}) {
      for (const double due : {0.7, 2.9, 6.613192082401988}) {
        for (const double units : {-12, -1, 0, 1, 2, 12, 30}) {
          SCOPED_TRACE(::testing::Message() << solver << ' ' << rate << ' ' << due << ' ' << units);
          const Meeting model(rate, due, units);
          RunOptions options;
          options.solver = solver;
          options.stop_time = 10;
          options.numerics.rtol = find_solver(solver).quantised ? 1e-4 : 1e-7;
          if (!find_solver(solver).adaptive) options.numerics.step = 0.5;
          HybridSimulator simulator(model, options);
          ASSERT_TRUE(simulator.run_until(10).ok()) << simulator.status().message;
          EXPECT_EQ(simulator.state(model.arrival).arrivals, 1);
          EXPECT_EQ(simulator.state(model.arrival).arrivals_before_message, 1);
        }
      }
    }
  }
}

// The condition cannot be evaluated, or the transition throws.
class Broken : public HybridAtomic<Broken> {
 public:
  struct State {
    std::array<double, 1> x = {1};
  };
  static constexpr std::array kConditions = {Direction::kBoth};
  explicit Broken(bool throws) : throws_(throws) {}
  void derivatives(const State&, const Flow&, std::span<double> dx) const { dx[0] = -1; }
  void conditions(const State&, const Flow& at, std::span<double> g) const {
    g[0] = throws_ ? at.x[0] - 0.5 : std::sqrt(at.x[0]);
  }
  void state_event(State&, StateEvents) const { throw std::runtime_error("no way on"); }

 private:
  bool throws_;
};

class Holder : public devs::Coupled {
 public:
  explicit Holder(bool throws) { add<Broken>("part", throws); }
};

TEST(HybridSimulator, FailuresNameTheComponent) {
  for (const bool throws : {true, false}) {
    const Holder holder(throws);
    HybridSimulator simulator(holder, {.solver = "dopri5"});
    const RunStatus status = simulator.run_until(3);
    EXPECT_EQ(status.reason, throws ? RunReason::kEvaluationFailed : RunReason::kNonFinite);
    EXPECT_EQ(status.component, "part") << status.message;
    EXPECT_EQ(simulator.run_until(4).reason, status.reason);  // it cannot be continued
  }
}

TEST(HybridSimulator, EventsThatAccumulateComeToTheLimit) {
  const Ball ball;
  RunOptions options;
  options.solver = "dopri5";
  options.max_events = 50;
  HybridSimulator simulator(ball, options);
  const RunStatus status = simulator.run_until(30);
  EXPECT_EQ(status.reason, RunReason::kZeno);
  EXPECT_EQ(status.component, "model");
}

TEST(HybridSimulator, KnowsItsSolvers) {
  const Ball ball;
  EXPECT_THROW(HybridSimulator(ball, {.solver = "dopri6"}), UserError);
}

// Breaks after t = 0.5, in one of its functions.
class Breaking : public HybridAtomic<Breaking> {
 public:
  struct State {
    std::array<double, 1> x = {1};
  };
  enum class Where { kDerivatives, kConditions, kOutputs, kStrange };
  static constexpr std::array kConditions = {Direction::kRising};
  ContinuousOut y{this, "y"};
  explicit Breaking(Where where) : where_(where) {}
  void derivatives(const State&, const Flow& at, std::span<double> dx) const {
    dx[0] = -at.x[0];
    if (where_ == Where::kStrange && at.t > 0.5) throw 42;
    break_in(Where::kDerivatives, at.t);
  }
  void conditions(const State&, const Flow& at, std::span<double> g) const {
    g[0] = -1;
    break_in(Where::kConditions, at.t);
  }
  void outputs(const State&, const Flow& at, ContinuousValues v) const {
    v[y] = at.x[0];
    break_in(Where::kOutputs, at.t);
  }

 private:
  void break_in(Where here, double t) const {
    if (here == where_ && t > 0.5) throw std::runtime_error("it broke");
  }
  Where where_;
};
class BreakingInside : public devs::Coupled {
 public:
  explicit BreakingInside(Breaking::Where where) { add<Breaking>("breaking", where); }
};

TEST(HybridSimulator, AnExceptionOfAContinuousFunctionEndsTheRunWithThePath) {
  using Where = Breaking::Where;
  for (const Where where :
       {Where::kDerivatives, Where::kConditions, Where::kOutputs, Where::kStrange}) {
    const BreakingInside model(where);
    RunOptions options;
    options.stop_time = 1;
    options.solver = "dopri5";
    HybridSimulator simulator(model, options);
    const RunStatus status = simulator.run_until(1);
    EXPECT_EQ(status.reason, RunReason::kEvaluationFailed);
    EXPECT_EQ(status.component, "breaking");
    EXPECT_NEAR(status.time, 0.3, 0.3);
  }
}

// Ticks every `period`; counts.
class Ticks : public devs::Atomic<Ticks> {
 public:
  struct State {
    int count = 0;
  };
  devs::Out<int> out{this, "out"};
  explicit Ticks(double period) : period_(period) {}
  double time_advance(const State&) const { return period_; }
  void output(const State& s, devs::Output& y) const { y.send(out, s.count); }
  void internal(State& s) const { ++s.count; }

 private:
  double period_;
};
class Bags : public devs::Atomic<Bags> {
 public:
  struct State {
    int bags = 0, messages = 0;
  };
  devs::In<int> in{this, "in"};
  void external(State& s, double, const devs::Bag& x) const {
    ++s.bags;
    s.messages += static_cast<int>(x.on(in).size());
  }
};
class Cycle : public HybridAtomic<Cycle> {  // with a state event at 1, 2, 3, ...
 public:
  struct State {
    std::array<double, 1> x = {0};
    int count = 0;
  };
  static constexpr std::array kConditions = {Direction::kRising};
  void derivatives(const State&, const Flow&, std::span<double> dx) const { dx[0] = 1; }
  void conditions(const State& s, const Flow& at, std::span<double> g) const {
    g[0] = at.x[0] - (s.count + 1);
  }
  void state_event(State& s, StateEvents) const { ++s.count; }
};
class Clocks : public devs::Coupled {
 public:
  Ticks &fast = add<Ticks>("fast", 0.1), &slow = add<Ticks>("slow", 0.3);
  Bags& bags = add<Bags>("bags");
  explicit Clocks(bool flows) {
    couple(fast.out, bags.in);
    couple(slow.out, bags.in);
    if (flows) add<Cycle>("cycle");
  }
};

// The clocks of events are as exact as in a run without continuous parts.
TEST(HybridSimulator, PhasesDoNotDisturbTheClocksOfEvents) {
  for (const bool flows : {false, true}) {
    const Clocks model(flows);
    HybridSimulator simulator(model, {.stop_time = 600, .solver = "dopri5"});
    ASSERT_TRUE(simulator.run_until(600).ok()) << simulator.status().message;
    EXPECT_EQ(simulator.state(model.fast).count, 6000);
    EXPECT_EQ(simulator.state(model.slow).count, 2000);
    EXPECT_EQ(simulator.state(model.bags).bags, 6000);  // each third one of both
    EXPECT_EQ(simulator.state(model.bags).messages, 8000);
  }
}

}  // namespace
}  // namespace arges::hybrid_devs
