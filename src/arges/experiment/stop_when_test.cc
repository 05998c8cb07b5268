#include "arges/experiment/stop_when.h"

#include <cmath>

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/experiment/least_squares.h"
#include "arges/experiment/run_function.h"

namespace arges {
namespace {

// A throw: h'' = -g.
class Throw : public HybridSystem {
 public:
  Throw() : HybridSystem("Throw") {
    h_ = declare_state("h", 0);
    v_ = declare_state("v", 10);
    g_ = declare_parameter("g", 9.81);
    energy_ = declare_output("energy");
    declare_experiment({0, 5, 1e-10, "dopri5", 0});
  }
  void derivatives(const Point& at, Rates rates) const override {
    rates[h_] = at[v_];
    rates[v_] = -at[g_];
  }
  void outputs(const Point& at, Outputs y) const override {
    y[energy_] = at[g_] * at[h_] + at[v_] * at[v_] / 2;
  }

 private:
  StateId h_, v_;
  ParameterId g_;
  OutputId energy_;
};

double end_time(const std::string& condition) {
  const Throw model;
  const auto watched = stop_when(model, condition);
  RunOptions options;
  options.stop_time = 5;
  const RunResult result = Simulator(*watched, options).run(make_context(*watched));
  EXPECT_EQ(result.status.reason,
            result.status.time < 5 ? RunReason::kStopped : RunReason::kFinished);
  return result.status.time;
}

TEST(StopWhen, EndsTheRunWhenTheConditionBecomesTrue) {
  EXPECT_NEAR(end_time("v <= 0"), 10 / 9.81, 1e-9);
  EXPECT_NEAR(end_time("2*h >= 4"), (10 - std::sqrt(100 - 4 * 9.81)) / 9.81, 1e-9);
  EXPECT_NEAR(end_time("h = -1"), (10 + std::sqrt(100 + 2 * 9.81)) / 9.81, 1e-9);
  EXPECT_NEAR(end_time("g*h <= v"), (11 + std::sqrt(101)) / 9.81, 1e-9);
  EXPECT_NEAR(end_time("time >= 2.5"), 2.5, 1e-9);
  EXPECT_EQ(end_time("energy >= 60"), 5);
  EXPECT_THROW(end_time("w >= 0"), UserError);
}

TEST(RunFunction, AThrowIsAimed) {
  const Throw model;
  const auto watched = stop_when(model, "v <= 0");
  RunFormulas formulas({"v"});
  const Condition wanted = parse_condition("h = 3 + 0*v", Formula::Leaves::kRun);
  formulas.add(wanted.left);
  formulas.add(wanted.right);
  RunOptions options;
  options.stop_time = 5;
  options.numerics.rtol = 1e-12;
  RunFunction run(*watched, make_context(*watched), options, {"v"}, formulas.observables());
  const SearchResult found = solve_equations(
      [&](std::span<const double> x) {
        const RunFunction::Result result = run(x);
        return Sides{{formulas.value(0, x, result.observables)},
                     {formulas.value(1, x, result.observables)}};
      },
      {{"v", 1, 20}}, {});
  EXPECT_EQ(found.status, SearchStatus::kFound);
  EXPECT_NEAR(found.x[0], std::sqrt(2 * 9.81 * 3), 1e-10);
}

}  // namespace
}  // namespace arges
