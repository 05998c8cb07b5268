#include "arges/devs/simulator.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/devs/test_models.h"
#include "arges/devs/trace.h"

namespace arges::devs {
namespace {

using testing::Clockwork;
using testing::Relay;
using testing::Sink;

// Two clocks feed one sink.
class TwoClocks : public Coupled {
 public:
  Clockwork &first, &second;
  Sink& sink;
  TwoClocks(double first_period, double second_period)
      : first(add<Clockwork>("first", first_period)),
        second(add<Clockwork>("second", second_period)),
        sink(add<Sink>("sink")) {
    couple(first.out, sink.in);
    couple(second.out, sink.in);
  }
};

TEST(Simulator, ThreeTimesATenthIsThreeTenths) {
  const TwoClocks model(0.1, 0.3);
  Simulator simulator(model);
  ASSERT_TRUE(simulator.run_until(30000).ok());
  // Each tick of the second is one of the first: 300 000 bags, a third of them with two messages.
  EXPECT_EQ(simulator.state(model.sink).bags, 300'000);
  EXPECT_EQ(simulator.state(model.sink).values.size(), 400'000u);
  EXPECT_EQ(simulator.state(model.first).ticks, 300'000);
}

TEST(Simulator, WithoutCoincidenceOnlyEqualTimesMeet) {
  const TwoClocks model(0.1, 0.3);
  Simulator simulator(model, {.coincidence_ulps = 0});
  ASSERT_TRUE(simulator.run_until(0.35).ok());
  EXPECT_EQ(simulator.state(model.sink).bags, 4);
}

TEST(Simulator, ABagIsInTheOrderOfItsSenders) {
  const TwoClocks model(1, 2);
  Simulator simulator(model);
  simulator.run_until(2);
  EXPECT_EQ(simulator.state(model.sink).values, (std::vector<int>{1, 2, 1}));
}

TEST(Simulator, PriorityComesBeforeCreation) {
  class Reversed : public TwoClocks {
   public:
    Reversed() : TwoClocks(1, 2) { set_priority(second, -1); }
  };
  const Reversed model;
  Simulator simulator(model);
  simulator.run_until(2);
  EXPECT_EQ(simulator.state(model.sink).values, (std::vector<int>{1, 1, 2}));
}

TEST(Simulator, TimeIsSuperdense) {
  class Chain : public Coupled {
   public:
    Clockwork& clock;
    Sink& sink;
    Chain() : clock(add<Clockwork>("clock", 1)), sink(add<Sink>("sink")) {
      Relay& a = add<Relay>("a", 0.0);
      Relay& b = add<Relay>("b", 0.0, 10);
      couple(clock.out, a.in);
      couple(a.out, b.in);
      couple(b.out, sink.in);
    }
  };
  const Chain model;
  Simulator simulator(model);
  Trace trace({.transitions = false});
  simulator.set_observer(&trace);
  simulator.run_until(1);
  EXPECT_EQ(trace.lines(), (std::vector<std::string>{
                               "1  0  message     clock.out -> a.in  1",
                               "1  1  message     a.out -> b.in  1",
                               "1  2  message     b.out -> sink.in  11",
                           }));
  EXPECT_EQ(simulator.iteration(), 2);
}

// Confluent unless defined: internal, then external with no time elapsed.
TEST(Simulator, AConfluentTransitionIsInternalThenExternal) {
  class Loop : public Coupled {
   public:
    Relay& relay;
    Sink& sink;
    Loop() : relay(add<Relay>("relay", 1.0)), sink(add<Sink>("sink")) {
      Clockwork& clock = add<Clockwork>("clock", 1);
      couple(clock.out, relay.in);
      couple(relay.out, sink.in);
    }
  };
  const Loop model;
  Simulator simulator(model);
  simulator.run_until(4.5);
  EXPECT_EQ(simulator.state(model.sink).values, (std::vector<int>{1, 2, 3}));
  const SimulatorStatistics statistics = simulator.statistics();
  EXPECT_EQ(statistics.confluent, 3);
  EXPECT_EQ(statistics.internal, 4);
  EXPECT_EQ(statistics.external, 1 + 3);
  EXPECT_EQ(statistics.messages, 4 + 3);
}

TEST(Simulator, LargeAndNonTrivialValuesTravelToo) {
  struct Words {
    std::vector<std::string> words;
    double numbers[4];
  };
  class Sender : public Atomic<Sender> {
   public:
    struct State {
      int left = 2;
    };
    Out<Words> out{this, "out"};
    double time_advance(const State& s) const { return s.left > 0 ? 1 : kInfinity; }
    void output(const State&, Output& y) const {
      y.send(out, {{"a long word that is on the heap", "b"}, {1, 2, 3, 4}});
      y.send(out, {{"c"}, {5, 6, 7, 8}});
    }
    void internal(State& s) const { --s.left; }
  };
  class Receiver : public Atomic<Receiver> {
   public:
    struct State {
      std::string all;
    };
    In<Words> in{this, "in"};
    void external(State& s, double, const Bag& x) const {
      for (const Words& value : x.on(in)) {
        for (const std::string& word : value.words) s.all += word + ";";
        s.all += std::to_string(static_cast<int>(value.numbers[3]));
      }
    }
  };
  class Both : public Coupled {
   public:
    Receiver &one, &two;
    Both() : one(add<Receiver>("one")), two(add<Receiver>("two")) {
      Sender& sender = add<Sender>("sender");
      couple(sender.out, one.in);
      couple(sender.out, two.in);
    }
  };
  const Both model;
  Simulator simulator(model);
  ASSERT_TRUE(simulator.run_until(5).ok());
  const std::string once = "a long word that is on the heap;b;4c;8";
  EXPECT_EQ(simulator.state(model.one).all, once + once);
  EXPECT_EQ(simulator.state(model.two).all, once + once);
}

TEST(Simulator, AMessageFromOutsideMeetsWhatIsDueThen) {
  const Relay model(1.0);
  Simulator simulator(model);
  simulator.inject(model.in, 7);
  simulator.run_until(1, Simulator::Boundary::kExcluded);
  EXPECT_EQ(simulator.time(), 1);
  EXPECT_EQ(simulator.statistics().internal, 0);
  simulator.inject(model.in, 8);
  simulator.run_until(1.5);
  EXPECT_EQ(simulator.statistics().confluent, 1);
  EXPECT_EQ(simulator.state(model).value, 8);
  EXPECT_EQ(simulator.next_time(), 2);
}

// Whoever stops a run at each event, to look or to send, does not disturb its clocks.
TEST(Simulator, StopsDoNotAddUpToAnotherTime) {
  const Clockwork model(0.1);
  Simulator stopped(model), plain(model);
  for (int k = 1; k <= 10'000; ++k) {
    const double next = stopped.next_time();
    stopped.run_until(next, Simulator::Boundary::kExcluded);
    ASSERT_EQ(stopped.state(model).ticks, k - 1);
    stopped.run_until(next, Simulator::Boundary::kExcluded);  // it is still excluded
    ASSERT_EQ(stopped.state(model).ticks, k - 1);
    stopped.run_until(next);
    ASSERT_EQ(stopped.state(model).ticks, k);
  }
  plain.run_until(1000);
  EXPECT_EQ(stopped.time(), 1000);
  EXPECT_EQ(plain.state(model).ticks, 10'000);
  EXPECT_EQ(stopped.next_time(), plain.next_time());
}

// It arrives before what is due, and may change that.
TEST(Classic, AMessageFromOutsideComesBeforeWhatIsDueThen) {
  class Workshop : public Coupled {
   public:
    In<int> in{this, "in"};
    Relay& relay = add<Relay>("relay", 1.0);
    Sink& sink = add<Sink>("sink");
    Workshop() {
      couple(in, relay.in);
      couple(relay.out, sink.in);
    }
  };
  const Workshop model;
  Simulator simulator(model, {.semantics = Semantics::kClassic});
  simulator.inject(model.in, 7);
  simulator.run_until(1, Simulator::Boundary::kExcluded);
  simulator.inject(model.in, 8);  // begins anew
  simulator.run_until(1.5);
  EXPECT_EQ(simulator.state(model.relay).value, 8);
  EXPECT_TRUE(simulator.state(model.sink).values.empty());
  EXPECT_EQ(simulator.next_time(), 2);
  simulator.run_until(2);
  EXPECT_EQ(simulator.state(model.sink).values, std::vector<int>{8});
}

TEST(Simulator, StepsOneByOne) {
  const Clockwork model(0.5);
  Simulator simulator(model, {.start_time = -1});
  EXPECT_EQ(simulator.next_time(), -0.5);
  EXPECT_TRUE(simulator.step());
  EXPECT_TRUE(simulator.step());
  EXPECT_EQ(simulator.time(), 0);
  EXPECT_EQ(simulator.state(model).ticks, 2);
  EXPECT_THROW(simulator.run_until(-1), ApiError);
}

TEST(Simulator, OneModelServesManyRuns) {
  const TwoClocks model(1, 3);
  Simulator a(model), b(model);
  a.run_until(10);
  b.run_until(4);
  EXPECT_EQ(a.state(model.first).ticks, 10);
  EXPECT_EQ(b.state(model.first).ticks, 4);
}

TEST(Classic, OneComponentAtATimeInTheOrderOfSelect) {
  const TwoClocks model(1, 2);
  Simulator simulator(model, {.semantics = Semantics::kClassic});
  simulator.run_until(2);
  EXPECT_EQ(simulator.state(model.sink).values, (std::vector<int>{1, 2, 1}));
  EXPECT_EQ(simulator.state(model.sink).bags, 3);  // no bag has two messages
  EXPECT_EQ(simulator.statistics().confluent, 0);
}

// The relay is due at 2, when a message comes: if the clock goes first, it is an external event
// that puts the output off; otherwise the relay sends first.
TEST(Classic, SelectDecidesWhoGoesFirst) {
  class Meeting : public Coupled {
   public:
    Relay& relay;
    Clockwork& clock;
    Sink& sink;
    explicit Meeting(int relay_priority)
        : relay(add<Relay>("relay", 1.0)),
          clock(add<Clockwork>("clock", 1.0)),
          sink(add<Sink>("sink")) {
      couple(clock.out, relay.in);
      couple(relay.out, sink.in);
      set_priority(relay, relay_priority);
    }
  };
  const Meeting clock_first(1), relay_first(-1);
  Simulator a(clock_first, {.semantics = Semantics::kClassic});
  Simulator b(relay_first, {.semantics = Semantics::kClassic});
  a.run_until(3.5);
  b.run_until(3.5);
  EXPECT_TRUE(a.state(clock_first.sink).values.empty());
  EXPECT_EQ(b.state(relay_first.sink).values, (std::vector<int>{1, 2}));
}

}  // namespace
}  // namespace arges::devs
