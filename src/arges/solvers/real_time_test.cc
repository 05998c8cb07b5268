// Fixed-step methods of bounded cost, and multirate frames.

#include <atomic>
#include <cmath>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
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

SolverOptions with_fixed_step(double h) {
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
    const double coarse = error_at(GetParam(), *problem, 2, with_fixed_step(1.0 / 64));
    const double fine = error_at(GetParam(), *problem, 2, with_fixed_step(1.0 / 128));
    EXPECT_NEAR(std::log2(coarse / fine), 3, 0.25);
  }
}

TEST_P(RealTimeMethods, AnOldJacobianChangesLittle) {
  const DrivenDecay problem(2);
  SolverOptions options = with_fixed_step(1.0 / 64);
  const double fresh = error_at(GetParam(), problem, 2, options);
  options.jacobian_every = 20;
  EXPECT_NEAR(error_at(GetParam(), problem, 2, options), fresh, 0.01 * fresh + 1e-14);
}

TEST(RealTimeMethods, StiffDecaysStayWithinBounds) {
  const LinearDecay problem(1e4);
  EXPECT_LT(error_at("rt-bdf3", problem, 1, with_fixed_step(0.02)), 1e-6);
}

TEST(RealTimeMethods, CountTheirNewtonStepsAndJacobians) {
  const HarmonicOscillator problem;
  SolverOptions options = with_fixed_step(0.01);
  options.newton_steps = 3;
  options.constant_history = true;
  options.jacobian_every = 10;
  const auto stepper = make_stepper("rt-bdf3", problem, options);
  stepper->start(0, problem.x0.data(), nullptr, 0);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(stepper->step(2), StepStatus::kOk);
  EXPECT_EQ(stepper->statistics().newton_iterations, 300);
  EXPECT_EQ(stepper->statistics().factorizations, 10);
}

// Another one for each thread there ever was; the ids of the system are used again.
int number_of_thread() {
  static std::atomic<int> threads = 0;
  thread_local const int number = threads++;
  return number;
}

// Equations that can be evaluated in a second thread, and note in which threads they were.
template <class Problem>
class InTwoThreads : public Problem {
 public:
  using Problem::Problem;
  void rhs(double t, const double* x, double* f) const override {
    {
      const std::lock_guard lock(*mutex_);
      threads_->insert(number_of_thread());
    }
    Problem::rhs(t, x, f);
  }
  std::unique_ptr<const Equations> snapshot() const override {
    return has_snapshot ? std::make_unique<InTwoThreads>(*this) : nullptr;
  }
  std::size_t threads() const { return threads_->size(); }
  bool has_snapshot = true;

 private:
  std::shared_ptr<std::mutex> mutex_ = std::make_shared<std::mutex>();
  std::shared_ptr<std::set<int>> threads_ = std::make_shared<std::set<int>>();
};

std::vector<double> after_steps(const std::string& method, const TestProblem& problem, int steps,
                                const SolverOptions& options, SolverStatistics* spent = nullptr) {
  const auto stepper = make_stepper(method, problem, options);
  stepper->start(problem.t0, problem.x0.data(), nullptr, 0);
  for (int i = 0; i < steps; ++i)
    EXPECT_EQ(stepper->step(1e9), StepStatus::kOk) << stepper->message();
  if (spent != nullptr) *spent = stepper->statistics();
  return {stepper->x(), stepper->x() + problem.size()};
}

// y' = -y^2, y(0) = 1: y = 1 / (1 + t). Its Jacobian changes, so that an old one shows.
class Hyperbola : public TestProblem {
 public:
  Hyperbola() : TestProblem({1}, {"y"}, true, true) {}
  void rhs(double, const double* y, double* f) const override { f[0] = -y[0] * y[0]; }
  void jacobian(double, const double* y, const double*, double, double* j, double*) const override {
    j[0] = -2 * y[0];
  }
  std::vector<double> exact(double t) const override { return {1 / (1 + t)}; }
};

