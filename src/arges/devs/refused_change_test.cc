// Changes of structure that are refused, and whose exception the model catches: nothing has
// changed.

#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/devs/simulator.h"
#include "arges/devs/structure.h"
#include "arges/devs/test_models.h"
#include "arges/devs/trace.h"

namespace arges::devs {
namespace {

using testing::Clockwork;
using testing::Sink;

// Cannot begin: throws, or has a bad time advance. Has the ports of a relay.
class BrokenPart : public Atomic<BrokenPart> {
 public:
  enum class How { kThrows, kNegative, kNaN };
  struct State {};
  In<int> in{this, "in"};
  Out<int> out{this, "out"};
  explicit BrokenPart(How how) : how_(how) {}
  State initial() const {
    if (how_ == How::kThrows) throw std::runtime_error("no licence");
    return {};
  }
  double time_advance(const State&) const {
    return how_ == How::kNegative ? -1 : how_ == How::kNaN ? std::nan("") : kInfinity;
  }

 private:
  How how_;
};
// The first of its components can begin.
class HalfBroken : public Coupled {
 public:
  In<int> in{this, "in"};
  Out<int> out{this, "out"};
  HalfBroken() {
    auto& good = add<Clockwork>("good", 0.01);
    auto& broken = add<BrokenPart>("broken", BrokenPart::How::kThrows);
    couple(in, broken.in);
    couple(good.out, out);
  }
};

// clock -> sink; does what it is told at t = 1.5.
class Shop : public VariableCoupled<Shop> {
 public:
  struct State {
    bool done = false;
  };
  Clockwork& clock;
  Sink& sink;
  explicit Shop(std::function<void(Structure&)> action)
      : clock(add<Clockwork>("clock", 1.0)), sink(add<Sink>("sink")), action_(std::move(action)) {
    couple(clock.out, sink.in);
  }
  double time_advance(const State& s) const { return s.done ? kInfinity : 1.5; }
  void internal(State& s, Structure& now) const {
    s.done = true;
    action_(now);
  }

