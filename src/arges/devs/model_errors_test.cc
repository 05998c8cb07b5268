// What goes wrong, and how it is said.

#include <limits>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/devs/simulator.h"
#include "arges/devs/test_models.h"

namespace arges::devs {
namespace {

using testing::Clockwork;
using testing::Relay;
using testing::Sink;
using testing::Source;

template <class Build>
std::string message_of(Build build) {
  class Model : public Coupled {
   public:
    Out<int> out{this, "out"};
    In<int> in{this, "in"};
  };
  Model model;
  try {
    build(model);
  } catch (const ApiError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Coupling, JoinsPortsOfOneType) {
  EXPECT_EQ(message_of([](auto& model) {
              auto& source = model.template add<Source>("source", std::vector<Source::Event>{});
              auto& sink = model.template add<Sink>("sink");
              model.couple(source.out, sink.in);
            }),
            "source.out cannot be coupled to sink.in in model: the first carries double, the "
            "second int");
}

TEST(Coupling, IsNotToOneself) {
  EXPECT_EQ(message_of([](auto& model) {
              auto& relay = model.template add<Relay>("relay", 1.0);
              model.couple(relay.out, relay.in);
            }),
            "relay.out cannot be coupled to relay.in in model: a component is not coupled to "
            "itself");
}

TEST(Coupling, HasADirection) {
  EXPECT_EQ(message_of([](auto& model) {
              auto& relay = model.template add<Relay>("relay", 1.0);
              auto& sink = model.template add<Sink>("sink");
              model.couple(relay.in, sink.in);
            }),
            "relay.in cannot be coupled to sink.in in model: messages leave a component through an "
            "output port");
  EXPECT_NE(message_of([](auto& model) {
              model.couple(model.in, model.out);
            }).find("straight to an output"),
            std::string::npos);
  EXPECT_NE(message_of([](auto& model) {
              auto& sink = model.template add<Sink>("sink");
              model.couple(model.out, sink.in);
            }).find("messages come from its inputs"),
            std::string::npos);
}

TEST(Coupling, IsBetweenComponents) {
  EXPECT_NE(message_of([](auto& model) {
              Coupled other;
              auto& stranger = other.add<Relay>("stranger", 1.0);
              auto& sink = model.template add<Sink>("sink");
              model.couple(stranger.out, sink.in);
            }).find("stranger is not a component of model"),
            std::string::npos);
}

TEST(Coupling, IsMadeOnce) {
  class Twice : public Coupled {
   public:
    Twice() {
      auto& relay = add<Relay>("relay", 1.0);
      auto& sink = add<Sink>("sink");
      couple(relay.out, sink.in);
      couple(relay.out, sink.in);
    }
  };
  try {
    const Twice model;
    FAIL() << "it was made";
  } catch (const ApiError& error) {  // at once, not by a simulator
    EXPECT_STREQ(error.what(), "relay.out is coupled to sink.in twice in model");
  }
}

// What goes wrong in the constructor of a model is told with the place that it would have had.
class BadHall : public Coupled {
 public:
  In<int> in{this, "in"};
  enum class What { kType, kOwnPort, kTwice, kName, kThrows };
  explicit BadHall(What what) {
    auto& source = add<Source>("source", std::vector<Source::Event>{});
    auto& sink = add<Sink>("sink");
    if (what == What::kType) couple(source.out, sink.in);
    if (what == What::kOwnPort) couple(sink.in, in);
    if (what == What::kTwice) couple(in, sink.in);
    if (what == What::kTwice) couple(in, sink.in);
    if (what == What::kName) add<Sink>("sink");
    if (what == What::kThrows) throw ApiError("no room");
  }
};
class BadPlant : public Coupled {
 public:
  explicit BadPlant(BadHall::What what) { add<BadHall>("hall", what); }
};

TEST(Coupling, ErrorsInsideOfConstructorsHaveTheWholePath) {
  using What = BadHall::What;
  const auto message = [](What what) {
    return message_of([&](auto& model) { model.template add<BadPlant>("plant", what); });
  };
  EXPECT_EQ(message(What::kType),
            "plant.hall.source.out cannot be coupled to plant.hall.sink.in in plant.hall: the "
            "first carries double, the second int");
  EXPECT_EQ(message(What::kOwnPort),
            "plant.hall.sink.in cannot be coupled to plant.hall.in in plant.hall: messages leave a "
            "component through an output port");
  EXPECT_EQ(message(What::kTwice),
            "plant.hall.in is coupled to plant.hall.sink.in twice in plant.hall");
  EXPECT_EQ(message(What::kName), "plant.hall has two components named 'sink': rename one");
  EXPECT_EQ(message(What::kThrows), "plant.hall: no room");
}

TEST(Names, AreUniqueAndNotPaths) {
  EXPECT_EQ(message_of([](auto& model) {
              model.template add<Sink>("sink");
              model.template add<Sink>("sink");
            }),
            "model has two components named 'sink': rename one");
  EXPECT_NE(message_of([](auto& model) { model.template add<Sink>("a.b"); }), "no error");
  EXPECT_NE(message_of([](auto& model) { model.template add<Sink>(""); }), "no error");
}

// A time advance that is wrong after the first tick.
class Broken : public Atomic<Broken> {
 public:
  struct State {
    double next = 1;
  };
  explicit Broken(double second) : second_(second) {}
  double time_advance(const State& s) const { return s.next; }
  void internal(State& s) const { s.next = second_; }

 private:
  double second_;
};

class Nest : public Coupled {
 public:
  explicit Nest(double second) { add<Coupled>("cell").add<Broken>("broken", second); }
};

TEST(TimeAdvance, IsNotNegative) {
  const Nest model(-0.5);
  Simulator simulator(model);
  const RunStatus status = simulator.run_until(5);
  EXPECT_EQ(status.reason, RunReason::kEvaluationFailed);
  EXPECT_EQ(status.component, "cell.broken");
  EXPECT_EQ(status.time, 1);
  EXPECT_EQ(status.message,
            "cell.broken, t = 1: the time advance is -0.5; it must be 0, positive or infinite");
  EXPECT_EQ(simulator.run_until(6).reason, RunReason::kEvaluationFailed);
}

TEST(TimeAdvance, IsANumber) {
  const Nest model(std::numeric_limits<double>::quiet_NaN());
  Simulator simulator(model);
  const RunStatus status = simulator.run_until(5);
  EXPECT_EQ(status.reason, RunReason::kNonFinite);
  EXPECT_EQ(status.component, "cell.broken");
}

TEST(TimeAdvance, IsCheckedAtTheStart) {
  class Wrong : public Atomic<Wrong> {
   public:
    struct State {};
    double time_advance(const State&) const { return -1; }
  };
  const Wrong model;
  Simulator simulator(model);
  EXPECT_EQ(simulator.run_until(1).reason, RunReason::kEvaluationFailed);
  EXPECT_FALSE(simulator.step());
}

TEST(Legitimacy, IsWatchedForZeroAndForTinyAdvances) {
  for (const double advance : {0.0, 1e-30}) {
    const Nest model(advance);
    Simulator simulator(model, {.max_steps_per_instant = 1000});
    const RunStatus status = simulator.run_until(5);
    EXPECT_EQ(status.reason, RunReason::kEventsDidNotSettle);
    EXPECT_EQ(status.component, "cell.broken");
    EXPECT_EQ(status.time, 1);
    EXPECT_NE(status.message.find("not legitimate"), std::string::npos);
  }
}

TEST(Exceptions, EndTheRunWithThePath) {
  class Thrower : public Atomic<Thrower> {
   public:
    struct State {};
    double time_advance(const State&) const { return 2; }
    void internal(State&) const { throw std::runtime_error("out of paint"); }
  };
  class Shop : public Coupled {
   public:
    Shop() { add<Coupled>("hall").add<Thrower>("painter"); }
  };
  const Shop model;
  Simulator simulator(model);
  const RunStatus status = simulator.run_until(5);
  EXPECT_EQ(status.reason, RunReason::kEvaluationFailed);
  EXPECT_EQ(status.component, "hall.painter");
  EXPECT_EQ(status.message, "hall.painter, t = 2: out of paint");
}

TEST(Outputs, GoThroughOwnPorts) {
  class Thief : public Atomic<Thief> {
   public:
    struct State {};
    Out<int> own{this, "own"};
    explicit Thief(const Clockwork& other) : other_(other) {}
    double time_advance(const State&) const { return 1; }
    void output(const State&, Output& y) const { y.send(other_.out, 1); }

   private:
    const Clockwork& other_;
  };
  class Pair : public Coupled {
   public:
    Pair() {
      auto& clock = add<Clockwork>("clock", 10);
      add<Thief>("thief", clock);
    }
  };
  const Pair model;
  Simulator simulator(model);
  const RunStatus status = simulator.run_until(5);
  EXPECT_EQ(status.component, "thief");
  EXPECT_NE(status.message.find("thief sends through clock.out"), std::string::npos);
}

TEST(Inject, IsIntoTheRoot) {
  class Outer : public Coupled {
   public:
    Sink& sink;
    Outer() : sink(add<Sink>("sink")) {}
  };
  const Outer model;
  Simulator simulator(model);
  EXPECT_THROW(simulator.inject(model.sink.in, 1), ApiError);
  const Sink stranger;
  EXPECT_THROW(simulator.state(stranger), ApiError);
}

class Peeping : public Atomic<Peeping> {
 public:
  struct State {};
  In<int> in{this, "in"};
  const In<double>* other = nullptr;
  void external(State&, double, const Bag& x) const { static_cast<void>(x.on(*other).size()); }
};
class Neighbours : public Coupled {
 public:
  testing::Clockwork& clock;
  Peeping& peeping;
  Neighbours() : clock(add<testing::Clockwork>("clock", 1)), peeping(add<Peeping>("peeping")) {
    couple(clock.out, peeping.in);
  }
};
class Owner : public Atomic<Owner> {
 public:
  struct State {};
  In<double> in{this, "in"};
};

TEST(Inputs, AreReadThroughOwnPorts) {
  const Owner owner;
  Neighbours model;
  model.peeping.other = &owner.in;
  Simulator simulator(model);
  const RunStatus status = simulator.run_until(2);
  EXPECT_EQ(status.reason, RunReason::kEvaluationFailed);
  EXPECT_EQ(status.component, "peeping");
  EXPECT_NE(status.message.find("not its own port"), std::string::npos);
}

class Thrower : public Atomic<Thrower> {
 public:
  struct State {};
  double time_advance(const State&) const { return 1; }
  void internal(State&) const { throw 42; }
};

TEST(Exceptions, OfAnyTypeEndTheRunWithThePath) {
  const Thrower model;
  Simulator simulator(model);
  EXPECT_EQ(simulator.run_until(2).component, "model");
  EXPECT_EQ(simulator.status().reason, RunReason::kEvaluationFailed);
  EXPECT_FALSE(simulator.step());
}

class Tick : public Atomic<Tick> {
 public:
  struct State {
    int ticks = 0;
  };
  explicit Tick(double period) : period_(period) {}
  double time_advance(const State&) const { return period_; }
  void internal(State& s) const { ++s.ticks; }

 private:
  double period_;
};
class TwoTicks : public Coupled {
 public:
  Tick& tenth;
  Tick& whole;
  TwoTicks() : tenth(add<Tick>("tenth", 0.1)), whole(add<Tick>("whole", 1)) {}
};

TEST(Coincidence, HoldsWhereTimePassesZero) {
  const TwoTicks model;
  Simulator simulator(model, {.start_time = -3});
  ASSERT_TRUE(simulator.run_until(3).ok());
  // 60 ticks of 0.1 and 6 of 1, the latter at the same times.
  EXPECT_EQ(simulator.state(model.tenth).ticks, 60);
  EXPECT_EQ(simulator.statistics().steps, 60);
}

}  // namespace
}  // namespace arges::devs
