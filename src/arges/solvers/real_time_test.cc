// Fixed-step methods of bounded cost, and multirate frames.

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/solvers/stepper.h"
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

double error_at(const std::string& method, const TestProblem& problem, double t_end,
                const SolverOptions& options) {
  const auto stepper = make_stepper(method, problem, options);
  stepper->start(problem.t0, problem.x0.data(), nullptr, 0);
  while (stepper->t() < t_end) {
    EXPECT_EQ(stepper->step(t_end), StepStatus::kOk) << stepper->message();
    if (::testing::Test::HasFailure()) break;
  }
  return problem.error(t_end, stepper->x());
}

class RealTimeMethods : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, RealTimeMethods,
                         ::testing::Values("rt-ab3", "rt-bdf3", "rt-ab3-bdf3"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(RealTimeMethods, ShowTheirOrder) {
  const HarmonicOscillator oscillator;
  const DrivenDecay driven(2);
  for (const TestProblem* problem :
       {static_cast<const TestProblem*>(&oscillator), static_cast<const TestProblem*>(&driven)}) {
    const double coarse = error_at(GetParam(), *problem, 2, with_step(1.0 / 64));
    const double fine = error_at(GetParam(), *problem, 2, with_step(1.0 / 128));
    EXPECT_NEAR(std::log2(coarse / fine), 3, 0.25);
  }
}

TEST_P(RealTimeMethods, AnOldJacobianChangesLittle) {
  const DrivenDecay problem(2);
  SolverOptions options = with_step(1.0 / 64);
  const double fresh = error_at(GetParam(), problem, 2, options);
  options.jacobian_every = 20;
  EXPECT_NEAR(error_at(GetParam(), problem, 2, options), fresh, 0.01 * fresh + 1e-14);
}

TEST(RealTimeMethods, StiffDecaysStayWithinBounds) {
  const LinearDecay problem(1e4);
  EXPECT_LT(error_at("rt-bdf3", problem, 1, with_step(0.02)), 1e-6);
}

TEST(RealTimeMethods, CountTheirNewtonStepsAndJacobians) {
  const HarmonicOscillator problem;
  SolverOptions options = with_step(0.01);
  options.newton_steps = 3;
  options.constant_history = true;
  options.jacobian_every = 10;
  const auto stepper = make_stepper("rt-bdf3", problem, options);
  stepper->start(0, problem.x0.data(), nullptr, 0);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(stepper->step(2), StepStatus::kOk);
  EXPECT_EQ(stepper->statistics().newton_iterations, 300);
  EXPECT_EQ(stepper->statistics().factorizations, 10);
}

TEST(RealTimeMethods, ProjectionStepsNeedConstraints) {
  const HarmonicOscillator problem;
  SolverOptions options = with_step(0.01);
  options.projection_steps = 1;
  EXPECT_THROW(make_stepper("rt-ab3", problem, options), UserError);
}

TEST(Multirate, WithoutNamesIsRungeKuttaWithShortSteps) {
  const HarmonicOscillator problem;
  SolverOptions frames = with_step(0.1);
  frames.frame_ratio = 4;
  const double whole = error_at("multirate", problem, 2, frames);
  EXPECT_NEAR(whole, error_at("rk4", problem, 2, with_step(0.025)), 1e-14);
}

TEST(Multirate, AFastStateHasToExist) {
  const HarmonicOscillator problem;
  SolverOptions frames = with_step(0.1);
  frames.fast = {"nobody"};
  EXPECT_THROW(make_stepper("multirate", problem, frames), UserError);
  frames.fast.clear();
  frames.frame_ratio = 0;
  EXPECT_THROW(make_stepper("multirate", problem, frames), UserError);
}

}  // namespace
}  // namespace arges
