// On which side of its root a condition is does not change when components come and go.

#include <array>
#include <string>

#include <gtest/gtest.h>

#include "arges/devs/structure.h"
#include "arges/hybrid_devs/hybrid_simulator.h"
#include "testing/every_solver.h"

namespace arges::hybrid_devs {
namespace {

// Rises by 1 a second from 0, to its mark, where it stays until t = 3, and goes on as `rate` says.
class Climber : public HybridAtomic<Climber> {
 public:
  struct State {
    std::array<double, 1> x = {0};
    double rate = 1;
    int rises = 0, falls = 0;
    bool waits = true;
  };
  static constexpr std::array kConditions = {Direction::kBoth};
  Climber(double mark, double rate) : mark_(mark), rate_(rate) {}
  void derivatives(const State& s, const Flow&, std::span<double> dx) const { dx[0] = s.rate; }
  void conditions(const State&, const Flow& at, std::span<double> g) const {
    g[0] = at.x[0] - mark_;
  }
  void state_event(State& s, StateEvents events) const {
    ++(events[0].rising ? s.rises : s.falls);
    if (s.waits) s.rate = 0;
  }
  double time_advance(const State& s) const {
    return s.waits ? 3 - mark_ * (s.rises > 0) : devs::kInfinity;
  }
  void internal(State& s) const {
    s.waits = false;
    s.rate = rate_;
  }

 private:
  double mark_, rate_;
};

class Other : public HybridAtomic<Other> {
 public:
  struct State {
    std::array<double, 1> x = {0};
  };
};

// A component comes, at the time of the event or while the condition rests on its root.
class Rock : public devs::VariableCoupled<Rock> {
 public:
  struct State {
    bool waits = true;
  };
  Climber& climber;
  Rock(double mark, double rate, double when)
      : climber(add<Climber>("climber", mark, rate)), when_(when) {}
  double time_advance(const State& s) const { return s.waits ? when_ : devs::kInfinity; }
  void internal(State& s, devs::Structure& structure) const {
    s.waits = false;
    structure.add<Other>("other");
  }

 private:
  double when_;
};

class SidesAndStructure : public ::testing::TestWithParam<std::string> {};

TEST_P(SidesAndStructure, AConditionThatRestsOnItsRootStaysOnItsSide) {
  for (const double mark : {0.3, 0.7, 1.0, 1.1}) {
    for (const double when : {mark, 2.0}) {
      for (const double rate : {1.0, -1.0}) {
        SCOPED_TRACE(::testing::Message() << mark << ' ' << when << ' ' << rate);
        const Rock rock(mark, rate, when);
        RunOptions options;
        options.solver = GetParam();
        options.stop_time = 4;
        options.numerics.step = 0.01;
        HybridSimulator simulator(rock, options);
        const RunStatus status = simulator.run_until(4);
        EXPECT_TRUE(status.ok()) << status.message;
        EXPECT_EQ(simulator.state(rock.climber).rises, 1);
        EXPECT_EQ(simulator.state(rock.climber).falls, rate < 0 ? 1 : 0);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, SidesAndStructure,
                         ::testing::Values("rk4", "dopri5", "dop853", "rodas5p", "cvode-bdf", "ida",
                                           "qss2", "liqss2", "liqss3"),
                         test::name_of_test);

}  // namespace
}  // namespace arges::hybrid_devs
