#pragma once
// The matrix of a Rosenbrock step, W = M - h gamma df/dx.

#include <algorithm>
#include <memory>
#include <vector>

#include "arges/linear/lu_solver.h"
#include "arges/linear/small_lu.h"
#include "arges/solvers/jacobian.h"
#include "arges/solvers/options.h"

namespace arges {

// Keeps df/dx of one point, and the factors of W for one step size; the two change independently.
// N > 0: dense, of that size, with W^-1 for the eight solves of a step, and without any heap memory
// of its own in the inner loop. N = -1: any size and structure.
template <int N>
class RosenbrockMatrix {
 public:
  RosenbrockMatrix(const Equations& equations, const SolverOptions&)
      : equations_(equations), evaluator_(equations) {
    direct_ = equations.has_jacobian() && equations.sparsity() == nullptr;
    if (const SparsityPattern* pattern = equations.sparsity()) {
      values_.resize(pattern->nonzeros());
      for (int j = 0; j < N; ++j) {
        for (int p = pattern->column_start[j]; p < pattern->column_start[j + 1]; ++p)
          position_.push_back(j * N + pattern->row[p]);
      }
    }
  }

  void evaluate(double t, const double* x, const double* f, double step, double* dfdt) {
    if (direct_) {  // what the evaluator would do, but inlined
      for (double& entry : jacobian_) entry = 0;
      if (dfdt != nullptr) std::fill_n(dfdt, N, 0.0);
      equations_.jacobian(t, x, nullptr, 0, jacobian_, dfdt);
      return;
    }
    if (values_.empty()) {
      evaluator_.evaluate(t, x, f, step, jacobian_, dfdt);
      return;
    }
    evaluator_.evaluate(t, x, f, step, values_.data(), dfdt);
    std::fill_n(jacobian_, N * N, 0.0);
    for (std::size_t p = 0; p < values_.size(); ++p) jacobian_[position_[p]] = values_[p];
  }
  // y += J x.
  void multiply_add(const double* x, double* y) const {
    for (int j = 0; j < N; ++j) {
      for (int i = 0; i < N; ++i) y[i] += jacobian_[j * N + i] * x[j];
    }
  }
  double diagonal(int i) const { return jacobian_[i * N + i]; }  // dfi/dxi
  // The largest |dfi/dxi|.
  double largest_diagonal() const {
    double largest = 0;
#pragma GCC unroll 8
    for (int i = 0; i < N; ++i) largest = std::max(largest, std::abs(jacobian_[i * N + i]));
    return largest;
  }
  // Factors W; -1 or a column without a pivot.
  int factor(const double* mass, double h_gamma) {
    double w[N * N];
#pragma GCC unroll 64
    for (int k = 0; k < N * N; ++k) w[k] = -h_gamma * jacobian_[k];
#pragma GCC unroll 8
    for (int i = 0; i < N; ++i) w[i * N + i] += mass[i];
    SmallLu<N> lu;
    const int singular = lu.factor(w);
    if (singular < 0) lu.inverse(inverse_);
    return singular;
  }
  // The solution of W x = b; b is destroyed, and must not be x.
  [[gnu::always_inline]] void solve(const double* b, double* x) const {
    double y[N];
#pragma GCC unroll 8
    for (int i = 0; i < N; ++i) {
      double sum = inverse_[i] * b[0];
#pragma GCC unroll 8
      for (int j = 1; j < N; ++j) sum += inverse_[j * N + i] * b[j];
      y[i] = sum;
    }
#pragma GCC unroll 8
    for (int i = 0; i < N; ++i) x[i] = y[i];
  }

  const JacobianEvaluator& evaluator() const { return evaluator_; }

 private:
  const Equations& equations_;
  JacobianEvaluator evaluator_;
  bool direct_;                 // the model writes into jacobian_
  std::vector<double> values_;  // in pattern order, when there is a pattern
  std::vector<int> position_;   // of these in jacobian_
  double jacobian_[N * N];
  double inverse_[N * N];  // of W
};

template <>
class RosenbrockMatrix<-1> {
 public:
  RosenbrockMatrix(const Equations& equations, const SolverOptions& options)
      : n_(equations.size()),
        pattern_(equations.sparsity()),
        evaluator_(equations),
        jacobian_(evaluator_.values_size()),
        shifted_(evaluator_.values_size()),
        diagonal_(n_),
        lu_(make_lu_solver(n_, pattern_, kind(options.linear_algebra))) {
    for (int i = 0; i < n_; ++i)
      diagonal_[i] = pattern_ != nullptr ? pattern_->find(i, i) : i * n_ + i;
  }

  void evaluate(double t, const double* x, const double* f, double step, double* dfdt) {
    evaluator_.evaluate(t, x, f, step, jacobian_.data(), dfdt);
  }
  void multiply_add(const double* x, double* y) const {
    for (int j = 0; j < n_; ++j) {
      const int begin = pattern_ != nullptr ? pattern_->column_start[j] : j * n_;
      const int end = pattern_ != nullptr ? pattern_->column_start[j + 1] : begin + n_;
      for (int p = begin; p < end; ++p)
        y[pattern_ != nullptr ? pattern_->row[p] : p - begin] += jacobian_[p] * x[j];
    }
  }
  double diagonal(int i) const { return jacobian_[diagonal_[i]]; }
  double largest_diagonal() const {
    double largest = 0;
    for (const int p : diagonal_) largest = std::max(largest, std::abs(jacobian_[p]));
    return largest;
  }
  int factor(const double* mass, double h_gamma) {
    std::transform(jacobian_.begin(), jacobian_.end(), shifted_.begin(),
                   [=](double value) { return -h_gamma * value; });
    for (int i = 0; i < n_; ++i) shifted_[diagonal_[i]] += mass[i];
    return lu_->factor(shifted_.data());
  }
  void solve(double* b, double* x) {
    lu_->solve(b);
    std::copy_n(b, n_, x);
  }

  const JacobianEvaluator& evaluator() const { return evaluator_; }

 private:
  static LuKind kind(LinearAlgebra choice) {
    switch (choice) {
      case LinearAlgebra::kDense:
        return LuKind::kDense;
      case LinearAlgebra::kBanded:
        return LuKind::kBanded;
      case LinearAlgebra::kKlu:
        return LuKind::kSparse;
      default:
        return LuKind::kAuto;
    }
  }

  int n_;
  const SparsityPattern* pattern_;
  JacobianEvaluator evaluator_;
  std::vector<double> jacobian_, shifted_;
  std::vector<int> diagonal_;  // positions in the values
  std::unique_ptr<LuSolver> lu_;
};

}  // namespace arges
