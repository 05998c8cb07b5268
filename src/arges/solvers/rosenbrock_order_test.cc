// The observed orders of rodas5p: with steps of fixed length, the error falls like h^5.
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "arges/solvers/factories.h"
#include "testing/test_problems.h"

namespace arges {
namespace {

using testing::TestProblem;

// The tolerance is so loose that every step is accepted, and max_step is its length.
SolverOptions fixed(double h) {
  SolverOptions options;
  options.rtol = 0.5;
  options.atol = 1e10;
  options.step = options.max_step = h;
  return options;
}

enum class Where { kEnd, kAllSteps, kInside };

// The largest error at the end, after any step, or of the dense output at 9 points in each step.
double error_with_step(const TestProblem& problem, double h, double t_end,
                       Where where = Where::kAllSteps) {
  const auto stepper = make_rosenbrock("rodas5p", problem, fixed(h));
  stepper->start(problem.t0, problem.x0.data(), nullptr, 0);
  std::vector<double> x(problem.size());
  double worst = 0;
  while (stepper->t() < t_end) {
    EXPECT_EQ(stepper->step(t_end), StepStatus::kOk) << stepper->message();
    if (where == Where::kAllSteps || (where == Where::kEnd && stepper->t() == t_end))
      worst = std::max(worst, problem.error(stepper->t(), stepper->x()));
    for (int k = 1; where == Where::kInside && k < 10; ++k) {
      const double t = stepper->t_old() + 0.1 * k * (stepper->t() - stepper->t_old());
      stepper->interpolate(t, x.data());
      worst = std::max(worst, problem.error(t, x.data()));
    }
  }
  EXPECT_EQ(stepper->t(), t_end);
  return worst;
}

double observed_order(const std::function<double(double)>& error, double h) {
  return std::log2(error(h) / error(h / 2));
}

// x' = x^2 cos(t) written without t: x = 1 / (1.5 - sin t), with s = sin t and c = cos t as states.
class Rational : public TestProblem {
 public:
  Rational() : TestProblem({1 / 1.5, 0, 1}, {"x", "s", "c"}, true, true) {}
  void rhs(double, const double* x, double* f) const override {
    f[0] = x[0] * x[0] * x[2];
    f[1] = x[2];
    f[2] = -x[1];
  }
  void jacobian(double, const double* x, const double*, double, double* j, double*) const override {
    j[0] = 2 * x[0] * x[2];
    j[6] = x[0] * x[0];
    j[7] = 1;
    j[5] = -1;
  }
  std::vector<double> exact(double t) const override {
    return {1 / (1.5 - std::sin(t)), std::sin(t), std::cos(t)};
  }
};

// The same with t: not autonomous, and with difference Jacobians if asked for.
class RationalInTime : public TestProblem {
 public:
  explicit RationalInTime(bool analytic) : TestProblem({1 / 1.5}, {"x"}, false, analytic) {}
  void rhs(double t, const double* x, double* f) const override {
    f[0] = x[0] * x[0] * std::cos(t);
  }
  void jacobian(double t, const double* x, const double*, double, double* j,
                double* dfdt) const override {
    j[0] = 2 * x[0] * std::cos(t);
    dfdt[0] = -x[0] * x[0] * std::sin(t);
  }
  std::vector<double> exact(double t) const override { return {1 / (1.5 - std::sin(t))}; }
};

// Prothero and Robinson: x' = lambda (x - phi) + phi', phi = sin(t + 1/4).
class ProtheroRobinson : public TestProblem {
 public:
  explicit ProtheroRobinson(double lambda)
      : TestProblem({std::sin(0.25)}, {"x"}, false, true), lambda_(lambda) {}
  void rhs(double t, const double* x, double* f) const override {
    f[0] = lambda_ * (x[0] - std::sin(t + 0.25)) + std::cos(t + 0.25);
  }
  void jacobian(double t, const double*, const double*, double, double* j,
                double* dfdt) const override {
    j[0] = lambda_;
    dfdt[0] = -lambda_ * std::cos(t + 0.25) - std::sin(t + 0.25);
  }
  std::vector<double> exact(double t) const override { return {std::sin(t + 0.25)}; }

 private:
  double lambda_;
};

// Index 1: y' = -z y / w, w' = -w, 0 = z^3 - (y w)^3, so that y' = -y^2.
class IndexOne : public TestProblem {
 public:
  IndexOne() : TestProblem({0.5, 1, 0.5}, {"y", "w", "z"}, true, true) {
    form_ = EquationForm::kSemiExplicit;
    differential_ = kDifferential;
  }
  void rhs(double, const double* x, double* f) const override {
    f[0] = -x[2] * x[0] / x[1];
    f[1] = -x[1];
    f[2] = x[2] * x[2] * x[2] - x[0] * x[0] * x[0] * x[1] * x[1] * x[1];
  }
  void jacobian(double, const double* x, const double*, double, double* j, double*) const override {
    j[0] = -x[2] / x[1];
    j[3] = x[2] * x[0] / (x[1] * x[1]);
    j[6] = -x[0] / x[1];
    j[4] = -1;
    j[2] = -3 * x[0] * x[0] * x[1] * x[1] * x[1];
    j[5] = -3 * x[0] * x[0] * x[0] * x[1] * x[1];
    j[8] = 3 * x[2] * x[2];
  }
  std::vector<double> exact(double t) const override {
    return {1 / (2 + t), std::exp(-t), std::exp(-t) / (2 + t)};
  }

