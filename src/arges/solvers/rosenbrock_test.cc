// What rodas5p promises to its callers: accuracy at the tolerance, limits, failures, no allocation.
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "arges/solvers/factories.h"
#include "testing/allocation_guard.h"
#include "testing/test_problems.h"

namespace arges {
namespace {

using testing::TestProblem;

SolverOptions tolerance(double rtol, double atol = -1) {
  SolverOptions options;
  options.rtol = rtol;
  options.atol = atol;
  return options;
}

std::unique_ptr<Stepper> make(const Equations& equations, const SolverOptions& options) {
  return make_rosenbrock("rodas5p", equations, options);
}

void run(Stepper& stepper, const TestProblem& problem, double t_end) {
  stepper.start(problem.t0, problem.x0.data(), nullptr, 0);
  while (stepper.t() < t_end) ASSERT_EQ(stepper.step(t_end), StepStatus::kOk) << stepper.message();
}

// A problem from lambdas, for what is only needed once.
class Custom : public TestProblem {
 public:
  using Function = std::function<void(double, const double*, double*)>;
  Custom(std::vector<double> start, std::vector<std::string> names, Function f)
      : TestProblem(std::move(start), std::move(names), false, false), f_(std::move(f)) {}
  void rhs(double t, const double* x, double* f) const override { f_(t, x, f); }
  void make_algebraic(std::span<const std::uint8_t> differential) {
    form_ = EquationForm::kSemiExplicit;
    differential_ = differential;
  }

