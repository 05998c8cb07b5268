#pragma once
// Consistent values of a DAE: at the start, and after every event.

#include <memory>
#include <string>
#include <vector>

#include "arges/linear/lu_solver.h"
#include "arges/solvers/equations.h"
#include "arges/solvers/jacobian.h"

namespace arges {

// Solves for what the equations determine, given the rest (index 1):
//   semi-explicit   0 = f_a(t, x_d, x_a)       for the algebraic x_a, with x_d fixed
//   implicit        0 = F(t, x, x')            for x_a and x_d', with x_d fixed
// by Newton's method with a line search on the residual.
class ConsistencySolver {
 public:
  explicit ConsistencySolver(const Equations& equations);

  // x and xdot hold guesses and receive the solution. Returns an empty string, or what did not
  // close: the equations with the largest residuals, by name and value.
  std::string solve(double t, double* x, double* xdot);

 private:
  void residual(double t, const double* x, const double* xdot);
  void newton_matrix(double t, const double* x, const double* xdot);
  double residual_norm() const;
  std::string open_equations(const char* what) const;

  const Equations& equations_;
  bool implicit_;
  JacobianEvaluator jacobian_;
  std::unique_ptr<LuSolver> lu_;
  std::vector<double> r_, full_r_, step_, x_try_, xdot_try_, matrix_, matrix_xdot_;
};

}  // namespace arges