 private:
  static constexpr std::uint8_t kDifferential[3] = {1, 1, 0};
};

TEST(RosenbrockOrder, IsFiveOnASmoothProblem) {
  const Rational problem;
  const auto error = [&](double h) { return error_with_step(problem, h, 2); };
  EXPECT_NEAR(observed_order(error, 0.1), 5, 0.35);
  EXPECT_NEAR(observed_order(error, 0.05), 5, 0.3);
  EXPECT_LT(error(0.05), 1e-6);
}

TEST(RosenbrockOrder, IsFiveWhenTimeEntersExplicitly) {
  const RationalInTime problem(true);
  const auto error = [&](double h) { return error_with_step(problem, h, 2); };
  EXPECT_NEAR(observed_order(error, 0.1), 5, 0.35);
  EXPECT_NEAR(observed_order(error, 0.05), 5, 0.3);
}

TEST(RosenbrockOrder, DifferenceJacobiansKeepTheAccuracy) {
  const RationalInTime analytic(true), differences(false);
  for (double h : {0.2, 0.1, 0.05}) {
    const double exact = error_with_step(analytic, h, 2);
    EXPECT_NEAR(error_with_step(differences, h, 2), exact, 0.05 * exact + 1e-10) << h;
  }
}

// At the end: the first steps, from exact values, have local errors in z that are larger.
TEST(RosenbrockOrder, IsFiveForTheVariablesOfAnIndexOneDae) {
  const IndexOne problem;
  const auto error = [&](double h) { return error_with_step(problem, h, 2, Where::kEnd); };
  EXPECT_NEAR(observed_order(error, 0.025), 5, 0.3);
  EXPECT_NEAR(observed_order(error, 0.0125), 5, 0.2);
  EXPECT_LT(error(0.025), 2e-9);
}

// Other methods fall to order 2 or 1 where h lambda is large. Here one bound of order 4 holds for
// all lambda, for the steps and for the dense output.
TEST(RosenbrockOrder, IsAtLeastFourUniformlyInTheStiffness) {
  for (double lambda : {-1.0, -1e1, -1e2, -1e3, -1e4, -1e6}) {
    const ProtheroRobinson problem(lambda);
    for (double h : {0.4, 0.2, 0.1, 0.05, 0.025}) {
      EXPECT_LT(error_with_step(problem, h, 2), 3e-4 * std::pow(h, 4)) << lambda << " " << h;
      EXPECT_LT(error_with_step(problem, h, 2, Where::kInside), 6e-4 * std::pow(h, 4))
          << lambda << " " << h;
    }
  }
}

TEST(RosenbrockOrder, DenseOutputHasGlobalOrderFourOrMore) {
  const Rational problem;
  const IndexOne dae;
  const auto error = [&](double h) { return error_with_step(problem, h, 2, Where::kInside); };
  const auto dae_error = [&](double h) { return error_with_step(dae, h, 2, Where::kInside); };
  EXPECT_GT(observed_order(error, 0.1), 3.8);
  EXPECT_GT(observed_order(error, 0.05), 3.8);
  EXPECT_GT(observed_order(dae_error, 0.025), 3.8);
}

// The retaken step to the middle has the local error of a step of half the length: order 6.
TEST(RosenbrockOrder, ARetakenStepHasTheOrderOfTheMethod) {
  const Rational problem;
  const auto error = [&](double h) {
    const auto stepper = make_rosenbrock("rodas5p", problem, fixed(h));
    stepper->start(0, problem.x0.data(), nullptr, 0);
    EXPECT_EQ(stepper->step(10), StepStatus::kOk);
    double before[3], after[3], x[3];
    stepper->interpolate(0.3 * h, before);
    EXPECT_TRUE(stepper->retake(0.5 * h, x));
    stepper->interpolate(0.3 * h, after);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(before[i], after[i]);
    EXPECT_EQ(stepper->t(), h);
    EXPECT_TRUE(stepper->retake(h, after));
    for (int i = 0; i < 3; ++i) EXPECT_EQ(after[i], stepper->x()[i]);
    return problem.error(0.5 * h, x);
  };
  EXPECT_NEAR(observed_order(error, 0.4), 6, 0.5);
}

}  // namespace
}  // namespace arges