 private:
  Function f_;
};

TEST(Rosenbrock, LithiumIsWithinTenTolerancesOfTheReference) {
  const testing::Lithium problem;
  for (double rtol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    const auto stepper = make(problem, tolerance(rtol));
    stepper->start(0, problem.x0.data(), nullptr, 0);
    for (const auto& reference : testing::Lithium::reference()) {
      while (stepper->t() < reference.t) ASSERT_EQ(stepper->step(reference.t), StepStatus::kOk);
      EXPECT_NEAR(stepper->x()[0], reference.f, 10 * rtol * reference.f) << rtol;
      EXPECT_NEAR(stepper->x()[1], reference.m, 10 * rtol * reference.m) << rtol;
      EXPECT_NEAR(stepper->x()[2], reference.r, 10 * rtol * reference.r) << rtol;
    }
  }
}

class Robertson : public TestProblem {
 public:
  Robertson() : TestProblem({1, 0, 0}, {"a", "b", "c"}, true, true) {}
  void rhs(double, const double* x, double* f) const override {
    f[0] = -0.04 * x[0] + 1e4 * x[1] * x[2];
    f[2] = 3e7 * x[1] * x[1];
    f[1] = -f[0] - f[2];
  }
  void jacobian(double, const double* x, const double*, double, double* j, double*) const override {
    j[0] = -0.04;
    j[3] = 1e4 * x[2];
    j[6] = 1e4 * x[1];
    j[5] = 6e7 * x[1];
    for (int k : {0, 3, 6}) j[k + 1] = -j[k] - j[k + 2];
  }
};

// Reference values of the IVP test set (Mazzia and Magherini), 14 digits.
TEST(Rosenbrock, RobertsonOverElevenDecades) {
  const Robertson problem;
  const auto stepper = make(problem, tolerance(1e-8, 1e-16));
  run(*stepper, problem, 1e11);
  EXPECT_NEAR(stepper->x()[0], 0.2083340149701255e-7, 1e-6 * 0.2083340149701255e-7);
  EXPECT_NEAR(stepper->x()[1], 0.8333360770334713e-13, 1e-6 * 0.8333360770334713e-13);
  EXPECT_NEAR(stepper->x()[2], 0.9999999791665050, 1e-8);
}

// Van der Pol with mu = 1000 in the scaling of the IVP test set, 16 digits there.
TEST(Rosenbrock, StiffVanDerPol) {
  const double mu = 1000;
  const testing::VanDerPol problem(mu);
  const auto stepper = make(problem, tolerance(1e-9));
  run(*stepper, problem, 2000);
  // y1(2) and y2(2) of x'' = ((1 - x^2) x' - x) / 1e-6, with t = mu s and v = y2 / mu.
  EXPECT_NEAR(stepper->x()[0], 1.706167732170483, 1e-7);
  EXPECT_NEAR(stepper->x()[1] * mu, -0.8928097010247975, 1e-7);
}

// What is infinitely stiff is right at the end of any step, however long (Prothero and Robinson).
TEST(Rosenbrock, IsAsAccurateInsideOfStiffStepsAsAtTheirEnds) {
  const auto largest_error = [](const TestProblem& problem, double rtol) {
    const auto stepper = make(problem, tolerance(rtol));
    stepper->start(0, problem.x0.data(), nullptr, 0);
    double error = 0;
    std::vector<double> x(problem.x0.size());
    while (stepper->t() < 10) {
      EXPECT_EQ(stepper->step(10), StepStatus::kOk) << stepper->message();
      for (int k = 0; k <= 10; ++k) {
        const double t = stepper->t_old() + 0.1 * k * (stepper->t() - stepper->t_old());
        stepper->interpolate(t, x.data());
        error = std::max(error, std::abs(x[0] - std::cos(t)));
      }
    }
    return error;
  };
  for (const double rtol : {1e-4, 1e-6, 1e-9}) {
    for (const double stiffness : {1e2, 1e3, 1e4, 1e6, 1e8, 1e12}) {
      const Custom decay({1}, {"x"}, [stiffness](double t, const double* x, double* f) {
        f[0] = -stiffness * (x[0] - std::cos(t)) - std::sin(t);
      });
      EXPECT_LT(largest_error(decay, rtol), 4 * rtol) << rtol << " " << stiffness;
    }
  }
}

// Algebraic variables along a front: y = tanh(200 (x - 1/2)), z^3 + z = 2 y, x = exp(-t).
TEST(Rosenbrock, AlgebraicVariablesAreAsAccurateInsideOfSteps) {
  constexpr std::uint8_t kDifferential[] = {1, 0, 0};
  Custom problem({1, 1, 1}, {"x", "y", "z"}, [](double, const double* x, double* f) {
    f[0] = -x[0];
    f[1] = x[1] - std::tanh(200 * (x[0] - 0.5));
    f[2] = x[2] * x[2] * x[2] + x[2] - 2 * x[1];
  });
  problem.make_algebraic(kDifferential);
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const auto stepper = make(problem, tolerance(rtol));
    stepper->start(0, problem.x0.data(), nullptr, 0);
    double error = 0;
    std::vector<double> x(3);
    while (stepper->t() < 3) {
      ASSERT_EQ(stepper->step(3), StepStatus::kOk) << stepper->message();
      for (int k = 0; k <= 10; ++k) {
        const double t = stepper->t_old() + 0.1 * k * (stepper->t() - stepper->t_old());
        stepper->interpolate(t, x.data());
        error = std::max(error, std::abs(x[1] - std::tanh(200 * (std::exp(-t) - 0.5))));
      }
    }
    EXPECT_LT(error, 10 * rtol) << rtol;
  }
}

TEST(Rosenbrock, FollowsAForcedStiffEquationWithDifferenceJacobians) {
  const testing::DrivenDecay analytic(1e4);
  const Custom problem(
      {0}, {"x"}, [](double t, const double* x, double* f) { f[0] = -1e4 * (x[0] - std::cos(t)); });
  const auto stepper = make(problem, tolerance(1e-8));
  run(*stepper, problem, 10);
  EXPECT_LT(analytic.error(10, stepper->x()), 1e-8);
  EXPECT_LT(stepper->statistics().steps, 200);
}

// u_t = u_xx on (0, 1) with u = 0 at both ends: the lowest mode of the difference equations decays
// with a known rate.
class Heat : public TestProblem {
 public:
  explicit Heat(int n, bool sparse)
      : TestProblem(sine(n), std::vector<std::string>(n, "u"), true, false) {
    std::vector<std::pair<int, int>> entries;
    for (int i = 1; i < n; ++i) entries.insert(entries.end(), {{i, i - 1}, {i - 1, i}});
    pattern_ = SparsityPattern::from_entries(n, entries);
    if (sparse) sparsity_ = &pattern_;
  }
  void rhs(double, const double* u, double* f) const override {
    const double inverse = (size_ + 1.0) * (size_ + 1.0);
    for (int i = 0; i < size_; ++i) {
      const double left = i > 0 ? u[i - 1] : 0, right = i + 1 < size_ ? u[i + 1] : 0;
      f[i] = inverse * (left - 2 * u[i] + right);
    }
  }
  std::vector<double> exact(double t) const override {
    const double s = 2 * (size_ + 1.0) * std::sin(0.5 * std::numbers::pi / (size_ + 1));
    std::vector<double> u = sine(size_);
    for (double& value : u) value *= std::exp(-s * s * t);
    return u;
  }

