// The policy `stick`: components that come to rest where their events would accumulate.

#include <array>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "arges/devs/structure.h"
#include "arges/hybrid_devs/hybrid_simulator.h"

namespace arges::hybrid_devs {
namespace {

constexpr double kGravity = 9.81;

// Falls from 1 m onto a table, at 0.5 of its speed against that it bounces back. Its height is
// absolute.
class Ball : public HybridAtomic<Ball> {
 public:
  struct State {
    std::array<double, 3> x = {1, 0, 0};  // height, speed, way to the side
    int bounces = 0;
  };
  ContinuousIn table{this, "table"}, wind{this, "wind"};
  devs::In<double> kick{this, "kick"};
  static constexpr std::array kConditions = {Direction::kFalling};
  explicit Ball(double table_speed) : table_speed_(table_speed) {}
  void derivatives(const State&, const Flow& at, std::span<double> dx) const {
    dx[0] = at.x[1];
    dx[1] = at[wind] - kGravity;
    dx[2] = 1;
  }
  void conditions(const State&, const Flow& at, std::span<double> g) const {
    g[0] = at.x[0] - at[table];
  }
  void state_event(State& s, StateEvents) const {
    ++s.bounces;
    s.x[1] = table_speed_ - 0.5 * (s.x[1] - table_speed_);
  }
  void external(State& s, double, const devs::Bag& x) const { s.x[1] = x.on(kick).front(); }

 private:
  double table_speed_;
};

// x' = rate; messages set x or the rate.
class Ramp : public HybridAtomic<Ramp> {
 public:
  struct State {
    std::array<double, 1> x;
    double rate;
  };
  ContinuousOut y{this, "y"};
  devs::In<double> place{this, "place"}, speed{this, "speed"};
  Ramp(double start, double rate) : start_(start), rate_(rate) {}
  State initial() const { return {{start_}, rate_}; }
  void derivatives(const State& s, const Flow&, std::span<double> dx) const { dx[0] = s.rate; }
  void outputs(const State&, const Flow& at, ContinuousValues v) const { v[y] = at.x[0]; }
  void external(State& s, double, const devs::Bag& x) const {
    for (const double value : x.on(place)) s.x[0] = value;
    for (const double value : x.on(speed)) s.rate = value;
  }

 private:
  double start_, rate_;
};

// The ball on a table, in a wind; `more` adds a component while it rests, or takes the ball away.
class Room : public devs::VariableCoupled<Room> {
 public:
  struct State {
    bool waits = true;
  };
  devs::In<double> kick{this, "kick"}, place{this, "place"}, speed{this, "speed"};
  Ramp& table;
  Ramp& wind;
  Ball& ball;
  explicit Room(double table_rate = 0, double wind_rate = 0, double change = devs::kInfinity)
      : table(add<Ramp>("table", 0.0, table_rate)),
        wind(add<Ramp>("wind", 0.0, wind_rate)),
        ball(add<Ball>("ball", table_rate)),
        change_(change) {
    couple(table.y, ball.table);
    couple(wind.y, ball.wind);
    couple(kick, ball.kick);
    couple(place, table.place);
    couple(speed, table.speed);
  }
  double time_advance(const State& s) const { return s.waits ? change_ : devs::kInfinity; }
  void internal(State& s, devs::Structure& now) const {
    s.waits = false;
    now.add<Ramp>("more", 0.0, 1.0);
    now.remove(wind);
  }

