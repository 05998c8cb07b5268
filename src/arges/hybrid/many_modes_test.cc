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

// x falls from 1 to 0, nothing is there for a second, then y rises: a mode without states between
// two others.
class Pause : public HybridSystem {
 public:
  Pause() : HybridSystem("pause") {
    declare_mode("falls");
    declare_state("x", 1);
    down_ = declare_event("down", Direction::kFalling);
    pause_ = declare_mode("pause");
    rises_ = declare_mode("rises");
    declare_state("y", 0);
    declare_state("z", 0);
    over_ = declare_timer("over", 2);
  }
  void derivatives(const Point& at, Rates d) const override {
    if (at.mode == pause_) return;
    d.data()[0] = at.mode == rises_ ? 1 : -1;
    if (at.mode == rises_) d.data()[1] = at.x[0];
  }
  void conditions(const Point& at, Conditions g) const override {
    g[down_] = at.mode.index == 0 ? at.x[0] : 1;
  }
  void on_event(EventId, Update& now) const override { now.go_to(pause_); }
  void on_timer(TimerId, Update& now) const override {
    now.go_to(rises_);
    for (double& value : now.context().x) value = 0;
  }

 private:
  ModeId pause_, rises_;
  EventId down_;
  TimerId over_;
};

TEST(ManyModes, AModeMayHaveNoStates) {
  for (const SolverInfo& solver : solver_catalogue()) {
    SCOPED_TRACE(solver.name);
    RunOptions options;
    options.stop_time = 4;
    options.solver = solver.name;
    if (!solver.adaptive) options.numerics.step = 0.01;
    if (solver.quantised) options.numerics.rtol = options.numerics.atol = 1e-3;
    const RunResult run = simulate(Pause(), options);
    ASSERT_EQ(run.status.reason, RunReason::kFinished) << run.status.message;
    ASSERT_EQ(run.final.x.size(), 2u);
    EXPECT_NEAR(run.final.x[0], 2, 0.02);
    EXPECT_NEAR(run.final.x[1], 2, 0.05);
  }
}

}  // namespace
}  // namespace arges
