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
using testing::LinearDecay;
using testing::TestProblem;

SolverOptions with_step(double h) {
  SolverOptions options;
  options.step = h;
  return options;
}

struct Errors {
  double end = 0;     // at the last step
  double inside = 0;  // of the dense output, the largest one
  double retake = 0;  // of retake() inside the last step
};

Errors integrate(const std::string& method, const TestProblem& problem, double t_end, double h) {
  const auto stepper = make_fixed_step(method, problem, with_step(h));
  stepper->start(problem.t0, problem.x0.data(), nullptr, 0);
  Errors errors;
  std::vector<double> x(problem.size());
  while (stepper->t() < t_end) {
    EXPECT_EQ(stepper->step(t_end), StepStatus::kOk);
    for (double theta : {0.2, 0.5, 0.8}) {
      const double t = stepper->t_old() + theta * (stepper->t() - stepper->t_old());
      stepper->interpolate(t, x.data());
      errors.inside = std::fmax(errors.inside, problem.error(t, x.data()));
    }
  }
  errors.end = problem.error(t_end, stepper->x());
  const double t = stepper->t_old() + 0.4 * (stepper->t() - stepper->t_old());
  if (stepper->retake(t, x.data())) errors.retake = problem.error(t, x.data());
  return errors;
}

double order_of(double coarse, double fine) { return std::log2(coarse / fine); }

class FixedStepMethods : public ::testing::TestWithParam<const char*> {
 protected:
  std::string method() const { return GetParam(); }
  int order() const {
    const LinearDecay problem;
    return make_fixed_step(method(), problem, with_step(1))->order();
  }
};