TEST(JacobianInTheBackground, TakenAfterAKnownNumberOfStepsIsRepeatable) {
  const InTwoThreads<Hyperbola> problem;
  SolverOptions options = with_fixed_step(0.01);
  options.jacobian_background = true;
  options.newton_steps = 1;
  options.background_lag = 3;
  SolverStatistics spent;
  const std::vector<double> first = after_steps("rt-bdf3", problem, 302, options, &spent);
  EXPECT_EQ(problem.threads(), 2u);
  EXPECT_EQ(after_steps("rt-bdf3", problem, 302, options), first);
  // Two first steps have their own Jacobians, the third the one that all begins with; then one in
  // three steps.
  EXPECT_EQ(spent.jacobians, 3 + 99);
  options.background_lag = 4;
  EXPECT_NE(after_steps("rt-bdf3", problem, 302, options), first);
  // An old Jacobian changes how fast Newton's steps converge, not what they converge to.
  options.newton_steps = 4;
  const std::vector<double> old = after_steps("rt-bdf3", problem, 302, options);
  options.jacobian_background = false;
  EXPECT_NEAR(old[0], after_steps("rt-bdf3", problem, 302, options)[0], 1e-13);
  EXPECT_GT(std::abs(first[0] - old[0]), 1e-13);
}

TEST(JacobianInTheBackground, TakenWhenItIsReadyConvergesToTheSameSolution) {
  const InTwoThreads<Hyperbola> problem;
  SolverOptions options = with_fixed_step(0.01);
  options.newton_steps = 20;
  options.jacobian_background = true;
  const auto stepper = make_stepper("rt-bdf3", problem, options);
  stepper->start(0, problem.x0.data(), nullptr, 0);
  int steps = 0;
  // Three of its own, at the start; then those of the other thread, whenever it gets to them.
  while (steps < 100 || (steps < 100000 && stepper->statistics().jacobians < 6)) {
    ASSERT_EQ(stepper->step(1e9), StepStatus::kOk);
    ++steps;
    std::this_thread::yield();
  }
  EXPECT_GE(stepper->statistics().jacobians, 6);
  EXPECT_EQ(problem.threads(), 2u);
  options.jacobian_background = false;
  EXPECT_NEAR(stepper->x()[0], after_steps("rt-bdf3", problem, steps, options)[0], 1e-13);
}

TEST(JacobianInTheBackground, OneThreadServesAllStarts) {
  const InTwoThreads<Hyperbola> problem;
  SolverOptions options = with_fixed_step(0.01);
  options.jacobian_background = true;
  options.background_lag = 2;
  const auto stepper = make_stepper("rt-bdf3", problem, options);
  for (int event = 0; event < 20; ++event) {
    stepper->start(0, problem.x0.data(), nullptr, 0);
    for (int i = 0; i < 9; ++i) ASSERT_EQ(stepper->step(1e9), StepStatus::kOk);
    EXPECT_NEAR(stepper->x()[0], 1 / 1.09, 1e-6);
  }
  EXPECT_EQ(problem.threads(), 2u);
}

TEST(JacobianInTheBackground, WithoutASnapshotEachStepHasItsOwn) {
  InTwoThreads<Hyperbola> problem;
  SolverOptions options = with_fixed_step(0.01);
  const std::vector<double> in_step = after_steps("rt-bdf3", problem, 100, options);
  problem.has_snapshot = false;
  options.jacobian_background = true;
  EXPECT_EQ(after_steps("rt-bdf3", problem, 100, options), in_step);
  EXPECT_EQ(problem.threads(), 1u);
}

