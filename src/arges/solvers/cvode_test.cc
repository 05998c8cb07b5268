#include <cmath>

#include <gtest/gtest.h>

#include "arges/solvers/factories.h"
#include "testing/sundials_problems.h"

namespace arges {
namespace {

using namespace testing;

SolverOptions tolerance(double rtol) {
  SolverOptions options;
  options.rtol = rtol;
  return options;
}

class EachCvode : public ::testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<Stepper> make(const Equations& equations, const SolverOptions& options) {
    return make_cvode(GetParam(), equations, options);
  }
  std::unique_ptr<Stepper> started(const TestProblem& problem, double rtol) {
    auto stepper = make(problem, tolerance(rtol));
    stepper->start(problem.t0, problem.x0.data(), nullptr, 0);
    return stepper;
  }
};
INSTANTIATE_TEST_SUITE_P(Cvode, EachCvode, ::testing::Values("cvode-bdf", "cvode-adams"),
                         [](const auto& each) { return std::string(each.param).substr(6); });

// Local errors of size rtol add up over the steps: a global error of a few hundred rtol is normal
// for multistep methods over one or two periods.
TEST_P(EachCvode, ErrorFollowsTheTolerance) {
  const HarmonicOscillator oscillator;
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const auto stepper = started(oscillator, rtol);
    ASSERT_EQ(run_to(*stepper, 10), StepStatus::kOk);
    EXPECT_LT(oscillator.error(10, stepper->x()), 500 * rtol) << rtol;
  }
}

TEST_P(EachCvode, ErrorFollowsTheToleranceWithTimeInTheRightHandSide) {
  const DrivenDecay problem(10);
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const auto stepper = started(problem, rtol);
    ASSERT_EQ(run_to(*stepper, 2), StepStatus::kOk);
    EXPECT_LT(problem.error(2, stepper->x()), 50 * rtol) << rtol;
  }
}

