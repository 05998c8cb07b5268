#include <cmath>

#include <gtest/gtest.h>

#include "arges/solvers/factories.h"
#include "testing/sundials_problems.h"

namespace arges {
namespace {

using namespace testing;

std::unique_ptr<Stepper> make(const Equations& equations, double rtol) {
  SolverOptions options;
  options.rtol = rtol;
  return make_ida("ida", equations, options);
}

TEST(Ida, SolvesRobertsonsReactionsAsADae) {
  for (const bool analytic : {true, false}) {
    const RobertsonDae problem(analytic);
    for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
      const auto stepper = make(problem, rtol);
      stepper->start(0, problem.x0.data(), nullptr, 0);
      ASSERT_EQ(run_to(*stepper, 4), StepStatus::kOk) << stepper->message();
      EXPECT_LT(relative_error(stepper->x(), RobertsonDae::at_4()), 100 * rtol) << rtol;
      const double* x = stepper->x();
      EXPECT_NEAR(x[0] + x[1] + x[2], 1, 10 * rtol);
    }
  }
}

TEST(Ida, SolvesAFullyImplicitDae) {
  for (const bool analytic : {true, false}) {
    const ImplicitDecay problem(analytic);
    for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
      const auto stepper = make(problem, rtol);
      stepper->start(0, problem.x0.data(), problem.xdot0.data(), 0);
      ASSERT_EQ(run_to(*stepper, 3), StepStatus::kOk) << stepper->message();
      EXPECT_LT(relative_error(stepper->x(), problem.exact(3)), 200 * rtol) << rtol;
    }
  }
}

TEST(Ida, WantsTheDerivativesOfImplicitEquations) {
  const ImplicitDecay problem;
  const auto stepper = make(problem, 1e-6);
  EXPECT_THROW(stepper->start(0, problem.x0.data(), nullptr, 0), ApiError);
}

}  // namespace
}  // namespace arges
