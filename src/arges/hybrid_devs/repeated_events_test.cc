// A condition that passes zero more than once at one time: each passage is a state event.

#include <array>
#include <string>

#include <gtest/gtest.h>

#include "arges/hybrid_devs/hybrid_simulator.h"
#include "testing/every_solver.h"

namespace arges::hybrid_devs {
namespace {

using devs::Bag;
using devs::In;
using devs::Out;
using devs::Output;

// Fills by 1 a second and by messages; at 1 it overflows, and is empty.
class Tank : public HybridAtomic<Tank> {
 public:
  struct State {
    std::array<double, 1> x = {0};
    int overflows = 0;
  };
  In<double> fill{this, "fill"};
  static constexpr std::array kConditions = {Direction::kRising};
  void derivatives(const State&, const Flow&, std::span<double> dx) const { dx[0] = 1; }
  void conditions(const State&, const Flow& at, std::span<double> g) const { g[0] = at.x[0] - 1; }
  void external(State& s, double, const Bag& x) const {
    for (const double amount : x.on(fill)) s.x[0] += amount;
  }
  void state_event(State& s, StateEvents) const {
    ++s.overflows;
    s.x[0] = 0;
  }
};

// `count` messages at one time.
class Pump : public devs::Atomic<Pump> {
 public:
  struct State {
    int sent = 0;
  };
  Out<double> out{this, "out"};
  Pump(double time, int count) : time_(time), count_(count) {}
  double time_advance(const State& s) const {
    return s.sent == 0 ? time_ : s.sent < count_ ? 0 : devs::kInfinity;
  }
  void output(const State&, Output& y) const { y.send(out, 1.2); }
  void internal(State& s) const { ++s.sent; }

 private:
  double time_;
  int count_;
};

class Filling : public devs::Coupled {
 public:
  Tank& tank = add<Tank>("tank");
  Filling(double time, int count) { couple(add<Pump>("pump", time, count).out, tank.fill); }
};

// Rises by 1 a second; thrown back by 0.5 at 1, by its state transition or by the internal one
// after it. A state transition may also throw it to and fro.
class Relation : public HybridAtomic<Relation> {
 public:
  enum class By { kStateTransition, kInternalOne, kToAndFro };
  struct State {
    std::array<double, 1> x = {0};
    bool due = false;
    int rises = 0, falls = 0;
  };
  static constexpr std::array kConditions = {Direction::kBoth};
  explicit Relation(By by, int throws = 0) : by_(by), throws_(throws) {}
  void derivatives(const State&, const Flow&, std::span<double> dx) const { dx[0] = 1; }
  void conditions(const State&, const Flow& at, std::span<double> g) const { g[0] = at.x[0] - 1; }
  void state_event(State& s, StateEvents events) const {
    ++(events[0].rising ? s.rises : s.falls);
    if (by_ == By::kToAndFro) {
      if (s.rises < throws_ || !events[0].rising) s.x[0] = events[0].rising ? 0.9 : 1.1;
    } else if (events[0].rising) {
      if (by_ == By::kStateTransition) s.x[0] -= 0.5;
      s.due = by_ == By::kInternalOne;
    }
  }
  double time_advance(const State& s) const { return s.due ? 0 : devs::kInfinity; }
  void internal(State& s) const {
    s.due = false;
    s.x[0] -= 0.5;
  }

 private:
  By by_;
  int throws_;
};

// At 1 a message puts its condition exactly onto the root, from where it goes on as `rate` says.
template <Direction kDirection>
class PutOntoRoot : public HybridAtomic<PutOntoRoot<kDirection>> {
 public:
  struct State {
    std::array<double, 1> x = {-0.5};
    bool waits = true;
    int rises = 0, falls = 0;
  };
  static constexpr std::array kConditions = {kDirection};
  explicit PutOntoRoot(double rate) : rate_(rate) {}
  void derivatives(const State& s, const Flow&, std::span<double> dx) const {
    dx[0] = s.waits ? 0 : rate_;
  }
  void conditions(const State&, const Flow& at, std::span<double> g) const { g[0] = at.x[0]; }
  void state_event(State& s, StateEvents events) const { ++(events[0].rising ? s.rises : s.falls); }
  double time_advance(const State& s) const { return s.waits ? 1 : devs::kInfinity; }
  void internal(State& s) const {
    s.waits = false;
    s.x[0] = 0;
  }