TEST_P(EachCvode, StopsExactlyAtTheLimitAndGoesOnFromThere) {
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

TEST_P(EachCvode, ReachesALimitThatIsOnlyARoundingErrorAway) {
  const HarmonicOscillator oscillator;
  const auto stepper = make(oscillator, tolerance(1e-6));
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

TEST_P(EachCvode, TakesALimitAtInfinity) {
  const HarmonicOscillator oscillator;
  const auto stepper = started(oscillator, 1e-6);
  for (int k = 0; k < 20; ++k)
    ASSERT_EQ(stepper->step(std::numeric_limits<double>::infinity()), StepStatus::kOk);
  EXPECT_GT(stepper->t(), 0);
  EXPECT_LT(oscillator.error(stepper->t(), stepper->x()), 1e-4);
}

TEST_P(EachCvode, SaysSoWhenTheLimitDoesNotLieAhead) {
  const HarmonicOscillator oscillator;
  const auto stepper = started(oscillator, 1e-6);
  EXPECT_EQ(stepper->step(0), StepStatus::kStepTooSmall);
  EXPECT_NE(stepper->message().find("limit"), std::string::npos);
  EXPECT_EQ(stepper->step(0.1), StepStatus::kOk);
}

TEST_P(EachCvode, InterpolatesWithinTheToleranceAndMeetsTheEndsExactly) {
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

TEST_P(EachCvode, ARestartRepeatsTheRunBitForBit) {
  const Lithium lithium;
  const auto stepper = started(lithium, 1e-7);
  ASSERT_EQ(run_to(*stepper, 0.5), StepStatus::kOk);
  const std::vector<double> first(stepper->x(), stepper->x() + 3);
  const SolverStatistics once = stepper->statistics();
  stepper->start(0, lithium.x0.data(), nullptr, 1e-3);  // a first step that must not survive
  ASSERT_EQ(stepper->step(1), StepStatus::kOk);
  const SolverStatistics between = stepper->statistics();
  stepper->start(0, lithium.x0.data(), nullptr, 0);
  EXPECT_EQ(stepper->t(), 0);
  ASSERT_EQ(run_to(*stepper, 0.5), StepStatus::kOk);
  EXPECT_EQ(std::vector<double>(stepper->x(), stepper->x() + 3), first);
  const SolverStatistics& all = stepper->statistics();
  EXPECT_EQ(all.steps - between.steps, once.steps);
  EXPECT_EQ(all.rhs - between.rhs, once.rhs);
  EXPECT_EQ(all.newton_iterations - between.newton_iterations, once.newton_iterations);
  EXPECT_EQ(all.factorizations - between.factorizations, once.factorizations);
  EXPECT_EQ(all.restarts, 2);
}

TEST_P(EachCvode, TriesTheGivenFirstStepAndRespectsTheLargest) {
  const HarmonicOscillator oscillator;
  SolverOptions options = tolerance(1e-4);
  options.max_step = 0.01;
  const auto stepper = make(oscillator, options);
  stepper->start(0, oscillator.x0.data(), nullptr, 1e-5);
  EXPECT_EQ(stepper->next_step(), 1e-5);
  ASSERT_EQ(stepper->step(1), StepStatus::kOk);
  EXPECT_DOUBLE_EQ(stepper->t(), 1e-5);
  while (stepper->t() < 1) {
    ASSERT_EQ(stepper->step(1), StepStatus::kOk);
    EXPECT_LE(stepper->t() - stepper->t_old(), 0.01 * (1 + 1e-12));
  }
}

TEST_P(EachCvode, NamesTheVariableWhoseDerivativeIsNotANumber) {
  const RootOfNegative problem(RootOfNegative::Way::kNan);
  const auto stepper = started(problem, 1e-6);
  EXPECT_EQ(run_to(*stepper, 3), StepStatus::kNonFinite);
  EXPECT_NE(stepper->message().find("'tank.level' is nan"), std::string::npos)
      << stepper->message();
  EXPECT_GT(stepper->t(), 1.9);  // shorter steps brought it close to the edge, near t = 2
}

TEST_P(EachCvode, HandsOnTheMessageOfTheModel) {
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

TEST_P(EachCvode, AFailedStepLeavesTheState) {
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

TEST_P(EachCvode, LetsOtherExceptionsThroughUnchanged) {
  const RootOfNegative problem(RootOfNegative::Way::kOtherException);
  const auto stepper = started(problem, 1e-6);
  EXPECT_THROW(run_to(*stepper, 3), std::out_of_range);
}

// x' = x^2, x(0) = 1 goes to infinity at t = 1.
class BlowUp : public TestProblem {
 public:
  BlowUp() : TestProblem({1}, {"population"}, true, false) {}
  void rhs(double, const double* x, double* f) const override { f[0] = x[0] * x[0]; }
};

TEST_P(EachCvode, FailsWithAReasonAtAPole) {
  const BlowUp problem;
  const auto stepper = started(problem, 1e-6);
  EXPECT_EQ(run_to(*stepper, 2), StepStatus::kStepTooSmall);
  EXPECT_NEAR(stepper->t(), 1, 1e-3);
  EXPECT_FALSE(stepper->message().empty());
}

TEST(CvodeBdf, SolvesTheLithiumClusterWithin100Tolerances) {
  const Lithium lithium;
  const auto& end = Lithium::reference().back();
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    const auto stepper = make_cvode("cvode-bdf", lithium, tolerance(rtol));
    stepper->start(0, lithium.x0.data(), nullptr, 0);
    ASSERT_EQ(run_to(*stepper, end.t), StepStatus::kOk);
    EXPECT_LT(relative_error(stepper->x(), {end.f, end.m, end.r}), 100 * rtol) << rtol;
  }
}

TEST(CvodeBdf, DenseBandedAndSparseAgreeOnTheHeatEquation) {
  for (const bool analytic : {true, false}) {
    const HeatRod rod(200, analytic);
    for (const LinearAlgebra algebra : {LinearAlgebra::kDense, LinearAlgebra::kBanded,
                                        LinearAlgebra::kKlu, LinearAlgebra::kAuto}) {
      SolverOptions options = tolerance(1e-8);
      options.linear_algebra = algebra;
      const auto stepper = make_cvode("cvode-bdf", rod, options);
      for (int run = 0; run < 2; ++run) {  // with the analysis of the first run in the second
        stepper->start(0, rod.x0.data(), nullptr, 0);
        ASSERT_EQ(run_to(*stepper, 0.1), StepStatus::kOk) << stepper->message();
        EXPECT_LT(rod.error(0.1, stepper->x()), 1e-6);
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

// Nominal values scale the absolute tolerance: a small variable is then as accurate as a large one.
class Scaled : public TestProblem {
 public:
  explicit Scaled(bool with_nominal) : TestProblem({0, 1e-9}, {"q", "p"}, true, false) {
    if (with_nominal) nominal_ = typical_;
  }
  void rhs(double, const double* x, double* f) const override {
    f[0] = x[1];
    f[1] = -x[0];
  }

 private:
  double typical_[2] = {1e-9, 1e-9};
};

TEST(CvodeBdf, NominalValuesScaleTheAbsoluteTolerance) {
  const auto error = [](const Scaled& problem) {
    const auto stepper = make_cvode("cvode-bdf", problem, tolerance(1e-6));
    stepper->start(0, problem.x0.data(), nullptr, 0);
    EXPECT_EQ(run_to(*stepper, 10), StepStatus::kOk);
    return std::abs(stepper->x()[0] - 1e-9 * std::sin(10)) / 1e-9;
  };
  EXPECT_LT(error(Scaled(true)), 1e-3);
  EXPECT_GT(error(Scaled(false)), 1e-2);
}

TEST(CvodeAdams, ReachesHighOrderOnASmoothProblem) {
  const Kepler kepler(0.3);
  const auto adams = make_cvode("cvode-adams", kepler, tolerance(1e-11));
  const auto bdf = make_cvode("cvode-bdf", kepler, tolerance(1e-11));
  for (Stepper* stepper : {adams.get(), bdf.get()}) {
    stepper->start(0, kepler.x0.data(), nullptr, 0);
    ASSERT_EQ(run_to(*stepper, 6), StepStatus::kOk);
    EXPECT_LT(kepler.error(6, stepper->x()), 1e-8);
  }
  EXPECT_LT(2 * adams->statistics().steps, bdf->statistics().steps);
}

}  // namespace
}  // namespace arges