 private:
  static std::vector<double> sine(int n) {
    std::vector<double> u(n);
    for (int i = 0; i < n; ++i) u[i] = std::sin(std::numbers::pi * (i + 1) / (n + 1));
    return u;
  }
  SparsityPattern pattern_;
};

TEST(Rosenbrock, AllLinearAlgebraGivesTheSameHeatFlow) {
  const Heat sparse(200, true);
  for (LinearAlgebra choice :
       {LinearAlgebra::kDense, LinearAlgebra::kBanded, LinearAlgebra::kKlu, LinearAlgebra::kAuto}) {
    SolverOptions options = tolerance(1e-7);
    options.linear_algebra = choice;
    const auto stepper = make(sparse, options);
    run(*stepper, sparse, 0.2);
    EXPECT_LT(sparse.error(0.2, stepper->x()), 1e-6);
    EXPECT_LT(stepper->statistics().steps, 100);
  }
  const Heat dense(30, false), small(5, true);
  for (const Heat* problem : {&dense, &small}) {
    const auto stepper = make(*problem, tolerance(1e-7));
    run(*stepper, *problem, 0.2);
    EXPECT_LT(problem->error(0.2, stepper->x()), 1e-6);
  }
}

TEST(Rosenbrock, HitsLimitsExactlyAndKeepsItsStep) {
  const testing::HarmonicOscillator problem;
  const auto free = make(problem, tolerance(1e-6));
  run(*free, problem, 10);
  const auto cut = make(problem, tolerance(1e-6));
  cut->start(0, problem.x0.data(), nullptr, 0);
  for (int k = 1; k <= 10; ++k) {
    const double limit = k * (1 + 1e-13);
    while (cut->t() < limit) {
      const double before = cut->t();
      ASSERT_EQ(cut->step(limit), StepStatus::kOk);
      EXPECT_EQ(cut->t_old(), before);
      EXPECT_LE(cut->t(), limit);
    }
    EXPECT_EQ(cut->t(), limit);
    // A limit that is only just ahead of the present time costs one step, not the step size.
    const double h = cut->next_step();
    ASSERT_EQ(cut->step(limit + 1e-12), StepStatus::kOk);
    EXPECT_EQ(cut->t(), limit + 1e-12);
    EXPECT_GE(cut->next_step(), h);
  }
  EXPECT_LT(cut->statistics().steps, free->statistics().steps + 25);
  EXPECT_LT(problem.error(10, free->x()), 1e-5);
  EXPECT_LT(problem.error(cut->t(), cut->x()), 1e-5);
}

TEST(Rosenbrock, MovesTimeEvenWhenTheFirstStepIsBelowItsResolution) {
  const testing::HarmonicOscillator problem;
  const auto stepper = make(problem, tolerance(1e-6));
  stepper->start(1000, problem.x0.data(), nullptr, 1e-30);
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(stepper->step(1e6), StepStatus::kOk);
    ASSERT_GT(stepper->t(), stepper->t_old());
  }
}

