// Between start and end a run takes no memory: not for a step, and not for an event.

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "arges/hybrid/simulator.h"
#include "testing/allocation_guard_operators.h"

namespace arges {
namespace {

// A pendulum of small swings with the frequency of its mode. Its derivatives note how many
// allocations there were in the middle of the run.
class Pendulum : public HybridSystem {
 public:
  enum class Events { kNone, kSome };

  explicit Pendulum(Events events) : HybridSystem("pendulum") {
    slow_ = declare_mode("slow");
    x_ = declare_state("x", 1);
    v_ = declare_state("v", 0);
    declare_jacobian();
    declare_autonomous();
    fast_ = declare_variant("fast", slow_);
    count_ = declare_discrete("count", 0);
    if (events == Events::kNone) return;
    passes_ = declare_event("x passes zero", Direction::kBoth);
    turns_ = declare_event("v falls through zero", Direction::kFalling);
    declare_timer("tick", 0.35, 0.7);
  }
  void derivatives(const Point& at, Rates d) const override {
    if (at.t < kFrom) begin_ = testing::allocation_count;
    if (at.t < kTo) end_ = testing::allocation_count;
    d[x_] = at[v_];
    d[v_] = at.mode == slow_ ? -at[x_] : -1.1 * at[x_];
  }
  void jacobian(const Point& at, const double*, double, JacobianEntries J) const override {
    J(x_, v_) = 1;
    J(v_, x_) = at.mode == slow_ ? -1 : -1.1;
  }
  void conditions(const Point& at, Conditions g) const override {
    g[passes_] = at[x_];
    g[turns_] = at[v_];
  }
  void on_event(EventId event, Update& now) const override {
    now[count_] += 1;
    if (event == passes_) now.go_to(now.mode() == slow_ ? fast_ : slow_);
    if (event == turns_) now[x_] = 1;
  }
  void on_timer(TimerId, Update& now) const override { now[count_] += 1; }

  long allocations_in_the_middle() const { return end_ - begin_; }

  static constexpr double kFrom = 10, kTo = 90;  // of a run to 100

 private:
  ModeId slow_, fast_;
  StateId x_, v_;
  DiscreteId count_;
  EventId passes_, turns_;
  mutable long begin_ = 0, end_ = 0;
};

RunResult run(const Pendulum& model, const std::string& solver) {
  RunOptions options;
  options.stop_time = 100;
  options.solver = solver;
  if (!find_solver(solver).adaptive) options.numerics.step = 0.01;
  return simulate(model, options);
}

TEST(Allocation, IsCounted) {
  const testing::AllocationGuard guard;
  const std::string longer_than_a_small_string(100, 'x');
  EXPECT_EQ(guard.count(), 1) << longer_than_a_small_string;
}

// SUNDIALS takes its memory by malloc, which is not counted; what is around it is.
TEST(Allocation, NoStepOfAnySolverAllocates) {
  for (const SolverInfo& solver : solver_catalogue()) {
    if (solver.quantised && solver.order == 1) continue;  // as the others of its kind, only longer
    const Pendulum model(Pendulum::Events::kNone);
    const RunResult result = run(model, std::string(solver.name));
    EXPECT_TRUE(result.status.ok()) << result.status.message;
    EXPECT_GT(result.statistics.steps, 100) << solver.name;
    EXPECT_EQ(model.allocations_in_the_middle(), 0) << solver.name;
  }
}

TEST(Allocation, NoEventOfAnySolverAllocates) {
  for (const SolverInfo& solver : solver_catalogue()) {
    if (solver.quantised && solver.order == 1) continue;  // as the others of its kind, only longer
    const Pendulum model(Pendulum::Events::kSome);
    const RunResult result = run(model, std::string(solver.name));
    EXPECT_TRUE(result.status.ok()) << result.status.message;
    EXPECT_GT(result.events, 180) << solver.name;
    EXPECT_EQ(model.allocations_in_the_middle(), 0) << solver.name;
  }
}

}  // namespace
}  // namespace arges
