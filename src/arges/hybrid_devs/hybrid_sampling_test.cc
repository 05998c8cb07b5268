// When the sampler of a hybrid run is called, and what it sees.

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "arges/devs/structure.h"
#include "arges/hybrid_devs/hybrid_simulator.h"

namespace arges::hybrid_devs {
namespace {

// Samples of a quantised run are those of their times, not of the begin of a step.
class Decay : public HybridAtomic<Decay> {
 public:
  struct State {
    std::array<double, 1> x = {1};
  };
  void derivatives(const State&, const Flow& at, std::span<double> dx) const { dx[0] = -at.x[0]; }
};

TEST(HybridSampling, IsWithinTheQuantumAtAllTimes) {
  for (const std::string solver : {"qss1", "qss2", "qss3", "liqss1", "liqss2", "liqss3"}) {
    SCOPED_TRACE(solver);
    const Decay decay;
    RunOptions options;
    options.solver = solver;
    options.stop_time = 3;
    options.numerics.rtol = options.numerics.atol = 1e-3;
    options.interval = 0.1;
    HybridSimulator simulator(decay, options);
    std::vector<double> times;
    simulator.set_sampler([&](double t) {
      times.push_back(t);
      EXPECT_NEAR(simulator.state(decay).x[0], std::exp(-t), 2e-3) << t;
    });
    ASSERT_TRUE(simulator.run_until(3).ok());
    EXPECT_GE(times.size(), 31u);
  }
}

// Its hybrid component comes at t = 2 and goes at 3.
class Shop : public devs::VariableCoupled<Shop> {
 public:
  struct State {
    int step = 0;
  };
  double time_advance(const State& s) const {
    return s.step == 0 ? 2 : s.step == 1 ? 1 : devs::kInfinity;
  }
  void internal(State& s, devs::Structure& structure) const {
    if (s.step++ == 0) {
      structure.add<Decay>("decay");
    } else {
      structure.remove(*structure.find("decay"), devs::Pending::kDrop);
    }
  }
};

TEST(HybridSampling, GoesOnWithoutHybridComponents) {
  for (const std::string solver : {"dopri5", "cvode-bdf", "liqss2"}) {
    SCOPED_TRACE(solver);
    const Shop shop;
    RunOptions options;
    options.solver = solver;
    options.interval = 0.5;
    options.stop_time = 4.25;
    HybridSimulator simulator(shop, options);
    std::vector<double> times;
    simulator.set_sampler([&](double t) { times.push_back(t); });
    ASSERT_TRUE(simulator.run_until(4.25).ok());
    // Before and after what happens.
    const std::vector<double> expected = {0, 0.5, 1, 1.5, 2, 2, 2.5, 3, 3, 3.5, 4, 4.25};
    EXPECT_EQ(times, expected);
  }
}

}  // namespace
}  // namespace arges::hybrid_devs
