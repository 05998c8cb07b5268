#pragma once
// What a solver sees of a model: vectors, callbacks, and the structure of the Jacobian. Nothing
// else.

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "arges/linear/sparsity.h"

namespace arges {

enum class EquationForm {
  kExplicit,      // x' = f(t, x)
  kSemiExplicit,  // M x' = f(t, x), M diagonal of ones (differential) and zeros (algebraic)
  kImplicit,      // 0 = F(t, x, x')
};

// What can be had of f besides all of it at once.
enum class RowAccess {
  kWhole,
  kRows,    // single rows: rhs_rows()
  kSeries,  // and along polynomials in time: rhs_series()
};

// The initial-value problem of one mode between two events.
//
// Contract: all callbacks are pure functions of their arguments as long as no event happens; they
// may throw EvaluationError. Arrays hold size() values. Callbacks are not re-entrant.
class Equations {
 public:
  virtual ~Equations() = default;

  int size() const { return size_; }
  EquationForm form() const { return form_; }
  bool is_differential(int i) const { return differential_.empty() || differential_[i] != 0; }
  // f does not depend on t explicitly.
  bool autonomous() const { return autonomous_; }
  // jacobian() is analytic. Otherwise solvers use coloured finite differences.
  bool has_jacobian() const { return has_jacobian_; }
  RowAccess row_access() const { return row_access_; }
  // Structure of df/dx (kImplicit: of dF/dx and dF/dx' together); null means dense.
  const SparsityPattern* sparsity() const { return sparsity_; }
  // Typical magnitudes, for absolute tolerances and difference increments; empty means all 1.
  std::span<const double> nominal() const { return nominal_; }

  // f(t, x), into f. Not for kImplicit.
  virtual void rhs(double t, const double* x, double* f) const = 0;
  // F(t, x, x'), into r. Only for kImplicit.
  virtual void residual(double t, const double* x, const double* xdot, double* r) const = 0;
  // df/dx into values (dense column-major n*n when sparsity() is null, else in pattern order) and,
  // when dfdt is not null and the model is not autonomous, df/dt. kImplicit: dF/dx + c * dF/dx'.
  // Entries not written are zero: the caller clears both arrays first.
  virtual void jacobian(double t, const double* x, const double* xdot, double c, double* values,
                        double* dfdt) const = 0;
  // Rows of f alone, for methods that ask for few at a time (quantised states). f[k] := row
  // rows[k]; of x only the entries that these rows read need to be there. Needs RowAccess::kRows or
  // more.
  virtual void rhs_rows(std::span<const int> rows, double t, const double* x, double* f) const;
  // The same along polynomials with `order` coefficients: x_j(t + s) is x[j * order] + x[j * order
  // + 1] s + ..., and so is the result. Needs RowAccess::kSeries.
  virtual void rhs_series(std::span<const int> rows, int order, double t, const double* x,
                          double* f) const;
  // Constraints 0 = c(t, x) that hold besides the equations (of an index-reduced DAE: the given
  // ones and their derivatives), and dc/dx, dense column-major; false: there is none, take
  // differences.
  virtual int constraint_count() const { return 0; }
  virtual void constraints(double t, const double* x, double* c) const;
  virtual bool constraint_jacobian(double t, const double* x, double* values) const;
  // Functions whose passage through zero ends a step, for methods that look for it themselves.
  virtual int condition_count() const { return 0; }
  virtual void conditions(double t, const double* x, double* g) const;
  // The name of variable or equation i, as the user wrote it.
  virtual std::string name(int i) const = 0;
  // The same equations, with the present values of all that only events change, for another thread:
  // they stay as they are when events change these. Null: there is none.
  virtual std::unique_ptr<const Equations> snapshot() const { return nullptr; }

 protected:
  int size_ = 0;
  EquationForm form_ = EquationForm::kExplicit;
  bool autonomous_ = false;
  bool has_jacobian_ = false;
  RowAccess row_access_ = RowAccess::kWhole;
  const SparsityPattern* sparsity_ = nullptr;
  std::span<const std::uint8_t> differential_;
  std::span<const double> nominal_;
};

}  // namespace arges
