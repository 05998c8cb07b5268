// State events whose transition throws the state back, so that it comes to the same condition
// again.

#include <array>
#include <string>

#include <gtest/gtest.h>

#include "arges/hybrid_devs/hybrid_simulator.h"
#include "testing/every_solver.h"

namespace arges::hybrid_devs {
namespace {

enum class By { kStateTransition, kInternalOne };

// Rises by 1 a second, and is set to 0 at 1.
template <Direction kDirection, By kBy>
class Sawtooth : public HybridAtomic<Sawtooth<kDirection, kBy>> {
 public:
  struct State {
    std::array<double, 1> x = {0};
    bool due = false;
    int teeth = 0;
  };
  static constexpr std::array kConditions = {kDirection};
  static constexpr double kSign = kDirection == Direction::kFalling ? -1 : 1;
  void derivatives(const State&, const Flow&, std::span<double> dx) const { dx[0] = 1; }
  void conditions(const State&, const Flow& at, std::span<double> g) const {
    g[0] = kSign * (at.x[0] - 1);
  }
  void state_event(State& s, StateEvents) const {
    ++s.teeth;
    s.due = kBy == By::kInternalOne;
    if (!s.due) s.x[0] = 0;
  }
  double time_advance(const State& s) const { return s.due ? 0 : devs::kInfinity; }
  void internal(State& s) const {
    s.due = false;
    s.x[0] = 0;
  }
};

class ThrownBack : public ::testing::TestWithParam<std::string> {
 protected:
  template <Direction kDirection, By kBy>
  void expect_teeth() const {
    const Sawtooth<kDirection, kBy> model;
    RunOptions options;
    options.solver = GetParam();
    options.numerics.step = 0.01;
    HybridSimulator simulator(model, options);
    const RunStatus status = simulator.run_until(5.5);
    EXPECT_TRUE(status.ok()) << status.message;
    EXPECT_EQ(simulator.state(model).teeth, 5);
    EXPECT_NEAR(simulator.state(model).x[0], 0.5, 1e-9);
  }
};

TEST_P(ThrownBack, ByTheStateTransition) {
  expect_teeth<Direction::kRising, By::kStateTransition>();
  expect_teeth<Direction::kFalling, By::kStateTransition>();
}

TEST_P(ThrownBack, ByATransitionAfterIt) {
  expect_teeth<Direction::kRising, By::kInternalOne>();
  expect_teeth<Direction::kFalling, By::kInternalOne>();
}

INSTANTIATE_TEST_SUITE_P(Methods, ThrownBack,
                         ::testing::Values("euler", "dopri5", "dop853", "rodas5p", "cvode-bdf",
                                           "cvode-adams", "ida", "qss2", "liqss2"),
                         test::name_of_test);

}  // namespace
}  // namespace arges::hybrid_devs
