#include <cmath>

#include <gtest/gtest.h>

#include "arges/solvers/factories.h"
#include "testing/sundials_problems.h"

namespace arges {
namespace {

using namespace testing;

class EachArkode : public ::testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<Stepper> started(const TestProblem& problem, double rtol) {
    SolverOptions options;
    options.rtol = rtol;
    auto stepper = make_arkode(GetParam(), problem, options);
    stepper->start(problem.t0, problem.x0.data(), nullptr, 0);
    return stepper;
  }
  // Steps of one size: a tolerance that every step passes, and a largest step.
  std::unique_ptr<Stepper> started_with_step(const TestProblem& problem, double h) {
    SolverOptions options;
    options.rtol = 1e-6;
    options.atol = 1e6;
    options.step = options.max_step = h;
    auto stepper = make_arkode(GetParam(), problem, options);
    stepper->start(problem.t0, problem.x0.data(), nullptr, 0);
    return stepper;
  }
};
INSTANTIATE_TEST_SUITE_P(Arkode, EachArkode, ::testing::Values("arkode-erk", "arkode-dirk"),
                         [](const auto& each) { return std::string(each.param).substr(7); });

// Newton's iteration is exact in one step for a linear problem, so the loose tolerance that fixes
// the step does not hide the order of the implicit method.
TEST_P(EachArkode, HasOrderFive) {
  const DrivenDecay problem(1);
  double errors[2];
  for (int k = 0; k < 2; ++k) {
    const int steps = 16 << k;
    const auto stepper = started_with_step(problem, 2.0 / steps);
    ASSERT_EQ(run_to(*stepper, 2), StepStatus::kOk);
    EXPECT_LE(stepper->statistics().steps, steps + 1);
    errors[k] = problem.error(2, stepper->x());
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 5, 0.4) << errors[0];
}

TEST_P(EachArkode, DenseOutputAndRetakenStepsHaveOrderFiveToo) {
  const DrivenDecay problem(1);
  double dense[2] = {0, 0}, retaken[2] = {0, 0};
  for (int k = 0; k < 2; ++k) {
    const auto stepper = started_with_step(problem, 2.0 / (16 << k));
    while (stepper->t() < 2) {
      ASSERT_EQ(stepper->step(2), StepStatus::kOk);
      for (const double s : {0.2, 0.35, 0.8}) {
        const double t = stepper->t_old() + s * (stepper->t() - stepper->t_old());
        double x = 0;
        stepper->interpolate(t, &x);
        dense[k] = std::max(dense[k], problem.error(t, &x));
        ASSERT_TRUE(stepper->retake(t, &x));
        retaken[k] = std::max(retaken[k], problem.error(t, &x));
      }
    }
  }
  EXPECT_GT(std::log2(dense[0] / dense[1]), 4.6) << dense[0];
  EXPECT_GT(std::log2(retaken[0] / retaken[1]), 4.6) << retaken[0];
}

TEST_P(EachArkode, RetakingLeavesTheCourseOfTheRun) {
  const Kepler kepler(0.3);
  const auto plain = started(kepler, 1e-8), probed = started(kepler, 1e-8);
  std::vector<double> x(4);
  while (plain->t() < 3) {
    ASSERT_EQ(plain->step(3), StepStatus::kOk);
    ASSERT_EQ(probed->step(3), StepStatus::kOk);
    ASSERT_TRUE(probed->retake(probed->t(), x.data()));
    for (int i = 0; i < 4; ++i) ASSERT_EQ(probed->x()[i], x[i]);
    ASSERT_TRUE(probed->retake(0.5 * (probed->t_old() + probed->t()), x.data()));
    probed->interpolate(0.7 * probed->t_old() + 0.3 * probed->t(), x.data());
    ASSERT_EQ(plain->t(), probed->t());
    for (int i = 0; i < 4; ++i) ASSERT_EQ(plain->x()[i], probed->x()[i]);
  }
}

// The two-state model of ARGESIM C5: x1 follows x2 with a rate of 2.7e6, and the
// mode changes where x1 reaches a limit.
class Switching : public TestProblem {
 public:
  Switching() : TestProblem({4.2, 0.3}, {"y1", "y2"}, true, true) {}
  void change_mode() {
    low_ = !low_;
    c2_ = low_ ? -0.3 : 0.4;
    c4_ = low_ ? 2.73 : 5.5;
  }
  // Negative until the event.
  double indicator(const double* x) const { return low_ ? 2.5 - x[0] : x[0] - 5.8; }
  void rhs(double, const double* x, double* f) const override {
    f[0] = 2.7e6 * (x[1] + c2_ - x[0]);
    f[1] = 3.5651205 * (c4_ - x[1]);
  }
  void jacobian(double, const double*, const double*, double, double* j, double*) const override {
    j[0] = -2.7e6;
    j[2] = 2.7e6;
    j[3] = -3.5651205;
  }

 private:
  bool low_ = false;
  double c2_ = 0.4, c4_ = 5.5;
};

TEST(ArkodeDirk, RetakenStepsLocateEventsOfAStiffProblem) {
  const double exact[] = {1.108306167771131187162, 2.12968535515471389321, 3.054152906995719468862,
                          4.07553209437930217491, 4.999999646220307750563};
  Switching problem;
  SolverOptions options;
  options.rtol = 1e-12;
  options.atol = 1e-14;
  const auto stepper = make_arkode("arkode-dirk", problem, options);
  std::vector<double> x = problem.x0;
  stepper->start(0, x.data(), nullptr, 0);
  for (const double event : exact) {
    do {
      ASSERT_EQ(stepper->step(5), StepStatus::kOk);
    } while (problem.indicator(stepper->x()) < 0 && stepper->t() < 5);
    double before = stepper->t_old(), after = stepper->t();
    while (after - before > 1e-14 * after) {
      const double middle = 0.5 * (before + after);
      if (middle <= before || middle >= after) break;
      ASSERT_TRUE(stepper->retake(middle, x.data()));
      (problem.indicator(x.data()) < 0 ? before : after) = middle;
    }
    EXPECT_NEAR(after, event, 1e-10);
    ASSERT_TRUE(stepper->retake(after, x.data()));
    problem.change_mode();
    stepper->start(after, x.data(), nullptr, 0);
  }
}

}  // namespace
}  // namespace arges
