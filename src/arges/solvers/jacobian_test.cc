#include "arges/solvers/jacobian.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "arges/base/error.h"

namespace arges {
namespace {

// x0' = t^2 x1 - x0^3, x1' = sqrt(x1) - x2, x2' = x0 x2; optionally sparse, with a pattern that
// leaves groups of more than one column.
class Cubic : public Equations {
 public:
  explicit Cubic(bool sparse) {
    size_ = 3;
    pattern_ = SparsityPattern::from_entries(3, {{0, 1}, {1, 2}, {2, 0}});
    if (sparse) sparsity_ = &pattern_;
  }
  void rhs(double t, const double* x, double* f) const override {
    if (x[1] < 0) throw EvaluationError("square root of a negative number");
    f[0] = t * t * x[1] - x[0] * x[0] * x[0];
    f[1] = std::sqrt(x[1]) - x[2];
    f[2] = x[0] * x[2];
  }
  void residual(double, const double*, const double*, double*) const override {}
  void jacobian(double, const double*, const double*, double, double*, double*) const override {}
  std::string name(int i) const override { return "x" + std::to_string(i); }

  SparsityPattern pattern_;
};

std::array<double, 9> exact(double t, const double* x) {
  return {-3 * x[0] * x[0], 0, x[2], t * t, 0.5 / std::sqrt(x[1]), 0, 0, -1, x[0]};
}

TEST(JacobianEvaluator, DenseDifferencesAgreeWithTheDerivatives) {
  const Cubic equations(false);
  JacobianEvaluator jacobian(equations);
  ASSERT_EQ(jacobian.values_size(), 9);
  const double x[3] = {0.7, 2.0, -3.0};
  double f[3], values[9], dfdt[3];
  equations.rhs(1.5, x, f);
  jacobian.evaluate(1.5, x, f, 0.1, values, dfdt);
  const auto expected = exact(1.5, x);
  for (int k = 0; k < 9; ++k) EXPECT_NEAR(values[k], expected[k], 3e-7);
  EXPECT_NEAR(dfdt[0], 2 * 1.5 * 2.0, 1e-6);
  EXPECT_EQ(dfdt[1], 0);
  EXPECT_EQ(jacobian.rhs_evaluations(), 4);
  EXPECT_EQ(jacobian.evaluations(), 1);
}

TEST(JacobianEvaluator, SparseDifferencesAgreeWithTheDerivatives) {
  const Cubic equations(true);
  JacobianEvaluator jacobian(equations);
  const double x[3] = {0.7, 2.0, -3.0};
  double f[3];
  equations.rhs(1.5, x, f);
  std::vector<double> values(jacobian.values_size());
  jacobian.evaluate(1.5, x, f, 0, values.data(), nullptr);
  const auto expected = exact(1.5, x);
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 3; ++i) {
      const int p = equations.pattern_.find(i, j);
      if (p < 0) continue;
      EXPECT_NEAR(values[p], expected[3 * j + i], 3e-7) << i << "," << j;
    }
  }
  EXPECT_EQ(jacobian.rhs_evaluations(), jacobian.groups());
}

TEST(JacobianEvaluator, TakesTheOtherSideWhereTheModelCannotBeEvaluated) {
  const Cubic equations(false);
  JacobianEvaluator jacobian(equations);
  // x1 falls (f1 = -1), and the first shift goes below zero.
  const double x[3] = {1.0, 0.0, 1.0};
  double f[3], values[9];
  equations.rhs(1, x, f);
  jacobian.evaluate(1, x, f, 1.0, values, nullptr);
  EXPECT_NEAR(values[3], 1.0, 1e-6);
  EXPECT_GT(values[4], 0);
  EXPECT_EQ(jacobian.rhs_evaluations(), 4);
}

// 0 = x0' - 2 x1, 0 = x0 x1 - x1' t
class Implicit : public Equations {
 public:
  Implicit() {
    size_ = 2;
    form_ = EquationForm::kImplicit;
  }
  void rhs(double, const double*, double*) const override {}
  void residual(double t, const double* x, const double* xdot, double* r) const override {
    r[0] = xdot[0] - 2 * x[1];
    r[1] = x[0] * x[1] - xdot[1] * t;
  }
  void jacobian(double, const double*, const double*, double, double*, double*) const override {}
  std::string name(int i) const override { return "x" + std::to_string(i); }
};

TEST(JacobianEvaluator, ImplicitFormCombinesBothDerivatives) {
  const Implicit equations;
  JacobianEvaluator jacobian(equations);
  const double x[2] = {3, 4}, xdot[2] = {1, 2};
  double r[2], values[4];
  equations.residual(5, x, xdot, r);
  jacobian.evaluate_implicit(5, x, xdot, r, 10, 0.1, values);
  EXPECT_NEAR(values[0], 10, 1e-5);
  EXPECT_NEAR(values[1], 4, 1e-5);
  EXPECT_NEAR(values[2], -2, 1e-5);
  EXPECT_NEAR(values[3], 3 - 10 * 5, 1e-5);
}

}  // namespace
}  // namespace arges
