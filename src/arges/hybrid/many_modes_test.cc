// Many changes of structure: what they lead to, and that they leave nothing behind.

#include <cmath>

#include <gtest/gtest.h>

#include "arges/hybrid/simulator.h"
#include "testing/allocation_guard.h"
#include "testing/ring_of_modes.h"

namespace arges {
namespace {

TEST(ManyModes, AThousandSwitchesAmongFiftyModesOfDifferentDimension) {
  const testing::RingOfModes model(50);
  ASSERT_EQ(model.schema().modes.size(), 50u);
  for (const char* solver : {"dopri5", "rodas5p", "cvode-bdf"}) {
    RunOptions options;
    options.stop_time = 1007.5;
    options.solver = solver;
    options.numerics.rtol = 1e-8;
    const RunResult run = simulate(model, options);
    ASSERT_EQ(run.status.reason, RunReason::kFinished) << run.status.message;
    EXPECT_EQ(run.events, 1007) << solver;
    EXPECT_EQ(run.final.mode.index, 7) << solver;
    ASSERT_EQ(run.final.x.size(), 8u);
    EXPECT_NEAR(run.final.x[0], 0.5, 1e-5) << solver;
    // s_2' = s_1 - s_2 with s_1 = 1 - t: s_2 = 2 - t - exp(-t).
    EXPECT_NEAR(run.final.x[1], 1.5 - std::exp(-0.5), 1e-5) << solver;
  }
}

TEST(ManyModes, SwitchesAllocateNothingOnceEachModeHasBeenEntered) {
  const testing::RingOfModes model(50);
  const auto allocations = [&](double stop) {
    RunOptions options;
    options.stop_time = stop;
    options.solver = "dopri5";
    Simulator simulator(model, options);
    simulator.run(make_context(model), nullptr);
    const testing::AllocationGuard guard;
    simulator.run(make_context(model), nullptr);
    return guard.count();
  };
  // Twenty times as many switches, and not one allocation more.
  EXPECT_EQ(allocations(1000.5), allocations(50.5));
}

}  // namespace
}  // namespace arges
