#include "arges/solvers/step_controller.h"

#include <cmath>

#include <gtest/gtest.h>

namespace arges {
namespace {

TEST(InverseRoot, IsTooSmallByAtMostSixTenthsOfAPercent) {
  for (double x = 1e-20; x < 1e20; x *= 1.0371) {
    const double ratio = inverse_root<10>(x) * std::pow(x, 0.1);
    EXPECT_LE(ratio, 1 + 1e-12) << x;
    EXPECT_GE(ratio, 0.994) << x;
  }
}

TEST(StepController, AnErrorAtTheToleranceShortensTheNextStepBySafetyAlone) {
  StepController<5> controller;
  controller.reset();
  EXPECT_NEAR(controller.accept(1, 0.1, false), 0.9, 0.006);
}

TEST(StepController, TheFactorFollowsTheOrderOfTheMethod) {
  StepController<5> controller;
  controller.reset();
  // An error of 2^-5 of the tolerance: twice the step.
  EXPECT_NEAR(controller.accept(std::pow(2, -10), 0.1, false), 1.8, 0.012);
}

TEST(StepController, AnErrorThatGrewHoldsTheNextStepBack) {
  StepController<5> controller;
  controller.reset();
  controller.accept(std::pow(2, -10), 0.1, false);
  // h / h_old * (e_old / e^2)^(1/5) = 1 * 2^-1, below e^(-1/5) = 1.
  EXPECT_NEAR(controller.accept(1, 0.1, false), 0.45, 0.006);
}

TEST(StepController, StepsGrowByNoMoreThanSixAndNotAfterARejection) {
  StepController<5> controller;
  controller.reset();
  EXPECT_EQ(controller.accept(0, 0.1, false), 6);
  EXPECT_EQ(controller.reject(1e30), 0.2);
  EXPECT_EQ(controller.accept(0, 0.02, false), 1);
}

}  // namespace
}  // namespace arges
