#pragma once
// Problems for the implicit solvers, with sparse Jacobians and algebraic equations, and the loop
// that drives a stepper to the end.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "arges/solvers/stepper.h"
#include "testing/test_problems.h"

namespace arges::testing {

// Steps to `end`; the status of the last step.
inline StepStatus run_to(Stepper& stepper, double end) {
  while (stepper.t() < end) {
    const StepStatus status = stepper.step(end);
    if (status != StepStatus::kOk) return status;
  }
  return StepStatus::kOk;
}

// Largest relative error against a reference.
inline double relative_error(const double* x, const std::vector<double>& reference) {
  double worst = 0;
  for (std::size_t i = 0; i < reference.size(); ++i)
    worst = std::max(worst, std::abs(x[i] / reference[i] - 1));
  return worst;
}

// u_t = u_xx on (0, 1), u = 0 at both ends, second-order differences at n inner points, from the
// first eigenvector sin(pi x). The semi-discrete solution is known: it decays with
// lambda = 4 sin^2(pi dx / 2) / dx^2.
class HeatRod : public TestProblem {
 public:
  explicit HeatRod(int n, bool has_jacobian = true)
      : TestProblem(sine(n), std::vector<std::string>(n, "u"), true, has_jacobian),
        scale_((n + 1.0) * (n + 1.0)) {
    std::vector<std::pair<int, int>> entries;
    for (int i = 0; i < n; ++i) {
      if (i > 0) entries.emplace_back(i, i - 1);
      if (i + 1 < n) entries.emplace_back(i, i + 1);
    }
    pattern_ = SparsityPattern::from_entries(n, entries);
    sparsity_ = &pattern_;
  }
  void rhs(double, const double* x, double* f) const override {
    for (int i = 0; i < size_; ++i) {
      const double left = i > 0 ? x[i - 1] : 0, right = i + 1 < size_ ? x[i + 1] : 0;
      f[i] = scale_ * (left - 2 * x[i] + right);
    }
  }
  void jacobian(double, const double*, const double*, double, double* j, double*) const override {
    for (int column = 0; column < size_; ++column) {
      for (int k = pattern_.column_start[column]; k < pattern_.column_start[column + 1]; ++k)
        j[k] = pattern_.row[k] == column ? -2 * scale_ : scale_;
    }
  }
  std::vector<double> exact(double t) const override {
    const double s = std::sin(0.5 * std::acos(-1.0) / (size_ + 1));
    const double decay = std::exp(-4 * scale_ * s * s * t);
    std::vector<double> u = sine(size_);
    for (double& value : u) value *= decay;
    return u;
  }

 private:
  static std::vector<double> sine(int n) {
    std::vector<double> u(n);
    for (int i = 0; i < n; ++i) u[i] = std::sin(std::acos(-1.0) * (i + 1) / (n + 1));
    return u;
  }
  double scale_;
  SparsityPattern pattern_;
};

// Robertson's reactions with the conservation law in place of the third equation. The values at
// t = 4 come from Taylor series of order 26 in 40-digit arithmetic.
class RobertsonDae : public TestProblem {
 public:
  explicit RobertsonDae(bool has_jacobian = true)
      : TestProblem({1, 0, 0}, {"a", "b", "c"}, true, has_jacobian) {
    form_ = EquationForm::kSemiExplicit;
    differential_ = kinds_;
  }
  static std::vector<double> at_4() {
    return {0.90551867858425391, 2.2404756875602009e-5, 0.094458916658870486};
  }
  void rhs(double, const double* x, double* f) const override {
    f[0] = -0.04 * x[0] + 1e4 * x[1] * x[2];
    f[1] = 0.04 * x[0] - 1e4 * x[1] * x[2] - 3e7 * x[1] * x[1];
    f[2] = x[0] + x[1] + x[2] - 1;
  }
  void jacobian(double, const double* x, const double*, double, double* j, double*) const override {
    j[0] = -0.04;
    j[1] = 0.04;
    j[2] = 1;
    j[3] = 1e4 * x[2];
    j[4] = -1e4 * x[2] - 6e7 * x[1];
    j[5] = 1;
    j[6] = 1e4 * x[1];
    j[7] = -1e4 * x[1];
    j[8] = 1;
  }

 private:
  std::uint8_t kinds_[3] = {1, 1, 0};
};

// 0 = x' + y' + x, 0 = y - x^2 from x = 1: a DAE whose derivatives are not solved for. The solution
// satisfies ln x + 2 x = 2 - t.
class ImplicitDecay : public TestProblem {
 public:
  explicit ImplicitDecay(bool has_jacobian = true)
      : TestProblem({1, 1}, {"x", "y"}, true, has_jacobian) {
    form_ = EquationForm::kImplicit;
    differential_ = kinds_;
  }
  std::vector<double> xdot0 = {-1.0 / 3, -2.0 / 3};
  void rhs(double, const double*, double*) const override { throw ApiError("implicit"); }
  void residual(double, const double* x, const double* xdot, double* r) const override {
    r[0] = xdot[0] + xdot[1] + x[0];
    r[1] = x[1] - x[0] * x[0];
  }
  void jacobian(double, const double* x, const double*, double c, double* j,
                double*) const override {
    j[0] = 1 + c;
    j[1] = -2 * x[0];
    j[2] = c;
    j[3] = 1;
  }
  std::vector<double> exact(double t) const override {
    double x = 1;
    for (int k = 0; k < 50; ++k) x -= (std::log(x) + 2 * x - 2 + t) / (1 / x + 2);
    return {x, x * x};
  }

 private:
  std::uint8_t kinds_[2] = {1, 1};
};

// x' = -sqrt(x): reaches 0 at t = 2 sqrt(x0) and cannot go on. What happens there is chosen.
class RootOfNegative : public TestProblem {
 public:
  enum class Way { kNan, kThrow, kThrowFatal, kOtherException };
  explicit RootOfNegative(Way way) : TestProblem({1}, {"tank.level"}, true, false), way_(way) {}
  void rhs(double, const double* x, double* f) const override {
    if (x[0] < 0 && way_ == Way::kThrow) throw EvaluationError("square root of a negative level");
    if (x[0] < 0 && way_ == Way::kThrowFatal) throw EvaluationError("the tank is empty", false);
    if (x[0] < 0 && way_ == Way::kOtherException) throw std::out_of_range("no such entry");
    f[0] = x[0] < 0 ? std::numeric_limits<double>::quiet_NaN() : -std::sqrt(x[0]) - 1e-3;
  }

 private:
  Way way_;
};

}  // namespace arges::testing
