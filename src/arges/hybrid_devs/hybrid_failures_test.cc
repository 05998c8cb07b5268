// How hybrid runs fail: reason, time and component, with every solver.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "arges/hybrid_devs/hybrid_simulator.h"
#include "testing/every_solver.h"

namespace arges::hybrid_devs {
namespace {

using devs::Bag;
using devs::In;
using devs::Out;
using devs::Output;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinite = std::numeric_limits<double>::infinity();

RunOptions options_for(const std::string& solver) {
  RunOptions options;
  options.solver = solver;
  options.stop_time = 3;
  options.numerics.rtol = find_solver(solver).quantised ? 1e-3 : 1e-6;
  options.numerics.atol = options.numerics.rtol;
  if (!find_solver(solver).adaptive) options.numerics.step = 0.01;
  return options;
}

enum class Where { kStateEvent, kInternal, kExternal, kDerivative, kOutput, kCondition };

// x' = 1, -1; at t = 0.5 something is no number any more.
class Faulty : public HybridAtomic<Faulty> {
 public:
  struct State {
    std::array<double, 2> x = {0, 1};
    bool waits = true;
  };
  In<double> in{this, "in"};
  ContinuousOut y{this, "y"};
  static constexpr std::array kConditions = {Direction::kRising};
  Faulty(Where where, double value) : where_(where), value_(value) {}

  void derivatives(const State&, const Flow& at, std::span<double> dx) const {
    dx[0] = 1;
    dx[1] = where_ == Where::kDerivative && at.t > 0.5 ? value_ : -1;
  }
  void conditions(const State&, const Flow& at, std::span<double> g) const {
    g[0] = where_ == Where::kStateEvent ? at.x[0] - 0.5 : -1;
    if (where_ == Where::kCondition && at.t > 0.5) throw std::runtime_error("it broke");
  }
  void outputs(const State&, const Flow& at, ContinuousValues v) const {
    v[y] = where_ == Where::kOutput && at.t > 0.5 ? value_ : at.x[1];
  }
  double time_advance(const State& s) const {
    return where_ == Where::kInternal && s.waits ? 0.5 : kInfinite;
  }
  void internal(State& s) const {
    s.waits = false;
    s.x[1] = value_;
  }
  void external(State& s, double, const Bag&) const { s.x[1] = value_; }
  void state_event(State& s, StateEvents) const { s.x[1] = value_; }