 private:
  std::function<void(Structure&)> action_;
};

struct Outcome {
  RunStatus status;
  std::vector<int> received;
  std::vector<std::string> trace;
};
Outcome run(std::function<void(Structure&)> action) {
  const Shop model(std::move(action));
  Simulator simulator(model);
  Trace trace;
  simulator.set_observer(&trace);
  const RunStatus status = simulator.run_until(3);
  return {status, simulator.state(model.sink).values, trace.lines()};
}

TEST(RefusedChange, LeavesTheStructureAsItWas) {
  const std::vector<std::string> unchanged = run([](Structure&) {}).trace;
  using Change = std::function<void(Structure&)>;
  const std::vector<std::pair<std::string, Change>> changes = {
      {"clock cannot be removed: it has a pending event at t = 2; wait until it is passive, or say "
       "Pending::kDrop",
       [](Structure& now) { now.exchange<Clockwork>(*now.find("clock"), Pending::kRefuse, 0.1); }},
      {"a new arges::devs::testing::Sink cannot take the place of clock: it has no port 'out' of "
       "type int for a coupling to go on",
       [](Structure& now) { now.exchange<Sink>(*now.find("clock"), Pending::kDrop); }},
      {"no licence",
       [](Structure& now) {
         now.exchange<BrokenPart>(*now.find("sink"), Pending::kDrop, BrokenPart::How::kThrows);
       }},
      {"no licence",
       [](Structure& now) { now.exchange<HalfBroken>(*now.find("clock"), Pending::kDrop); }},
      {"no licence", [](Structure& now) { now.add<BrokenPart>("new", BrokenPart::How::kThrows); }},
      {"no licence", [](Structure& now) { now.add<HalfBroken>("new"); }},
      {"the time advance is -1; it must be 0, positive or infinite",
       [](Structure& now) { now.add<BrokenPart>("new", BrokenPart::How::kNegative); }},
      {"the time advance is nan; it must be 0, positive or infinite",
       [](Structure& now) {
         now.exchange<BrokenPart>(*now.find("sink"), Pending::kDrop, BrokenPart::How::kNaN);
       }},
  };
  for (const auto& [message, change] : changes) {
    std::string caught;
    const Outcome outcome = run([&](Structure& now) {
      try {
        change(now);
      } catch (const std::exception& error) {
        caught = error.what();
      }
      EXPECT_EQ(now.size(), 2u);
      EXPECT_EQ(now.find("new"), nullptr);
      EXPECT_NE(now.find("clock"), nullptr);
      EXPECT_NE(now.find("sink"), nullptr);
    });
    EXPECT_EQ(caught, message);
    EXPECT_EQ(outcome.status.message, "");
    EXPECT_EQ(outcome.received, (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(outcome.trace, unchanged) << message;
  }
}

TEST(RefusedChange, CanBeTriedAgain) {
  const Outcome outcome = run([](Structure& now) {
    EXPECT_THROW(now.add<BrokenPart>("second", BrokenPart::How::kThrows), std::runtime_error);
    EXPECT_THROW(now.add<BrokenPart>("second", BrokenPart::How::kNaN), ApiError);
    const Clockwork& second = now.add<Clockwork>("second", 0.5);
    now.couple(second.out, now.get<Sink>("sink").in);
  });
  EXPECT_EQ(outcome.status.message, "");
  EXPECT_EQ(outcome.received, (std::vector<int>{1, 2, 1, 2, 3, 3}));
}

TEST(RefusedChange, EndsTheRunWithThePathWhenNobodyCatchesIt) {
  RunStatus status =
      run([](Structure& now) { now.add<BrokenPart>("new", BrokenPart::How::kThrows); }).status;
  EXPECT_EQ(status.message, "new, t = 1.5: no licence");
  EXPECT_EQ(status.component, "new");
  status = run([](Structure& now) { now.add<HalfBroken>("new"); }).status;
  EXPECT_EQ(status.message, "new.broken, t = 1.5: no licence");
  status = run([](Structure& now) {
             now.exchange<HalfBroken>(*now.find("clock"), Pending::kDrop);
           }).status;
  EXPECT_EQ(status.message, "clock.broken, t = 1.5: no licence");
  status =
      run([](Structure& now) { now.add<BrokenPart>("new", BrokenPart::How::kNegative); }).status;
  EXPECT_EQ(status.message,
            "new, t = 1.5: the time advance is -1; it must be 0, positive or infinite");
  EXPECT_EQ(status.reason, RunReason::kEvaluationFailed);
  status = run([](Structure& now) { now.add<BrokenPart>("new", BrokenPart::How::kNaN); }).status;
  EXPECT_EQ(status.reason, RunReason::kNonFinite);
  EXPECT_EQ(status.component, "new");
}

// Adds a clock at t = 0.5 that is due at t = 1.
class EndlessGrower : public VariableCoupled<EndlessGrower> {
 public:
  struct State {
    bool done = false;
  };
  double time_advance(const State& s) const { return s.done ? kInfinity : 0.5; }
  void internal(State& s, Structure& now) const {
    s.done = true;
    now.add<Clockwork>("new", 0.5);
  }
};
class Yard : public Coupled {
 public:
  Yard() {
    add<EndlessGrower>("p");
    add<Clockwork>("q", 1.0);
  }
};

TEST(Classic, SelectsByTheComponentsWhereTheWaysPart) {
  const Yard model;
  Simulator simulator(model, {.semantics = Semantics::kClassic});
  Trace trace;
  simulator.set_observer(&trace);
  EXPECT_TRUE(simulator.run_until(1.2).ok());
  const std::vector<std::string> lines = trace.lines();
  ASSERT_GE(lines.size(), 2u);
  EXPECT_EQ(lines[lines.size() - 2], "1  0  internal    p.new  elapsed=0.5  due=1.5");
  EXPECT_EQ(lines[lines.size() - 1], "1  1  internal    q  elapsed=1  due=2");
}

// Due after 1.1, then after 2.2: at 3.3000000000000003.
class Sums : public Atomic<Sums> {
 public:
  struct State {
    int n = 0;
  };
  double time_advance(const State& s) const { return s.n == 0 ? 1.1 : s.n == 1 ? 2.2 : 5; }
  void internal(State& s) const { ++s.n; }
};

TEST(RunUntil, MayBeCalledAgainForTheSameTime) {
  const Sums model;
  Simulator simulator(model);
  EXPECT_TRUE(simulator.run_until(3.3).ok());
  EXPECT_GT(simulator.time(), 3.3);
  EXPECT_TRUE(simulator.run_until(3.3).ok());
  simulator.advance_to(3.3);
  EXPECT_EQ(simulator.state(model).n, 2);
  EXPECT_THROW(simulator.run_until(3.29), ApiError);
}

}  // namespace
}  // namespace arges::devs