 private:
  double rate_;
};

// A ball that bounces off the floor. A message throws it down at the speed of 1, at its bounce as
// well.
class Ball : public HybridAtomic<Ball> {
 public:
  struct State {
    std::array<double, 2> x = {0.7, -1};
    int bounces = 0;
  };
  In<double> down{this, "down"};
  static constexpr std::array kConditions = {Direction::kFalling};
  void derivatives(const State&, const Flow& at, std::span<double> dx) const {
    dx[0] = at.x[1];
    dx[1] = 0;
  }
  void conditions(const State&, const Flow& at, std::span<double> g) const { g[0] = at.x[0]; }
  void state_event(State& s, StateEvents) const {
    ++s.bounces;
    s.x[1] = -s.x[1];
  }
  void external(State& s, double, const Bag&) const { s.x[1] = -1; }
};

class Thrown : public devs::Coupled {
 public:
  Ball& ball = add<Ball>("ball");
  Thrown(double time, int count) { couple(add<Pump>("thrower", time, count).out, ball.down); }
};

// At 1 a small state jumps over zero, beside a large one that has nothing to do with it.
class Beside : public HybridAtomic<Beside> {
 public:
  struct State {
    std::array<double, 2> x = {1e-6, 1e10};
    bool waits = true;
    int falls = 0;
  };
  static constexpr std::array kConditions = {Direction::kFalling};
  void conditions(const State&, const Flow& at, std::span<double> g) const { g[0] = at.x[0]; }
  void state_event(State& s, StateEvents) const { ++s.falls; }
  double time_advance(const State& s) const { return s.waits ? 1 : devs::kInfinity; }
  void internal(State& s) const {
    s.waits = false;
    s.x[0] = -1e-6;
  }
};

// One of two that move at constant speeds; the first one, when it meets the second, moves on with
// it.
class Mover : public HybridAtomic<Mover> {
 public:
  struct State {
    std::array<double, 2> x = {0, 0};
    int contacts = 0;
  };
  ContinuousIn other{this, "other"};
  ContinuousOut y{this, "y"};
  static constexpr std::array kConditions = {Direction::kFalling};
  Mover(double position, double speed, double joint)
      : position_(position), speed_(speed), joint_(joint) {}
  State initial() const { return {{position_, speed_}}; }
  void derivatives(const State&, const Flow& at, std::span<double> dx) const {
    dx[0] = at.x[1];
    dx[1] = 0;
  }
  void outputs(const State&, const Flow& at, ContinuousValues values) const { values[y] = at.x[0]; }
  void conditions(const State&, const Flow& at, std::span<double> g) const {
    g[0] = joint_ > 0 ? at[other] - at.x[0] : 1;
  }
  void state_event(State& s, StateEvents) const {
    ++s.contacts;
    s.x[1] = joint_;
  }

