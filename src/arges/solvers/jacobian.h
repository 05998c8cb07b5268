#pragma once
// df/dx of a set of equations: analytic when the model has it, by differences otherwise.

#include <cstdint>
#include <vector>

#include "arges/linear/colouring.h"
#include "arges/solvers/equations.h"

namespace arges {

// Evaluates the Jacobian of one set of Equations; the values are dense column-major, or in the
// order of Equations::sparsity() when there is one.
//
// Without an analytic Jacobian, forward differences: one evaluation of f for each group of columns
// that share no row. The increment of x_j is
//
//   sqrt(eps) * max(|x_j|, |step * x_j'|, nominal_j / 1000),   in the direction in which x_j moves,
//
// where x_j' = f_j for the differential variables of kExplicit and kSemiExplicit. When f cannot be
// evaluated there (EvaluationError, NaN), the increments of that group are taken the other way;
// when that fails too, the exception goes to the caller (a NaN stays in the values).
//
// Nothing is allocated after construction. Evaluations are counted.
class JacobianEvaluator {
 public:
  explicit JacobianEvaluator(const Equations& equations);

  // Number of values that evaluate() writes: n * n or the nonzeros of the pattern.
  int values_size() const { return values_size_; }
  // Evaluations of f that one difference Jacobian takes (df/dt not counted).
  int groups() const { return groups_; }
  bool analytic() const { return equations_.has_jacobian(); }

  // kExplicit and kSemiExplicit: df/dx at (t, x), and df/dt when dfdt is not null (zeros when the
  // model is autonomous). `f` is f(t, x); `step` is the length of time over which the Jacobian will
  // be used, for the increments, and may be 0 when unknown. Entries of values are all written.
  void evaluate(double t, const double* x, const double* f, double step, double* values,
                double* dfdt);
  // kImplicit: dF/dx + c * dF/dx' at (t, x, xdot); `residual` is F(t, x, xdot).
  void evaluate_implicit(double t, const double* x, const double* xdot, const double* residual,
                         double c, double step, double* values);

  std::int64_t evaluations() const { return evaluations_; }          // of the Jacobian
  std::int64_t rhs_evaluations() const { return rhs_evaluations_; }  // of f or F, for differences

 private:
  // f(t, x) or F(t, x, xdot) of the shifted point; xdot is null for kExplicit and kSemiExplicit.
  void differences(double t, const double* x, const double* xdot, const double* base, double c,
                   double step, double* values);
  void difference_in_time(double t, const double* x, const double* f, double step, double* dfdt);
  bool evaluate_shifted(double t, bool implicit, bool last_try);
  // The columns of group g.
  int group_begin(int g) const { return dense_ ? g : colouring_.start[g]; }
  int group_end(int g) const { return dense_ ? g + 1 : colouring_.start[g + 1]; }
  int column(int k) const { return dense_ ? k : colouring_.column[k]; }
  double increment(int j, double x, double rate, double step) const;

  const Equations& equations_;
  bool dense_;
  int values_size_;
  int groups_;
  ColumnColouring colouring_;
  std::vector<double> shifted_x_, shifted_xdot_, shifted_f_, increments_;
  std::int64_t evaluations_ = 0;
  std::int64_t rhs_evaluations_ = 0;
};

}  // namespace arges