 private:
  Where where_;
  double value_;
};

class Reader : public HybridAtomic<Reader> {
 public:
  struct State {
    std::array<double, 1> x = {0};
  };
  ContinuousIn u{this, "u"};
  void derivatives(const State&, const Flow& at, std::span<double> dx) const { dx[0] = at[u]; }
};

class Ring : public devs::Atomic<Ring> {
 public:
  struct State {
    bool rings = true;
  };
  Out<double> out{this, "out"};
  double time_advance(const State& s) const { return s.rings ? 0.5 : kInfinite; }
  void output(const State&, Output& y) const { y.send(out, 1); }
  void internal(State& s) const { s.rings = false; }
};

class Plant : public devs::Coupled {
 public:
  Plant(Where where, double value, bool is_read) {
    auto& reader = add<Reader>("reader");
    auto& part = add<Faulty>("part", where, value);
    if (is_read) couple(part.y, reader.u);
    if (where == Where::kExternal) couple(add<Ring>("ring").out, part.in);
  }
};

TEST(HybridFailures, AStateThatATransitionMakesNotFiniteEndsTheRunThere) {
  for (const std::string& solver : test::solvers_that([](const SolverInfo&) { return true; })) {
    for (const Where where : {Where::kStateEvent, Where::kInternal, Where::kExternal}) {
      for (const double value : {kNan, -kInfinite}) {
        SCOPED_TRACE(::testing::Message() << solver << ' ' << static_cast<int>(where));
        const Plant plant(where, value, true);
        HybridSimulator simulator(plant, options_for(solver));
        const RunStatus status = simulator.run_until(3);
        EXPECT_EQ(status.reason, RunReason::kNonFinite);
        EXPECT_EQ(status.component, "part");
        EXPECT_NEAR(status.time, 0.5, find_solver(solver).quantised ? 2e-3 : 1e-6);
        EXPECT_NE(status.message.find("part: x[2] is set to"), std::string::npos) << status.message;
      }
    }
  }
}

TEST(HybridFailures, ItIsSeenAtTheEndOfTheRun) {
  const Plant plant(Where::kInternal, kNan, true);
  HybridSimulator simulator(plant, options_for("dopri5"));
  EXPECT_EQ(simulator.run_until(0.5).reason, RunReason::kNonFinite);
}

TEST(HybridFailures, ARateOrOutputThatIsNotFiniteIsThatOfItsComponent) {
  for (const std::string& solver : test::solvers_that([](const SolverInfo&) { return true; })) {
    for (const Where where : {Where::kDerivative, Where::kOutput}) {
      for (const double value : {kNan, kInfinite}) {
        for (const bool is_read : {true, false}) {
          SCOPED_TRACE(::testing::Message()
                       << solver << ' ' << static_cast<int>(where) << ' ' << value << is_read);
          const Plant plant(where, value, is_read);
          HybridSimulator simulator(plant, options_for(solver));
          const RunStatus status = simulator.run_until(3);
          EXPECT_EQ(status.reason, RunReason::kNonFinite) << status.message;
          EXPECT_EQ(status.component, "part") << status.message;
          // Quantised states need not stop for an output that nobody reads.
          if (is_read || !find_solver(solver).quantised) {
            EXPECT_LE(status.time, 0.51);
          }
          // Whatever the steps are, it is where it begins.
          if (where == Where::kOutput && !is_read && !find_solver(solver).quantised) {
            EXPECT_NEAR(status.time, 0.5, 1e-12);
            EXPECT_NE(status.message.find("t = 0.5"), std::string::npos) << status.message;
          }
          EXPECT_NE(status.message.find(where == Where::kOutput ? "the output 'y'"
                                                                : "derivative of x[2]"),
                    std::string::npos)
              << status.message;
        }
      }
    }
  }
}

TEST(HybridFailures, AConditionThatThrowsEndsTheRunWhereItWasLastEvaluated) {
  for (const std::string& solver : test::solvers_that([](const SolverInfo&) { return true; })) {
    SCOPED_TRACE(solver);
    const Plant plant(Where::kCondition, 0, true);
    RunOptions options = options_for(solver);
    options.numerics.max_step = 0.1;
    HybridSimulator simulator(plant, options);
    const RunStatus status = simulator.run_until(3);
    EXPECT_EQ(status.reason, RunReason::kEvaluationFailed);
    EXPECT_EQ(status.component, "part");
    EXPECT_NEAR(status.time, 0.45, 0.06) << status.message;
  }
}

// x' = x^2: infinite at t = 1.
class Explosion : public HybridAtomic<Explosion> {
 public:
  struct State {
    std::array<double, 1> x = {1};
  };
  void derivatives(const State&, const Flow& at, std::span<double> dx) const {
    dx[0] = at.x[0] * at.x[0];
  }
};
class Quarry : public devs::Coupled {
 public:
  Quarry() {
    add<Reader>("reader");
    add<Explosion>("explosion");
  }
};

TEST(HybridFailures, WhereASolverCannotGoOnTheFastestComponentIsNamed) {
  for (const std::string solver : {"dopri5", "rodas5p", "cvode-bdf", "qss2", "liqss2"}) {
    SCOPED_TRACE(solver);
    const Quarry quarry;
    HybridSimulator simulator(quarry, options_for(solver));
    const RunStatus status = simulator.run_until(3);
    EXPECT_FALSE(status.ok());
    EXPECT_EQ(status.component, "explosion") << status.message;
    EXPECT_NEAR(status.time, 1, 0.05) << status.message;
  }
  RunOptions options = options_for("dopri5");
  options.max_steps = 5;
  const Quarry quarry;
  HybridSimulator simulator(quarry, options);
  EXPECT_EQ(simulator.run_until(3).reason, RunReason::kTooManySteps);
  EXPECT_EQ(simulator.status().component, "explosion");
}

// The condition is NaN from the start on, or from just after it.
class Undefined : public HybridAtomic<Undefined> {
 public:
  struct State {
    std::array<double, 1> x = {0};
  };
  static constexpr std::array kConditions = {Direction::kBoth};
  explicit Undefined(bool from_start) : from_start_(from_start) {}
  void derivatives(const State&, const Flow&, std::span<double> dx) const { dx[0] = 1; }
  void conditions(const State&, const Flow& at, std::span<double> g) const {
    g[0] = from_start_ || at.x[0] > 0 ? kNan : 1;
  }

