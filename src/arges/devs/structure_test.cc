#include "arges/devs/structure.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/devs/simulator.h"
#include "arges/devs/test_models.h"
#include "arges/devs/trace.h"

namespace arges::devs {
namespace {

using testing::Clockwork;
using testing::Relay;
using testing::Sink;

// Does what it is told at t = 1, 2, 3, ...
class Script : public VariableCoupled<Script> {
 public:
  using Action = std::function<void(Structure&)>;
  struct State {
    std::size_t next = 0;
  };
  In<int> in{this, "in"};
  Clockwork& clock;
  Relay& relay;
  Sink& sink;
  Coupled& hall;

  explicit Script(std::vector<Action> actions)
      : clock(add<Clockwork>("clock", 0.25)),
        relay(add<Relay>("relay", 0.1)),
        sink(add<Sink>("sink")),
        hall(add<Coupled>("hall")),
        actions_(std::move(actions)) {
    couple(clock.out, relay.in);
    couple(relay.out, sink.in);
  }
  // The actions that need the model's own parts are set afterwards.
  std::vector<Action>& actions() { return actions_; }

  double time_advance(const State& s) const { return s.next < actions_.size() ? 1 : kInfinity; }
  void internal(State& s, Structure& now) const { actions_[s.next++](now); }

 private:
  std::vector<Action> actions_;
};

RunStatus run(const Script& model, std::vector<int>* values = nullptr) {
  Simulator simulator(model);
  RunStatus status = simulator.run_until(5);
  if (values != nullptr) *values = simulator.state(model.sink).values;
  return status;
}

TEST(Structure, AComponentCreatedAtRunTimeTakesPart) {
  Script model({});
  model.actions() = {[&](Structure& now) {
    const auto& fast = now.add<Clockwork>("fast", 0.5);
    now.couple(fast.out, model.sink.in);
    EXPECT_EQ(now.size(), 5u);
    EXPECT_EQ(now.find("fast"), &fast);
    EXPECT_EQ(now.time(), 1);
  }};
  std::vector<int> values;
  ASSERT_TRUE(run(model, &values).ok());
  // 19 delayed ticks of the clock (the last is due after the end) and 8 of the new one.
  EXPECT_EQ(values.size(), 19u + 8u);
}

TEST(Structure, ARemovedComponentIsGoneWithItsCouplings) {
  Script model({});
  model.actions() = {[&](Structure& now) { now.remove(model.clock, Pending::kDrop); }};
  std::vector<int> values;
  ASSERT_TRUE(run(model, &values).ok());
  // Its message of t = 1 has been delivered in the same step, and goes on.
  EXPECT_EQ(values, (std::vector<int>{1, 2, 3, 4}));
}

TEST(Structure, APendingEventIsNotDroppedUnasked) {
  Script model({});
  model.actions() = {[&](Structure& now) { now.remove(model.clock); }};
  const RunStatus status = run(model);
  EXPECT_EQ(status.reason, RunReason::kEvaluationFailed);
  EXPECT_EQ(status.time, 1);
  EXPECT_EQ(status.message,
            "model, t = 1: clock cannot be removed: it has a pending event at t = 1.25; wait until "
            "it is passive, or say Pending::kDrop");
}

TEST(Structure, AMovedComponentKeepsStateAndDueTime) {
  Script model({});
  std::string path;
  model.actions() = {[&](Structure& now) {
                       now.move(model.clock, model.hall);
                       EXPECT_EQ(now.of(model.hall).find("clock"), &model.clock);
                       EXPECT_EQ(now.state(model.clock).ticks, 4);
                     },
                     [&](Structure& now) {
                       now.move(model.clock, model);
                       now.couple(model.clock.out, model.relay.in);
                     }};
  std::vector<int> values;
  ASSERT_TRUE(run(model, &values).ok());
  EXPECT_EQ(values, (std::vector<int>{1, 2, 3, 4, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19}));
}

TEST(Structure, AnExchangeKeepsTheCouplings) {
  Script model({});
  model.actions() = {[&](Structure& now) {
    const auto& slow = now.exchange<Relay>(model.relay, Pending::kDrop, 0.2, 100);
    EXPECT_EQ(slow.name(), "relay");
    EXPECT_FALSE(now.find("relay") == &model.relay);
  }};
  std::vector<int> values;
  ASSERT_TRUE(run(model, &values).ok());
  EXPECT_EQ(values.size(), 18u);  // tick 4 was in the old relay
  EXPECT_EQ(values[2], 3);
  EXPECT_EQ(values[3], 105);
}

TEST(Structure, AnExchangeNeedsThePortsThatAreCoupled) {
  Script model({});
  model.actions() = {
      [&](Structure& now) { now.exchange<Clockwork>(model.relay, Pending::kDrop, 1.0); }};
  const RunStatus status = run(model);
  EXPECT_NE(status.message.find("Clockwork cannot take the place of relay: it has no port 'in' of "
                                "type int"),
            std::string::npos)
      << status.message;
}

TEST(Structure, ErrorsInConstructorsOfNewComponentsHaveTheWholePath) {
  class Twins : public Coupled {
   public:
    Twins() {
      add<Sink>("twin");
      add<Sink>("twin");
    }
  };
  class House : public Coupled {
   public:
    House() { add<Twins>("room"); }
  };
  Script model({});
  model.actions() = {[&](Structure& now) { now.of(model.hall).add<House>("house"); }};
  EXPECT_EQ(run(model).message,
            "model, t = 1: hall.house.room has two components named 'twin': rename one");
}

TEST(Structure, CouplingsComeAndGo) {
  Script model({});
  model.actions() = {[&](Structure& now) { now.decouple(model.relay.out, model.sink.in); },
                     [&](Structure& now) { now.couple(model.relay.out, model.sink.in); },
                     [&](Structure& now) { now.couple(model.relay.out, model.sink.in); }};
  std::vector<int> values;
  const RunStatus status = run(model, &values);
  EXPECT_EQ(values, (std::vector<int>{1, 2, 3, 8, 9, 10, 11}));
  EXPECT_NE(status.message.find("relay.out is coupled to sink.in twice"), std::string::npos);
}

TEST(Structure, OnlyOnesOwnIsChanged) {
  for (const int what : {0, 1, 2, 3}) {
    Script model({});
    const Relay stranger(1.0);
    model.actions() = {[&](Structure& now) {
      if (what == 0) now.remove(stranger);
      if (what == 1) now.couple(stranger.out, model.sink.in);
      if (what == 2) now.move(model.hall, model.hall);
      if (what == 3) now.decouple(model.sink.in, model.sink.in);
    }};
    const RunStatus status = run(model);
    EXPECT_EQ(status.reason, RunReason::kEvaluationFailed) << what;
    EXPECT_EQ(status.component, "model");
  }
}

// The number of what is gone may be that of a new one.
TEST(Structure, OfARemovedModelIsNone) {
  for (const bool another : {false, true}) {
    Script model({});
    model.actions() = {[&](Structure& now) {
      Structure inside = now.of(model.hall);
      now.remove(model.hall);
      if (another) now.add<Coupled>("other");
      EXPECT_THROW(inside.size(), ApiError);
      EXPECT_THROW(inside.components(), ApiError);
      EXPECT_THROW(inside.find("a"), ApiError);
      inside.add<Clockwork>("clock", 1.0);
    }};
    const RunStatus status = run(model);
    EXPECT_EQ(status.reason, RunReason::kEvaluationFailed);
    EXPECT_EQ(status.message, "model, t = 1: hall has been removed: it has no structure any more");
  }
}

// Whole subtrees come and go.
TEST(Structure, CoupledModelsAreCreatedAndRemovedToo) {
  class Cell : public Coupled {
   public:
    Out<int> out{this, "out"};
    Cell() {
      auto& clock = add<Coupled>("inner").add<Clockwork>("clock", 0.5);
      (void)clock;
      auto& direct = add<Clockwork>("direct", 0.5);
      couple(direct.out, out);
    }
  };
  Script model({});
  model.actions() = {[&](Structure& now) {
                       const auto& cell = now.add<Cell>("cell");
                       now.couple(cell.out, model.relay.in);
                     },
                     [&](Structure& now) { now.remove(*now.find("cell"), Pending::kDrop); },
                     [&](Structure& now) {
                       const auto& cell = now.add<Cell>("cell");
                       now.couple(cell.out, model.sink.in);
                     }};
  Simulator simulator(model);
  Trace trace;
  simulator.set_observer(&trace);
  ASSERT_TRUE(simulator.run_until(3.5).ok());
  const auto has = [&](const std::string& line) {
    for (const std::string& other : trace.lines()) {
      if (other == line) return true;
    }
    return false;
  };
  EXPECT_TRUE(has("1  0  added       model: cell"));
  EXPECT_TRUE(has("1  0  initial     cell.inner.clock  elapsed=0  due=1.5"));
  EXPECT_TRUE(has("1.5  0  message     cell.direct.out -> relay.in  1"));
  EXPECT_TRUE(has("2  0  removed     model: cell"));
  EXPECT_TRUE(has("3.5  0  message     cell.direct.out -> sink.in  1"));
}

// The furnace without heat: workpieces are components that come and go, one at a time or many.
TEST(Structure, AnUnusedStructureChangesNothing) {
  class Plain : public Coupled {
   public:
    Sink& sink;
    Plain() : sink(add<Sink>("sink")) { couple(add<Clockwork>("clock", 0.1).out, sink.in); }
  };
  class Variable : public VariableCoupled<Variable> {
   public:
    struct State {};
    In<Signal> grow{executive(), "grow"};
    Sink& sink;
    Variable() : sink(add<Sink>("sink")) { couple(add<Clockwork>("clock", 0.1).out, sink.in); }
    void external(State&, double, const Bag&, Structure& now) const { now.add<Sink>("another"); }
  };
  const Plain plain;
  const Variable variable;
  Trace first, second;
  Simulator a(plain), b(variable);
  a.set_observer(&first);
  b.set_observer(&second);
  a.run_until(10);
  b.run_until(10);
  EXPECT_EQ(first.lines(), second.lines());
  EXPECT_GT(first.lines().size(), 200u);
}

// Inside first: the inner executive acts before the outer one removes it.
TEST(Structure, InnerModelsActBeforeOuterOnes) {
  static std::vector<std::string> order;
  order.clear();
  class Inner : public VariableCoupled<Inner> {
   public:
    struct State {
      double next = 1;
    };
    double time_advance(const State& s) const { return s.next; }
    void internal(State& s, Structure&) const {
      order.push_back("inner");
      s.next = kInfinity;
    }
  };
  class Outer : public VariableCoupled<Outer> {
   public:
    struct State {
      double next = 1;
    };
    Inner& inner;
    Outer() : inner(add<Inner>("inner")) {}
    double time_advance(const State& s) const { return s.next; }
    void internal(State& s, Structure& now) const {
      order.push_back("outer");
      s.next = kInfinity;
      now.remove(inner);
    }
  };
  const Outer model;
  Simulator simulator(model);
  EXPECT_TRUE(simulator.run_until(2).ok());
  EXPECT_EQ(order, (std::vector<std::string>{"inner", "outer"}));
  EXPECT_FALSE(simulator.contains(model.inner));
}

// Grows by many components with each message, so that all lists of the simulator move.
class Grower : public VariableCoupled<Grower> {
 public:
  struct State {
    int count = 0;
  };
  In<int> grow{executive(), "grow"};
  In<int> in{this, "in"};
  Grower() { couple(in, grow); }
  void external(State& s, double, const Bag& x, Structure& now) const {
    for (const int value : x.on(grow)) {
      for (int i = 0; i < 100; ++i) {
        now.add<Clockwork>("c" + std::to_string(s.count++), static_cast<double>(value) + 10);
      }
    }
  }
};
// At its first message it removes its two growers, which get the same message.
class Reaper : public VariableCoupled<Reaper> {
 public:
  struct State {
    int seen = 0;
  };
  In<int> told{executive(), "told"};
  Clockwork& clock;
  Grower &first, &second;
  explicit Reaper(bool reaps)
      : clock(add<Clockwork>("clock", 1)),
        first(add<Grower>("first")),
        second(add<Grower>("second")),
        reaps_(reaps) {
    couple(clock.out, told);  // before those inside
    couple(clock.out, first.in);
    couple(clock.out, second.in);
  }
  void external(State& s, double, const Bag&, Structure& now) const {
    s.seen += static_cast<int>(now.of(first).size());
    if (reaps_) {
      now.remove(first, Pending::kDrop);
      now.remove(second, Pending::kDrop);
    }
  }

