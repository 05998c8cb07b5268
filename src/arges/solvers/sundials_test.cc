#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "arges/solvers/stepper.h"
#include "testing/sundials_problems.h"

// What every method of SUNDIALS promises behind the interface of a stepper. What is particular to
// one family stands in cvode_test.cc, ida_test.cc and arkode_test.cc.
namespace arges {
namespace {

using namespace testing;

struct Method {
  const char* name;
  // Local errors of size rtol add up over the steps: a global error of a few hundred rtol is normal
  // for multistep methods over one or two periods.
  double error_in_rtol;
};

std::ostream& operator<<(std::ostream& out, const Method& method) { return out << method.name; }

constexpr Method kBdf{"cvode-bdf", 500}, kAdams{"cvode-adams", 500}, kIda{"ida", 500},
    kErk{"arkode-erk", 100}, kDirk{"arkode-dirk", 100};

std::string test_name(const ::testing::TestParamInfo<Method>& each) {
  std::string name = each.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

SolverOptions at_tolerance(double rtol) {
  SolverOptions options;
  options.rtol = rtol;
  return options;
}

std::unique_ptr<Stepper> started_stepper(const Method& method, const TestProblem& problem,
                                         const SolverOptions& options) {
  auto stepper = make_stepper(method.name, problem, options);
  stepper->start(problem.t0, problem.x0.data(), nullptr, 0);
  return stepper;
}

class EachSundials : public ::testing::TestWithParam<Method> {
 protected:
  static std::unique_ptr<Stepper> started(const TestProblem& problem, double rtol) {
    return started_stepper(GetParam(), problem, at_tolerance(rtol));
  }
};
INSTANTIATE_TEST_SUITE_P(Sundials, EachSundials, ::testing::Values(kBdf, kAdams, kIda, kErk, kDirk),
                         test_name);

using EachImplicitSundials = EachSundials;
INSTANTIATE_TEST_SUITE_P(Sundials, EachImplicitSundials, ::testing::Values(kBdf, kIda, kDirk),
                         test_name);

// x' = x^2, x(0) = 1 goes to infinity at t = 1.
class BlowUp : public TestProblem {
 public:
  BlowUp() : TestProblem({1}, {"population"}, true, false) {}
  void rhs(double, const double* x, double* f) const override { f[0] = x[0] * x[0]; }
};

TEST_P(EachSundials, ErrorFollowsTheTolerance) {
  const HarmonicOscillator oscillator;
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const auto stepper = started(oscillator, rtol);
    ASSERT_EQ(run_to(*stepper, 10), StepStatus::kOk);
    EXPECT_LT(oscillator.error(10, stepper->x()), GetParam().error_in_rtol * rtol) << rtol;
  }
}

TEST_P(EachSundials, ErrorFollowsTheToleranceWithTimeInTheRightHandSide) {
  const DrivenDecay problem(10);
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const auto stepper = started(problem, rtol);
    ASSERT_EQ(run_to(*stepper, 2), StepStatus::kOk);
    EXPECT_LT(problem.error(2, stepper->x()), 50 * rtol) << rtol;
  }
}

TEST_P(EachSundials, StopsExactlyAtTheLimitAndGoesOnFromThere) {
  const HarmonicOscillator oscillator;
  const auto stepper = started(oscillator, 1e-8);
  for (int k = 1; k <= 50; ++k) {
    const double limit = 0.1 * k;
    while (stepper->t() < limit) {
      const double before = stepper->t();
      ASSERT_EQ(stepper->step(limit), StepStatus::kOk);
      ASSERT_EQ(stepper->t_old(), before);
      ASSERT_GT(stepper->t(), before);
    }
    ASSERT_EQ(stepper->t(), limit);
  }
  EXPECT_LT(oscillator.error(5, stepper->x()), 1e-6);
}

TEST_P(EachSundials, ReachesALimitThatIsOnlyARoundingErrorAway) {
  const HarmonicOscillator oscillator;
  const auto stepper = make_stepper(GetParam().name, oscillator, at_tolerance(1e-6));
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

TEST_P(EachSundials, TakesALimitAtInfinity) {
  const HarmonicOscillator oscillator;
  const auto stepper = started(oscillator, 1e-6);
  for (int k = 0; k < 20; ++k)
    ASSERT_EQ(stepper->step(std::numeric_limits<double>::infinity()), StepStatus::kOk);
  EXPECT_GT(stepper->t(), 0);
  EXPECT_LT(oscillator.error(stepper->t(), stepper->x()), 1e-4);
}

TEST_P(EachSundials, SaysSoWhenTheLimitDoesNotLieAhead) {
  const HarmonicOscillator oscillator;
  const auto stepper = started(oscillator, 1e-6);
  EXPECT_EQ(stepper->step(0), StepStatus::kStepTooSmall);
  EXPECT_NE(stepper->message().find("limit"), std::string::npos);
  EXPECT_EQ(stepper->step(0.1), StepStatus::kOk);
}

TEST_P(EachSundials, InterpolatesWithinTheToleranceAndMeetsTheEndsExactly) {
  const HarmonicOscillator oscillator;
  const auto stepper = started(oscillator, 1e-8);
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
    stepper->interpolate(stepper->t(), x.data());
    before.assign(stepper->x(), stepper->x() + 2);
    EXPECT_EQ(x, before);
  }
}

TEST_P(EachSundials, TriesTheGivenFirstStepAndRespectsTheLargest) {
  const HarmonicOscillator oscillator;
  SolverOptions options = at_tolerance(1e-4);
  options.max_step = 0.01;
  const auto stepper = make_stepper(GetParam().name, oscillator, options);
  stepper->start(0, oscillator.x0.data(), nullptr, 1e-5);
  EXPECT_EQ(stepper->next_step(), 1e-5);
  ASSERT_EQ(stepper->step(1), StepStatus::kOk);
  EXPECT_DOUBLE_EQ(stepper->t(), 1e-5);
  while (stepper->t() < 1) {
    ASSERT_EQ(stepper->step(1), StepStatus::kOk);
    EXPECT_LE(stepper->t() - stepper->t_old(), 0.01 * (1 + 1e-12));
  }
}

TEST_P(EachSundials, NamesTheVariableWhoseDerivativeIsNotANumber) {
  const RootOfNegative problem(RootOfNegative::Way::kNan);
  const auto stepper = started(problem, 1e-6);
  EXPECT_EQ(run_to(*stepper, 3), StepStatus::kNonFinite);
  EXPECT_NE(stepper->message().find("'tank.level' is nan"), std::string::npos)
      << stepper->message();
  EXPECT_GT(stepper->t(), 1.9);  // shorter steps brought it close to the edge, near t = 2
}

TEST_P(EachSundials, HandsOnTheMessageOfTheModel) {
  using Way = RootOfNegative::Way;
  for (const Way way : {Way::kThrow, Way::kThrowFatal}) {
    const RootOfNegative problem(way);
    const auto stepper = started(problem, 1e-6);
    EXPECT_EQ(run_to(*stepper, 3), StepStatus::kEvaluationFailed);
    const char* text = way == Way::kThrow ? "square root of a negative level" : "the tank is empty";
    EXPECT_NE(stepper->message().find(text), std::string::npos) << stepper->message();
    // It may be started anew.
    stepper->start(0, problem.x0.data(), nullptr, 0);
    EXPECT_EQ(run_to(*stepper, 1), StepStatus::kOk);
  }
}

TEST_P(EachSundials, AFailedStepLeavesTheState) {
  const RootOfNegative problem(RootOfNegative::Way::kThrow);
  const auto stepper = started(problem, 1e-6);
  double t = 0, x = 1;
  while (stepper->step(3) == StepStatus::kOk) {
    t = stepper->t();
    x = stepper->x()[0];
  }
  EXPECT_EQ(stepper->t(), t);
  EXPECT_EQ(stepper->x()[0], x);
}

TEST_P(EachSundials, ShortensAFirstStepThatIsFarTooLong) {
  const HarmonicOscillator oscillator;
  const auto stepper = make_stepper(GetParam().name, oscillator, at_tolerance(1e-12));
  stepper->start(oscillator.t0, oscillator.x0.data(), nullptr, 1);
  EXPECT_EQ(stepper->step(10), StepStatus::kOk) << stepper->message();
  EXPECT_LT(stepper->t(), 1e-2);
}

TEST_P(EachSundials, LetsOtherExceptionsThroughUnchanged) {
  const RootOfNegative problem(RootOfNegative::Way::kOtherException);
  const auto stepper = started(problem, 1e-6);
  EXPECT_THROW(run_to(*stepper, 3), std::out_of_range);
}

TEST_P(EachSundials, FailsWithAReasonAtAPole) {
  const BlowUp problem;
  const auto stepper = started(problem, 1e-6);
  EXPECT_EQ(run_to(*stepper, 2), StepStatus::kStepTooSmall);
  EXPECT_NEAR(stepper->t(), 1, 1e-3);
  EXPECT_FALSE(stepper->message().empty());
}

TEST_P(EachSundials, FailsInTheFirstStepWhenTheStartCannotBeEvaluated) {
  const RootOfNegative problem(RootOfNegative::Way::kThrow);
  const auto stepper = make_stepper(GetParam().name, problem, at_tolerance(1e-6));
  const double below = -1;
  stepper->start(0, &below, nullptr, 0);
  EXPECT_EQ(stepper->step(1), StepStatus::kEvaluationFailed);
  EXPECT_NE(stepper->message().find("negative level"), std::string::npos) << stepper->message();
}

// Runs, is disturbed, and runs again from the start.
void expect_a_repeated_run(Stepper& stepper, const TestProblem& problem, double end) {
  const auto n = static_cast<std::size_t>(problem.size());
  ASSERT_EQ(run_to(stepper, end), StepStatus::kOk);
  const std::vector<double> first(stepper.x(), stepper.x() + n);
  const SolverStatistics once = stepper.statistics();
  stepper.start(0, problem.x0.data(), nullptr, 1e-3);  // a first step that must not survive
  ASSERT_EQ(stepper.step(end), StepStatus::kOk);
  const SolverStatistics between = stepper.statistics();
  stepper.start(0, problem.x0.data(), nullptr, 0);
  EXPECT_EQ(stepper.t(), 0);
  ASSERT_EQ(run_to(stepper, end), StepStatus::kOk);
  EXPECT_EQ(std::vector<double>(stepper.x(), stepper.x() + n), first);
  const SolverStatistics& all = stepper.statistics();
  EXPECT_EQ(all.steps - between.steps, once.steps);
  // Looks for stiffness, of three evaluations, come every 50 steps wherever these began.
  EXPECT_NEAR(static_cast<double>(all.rhs - between.rhs), static_cast<double>(once.rhs), 3);
  EXPECT_EQ(all.newton_iterations - between.newton_iterations, once.newton_iterations);
  EXPECT_EQ(all.jacobians - between.jacobians, once.jacobians);
  EXPECT_EQ(all.factorizations - between.factorizations, once.factorizations);
  EXPECT_EQ(all.restarts, 2);
}

TEST_P(EachSundials, ARestartRepeatsTheRunBitForBit) {
  const Lithium lithium;
  const auto stepper = started(lithium, 1e-7);
  expect_a_repeated_run(*stepper, lithium, 0.1);
}

TEST(Ida, ARestartRepeatsTheRunOfADaeBitForBit) {
  const RobertsonDae problem;
  const auto stepper = started_stepper(kIda, problem, at_tolerance(1e-7));
  expect_a_repeated_run(*stepper, problem, 1);
}

TEST_P(EachImplicitSundials, SolvesTheLithiumClusterWithin100Tolerances) {
  const Lithium lithium;
  const auto& end = Lithium::reference().back();
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    const auto stepper = started(lithium, rtol);
    ASSERT_EQ(run_to(*stepper, end.t), StepStatus::kOk);
    EXPECT_LT(relative_error(stepper->x(), {end.f, end.m, end.r}), 100 * rtol) << rtol;
  }
}