INSTANTIATE_TEST_SUITE_P(All, FixedStepMethods, ::testing::Values("euler", "heun", "rk4", "ab3"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST_P(FixedStepMethods, ShowTheirOrder) {
  const HarmonicOscillator oscillator;
  const DrivenDecay driven(2);
  for (const TestProblem* problem :
       {static_cast<const TestProblem*>(&oscillator), static_cast<const TestProblem*>(&driven)}) {
    const Errors coarse = integrate(method(), *problem, 2, 1.0 / 64);
    const Errors fine = integrate(method(), *problem, 2, 1.0 / 128);
    EXPECT_NEAR(order_of(coarse.end, fine.end), order(), 0.1);
    // At least the order of the method, so that event times have it, too.
    EXPECT_GT(order_of(coarse.inside, fine.inside), order() - 0.1);
    if (method() != "ab3") {
      EXPECT_NEAR(order_of(coarse.retake, fine.retake), order(), 0.1);
    }
  }
}

TEST_P(FixedStepMethods, ShowTheirOrderThroughRestartsOffTheGrid) {
  const HarmonicOscillator problem;
  const auto error = [&](double h) {
    const auto stepper = make_fixed_step(method(), problem, with_step(h));
    stepper->start(0, problem.x0.data(), nullptr, 0);
    for (double event : {std::sqrt(0.2), std::sqrt(0.8), 2.0}) {
      while (stepper->t() < event) EXPECT_EQ(stepper->step(event), StepStatus::kOk);
      const std::vector<double> x(stepper->x(), stepper->x() + 2);
      stepper->start(event, x.data(), nullptr, 0);
    }
    return problem.error(2, stepper->x());
  };
  EXPECT_NEAR(order_of(error(1.0 / 64), error(1.0 / 128)), order(), 0.3);
}

TEST_P(FixedStepMethods, StayOnTheGridOfTheFirstStart) {
  const HarmonicOscillator problem;
  const double h = 0.1;
  const auto stepper = make_fixed_step(method(), problem, with_step(h));
  stepper->start(1, problem.x0.data(), nullptr, 0);
  for (int k = 1; k <= 1000; ++k) {
    ASSERT_EQ(stepper->step(1e9), StepStatus::kOk);
    ASSERT_EQ(stepper->t(), 1 + k * h);
  }
  const double event = 1 + 1000.3 * h;
  ASSERT_EQ(stepper->step(event), StepStatus::kOk);
  EXPECT_EQ(stepper->t(), event);
  stepper->start(event, problem.x0.data(), nullptr, 0);
  ASSERT_EQ(stepper->step(1e9), StepStatus::kOk);
  EXPECT_EQ(stepper->t(), 1 + 1001 * h);
  // Without a new start, too.
  ASSERT_EQ(stepper->step(1 + 1001.9 * h), StepStatus::kOk);
  EXPECT_EQ(stepper->t(), 1 + 1001.9 * h);
  ASSERT_EQ(stepper->step(1e9), StepStatus::kOk);
  EXPECT_EQ(stepper->t(), 1 + 1002 * h);
}

TEST_P(FixedStepMethods, TakeNoStepOfTheSizeOfARoundingError) {
  const HarmonicOscillator problem;
  const auto stepper = make_fixed_step(method(), problem, with_step(0.1));
  stepper->start(0, problem.x0.data(), nullptr, 0);
  double limit = 0;
  for (int k = 1; k <= 100; ++k) {
    limit += 0.1;  // not always k * 0.1
    ASSERT_EQ(stepper->step(limit), StepStatus::kOk);
    ASSERT_EQ(stepper->t(), limit);
  }
  EXPECT_EQ(stepper->statistics().steps, 100);
  // An event that ends a rounding error before a grid point counts as being there.
  stepper->start(std::nextafter(10.0, 0.0), problem.x0.data(), nullptr, 0);
  ASSERT_EQ(stepper->step(100), StepStatus::kOk);
  EXPECT_DOUBLE_EQ(stepper->t(), 10.1);
}

TEST_P(FixedStepMethods, InterpolateTheEndsExactly) {
  const HarmonicOscillator problem(3);
  const auto stepper = make_fixed_step(method(), problem, with_step(0.1));
  stepper->start(0, problem.x0.data(), nullptr, 0);
  std::vector<double> before = problem.x0;
  double x[2];
  for (int k = 0; k < 5; ++k) {
    ASSERT_EQ(stepper->step(10), StepStatus::kOk);
    stepper->interpolate(stepper->t_old(), x);
    EXPECT_EQ(x[0], before[0]);
    EXPECT_EQ(x[1], before[1]);
    stepper->interpolate(stepper->t(), x);
    EXPECT_EQ(x[0], stepper->x()[0]);
    EXPECT_EQ(x[1], stepper->x()[1]);
    before.assign(x, x + 2);
  }
}

TEST_P(FixedStepMethods, AllocateNothing) {
  const HarmonicOscillator problem;
  const auto stepper = make_fixed_step(method(), problem, with_step(0.01));
  double x[2];
  const testing::AllocationGuard guard;
  stepper->start(0, problem.x0.data(), nullptr, 0);
  for (int k = 0; k < 100; ++k) {
    stepper->step(0.995);
    const double middle = 0.5 * (stepper->t_old() + stepper->t());
    stepper->interpolate(middle, x);
    stepper->retake(middle, x);
  }
  EXPECT_EQ(guard.count(), 0);
}

TEST_P(FixedStepMethods, EvaluateNoMoreThanTheirStages) {
  const HarmonicOscillator problem;
  const auto stepper = make_fixed_step(method(), problem, with_step(0.01));
  stepper->start(0, problem.x0.data(), nullptr, 0);
  double x[2];
  for (int k = 0; k < 100; ++k) {
    ASSERT_EQ(stepper->step(10), StepStatus::kOk);
    stepper->interpolate(stepper->t_old() + 0.005, x);
  }
  // Cubic dense output evaluates f at the end of the step, which the next step uses.
  const long expected = method() == "euler"  ? 100
                        : method() == "heun" ? 200
                        : method() == "rk4"  ? 401
                                             : 105;  // ab3: two steps of Runge-Kutta first
  EXPECT_EQ(stepper->statistics().rhs, expected);
}

// x' = sqrt(1 - t) as NaN or as an EvaluationError beyond t = 1.
class BoundedDecay : public LinearDecay {
 public:
  explicit BoundedDecay(bool throws) : throws_(throws) {}
  void rhs(double t, const double*, double* f) const override {
    if (t > 1 && throws_) throw EvaluationError("square root of a negative number");
    f[0] = std::sqrt(1 - t);
  }

 private:
  bool throws_;
};

TEST_P(FixedStepMethods, NameTheVariableThatIsNotFinite) {
  const BoundedDecay problem(false);
  const auto stepper = make_fixed_step(method(), problem, with_step(0.3));
  stepper->start(0, problem.x0.data(), nullptr, 0);
  StepStatus status = StepStatus::kOk;
  double t = 0;
  std::vector<double> x = problem.x0;
  for (int k = 0; k < 10 && status == StepStatus::kOk; ++k) {
    t = stepper->t();
    x[0] = stepper->x()[0];
    status = stepper->step(10);
  }
  EXPECT_EQ(status, StepStatus::kNonFinite);
  EXPECT_NE(stepper->message().find("'x'"), std::string::npos) << stepper->message();
  EXPECT_EQ(stepper->t(), t);
  EXPECT_EQ(stepper->x()[0], x[0]);
  // Started anew, it works again.
  stepper->start(0, problem.x0.data(), nullptr, 0);
  EXPECT_EQ(stepper->step(10), StepStatus::kOk);
}

TEST_P(FixedStepMethods, PassOnWhatTheModelSays) {
  const BoundedDecay problem(true);
  const auto stepper = make_fixed_step(method(), problem, with_step(0.3));
  stepper->start(0, problem.x0.data(), nullptr, 0);
  StepStatus status = StepStatus::kOk;
  double x = 0;
  for (int k = 0; k < 10 && status == StepStatus::kOk; ++k) {
    status = stepper->step(10);
    // Dense output survives a failure at the end of the step.
    stepper->interpolate(0.5 * (stepper->t_old() + stepper->t()), &x);
    EXPECT_TRUE(std::isfinite(x));
  }
  EXPECT_EQ(status, StepStatus::kEvaluationFailed);
  EXPECT_NE(stepper->message().find("square root of a negative number"), std::string::npos);
}

TEST_P(FixedStepMethods, RefuseToStandStill) {
  const LinearDecay problem;
  const auto stepper = make_fixed_step(method(), problem, with_step(1e-3));
  stepper->start(0, problem.x0.data(), nullptr, 0);
  EXPECT_EQ(stepper->step(0), StepStatus::kStepTooSmall);
  EXPECT_THROW(
      stepper->start(std::numeric_limits<double>::quiet_NaN(), problem.x0.data(), nullptr, 0),
      ApiError);
}

TEST(FixedStep, NeedsAStepAndAKnownName) {
  const LinearDecay problem;
  EXPECT_THROW(make_fixed_step("rk4", problem, with_step(0)), ApiError);
  EXPECT_THROW(make_fixed_step("rk5", problem, with_step(1)), ApiError);
}

}  // namespace
}  // namespace arges