 private:
  bool reaps_;
};

TEST(Structure, InnerModelsActBeforeOuterOnesInBothSemantics) {
  for (const Semantics semantics : {Semantics::kParallel, Semantics::kClassic}) {
    const Reaper keeps(false), reaps(true);
    Simulator first(keeps, {.semantics = semantics});
    ASSERT_TRUE(first.run_until(3).ok());
    EXPECT_EQ(first.state(keeps).seen, 100 + 200 + 300);
    Simulator second(reaps, {.semantics = semantics});
    ASSERT_TRUE(second.run_until(1.5).ok());
    EXPECT_EQ(second.state(reaps).seen, 100);
    EXPECT_FALSE(second.contains(reaps.first));
    EXPECT_EQ(second.components().size(), 2u);
  }
}

// An inner executive that is due sends to the outer one, which removes it.
class Victim : public VariableCoupled<Victim> {
 public:
  struct State {
    bool done = false;
  };
  Out<int> sign{executive(), "sign"};
  Out<int> out{this, "out"};
  Victim() { couple(sign, out); }
  double time_advance(const State& s) const { return s.done ? kInfinity : 1; }
  void output(const State&, Output& y) const { y.send(sign, 1); }
  void internal(State& s, Structure&) const { s.done = true; }
};
class Judge : public VariableCoupled<Judge> {
 public:
  struct State {
    bool was_done = false;
  };
  In<int> told{executive(), "told"};
  Victim& victim;
  Judge() : victim(add<Victim>("victim")) { couple(victim.out, told); }
  void external(State& s, double, const Bag&, Structure& now) const {
    s.was_done = now.state(victim).done;
    now.remove(victim);
  }
};

TEST(Structure, AnExecutiveThatIsDueActsBeforeTheOneThatRemovesIt) {
  for (const Semantics semantics : {Semantics::kParallel, Semantics::kClassic}) {
    const Judge model;
    Simulator simulator(model, {.semantics = semantics});
    const RunStatus status = simulator.run_until(2);
    ASSERT_TRUE(status.ok()) << status.message;
    EXPECT_TRUE(simulator.state(model).was_done);
    EXPECT_FALSE(simulator.contains(model.victim));
  }
}

TEST(Structure, CouplingsAreLoggedWithThePresentPaths) {
  Script model({});
  model.actions() = {[&](Structure& now) {
    now.decouple(model.relay.out, model.sink.in);
    now.move(model.relay, model.hall);
    now.move(model.sink, model.hall);
    now.of(model.hall).couple(model.relay.out, model.sink.in);
  }};
  Simulator simulator(model);
  Trace trace({.transitions = false, .messages = false});
  simulator.set_observer(&trace);
  ASSERT_TRUE(simulator.run_until(1).ok());
  EXPECT_NE(trace.lines().back().find("hall.relay.out -> hall.sink.in"), std::string::npos);
}

}  // namespace
}  // namespace arges::devs