 private:
  bool from_start_;
};
class Lot : public devs::Coupled {
 public:
  explicit Lot(bool from_start) { add<Undefined>("undefined", from_start); }
};

TEST(HybridFailures, AConditionThatIsNanFromTheStartIsSaidToBe) {
  for (const std::string& solver : test::solvers_that([](const SolverInfo&) { return true; })) {
    for (const bool from_start : {true, false}) {
      SCOPED_TRACE(::testing::Message() << solver << from_start);
      const Lot lot(from_start);
      HybridSimulator simulator(lot, options_for(solver));
      const RunStatus status = simulator.run_until(3);
      EXPECT_EQ(status.reason, RunReason::kNonFinite);
      EXPECT_EQ(status.component, "undefined");
      EXPECT_NE(status.message.find("undefined: condition 1 is NaN at t = "), std::string::npos)
          << status.message;
      EXPECT_EQ(status.message.ends_with("t = 0"), from_start) << status.message;
      EXPECT_EQ(status.time, 0) << status.message;
    }
  }
}

// y' = sqrt(x), x' = -1; at t = 1, where x is zero, its internal transition turns it round.
class ToTheEdge : public HybridAtomic<ToTheEdge> {
 public:
  struct State {
    std::array<double, 2> x = {1, 0};
    bool turned = false;
  };
  void derivatives(const State& s, const Flow& at, std::span<double> dx) const {
    dx[0] = s.turned ? 1 : -1;
    dx[1] = std::sqrt(at.x[0]);
  }
  double time_advance(const State& s) const { return s.turned ? devs::kInfinity : 1; }
  void internal(State& s) const {
    s.turned = true;
    s.x[0] = std::max(s.x[0], 0.0);
  }
};

// Solvers come to it by a few last digits only, from this side or the other; difference quotients
// look across.
TEST(HybridFailures, WhatATransitionMakesFiniteAgainIsNoFailure) {
  for (const std::string solver :
       {"dopri5", "dop853", "rodas5p", "cvode-bdf", "qss1", "qss2", "qss3", "liqss2", "liqss3"}) {
    for (const double tolerance : {1e-3, 1e-4, 1e-5}) {
      SCOPED_TRACE(::testing::Message() << solver << ' ' << tolerance);
      const ToTheEdge model;
      RunOptions options;
      options.solver = solver;
      options.stop_time = 2;
      options.numerics.rtol = options.numerics.atol = tolerance;
      HybridSimulator simulator(model, options);
      const RunStatus status = simulator.run_until(2);
      EXPECT_TRUE(status.ok()) << status.message;
      EXPECT_NEAR(simulator.state(model).x[0], 1, 1e-6);
      EXPECT_NEAR(simulator.state(model).x[1], 4.0 / 3, 0.03);
    }
  }
}

}  // namespace
}  // namespace arges::hybrid_devs