 private:
  double position_, speed_, joint_;
};

class Contact : public devs::Coupled {
 public:
  Mover &fast, &slow;
  Contact(double gap, double speed)
      : fast(add<Mover>("fast", 0.1, speed, 0.6)), slow(add<Mover>("slow", 0.1 + gap, 0.6, 0)) {
    couple(slow.y, fast.other);
  }
};

class RepeatedEvents : public ::testing::TestWithParam<std::string> {
 protected:
  RunOptions options() const {
    RunOptions result;
    result.solver = GetParam();
    result.numerics.step = 0.01;
    return result;
  }
};

TEST_P(RepeatedEvents, EachMessageThatLetsTheTankOverflowIsOne) {
  for (const int count : {1, 2, 3, 50}) {
    for (const double time : {0.5, 1.0}) {  // when it overflows by itself as well
      SCOPED_TRACE(::testing::Message() << count << " at " << time);
      const Filling model(time, count);
      HybridSimulator simulator(model, options());
      const RunStatus status = simulator.run_until(1.25);
      EXPECT_TRUE(status.ok()) << status.message;
      EXPECT_EQ(simulator.state(model.tank).overflows, time == 1 ? count + 1 : count);
      EXPECT_NEAR(simulator.state(model.tank).x[0], 1.25 - time, 1e-9);
    }
  }
}

// Whatever the last digit says on which side of its root the condition was found.
TEST_P(RepeatedEvents, ARelationThatIsThrownBackGoesBackEachTime) {
  for (const auto by : {Relation::By::kStateTransition, Relation::By::kInternalOne}) {
    SCOPED_TRACE(static_cast<int>(by));
    const Relation model(by);
    HybridSimulator simulator(model, options());
    const RunStatus status = simulator.run_until(10.3);
    EXPECT_TRUE(status.ok()) << status.message;
    EXPECT_EQ(simulator.state(model).rises, 19);
    EXPECT_EQ(simulator.state(model).falls, 19);
  }
}

TEST_P(RepeatedEvents, AStateTransitionMayThrowToAndFroButNotWithoutEnd) {
  const Relation thrice(Relation::By::kToAndFro, 3), always(Relation::By::kToAndFro, 1 << 30);
  HybridSimulator ends(thrice, options());
  EXPECT_TRUE(ends.run_until(1.5).ok()) << ends.status().message;
  EXPECT_EQ(ends.state(thrice).rises, 3);
  EXPECT_EQ(ends.state(thrice).falls, 2);
  HybridSimulator goes_on(always, options());
  EXPECT_EQ(goes_on.run_until(1.5).reason, RunReason::kEventsDidNotSettle);
  EXPECT_NEAR(goes_on.status().time, 1, 1e-9);
}

TEST_P(RepeatedEvents, ReachingZeroCountsAndGoingBackIsAPassageOfItsOwn) {
  for (const double rate : {1.0, 0.0, -1.0}) {
    SCOPED_TRACE(rate);
    const PutOntoRoot<Direction::kBoth> both(rate);
    HybridSimulator relation(both, options());
    EXPECT_TRUE(relation.run_until(3).ok());
    EXPECT_EQ(relation.state(both).rises, 1);
    EXPECT_EQ(relation.state(both).falls, rate < 0 ? 1 : 0);
    const PutOntoRoot<Direction::kRising> up(rate);
    HybridSimulator rising(up, options());
    EXPECT_TRUE(rising.run_until(3).ok());
    EXPECT_EQ(rising.state(up).rises, 1);
  }
}

TEST_P(RepeatedEvents, ABallThatIsThrownDownAtItsBounceBouncesAgain) {
  for (const int count : {0, 1, 3}) {
    const Thrown model(count > 0 ? 0.7 : 5, count);
    HybridSimulator simulator(model, options());
    const RunStatus status = simulator.run_until(1.2);
    EXPECT_TRUE(status.ok()) << status.message;
    EXPECT_EQ(simulator.state(model.ball).bounces, count > 0 ? 2 : 1);
    EXPECT_NEAR(simulator.state(model.ball).x[0], 0.5, 1e-9);
  }
}

TEST_P(RepeatedEvents, AJumpOfASmallStateBesideALargeOneIsSeen) {
  const Beside model;
  HybridSimulator simulator(model, options());
  EXPECT_TRUE(simulator.run_until(2).ok());
  EXPECT_EQ(simulator.state(model).falls, 1);
}

TEST_P(RepeatedEvents, TwoThatMoveOnTogetherTouchOnce) {
  for (int k = 0; k < 20; ++k) {
    SCOPED_TRACE(k);
    const Contact model(1 + 0.13 * k, 0.9 + 0.07 * k);
    HybridSimulator simulator(model, options());
    EXPECT_TRUE(simulator.run_until(100).ok());
    EXPECT_EQ(simulator.state(model.fast).contacts, 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, RepeatedEvents,
                         ::testing::Values("euler", "rk4", "dopri5", "dop853", "rodas5p",
                                           "cvode-bdf", "cvode-adams", "ida", "qss2", "qss3",
                                           "liqss2", "liqss3"),
                         test::name_of_test);

}  // namespace
}  // namespace arges::hybrid_devs