// The steps of order five grow by 1.47 for each digit. They grow without bound where a stale Newton
// matrix makes the method unstable.
TEST(MultistepBdf, TheStepsGrowAsTheOrderPromises) {
  const Lithium lithium;
  for (const char* solver : {"cvode-bdf", "ida"}) {
    std::int64_t coarser = 0;
    for (const double rtol : {1e-9, 1e-10, 1e-11, 1e-12}) {
      const auto stepper = make_stepper(solver, lithium, at_tolerance(rtol));
      stepper->start(0, lithium.x0.data(), nullptr, 0);
      ASSERT_EQ(run_to(*stepper, 10), StepStatus::kOk);
      const std::int64_t steps = stepper->statistics().steps;
      if (coarser > 0) {
        EXPECT_LT(static_cast<double>(steps), 1.8 * static_cast<double>(coarser))
            << solver << ", rtol " << rtol;
      }
      coarser = steps;
    }
  }
}

TEST_P(EachImplicitSundials, DenseBandedAndSparseAgreeOnTheHeatEquation) {
  for (const bool analytic : {true, false}) {
    const HeatRod rod(200, analytic);
    for (const LinearAlgebra algebra : {LinearAlgebra::kDense, LinearAlgebra::kBanded,
                                        LinearAlgebra::kKlu, LinearAlgebra::kAuto}) {
      SolverOptions options = at_tolerance(1e-7);
      options.linear_algebra = algebra;
      const auto stepper = make_stepper(GetParam().name, rod, options);
      for (int run = 0; run < 2; ++run) {  // with the analysis of the first run in the second
        stepper->start(0, rod.x0.data(), nullptr, 0);
        ASSERT_EQ(run_to(*stepper, 0.1), StepStatus::kOk) << stepper->message();
        EXPECT_LT(rod.error(0.1, stepper->x()), 1e-5);
      }
      // Coloured differences take 3 evaluations for a tridiagonal matrix.
      const SolverStatistics& counts = stepper->statistics();
      if (!analytic) {
        EXPECT_GE(counts.rhs, counts.newton_iterations + 3 * counts.jacobians);
      }
      EXPECT_GT(counts.jacobians, 0);
    }
  }
}

}  // namespace
}  // namespace arges
