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

TEST(Ida, ErrorFollowsTheTolerance) {
  const HarmonicOscillator oscillator;
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const auto stepper = make(oscillator, rtol);
    stepper->start(0, oscillator.x0.data(), nullptr, 0);
    ASSERT_EQ(run_to(*stepper, 10), StepStatus::kOk);
    EXPECT_LT(oscillator.error(10, stepper->x()), 500 * rtol) << rtol;
  }
}

TEST(Ida, SolvesTheLithiumClusterWithin100Tolerances) {
  const Lithium lithium;
  const auto& end = Lithium::reference().back();
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    const auto stepper = make(lithium, rtol);
    stepper->start(0, lithium.x0.data(), nullptr, 0);
    ASSERT_EQ(run_to(*stepper, end.t), StepStatus::kOk);
    EXPECT_LT(relative_error(stepper->x(), {end.f, end.m, end.r}), 100 * rtol) << rtol;
  }
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

TEST(Ida, DenseBandedAndSparseAgreeOnTheHeatEquation) {
  for (const bool analytic : {true, false}) {
    const HeatRod rod(200, analytic);
    for (const LinearAlgebra algebra : {LinearAlgebra::kDense, LinearAlgebra::kBanded,
                                        LinearAlgebra::kKlu, LinearAlgebra::kAuto}) {
      SolverOptions options;
      options.rtol = 1e-7;
      options.linear_algebra = algebra;
      const auto stepper = make_ida("ida", rod, options);
      for (int run = 0; run < 2; ++run) {
        stepper->start(0, rod.x0.data(), nullptr, 0);
        ASSERT_EQ(run_to(*stepper, 0.1), StepStatus::kOk) << stepper->message();
        EXPECT_LT(rod.error(0.1, stepper->x()), 1e-5);
      }
    }
  }
}

TEST(Ida, StopsExactlyAtTheLimitAndGoesOnFromThere) {
  const HarmonicOscillator oscillator;
  const auto stepper = make(oscillator, 1e-8);
  stepper->start(0, oscillator.x0.data(), nullptr, 0);
  for (int k = 1; k <= 50; ++k) {
    const double limit = 0.1 * k;
    ASSERT_EQ(run_to(*stepper, limit), StepStatus::kOk);
    ASSERT_EQ(stepper->t(), limit);
  }
  EXPECT_LT(oscillator.error(5, stepper->x()), 1e-6);
}

TEST(Ida, ReachesALimitThatIsOnlyARoundingErrorAway) {
  const HarmonicOscillator oscillator;
  const auto stepper = make(oscillator, 1e-6);
  const double t0 = 1000, very_next = std::nextafter(t0, 2000.0);
  stepper->start(t0, oscillator.x0.data(), nullptr, 0);
  ASSERT_EQ(stepper->step(very_next), StepStatus::kOk) << stepper->message();
  EXPECT_EQ(stepper->t(), very_next);
  ASSERT_EQ(run_to(*stepper, 1001), StepStatus::kOk);
  const double after = std::nextafter(1001.0, 2000.0);
  ASSERT_EQ(stepper->step(after), StepStatus::kOk) << stepper->message();
  EXPECT_EQ(stepper->t(), after);
  EXPECT_NEAR(stepper->x()[0], std::sin(1), 1e-4);
}

TEST(Ida, InterpolatesWithinTheToleranceAndMeetsTheEndsExactly) {
  const HarmonicOscillator oscillator;
  const auto stepper = make(oscillator, 1e-8);
  stepper->start(0, oscillator.x0.data(), nullptr, 0);
  std::vector<double> before = oscillator.x0, x(2);
  while (stepper->t() < 5) {
    ASSERT_EQ(stepper->step(5), StepStatus::kOk);
    stepper->interpolate(stepper->t_old(), x.data());
    EXPECT_EQ(x, before);
    const double h = stepper->t() - stepper->t_old();
    for (const double s : {0.1, 0.5, 0.9}) {
      const double t = stepper->t_old() + s * h;
      stepper->interpolate(t, x.data());
      EXPECT_LT(oscillator.error(t, x.data()), 2e-6) << t;
    }
    before.assign(stepper->x(), stepper->x() + 2);
    stepper->interpolate(stepper->t(), x.data());
    EXPECT_EQ(x, before);
  }
}

TEST(Ida, ARestartRepeatsTheRunBitForBit) {
  const RobertsonDae problem;
  const auto stepper = make(problem, 1e-7);
  stepper->start(0, problem.x0.data(), nullptr, 0);
  ASSERT_EQ(run_to(*stepper, 1), StepStatus::kOk);
  const std::vector<double> first(stepper->x(), stepper->x() + 3);
  const SolverStatistics once = stepper->statistics();
  stepper->start(0, problem.x0.data(), nullptr, 0);
  ASSERT_EQ(run_to(*stepper, 1), StepStatus::kOk);
  EXPECT_EQ(std::vector<double>(stepper->x(), stepper->x() + 3), first);
  EXPECT_EQ(stepper->statistics().steps, 2 * once.steps);
  EXPECT_EQ(stepper->statistics().rhs, 2 * once.rhs);
  EXPECT_EQ(stepper->statistics().newton_iterations, 2 * once.newton_iterations);
  EXPECT_EQ(stepper->statistics().jacobians, 2 * once.jacobians);
  EXPECT_EQ(stepper->statistics().restarts, 1);
}

TEST(Ida, NamesTheVariableWhoseDerivativeIsNotANumber) {
  const RootOfNegative problem(RootOfNegative::Way::kNan);
  const auto stepper = make(problem, 1e-6);
  stepper->start(0, problem.x0.data(), nullptr, 0);
  EXPECT_EQ(run_to(*stepper, 3), StepStatus::kNonFinite);
  EXPECT_NE(stepper->message().find("'tank.level' is nan"), std::string::npos)
      << stepper->message();
  EXPECT_GT(stepper->t(), 1.9);
}

TEST(Ida, HandsOnTheMessageOfTheModel) {
  using Way = RootOfNegative::Way;
  for (const Way way : {Way::kThrow, Way::kThrowFatal}) {
    const RootOfNegative problem(way);
    const auto stepper = make(problem, 1e-6);
    stepper->start(0, problem.x0.data(), nullptr, 0);
    EXPECT_EQ(run_to(*stepper, 3), StepStatus::kEvaluationFailed);
    const char* text = way == Way::kThrow ? "square root of a negative level" : "the tank is empty";
    EXPECT_NE(stepper->message().find(text), std::string::npos) << stepper->message();
  }
}

TEST(Ida, FailsInTheFirstStepWhenTheStartCannotBeEvaluated) {
  const RootOfNegative problem(RootOfNegative::Way::kThrow);
  const auto stepper = make(problem, 1e-6);
  const double below = -1;
  stepper->start(0, &below, nullptr, 0);
  EXPECT_EQ(stepper->step(1), StepStatus::kEvaluationFailed);
  EXPECT_NE(stepper->message().find("negative level"), std::string::npos) << stepper->message();
}

TEST(Ida, LetsOtherExceptionsThroughUnchanged) {
  const RootOfNegative problem(RootOfNegative::Way::kOtherException);
  const auto stepper = make(problem, 1e-6);
  stepper->start(0, problem.x0.data(), nullptr, 0);
  EXPECT_THROW(run_to(*stepper, 3), std::out_of_range);
}

}  // namespace
}  // namespace arges