 private:
  double change_;
};

class HybridRest : public ::testing::TestWithParam<std::string> {
 protected:
  static RunOptions options(double stop) {
    RunOptions result;
    result.solver = GetParam();
    result.stop_time = stop;
    result.on_zeno = ZenoPolicy::kStick;
    result.numerics.rtol = is_quantised() ? 1e-5 : 1e-8;
    return result;
  }
  static bool is_quantised() { return find_solver(GetParam()).quantised; }
  static double tolerance() { return is_quantised() ? 2e-3 : 1e-5; }
};

INSTANTIATE_TEST_SUITE_P(Solvers, HybridRest,
                         ::testing::Values("dopri5", "tsit5", "rodas5p", "cvode-bdf", "qss2",
                                           "liqss2"),
                         [](const auto& solver) {
                           std::string name = solver.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(HybridRest, ABallComesToRestAndTheOthersGoOn) {
  const Room room;
  HybridSimulator simulator(room, options(5));
  const RunStatus status = simulator.run_until(5);
  ASSERT_TRUE(status.ok()) << status.message;
  EXPECT_EQ(status.time, 5);
  const auto& ball = simulator.state(room.ball);
  EXPECT_NEAR(ball.x[0], 0, tolerance());
  EXPECT_NEAR(ball.x[2], 5, tolerance());  // it rolls on
  EXPECT_LT(ball.bounces, 2000);
  ASSERT_FALSE(simulator.notes().empty());
  EXPECT_NE(simulator.notes().front().find("ball: condition 1 accumulates at"), std::string::npos);
}

// The wind grows to be as strong as its weight.
TEST_P(HybridRest, WhatItsForcesLiftLeaves) {
  const Room room(0, 1);
  HybridSimulator simulator(room, options(12));
  ASSERT_TRUE(simulator.run_until(9.8).ok()) << simulator.status().message;
  const int bounces = simulator.state(room.ball).bounces;
  EXPECT_NEAR(simulator.state(room.ball).x[0], 0, tolerance());
  ASSERT_TRUE(simulator.run_until(12).ok()) << simulator.status().message;
  EXPECT_EQ(simulator.state(room.ball).bounces, bounces);
  EXPECT_NEAR(simulator.state(room.ball).x[0], std::pow(12 - kGravity, 3) / 6, 5 * tolerance());
}

TEST_P(HybridRest, ATransitionThatMovesItEndsIt) {
  const Room room;
  HybridSimulator simulator(room, options(8));
  ASSERT_TRUE(simulator.run_until(4).ok()) << simulator.status().message;
  const int bounces = simulator.state(room.ball).bounces;
  simulator.discrete().inject(room.kick, 3.0);
  ASSERT_TRUE(simulator.run_until(4.2).ok()) << simulator.status().message;
  EXPECT_NEAR(simulator.state(room.ball).x[0], 3 * 0.2 - kGravity / 2 * 0.04, tolerance());
  ASSERT_TRUE(simulator.run_until(8).ok()) << simulator.status().message;
  EXPECT_GT(simulator.state(room.ball).bounces, bounces + 3);
  EXPECT_NEAR(simulator.state(room.ball).x[0], 0, tolerance());
  EXPECT_EQ(simulator.notes().size(), 2u);
}

TEST_P(HybridRest, ItFallsWhenTheTableIsLowered) {
  const Room room;
  HybridSimulator simulator(room, options(8));
  ASSERT_TRUE(simulator.run_until(4).ok()) << simulator.status().message;
  simulator.discrete().inject(room.place, -1.0);
  ASSERT_TRUE(simulator.run_until(4.2).ok()) << simulator.status().message;
  EXPECT_NEAR(simulator.state(room.ball).x[0], -kGravity / 2 * 0.04, tolerance());
  ASSERT_TRUE(simulator.run_until(8).ok()) << simulator.status().message;
  EXPECT_NEAR(simulator.state(room.ball).x[0], -1, tolerance());
}

// Only the ball would stand still, not the table.
TEST_P(HybridRest, IsNotOnWhatMoves) {
  const Room moving(0.01);
  HybridSimulator simulator(moving, options(5));
  const RunStatus status = simulator.run_until(5);
  EXPECT_EQ(status.reason, RunReason::kZeno);
  EXPECT_EQ(status.component, "ball");
  EXPECT_NE(status.message.find("cannot rest there"), std::string::npos) << status.message;

  const Room room;
  HybridSimulator later(room, options(8));
  ASSERT_TRUE(later.run_until(4).ok()) << later.status().message;
  later.discrete().inject(room.speed, 0.01);
  const RunStatus end = later.run_until(8);
  EXPECT_EQ(end.reason, RunReason::kZeno);
  EXPECT_EQ(end.time, 4);
  EXPECT_NE(end.message.find("begins to move"), std::string::npos) << end.message;
}

TEST_P(HybridRest, GoesOnWhenOthersComeAndGo) {
  const Room room(0, 0, 4);
  HybridSimulator simulator(room, options(8));
  ASSERT_TRUE(simulator.run_until(3.5).ok()) << simulator.status().message;
  const int bounces = simulator.state(room.ball).bounces;
  ASSERT_TRUE(simulator.run_until(8).ok()) << simulator.status().message;
  EXPECT_EQ(simulator.state(room.ball).bounces, bounces);
  EXPECT_NEAR(simulator.state(room.ball).x[0], 0, tolerance());
  EXPECT_NEAR(simulator.state(room.ball).x[2], 8, tolerance());
}

// All hybrid components go, and others come, one of them with the number of the one that rested.
class Stage : public devs::VariableCoupled<Stage> {
 public:
  struct State {
    int scene = 0;
  };
  double time_advance(const State& s) const { return s.scene < 3 ? 4 : devs::kInfinity; }
  void internal(State& s, devs::Structure& now) const {
    if (s.scene == 0) now.add<Ball>("ball", 0.0);
    if (s.scene == 1) now.remove(now.get<Ball>("ball"));
    if (s.scene == 2) now.add<Ball>("another", 0.0);
    ++s.scene;
  }
};

TEST_P(HybridRest, EndsWithItsComponent) {
  const Stage stage;
  HybridSimulator simulator(stage, options(20));
  const RunStatus status = simulator.run_until(20);
  EXPECT_TRUE(status.ok()) << status.message;
  EXPECT_EQ(simulator.notes().size(), 2u);
}

}  // namespace
}  // namespace arges::hybrid_devs
