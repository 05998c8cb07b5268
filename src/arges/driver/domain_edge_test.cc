// Functions that leave their domain at an event, with every solver, against closed forms.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "arges/driver/model_text.h"
#include "arges/hybrid/simulator.h"
#include "arges/results/memory_sink.h"
#include "testing/every_solver.h"

namespace arges {
namespace {

class DomainEdge : public ::testing::TestWithParam<std::string> {
 protected:
  RunResult run(const std::string& text, double rtol) {
    const auto model = model_from_text("Tank.mo", text);
    RunOptions options;
    options.stop_time = 3;
    options.interval = 0.01;
    options.solver = GetParam();
    options.numerics.rtol = rtol;
    options.max_steps = 100'000;
    MemorySink sink;
    RunResult result = Simulator(*model, options).run(make_context(*model), &sink);
    sink.finish({});
    trajectory_ = sink.take();
    return result;
  }
  Trajectory trajectory_;
};

// A tank that runs dry: h' = -sqrt(h) - c needs 2 (1 - c ln(1 + 1/c)) from h = 1.
TEST_P(DomainEdge, TheLevelOfATankStopsAtItsBottom) {
  for (const double c : {0.1, 1.0}) {
    for (const double rtol : {1e-4, 1e-6, 1e-9, 1e-12}) {
      SCOPED_TRACE(fmt::format("c {} rtol {}", c, rtol));
      const RunResult result = run(fmt::format(R"(model Tank
          Real h(start=1, fixed=true);
          Integer dry(start=0, fixed=true);
        equation
          der(h) = if h > 0 then -sqrt(h) - {} else 0;
          when h <= 0 then dry = pre(dry) + 1; end when;
        end Tank;)",
                                               c),
                                   rtol);
      ASSERT_TRUE(result.status.ok()) << result.status.message;
      EXPECT_EQ(trajectory_.final_value("dry"), 1);
      EXPECT_NEAR(trajectory_.final_value("h"), 0, 1e-9);
      ASSERT_FALSE(trajectory_.events.empty());
      const double dry = 2 * (1 - c * std::log1p(1 / c));
      // Below 1e-12 / c it is the rounding of h that decides.
      EXPECT_NEAR(trajectory_.events.front().time, dry, 100 * rtol / c + 1e-12);
      for (const double rate : trajectory_.values_of("der(h)")) EXPECT_TRUE(std::isfinite(rate));
    }
  }
}

// Torricelli alone: the bottom is reached at t = 2, and softly.
TEST_P(DomainEdge, ASoftArrivalAtTheBottomEndsInRest) {
  const RunResult result = run(R"(model Tank
      Real h(start=1, fixed=true);
    equation
      der(h) = if h > 0 then -sqrt(h) else 0;
    end Tank;)",
                               1e-8);
  ASSERT_TRUE(result.status.ok()) << result.status.message;
  EXPECT_NEAR(trajectory_.final_value("h"), 0, 1e-8);
}

// The domain ends elsewhere than at a condition: still an error, and it names the equation.
TEST_P(DomainEdge, ADomainThatEndsBeforeTheConditionIsAnError) {
  const RunResult result = run(R"(model Tank
      Real h(start=1, fixed=true);
    equation
      der(h) = if h > 0 then -sqrt(h - 0.1) - 0.1 else 0;
    end Tank;)",
                               1e-6);
  EXPECT_FALSE(result.status.ok());
  EXPECT_LT(trajectory_.times.back(), 1.5);
}

// The condition itself ends a little beyond its root: h = 0.01 at t = 1.98, and no root of it from
// t = 2 on.
TEST_P(DomainEdge, AConditionMayEndBeyondItsRoot) {
  for (const double rtol : {1e-4, 1e-8}) {
    const RunResult result = run(R"(model Tank
        Real h(start=1, fixed=true), q;
        Integer n(start=0, fixed=true);
      equation
        q = sqrt(h);
        der(h) = -0.5;
        when q < 0.1 then reinit(h, 1); n = pre(n) + 1; end when;
      end Tank;)",
                                 rtol);
    ASSERT_TRUE(result.status.ok()) << result.status.message;
    EXPECT_EQ(trajectory_.final_value("n"), 1);
    EXPECT_NEAR(trajectory_.final_value("h"), 1 - 0.5 * (3 - 1.98), 100 * rtol);
  }
}

INSTANTIATE_TEST_SUITE_P(EverySolver, DomainEdge,
                         ::testing::ValuesIn(test::solvers_that([](const SolverInfo& each) {
                           return each.adaptive && !each.quantised;
                         })),
                         test::name_of_test);

}  // namespace
}  // namespace arges
