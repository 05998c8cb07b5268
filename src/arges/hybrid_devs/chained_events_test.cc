// State events that the state transition of another one brings about, at the same time.

#include <array>
#include <string>

#include <gtest/gtest.h>

#include "arges/hybrid_devs/hybrid_simulator.h"
#include "testing/every_solver.h"

namespace arges::hybrid_devs {
namespace {

// x[0] rises by 1 a second; at 1 it lets x[1] jump from 0 to 5, over the root of its second
// condition, and of that of the one who watches.
class Chain : public HybridAtomic<Chain> {
 public:
  struct State {
    std::array<double, 2> x = {0, 0};
    int first = 0, second = 0;
  };
  ContinuousOut y{this, "y"};
  static constexpr std::array kConditions = {Direction::kRising, Direction::kRising};
  void derivatives(const State&, const Flow&, std::span<double> dx) const {
    dx[0] = 1;
    dx[1] = 0;
  }
  void conditions(const State&, const Flow& at, std::span<double> g) const {
    g[0] = at.x[0] - 1;
    g[1] = at.x[1] - 3;
  }
  void outputs(const State&, const Flow& at, ContinuousValues values) const { values[y] = at.x[1]; }
  void state_event(State& s, StateEvents events) const {
    for (const StateEvent& event : events) {
      ++(event.condition == 0 ? s.first : s.second);
      if (event.condition == 0) s.x[1] = 5;
    }
  }
};

class Watcher : public HybridAtomic<Watcher> {
 public:
  struct State {
    std::array<double, 0> x = {};
    int seen = 0;
  };
  ContinuousIn u{this, "u"};
  static constexpr std::array kConditions = {Direction::kBoth};
  void conditions(const State&, const Flow& at, std::span<double> g) const { g[0] = at[u] - 4; }
  void state_event(State& s, StateEvents) const { ++s.seen; }
};

class Watched : public devs::Coupled {
 public:
  Chain& chain = add<Chain>("chain");
  Watcher& watcher = add<Watcher>("watcher");
  Watched() { couple(chain.y, watcher.u); }
};

// Rises by 1 a second, and is set to 0 at 1: a relation goes back then.
class Relation : public HybridAtomic<Relation> {
 public:
  struct State {
    std::array<double, 1> x = {0};
    int up = 0, down = 0;
  };
  static constexpr std::array kConditions = {Direction::kBoth};
  void derivatives(const State&, const Flow&, std::span<double> dx) const { dx[0] = 1; }
  void conditions(const State&, const Flow& at, std::span<double> g) const { g[0] = at.x[0] - 1; }
  void state_event(State& s, StateEvents events) const {
    ++(events[0].rising ? s.up : s.down);
    if (events[0].rising) s.x[0] = 0;
  }
};

// Rests on its root from the start; at 1 its internal transition throws it off.
template <Direction kDirection>
class Resting : public HybridAtomic<Resting<kDirection>> {
 public:
  struct State {
    std::array<double, 1> x = {0};
    bool rests = true;
    int up = 0, down = 0;
  };
  static constexpr std::array kConditions = {kDirection};
  explicit Resting(double to) : to_(to) {}
  void conditions(const State&, const Flow& at, std::span<double> g) const { g[0] = at.x[0]; }
  void state_event(State& s, StateEvents events) const { ++(events[0].rising ? s.up : s.down); }
  double time_advance(const State& s) const { return s.rests ? 1 : devs::kInfinity; }
  void internal(State& s) const {
    s.rests = false;
    s.x[0] = to_;
  }

 private:
  double to_;
};

class ChainedEvents : public ::testing::TestWithParam<std::string> {
 protected:
  RunOptions options() const {
    RunOptions result;
    result.solver = GetParam();
    result.numerics.step = 0.01;
    return result;
  }
};

TEST_P(ChainedEvents, AStateTransitionThatLetsConditionsJumpMakesStateEvents) {
  const Watched model;
  HybridSimulator simulator(model, options());
  const RunStatus status = simulator.run_until(2);
  EXPECT_TRUE(status.ok()) << status.message;
  EXPECT_EQ(simulator.state(model.chain).first, 1);
  EXPECT_EQ(simulator.state(model.chain).second, 1);
  EXPECT_EQ(simulator.state(model.watcher).seen, 1);
}

TEST_P(ChainedEvents, ARelationThatIsThrownBackGoesBack) {
  const Relation model;
  HybridSimulator simulator(model, options());
  const RunStatus status = simulator.run_until(3.5);
  EXPECT_TRUE(status.ok()) << status.message;
  EXPECT_EQ(simulator.state(model).up, 3);
  EXPECT_EQ(simulator.state(model).down, 3);
}

TEST_P(ChainedEvents, AConditionThatIsThrownOffItsRootHasPassedIt) {
  for (const double to : {1.0, -1.0}) {
    SCOPED_TRACE(to);
    const Resting<Direction::kBoth> both(to);
    HybridSimulator relation(both, options());
    EXPECT_TRUE(relation.run_until(2).ok());
    EXPECT_EQ(relation.state(both).up, to > 0 ? 1 : 0);
    EXPECT_EQ(relation.state(both).down, to < 0 ? 1 : 0);
    const Resting<Direction::kRising> rising(to);
    HybridSimulator single(rising, options());
    EXPECT_TRUE(single.run_until(2).ok());
    EXPECT_EQ(single.state(rising).up, to > 0 ? 1 : 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, ChainedEvents,
                         ::testing::Values("euler", "dopri5", "rodas5p", "cvode-bdf", "qss2",
                                           "liqss2"),
                         test::name_of_test);

}  // namespace
}  // namespace arges::hybrid_devs