TEST(RealTimeMethods, ImplicitEulerIsOfOrderOneAndSolvesItsEquation) {
  const Hyperbola problem;
  SolverOptions options = with_fixed_step(0.1);
  options.newton_steps = 5;
  options.bdf_order = 1;
  // y1 = 1 - h y1^2.
  EXPECT_NEAR(after_steps("rt-bdf3", problem, 1, options)[0], (std::sqrt(1.4) - 1) / 0.2, 1e-14);
  options.step = 1.0 / 64;
  const double coarse = error_at("rt-bdf3", problem, 2, options);
  options.step = 1.0 / 128;
  const double fine = error_at("rt-bdf3", problem, 2, options);
  EXPECT_NEAR(std::log2(coarse / fine), 1, 0.05);
}

TEST(RealTimeMethods, NewtonStepsEndWhenTheResidualIsSmall) {
  const HarmonicOscillator linear;
  SolverOptions options = with_fixed_step(0.01);
  options.newton_steps = 10;
  options.newton_tolerance = 1e-12;
  options.constant_history = true;
  SolverStatistics spent;
  after_steps("rt-bdf3", linear, 100, options, &spent);
  EXPECT_EQ(spent.newton_iterations, 100);
}

TEST(RealTimeMethods, ProjectionStepsNeedConstraints) {
  const HarmonicOscillator problem;
  SolverOptions options = with_fixed_step(0.01);
  options.projection_steps = 1;
  EXPECT_THROW(make_stepper("rt-ab3", problem, options), UserError);
}

TEST(Multirate, WithoutNamesIsRungeKuttaWithShortSteps) {
  const HarmonicOscillator problem;
  SolverOptions frames = with_fixed_step(0.1);
  frames.frame_ratio = 4;
  const double whole = error_at("multirate", problem, 2, frames);
  EXPECT_NEAR(whole, error_at("rk4", problem, 2, with_fixed_step(0.025)), 1e-14);
}

TEST(Multirate, TheParallelVariantHasTheSameBitsOnOneThreadAndOnTwo) {
  InTwoThreads<testing::Kepler> problem(0.3);
  SolverOptions frames = with_fixed_step(0.02);
  frames.frame_ratio = 5;
  frames.fast = {"vx", "vy"};
  problem.has_snapshot = false;
  SolverStatistics alone, together;
  const std::vector<double> one = after_steps("multirate-parallel", problem, 500, frames, &alone);
  EXPECT_EQ(problem.threads(), 1u);
  problem.has_snapshot = true;
  EXPECT_EQ(after_steps("multirate-parallel", problem, 500, frames, &together), one);
  EXPECT_EQ(problem.threads(), 2u);
  EXPECT_EQ(alone.rhs, together.rhs);
  EXPECT_NE(after_steps("multirate", problem, 500, frames), one);
}

TEST(Multirate, AnErrorInEitherThreadEndsTheStep) {
  class Fails : public HarmonicOscillator {
   public:
    explicit Fails(double at) : at_(at) {}
    void rhs(double t, const double* x, double* f) const override {
      if (t > at_) throw EvaluationError("too late");
      HarmonicOscillator::rhs(t, x, f);
    }
    std::unique_ptr<const Equations> snapshot() const override {
      return std::make_unique<Fails>(at_);
    }

   private:
    double at_;
  };
  const Fails problem(0.55);
  SolverOptions frames = with_fixed_step(0.1);
  frames.fast = {"p"};
  const auto stepper = make_stepper("multirate-parallel", problem, frames);
  stepper->start(0, problem.x0.data(), nullptr, 0);
  for (int i = 0; i < 5; ++i) ASSERT_EQ(stepper->step(9), StepStatus::kOk);
  EXPECT_EQ(stepper->step(9), StepStatus::kEvaluationFailed);
  EXPECT_NE(stepper->message().find("too late"), std::string::npos);
}

TEST(Multirate, AFastStateHasToExist) {
  const HarmonicOscillator problem;
  SolverOptions frames = with_fixed_step(0.1);
  frames.fast = {"nobody"};
  EXPECT_THROW(make_stepper("multirate", problem, frames), UserError);
  frames.fast.clear();
  frames.frame_ratio = 0;
  EXPECT_THROW(make_stepper("multirate", problem, frames), UserError);
}

}  // namespace
}  // namespace arges