TEST(Rosenbrock, ReportsABlowUpWithItsVariable) {
  // x = 1 / (1 - t).
  const Custom problem({1, 0}, {"tank.level", "clock"}, [](double, const double* x, double* f) {
    f[0] = x[0] * x[0];
    f[1] = 1;
  });
  const auto stepper = make(problem, tolerance(1e-6));
  stepper->start(0, problem.x0.data(), nullptr, 0);
  StepStatus status = StepStatus::kOk;
  while (status == StepStatus::kOk && stepper->t() < 2) status = stepper->step(2);
  EXPECT_TRUE(status == StepStatus::kStepTooSmall || status == StepStatus::kNonFinite);
  EXPECT_NEAR(stepper->t(), 1, 1e-5);
  EXPECT_NE(stepper->message().find("tank.level"), std::string::npos) << stepper->message();
}

// A jump of x' at t = 1, which nobody declared: within one unit in the last place of t it changes x
// by 2e-10, more than the tolerance.
TEST(Rosenbrock, PassesAJumpThatTimeCannotResolve) {
  const Custom problem({1}, {"x"},
                       [](double t, const double*, double* f) { f[0] = t < 1 ? 0 : 1e6; });
  const auto stepper = make(problem, tolerance(1e-12));
  stepper->start(0, problem.x0.data(), nullptr, 0);
  while (stepper->t() < 1.5) ASSERT_EQ(stepper->step(1.5), StepStatus::kOk) << stepper->message();
  EXPECT_NEAR(stepper->x()[0], 1 + 0.5e6, 1e-6);
}

TEST(Rosenbrock, ShortensTheStepWhereTheModelCannotBeEvaluated) {
  // sqrt(x) runs dry at t = 2: x = (1 - t / 2)^2. Long first steps overshoot to negative x.
  const Custom problem({1}, {"x"}, [](double, const double* x, double* f) {
    if (x[0] < 0) throw EvaluationError("square root of a negative number");
    f[0] = -std::sqrt(x[0]);
  });
  const auto stepper = make(problem, tolerance(1e-6));
  stepper->start(0, problem.x0.data(), nullptr, 1.9);
  while (stepper->t() < 1.9) ASSERT_EQ(stepper->step(1.9), StepStatus::kOk) << stepper->message();
  EXPECT_NEAR(stepper->x()[0], 0.05 * 0.05, 1e-5);
}

TEST(Rosenbrock, ReportsAModelThatCannotBeEvaluatedBeyondAPoint) {
  for (bool recoverable : {true, false}) {
    const Custom problem({0}, {"x"}, [=](double t, const double*, double* f) {
      if (t > 1) throw EvaluationError("table ends at t = 1", recoverable);
      f[0] = 1;
    });
    const auto stepper = make(problem, tolerance(1e-6));
    stepper->start(0, problem.x0.data(), nullptr, 0);
    StepStatus status = StepStatus::kOk;
    while (status == StepStatus::kOk && stepper->t() < 2) status = stepper->step(2);
    EXPECT_EQ(status, StepStatus::kEvaluationFailed);
    EXPECT_NE(stepper->message().find("table ends at t = 1"), std::string::npos);
    EXPECT_GT(stepper->t(), recoverable ? 1 - 1e-9 : -1);
    EXPECT_LE(stepper->t(), 1);
    EXPECT_NEAR(stepper->x()[0], stepper->t(), 1e-13);
  }
}

TEST(Rosenbrock, NamesTheVariableWhoseSlopeIsNoNumber) {
  const Custom tank({1, 0.01, 3}, {"x", "level", "z"}, [](double, const double* x, double* f) {
    f[0] = x[1] + x[2];
    f[1] = -1 - std::sqrt(x[1]);
    f[2] = -x[2];
  });
  auto stepper = make(tank, tolerance(1e-6));
  stepper->start(0, tank.x0.data(), nullptr, 0);
  StepStatus status = StepStatus::kOk;
  while (status == StepStatus::kOk && stepper->t() < 1) status = stepper->step(1);
  EXPECT_EQ(status, StepStatus::kNonFinite);
  EXPECT_NE(stepper->message().find("'level'"), std::string::npos) << stepper->message();
}

