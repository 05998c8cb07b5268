#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/solvers/factories.h"
#include "testing/allocation_guard.h"
#include "testing/test_problems.h"

namespace arges {
namespace {

using testing::DrivenDecay;
using testing::HarmonicOscillator;
using testing::Kepler;
using testing::LinearDecay;
using testing::Lithium;
using testing::TestProblem;
using testing::VanDerPol;

constexpr double kPi = 3.14159265358979323846;

SolverOptions with_tolerance(double rtol) {
  SolverOptions options;
  options.rtol = rtol;
  return options;
}

// Tolerances that every step fulfils, and a largest step: the method with a fixed step.
SolverOptions with_fixed_step(double h) {
  SolverOptions options;
  options.rtol = 0.5;
  options.atol = 1e9;
  options.step = h;
  options.max_step = h;
  return options;
}

StepStatus run_to(Stepper& stepper, double t_end) {
  while (stepper.t() < t_end) {
    if (const StepStatus status = stepper.step(t_end); status != StepStatus::kOk) return status;
  }
  return StepStatus::kOk;
}

class ExplicitMethods : public ::testing::TestWithParam<const char*> {
 protected:
  std::string method() const { return GetParam(); }
  bool high_order() const { return method() == "dop853"; }
  std::unique_ptr<Stepper> make(const TestProblem& problem, const SolverOptions& options) const {
    auto stepper = make_explicit_rk(method(), problem, options);
    stepper->start(problem.t0, problem.x0.data(), nullptr, 0);
    return stepper;
  }
};

INSTANTIATE_TEST_SUITE_P(All, ExplicitMethods, ::testing::Values("dopri5", "tsit5", "dop853"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST_P(ExplicitMethods, ShowTheirOrder) {
  struct Errors {
    double end = 0, dense = 0, retake = 0;
  };
  const Kepler kepler(0.2);
  const DrivenDecay driven(2);
  for (const TestProblem* problem :
       {static_cast<const TestProblem*>(&kepler), static_cast<const TestProblem*>(&driven)}) {
    const auto integrate = [&](int steps) {
      const auto stepper = make(*problem, with_fixed_step(4.0 / steps));
      Errors errors;
      std::vector<double> x(problem->size());
      for (int k = 0; k < steps; ++k) {
        EXPECT_EQ(stepper->step(4), StepStatus::kOk);
        for (double theta : {0.1, 0.3, 0.5, 0.7, 0.9}) {
          const double t = stepper->t_old() + theta * (stepper->t() - stepper->t_old());
          stepper->interpolate(t, x.data());
          errors.dense = std::fmax(errors.dense, problem->error(t, x.data()));
          EXPECT_TRUE(stepper->retake(t, x.data()));
          errors.retake = std::fmax(errors.retake, problem->error(t, x.data()));
        }
      }
      EXPECT_EQ(stepper->t(), 4);
      EXPECT_EQ(stepper->statistics().steps, steps);
      errors.end = problem->error(4, stepper->x());
      return errors;
    };
    // Small enough for the order to show, large enough to stay above rounding errors.
    const int steps = !high_order() ? 80 : problem == &kepler ? 36 : 12;
    const Errors coarse = integrate(steps);
    const Errors fine = integrate(2 * steps);
    const int order = high_order() ? 8 : 5;
    EXPECT_GT(std::log2(coarse.end / fine.end), order - 0.4);
    EXPECT_GT(std::log2(coarse.retake / fine.retake), order - 0.4);
    // The local error of dense output of order q is of order q + 1.
    EXPECT_GT(std::log2(coarse.dense / fine.dense), order - 0.4);
  }
}

TEST_P(ExplicitMethods, ReportTheirOrder) {
  const LinearDecay problem;
  const auto stepper = make(problem, {});
  EXPECT_EQ(stepper->order(), high_order() ? 8 : 5);
  EXPECT_FALSE(stepper->is_multistep());
}

TEST_P(ExplicitMethods, KeepTheErrorProportionalToTheTolerance) {
  const Kepler kepler(0.5);
  const HarmonicOscillator oscillator;
  for (const TestProblem* problem :
       {static_cast<const TestProblem*>(&kepler), static_cast<const TestProblem*>(&oscillator)}) {
    for (double rtol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
      const auto stepper = make(*problem, with_tolerance(rtol));
      ASSERT_EQ(run_to(*stepper, 2 * kPi), StepStatus::kOk);
      const double error = problem->error(2 * kPi, stepper->x());
      EXPECT_LT(error, 300 * rtol) << "rtol " << rtol;
      EXPECT_GT(error, 1e-4 * rtol) << "rtol " << rtol;
    }
  }
}

TEST_P(ExplicitMethods, FindTheVanDerPolLimitCycle) {
  // x(20), v(20) for mu = 1 from (2, 0): Taylor series of order 40 with 40 digits.
  const VanDerPol problem;
  const auto stepper = make(problem, with_tolerance(1e-11));
  ASSERT_EQ(run_to(*stepper, 20), StepStatus::kOk);
  EXPECT_NEAR(stepper->x()[0], 2.008149762174948592, 3e-9);
  EXPECT_NEAR(stepper->x()[1], -0.042508875273202147, 3e-9);
}

TEST_P(ExplicitMethods, InterpolateAsAccuratelyAsTheyStep) {
  const Kepler problem(0.5);
  const double rtol = 1e-8;
  const auto stepper = make(problem, with_tolerance(rtol));
  std::vector<double> x(4);
  double at_steps = 0, inside = 0;
  while (stepper->t() < 2 * kPi) {
    ASSERT_EQ(stepper->step(2 * kPi), StepStatus::kOk);
    at_steps = std::fmax(at_steps, problem.error(stepper->t(), stepper->x()));
    for (double theta = 0.05; theta < 1; theta += 0.05) {
      const double t = stepper->t_old() + theta * (stepper->t() - stepper->t_old());
      stepper->interpolate(t, x.data());
      inside = std::fmax(inside, problem.error(t, x.data()));
    }
  }
  EXPECT_LT(inside, 3 * at_steps + 100 * rtol);
}

TEST_P(ExplicitMethods, InterpolateTheEndsExactlyAndContinuously) {
  const Kepler problem(0.5);
  const auto stepper = make(problem, with_tolerance(1e-6));
  std::vector<double> before = problem.x0, x(4);
  while (stepper->t() < 6) {
    ASSERT_EQ(stepper->step(6), StepStatus::kOk);
    stepper->interpolate(stepper->t_old(), x.data());
    EXPECT_EQ(x, before);
    stepper->interpolate(std::nextafter(stepper->t_old(), 10), x.data());
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(x[i], before[i], 1e-14);
    stepper->interpolate(std::nextafter(stepper->t(), 0), x.data());
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(x[i], stepper->x()[i], 1e-14);
    stepper->interpolate(stepper->t(), x.data());
    EXPECT_EQ(x, std::vector<double>(stepper->x(), stepper->x() + 4));
    before = x;
  }
}

TEST_P(ExplicitMethods, RetakeChangesNothing) {
  const Kepler problem(0.5);
  const auto stepper = make(problem, with_tolerance(1e-6));
  const auto undisturbed = make(problem, with_tolerance(1e-6));
  std::vector<double> x(4), y(4);
  while (stepper->t() < 6) {
    ASSERT_EQ(stepper->step(6), StepStatus::kOk);
    ASSERT_EQ(undisturbed->step(6), StepStatus::kOk);
    const double middle = 0.5 * (stepper->t_old() + stepper->t());
    ASSERT_TRUE(stepper->retake(middle, x.data()));
    stepper->interpolate(middle, x.data());
    undisturbed->interpolate(middle, y.data());
    EXPECT_EQ(x, y);
    ASSERT_TRUE(stepper->retake(stepper->t(), x.data()));
    EXPECT_EQ(x, std::vector<double>(stepper->x(), stepper->x() + 4));
  }
  EXPECT_EQ(stepper->t(), undisturbed->t());
  EXPECT_FALSE(stepper->retake(stepper->t_old(), x.data()));
  EXPECT_FALSE(stepper->retake(stepper->t() + 1, x.data()));
}

TEST_P(ExplicitMethods, HitTheLimitWithoutATinyLastStep) {
  const HarmonicOscillator problem;
  const auto stepper = make(problem, with_tolerance(1e-6));
  double longest = 0, last = 0;
  while (stepper->t() < 7.3) {
    ASSERT_EQ(stepper->step(7.3), StepStatus::kOk);
    last = stepper->t() - stepper->t_old();
    longest = std::fmax(longest, last);
  }
  EXPECT_EQ(stepper->t(), 7.3);
  EXPECT_GT(last, 0.2 * longest);
}

TEST_P(ExplicitMethods, RememberTheirStepAfterACut) {
  const HarmonicOscillator problem;
  const auto stepper = make(problem, with_tolerance(1e-6));
  ASSERT_EQ(run_to(*stepper, 10), StepStatus::kOk);
  const double wanted = stepper->next_step();
  const double near = stepper->t() + 1e-9;
  ASSERT_EQ(stepper->step(near), StepStatus::kOk);
  EXPECT_EQ(stepper->t(), near);
  EXPECT_GT(stepper->next_step(), 0.8 * wanted);
  // A limit one unit in the last place away is a step, too.
  const double next = std::nextafter(near, 20);
  ASSERT_EQ(stepper->step(next), StepStatus::kOk);
  EXPECT_EQ(stepper->t(), next);
  ASSERT_EQ(stepper->step(20), StepStatus::kOk);
  EXPECT_GT(stepper->t() - stepper->t_old(), 0.5 * wanted);
}

TEST_P(ExplicitMethods, KeepWithinTheLargestStep) {
  const HarmonicOscillator problem;
  SolverOptions options = with_tolerance(1e-3);
  options.max_step = 0.05;
  const auto stepper = make(problem, options);
  while (stepper->t() < 1.02) {
    ASSERT_EQ(stepper->step(1.02), StepStatus::kOk);
    EXPECT_LE(stepper->t() - stepper->t_old(), 0.05 * (1 + 1e-8));
  }
}

TEST_P(ExplicitMethods, PrepareDenseOutputOnlyWhenAsked) {
  const HarmonicOscillator problem;
  const auto stepper = make(problem, with_tolerance(1e-6));
  ASSERT_EQ(stepper->step(10), StepStatus::kOk);
  const auto before = stepper->statistics();
  ASSERT_EQ(stepper->step(10), StepStatus::kOk);
  const auto after = stepper->statistics();
  if (after.rejected == before.rejected) {
    EXPECT_EQ(after.rhs - before.rhs, high_order() ? 12 : 6);
  }
  double x[2];
  stepper->interpolate(0.5 * (stepper->t_old() + stepper->t()), x);
  stepper->interpolate(0.3 * stepper->t_old() + 0.7 * stepper->t(), x);
  EXPECT_EQ(stepper->statistics().rhs - after.rhs, high_order() ? 3 : 0);
}

TEST_P(ExplicitMethods, AllocateNothing) {
  const Kepler problem(0.5);
  const auto stepper = make(problem, with_tolerance(1e-8));
  double x[4];
  const testing::AllocationGuard guard;
  stepper->start(0, problem.x0.data(), nullptr, 0);
  while (stepper->t() < 6) {
    stepper->step(6);
    const double middle = 0.5 * (stepper->t_old() + stepper->t());
    stepper->interpolate(middle, x);
    stepper->retake(middle, x);
  }
  EXPECT_EQ(guard.count(), 0);
}

TEST_P(ExplicitMethods, StartFromZeroWithTinyTolerances) {
  // x' = cos t from 0, without and with almost no absolute tolerance.
  class Sine : public LinearDecay {
   public:
    Sine() { x0 = {0}; }
    void rhs(double t, const double*, double* f) const override { f[0] = std::cos(t); }
  };
  for (double atol : {0.0, 1e-30, 1e-15}) {
    const Sine problem;
    SolverOptions options = with_tolerance(1e-8);
    options.atol = atol;
    const auto stepper = make(problem, options);
    ASSERT_EQ(run_to(*stepper, 1), StepStatus::kOk) << stepper->message();
    EXPECT_NEAR(stepper->x()[0], std::sin(1.0), 1e-7);
    EXPECT_LT(stepper->statistics().steps, 200);
  }
}

TEST_P(ExplicitMethods, RestAtAnEquilibrium) {
  class Rest : public LinearDecay {
   public:
    Rest() { x0 = {0}; }
  };
  const Rest problem;
  SolverOptions options = with_tolerance(1e-8);
  options.atol = 0;
  const auto stepper = make(problem, options);
  ASSERT_EQ(run_to(*stepper, 1e3), StepStatus::kOk);
  EXPECT_EQ(stepper->x()[0], 0);
  EXPECT_LT(stepper->statistics().steps, 50);
}

TEST_P(ExplicitMethods, FindTheirFirstStepOnEveryTimeScale) {
  for (double rate : {1e-6, 1.0, 1e6, 1e12}) {
    const LinearDecay problem(rate);
    const auto stepper = make(problem, with_tolerance(1e-6));
    ASSERT_EQ(run_to(*stepper, 1 / rate), StepStatus::kOk);
    EXPECT_NEAR(stepper->x()[0], std::exp(-1.0), 1e-5);
    EXPECT_LE(stepper->statistics().rejected, 2);
    EXPECT_LT(stepper->statistics().steps, 25);
  }
}

TEST_P(ExplicitMethods, SuspectStiffnessWhereItIs) {
  const Lithium stiff;
  const auto loose = make(stiff, with_tolerance(1e-4));
  ASSERT_EQ(run_to(*loose, 1), StepStatus::kOk);
  EXPECT_TRUE(loose->suspects_stiffness());
  const auto stepper = make(stiff, with_tolerance(1e-6));
  ASSERT_EQ(run_to(*stepper, 1), StepStatus::kOk);
  EXPECT_TRUE(stepper->suspects_stiffness());
  // And solve it, at a price.
  const Lithium::Reference& reference = Lithium::reference()[2];
  EXPECT_NEAR(stepper->x()[0], reference.f, 1e-4 * reference.f);
  EXPECT_NEAR(stepper->x()[1], reference.m, 1e-4 * reference.m);
  EXPECT_NEAR(stepper->x()[2], reference.r, 1e-4 * reference.r);
}

TEST_P(ExplicitMethods, SuspectNoStiffnessInSmoothProblems) {
  const Kepler kepler(0.5);
  const VanDerPol van_der_pol;
  const HarmonicOscillator oscillator;
  for (const TestProblem* problem :
       {static_cast<const TestProblem*>(&kepler), static_cast<const TestProblem*>(&van_der_pol),
        static_cast<const TestProblem*>(&oscillator)}) {
    for (double rtol : {1e-3, 1e-6, 1e-9, 1e-12}) {
      const auto stepper = make(*problem, with_tolerance(rtol));
      while (stepper->t() < 50) {
        ASSERT_EQ(stepper->step(50), StepStatus::kOk);
        ASSERT_FALSE(stepper->suspects_stiffness()) << "rtol " << rtol << " t " << stepper->t();
      }
    }
  }
}

// x' = -1, y' = sqrt(x), from x = 1: no real solution beyond t = 1.
class Bounded : public TestProblem {
 public:
  enum class Says { kNaN, kError, kFatal };
  explicit Bounded(Says says) : TestProblem({1, 0}, {"x", "y"}, true, false), says_(says) {}
  void rhs(double, const double* x, double* f) const override {
    if (x[0] < 0 && says_ != Says::kNaN) {
      throw EvaluationError("square root of a negative number", says_ == Says::kError);
    }
    f[0] = -1;
    f[1] = std::sqrt(x[0]);
  }

 private:
  Says says_;
};

TEST_P(ExplicitMethods, ComeUpToTheEdgeOfTheDomainThenNameTheVariable) {
  const Bounded problem(Bounded::Says::kNaN);
  const auto stepper = make(problem, with_tolerance(1e-6));
  EXPECT_EQ(run_to(*stepper, 2), StepStatus::kNonFinite);
  EXPECT_NEAR(stepper->t(), 1, 1e-9);
  EXPECT_NEAR(stepper->x()[1], 2.0 / 3, 1e-4);
  EXPECT_NE(stepper->message().find("'y'"), std::string::npos) << stepper->message();
}

TEST_P(ExplicitMethods, ComeUpToTheEdgeOfTheDomainThenPassOnWhatTheModelSays) {
  const Bounded problem(Bounded::Says::kError);
  const auto stepper = make(problem, with_tolerance(1e-6));
  EXPECT_EQ(run_to(*stepper, 2), StepStatus::kEvaluationFailed);
  EXPECT_NEAR(stepper->t(), 1, 1e-9);
  EXPECT_NE(stepper->message().find("square root of a negative number"), std::string::npos);
}

TEST_P(ExplicitMethods, StopAtOnceWhenTheModelCannotGoOn) {
  const Bounded problem(Bounded::Says::kFatal);
  const auto stepper = make(problem, with_tolerance(1e-6));
  EXPECT_EQ(run_to(*stepper, 2), StepStatus::kEvaluationFailed);
  EXPECT_LT(stepper->t(), 1);
  EXPECT_EQ(stepper->t(), stepper->t_old());
}

TEST_P(ExplicitMethods, KeepTheStateBeforeAFailedStepAndStartAnew) {
  const Bounded problem(Bounded::Says::kNaN);
  const auto stepper = make(problem, with_tolerance(1e-6));
  double t = 0;
  std::vector<double> x(2);
  StepStatus status = StepStatus::kOk;
  while (status == StepStatus::kOk) {
    t = stepper->t();
    x.assign(stepper->x(), stepper->x() + 2);
    status = stepper->step(2);
  }
  EXPECT_EQ(stepper->t(), t);
  EXPECT_EQ(std::vector<double>(stepper->x(), stepper->x() + 2), x);
  stepper->start(0, problem.x0.data(), nullptr, 0);
  ASSERT_EQ(run_to(*stepper, 0.5), StepStatus::kOk);
  EXPECT_NEAR(stepper->x()[1], 2.0 / 3 * (1 - std::pow(0.5, 1.5)), 1e-5);
}

TEST_P(ExplicitMethods, ReportADerivativeThatIsNotFiniteAtTheStart) {
  class Broken : public HarmonicOscillator {
   public:
    void rhs(double, const double*, double* f) const override {
      f[0] = 0;
      f[1] = std::numeric_limits<double>::quiet_NaN();
    }
  };
  const Broken problem;
  const auto stepper = make(problem, {});
  EXPECT_EQ(stepper->step(1), StepStatus::kNonFinite);
  EXPECT_NE(stepper->message().find("'p'"), std::string::npos) << stepper->message();
}

TEST_P(ExplicitMethods, StopBeforeASingularity) {
  // x' = x^2 from 1: x = 1 / (1 - t).
  class BlowUp : public LinearDecay {
   public:
    void rhs(double, const double* x, double* f) const override { f[0] = x[0] * x[0]; }
  };
  const BlowUp problem;
  const auto stepper = make(problem, with_tolerance(1e-6));
  const StepStatus status = run_to(*stepper, 2);
  EXPECT_TRUE(status == StepStatus::kStepTooSmall || status == StepStatus::kNonFinite);
  EXPECT_NEAR(stepper->t(), 1, 1e-4);
  EXPECT_NE(stepper->message().find("'x'"), std::string::npos) << stepper->message();
}

TEST_P(ExplicitMethods, NameTheVariableWhoseErrorIsLargest) {
  // A derivative at random at every call: no step is short enough.
  class Noise : public HarmonicOscillator {
   public:
    void rhs(double, const double*, double* f) const override {
      seed_ = seed_ * 6364136223846793005u + 1442695040888963407u;
      f[0] = 1;
      f[1] = static_cast<double>(seed_ >> 32) * 1e40;
    }

   private:
    mutable unsigned long seed_ = 1;
  };
  const Noise problem;
  SolverOptions options = with_tolerance(1e-10);
  options.step = 1e-3;
  auto stepper = make_explicit_rk(method(), problem, options);
  stepper->start(1, problem.x0.data(), nullptr, 0);
  EXPECT_EQ(run_to(*stepper, 2), StepStatus::kStepTooSmall);
  EXPECT_NE(stepper->message().find("'p'"), std::string::npos) << stepper->message();
  EXPECT_NE(stepper->message().find("tolerance"), std::string::npos);
}

TEST_P(ExplicitMethods, RefuseToStandStill) {
  const LinearDecay problem;
  const auto stepper = make(problem, {});
  EXPECT_EQ(stepper->step(0), StepStatus::kStepTooSmall);
  EXPECT_THROW(
      stepper->start(std::numeric_limits<double>::infinity(), problem.x0.data(), nullptr, 0),
      ApiError);
}

TEST(ExplicitRungeKutta, IsNotEveryName) {
  const LinearDecay problem;
  EXPECT_THROW(make_explicit_rk("dopri6", problem, {}), ApiError);
}

}  // namespace
}  // namespace arges
