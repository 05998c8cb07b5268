#include <cmath>

#include <gtest/gtest.h>

#include "arges/solvers/stepper.h"
#include "testing/test_problems.h"

namespace arges {
namespace {

using testing::TestProblem;

SolverChoice choose(const TestProblem& problem, double horizon, double rtol = 1e-6) {
  SolverOptions options;
  options.rtol = rtol;
  return choose_solver(problem, options, problem.t0, problem.x0.data(), horizon);
}

// n cells in a row that exchange (diffusion, real eigenvalues) or turn (waves, imaginary ones).
class Chain : public TestProblem {
 public:
  Chain(int n, bool diffusion)
      : TestProblem(std::vector<double>(n, 1.0), std::vector<std::string>(n, "u"), true, false),
        diffusion_(diffusion) {}
  void rhs(double, const double* u, double* f) const override {
    for (int i = 0; i < size_; ++i) {
      const double left = i > 0 ? u[i - 1] : 0, right = i + 1 < size_ ? u[i + 1] : 0;
      f[i] = diffusion_ ? 1e4 * (left - 2 * u[i] + right) : 10 * (right - left);
    }
  }
  void set_form(EquationForm form) { form_ = form; }

 private:
  bool diffusion_;
};

TEST(ChooseSolver, StiffSystemsGetAnImplicitMethod) {
  EXPECT_EQ(choose(testing::Lithium(), 10).name, "rodas5p");
  EXPECT_EQ(choose(testing::VanDerPol(1000), 2000).name, "rodas5p");
  EXPECT_EQ(choose(testing::DrivenDecay(1e4), 10).name, "rodas5p");
  EXPECT_EQ(choose(Chain(40, true), 10).name, "rodas5p");
  EXPECT_EQ(choose(Chain(80, true), 10).name, "cvode-bdf");
}

TEST(ChooseSolver, OtherSystemsGetAnExplicitMethod) {
  EXPECT_EQ(choose(testing::Kepler(), 100).name, "tsit5");
  EXPECT_EQ(choose(testing::HarmonicOscillator(1e3), 100).name, "tsit5");
  EXPECT_EQ(choose(testing::VanDerPol(1), 1000).name, "tsit5");
  EXPECT_EQ(choose(testing::LinearDecay(1), 5).name, "tsit5");
  EXPECT_EQ(choose(Chain(80, false), 10).name, "tsit5");
  EXPECT_EQ(choose(testing::Kepler(), 100, 1e-11).name, "dop853");
}

TEST(ChooseSolver, AStiffSystemOverAShortTimeIsNotStiff) {
  EXPECT_EQ(choose(testing::Lithium(), 1e-3).name, "tsit5");
}

TEST(ChooseSolver, AlgebraicAndImplicitFormsGetTheirSolvers) {
  Chain small(5, true), large(80, true);
  small.set_form(EquationForm::kSemiExplicit);
  large.set_form(EquationForm::kSemiExplicit);
  EXPECT_EQ(choose(small, 1).name, "rodas5p");
  EXPECT_EQ(choose(large, 1).name, "ida");
  small.set_form(EquationForm::kImplicit);
  EXPECT_EQ(choose(small, 1).name, "ida");
}

TEST(ChooseSolver, TheReasonHoldsTheFigures) {
  const std::string reason = choose(testing::Lithium(), 10).reason;
  EXPECT_NE(reason.find("0.00099 s"), std::string::npos) << reason;
  EXPECT_NE(reason.find("horizon 10 s"), std::string::npos) << reason;
  EXPECT_NE(reason.find("stiff"), std::string::npos) << reason;
  EXPECT_NE(reason.find("3 states: Rosenbrock"), std::string::npos) << reason;
}

TEST(ChooseSolver, AModelThatCannotBeEvaluatedGetsTheSafeChoice) {
  class Broken : public TestProblem {
   public:
    Broken() : TestProblem({1}, {"x"}, true, false) {}
    void rhs(double, const double*, double*) const override { throw EvaluationError("no"); }
  };
  const SolverChoice choice = choose(Broken(), 1);
  EXPECT_EQ(choice.name, "rodas5p");
  EXPECT_NE(choice.reason.find("cannot be evaluated"), std::string::npos);
}

}  // namespace
}  // namespace arges