TEST(Rosenbrock, ReportsNaNAndSingularAlgebraicEquations) {
  const Custom nan({1}, {"x"}, [](double, const double*, double* f) { f[0] = std::nan(""); });
  auto stepper = make(nan, tolerance(1e-6));
  stepper->start(0, nan.x0.data(), nullptr, 0);
  EXPECT_EQ(stepper->step(1), StepStatus::kNonFinite);
  EXPECT_NE(stepper->message().find("'x'"), std::string::npos) << stepper->message();

  // 0 = x - 1 does not determine z.
  Custom singular({1, 0}, {"x", "z"}, [](double, const double* x, double* f) {
    f[0] = 0 * x[1];
    f[1] = x[0] - 1;
  });
  const std::uint8_t differential[2] = {1, 0};
  singular.make_algebraic(differential);
  stepper = make(singular, tolerance(1e-6));
  stepper->start(0, singular.x0.data(), nullptr, 0);
  EXPECT_EQ(stepper->step(1), StepStatus::kNewtonFailed);
  EXPECT_NE(stepper->message().find("'z'"), std::string::npos) << stepper->message();
}

TEST(Rosenbrock, WithoutStatesOnlyTimeMoves) {
  const Custom problem({}, {}, [](double, const double*, double*) {});
  const auto stepper = make(problem, tolerance(1e-6));
  run(*stepper, problem, 5);
  EXPECT_EQ(stepper->t(), 5);
}

// Sums in which large terms cancel would be off by 60 units, and so would be the times of events.
TEST(Rosenbrock, UniformMotionIsExactToTheLastDigits) {
  constexpr double kUnits = 4 * std::numeric_limits<double>::epsilon();
  for (const double rate : {1.0, 3.0, -0.1, 0.7, 1 / 3.0, 2.9}) {
    const Custom problem({0, 5}, {"x", "y"}, [rate](double, const double*, double* f) {
      f[0] = rate;
      f[1] = -2 * rate;
    });
    const auto stepper = make(problem, tolerance(1e-6));
    for (const double h : {0.3, 1.0, 2.9, 7.3}) {
      stepper->start(0, problem.x0.data(), nullptr, h);
      ASSERT_EQ(stepper->step(h), StepStatus::kOk);
      ASSERT_EQ(stepper->t(), h);
      for (const double part : {0.1, 0.37, 0.9, 1.0}) {
        const double t = part * h;
        double dense[2], retaken[2];
        stepper->interpolate(t, dense);
        ASSERT_TRUE(stepper->retake(t, retaken));
        for (const double* x : {dense, retaken}) {
          EXPECT_NEAR(x[0], rate * t, kUnits * std::abs(rate) * h) << rate << " " << t;
          EXPECT_NEAR(x[1], 5 - 2 * rate * t, kUnits * (5 + 2 * std::abs(rate) * h)) << t;
        }
      }
    }
  }
}

TEST(Rosenbrock, AllocatesNothingAfterConstruction) {
  const testing::Lithium small;
  const Heat large(60, true);
  for (const TestProblem* problem :
       {static_cast<const TestProblem*>(&small), static_cast<const TestProblem*>(&large)}) {
    const auto stepper = make(*problem, tolerance(1e-6));
    std::vector<double> x(problem->size());
    const testing::AllocationGuard guard;
    stepper->start(0, problem->x0.data(), nullptr, 0);
    for (int k = 0; k < 20; ++k) {
      stepper->step(10);
      const double middle = 0.5 * (stepper->t_old() + stepper->t());
      stepper->interpolate(middle, x.data());
      EXPECT_TRUE(stepper->retake(middle, x.data()));
    }
    stepper->start(0, problem->x0.data(), nullptr, 1e-6);
    stepper->step(10);
    EXPECT_EQ(guard.count(), 0);
  }
}

}  // namespace
}  // namespace arges
