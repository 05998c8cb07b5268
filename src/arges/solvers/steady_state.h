#pragma once
// Values at which a set of equations stands still.

#include <memory>
#include <string>
#include <vector>

#include "arges/solvers/equations.h"

namespace arges {

// Solves 0 = f(t, x), or 0 = F(t, x, 0), for all variables at fixed t: Newton's method with a line
// search (KINSOL), then Newton steps as long as they make the residual smaller.
//
// The residual of row i is measured in units of sum_j |J_ij| * size_j, size_j = max(|x_j|,
// nominal_j): a residual of r is a relative change of the variables of about r. Where slopes are
// enormous this says little (a term can be far from balanced and yet small beside its slope times
// the nominal value), so a solution must also pass one of two tests:
//
//   - its terms balance: |f_i| is small beside sum_j |J_ij| |x_j|, at x or with those variables
//     that are zero to rounding set to zero
//   - the Newton correction is small, and the matrix is regular enough for it to mean something
class SteadyStateSolver {
 public:
  explicit SteadyStateSolver(const Equations& equations);
  ~SteadyStateSolver();

  struct Outcome {
    bool converged = false;
    double residual = 0;  // the largest, scaled
    std::string message;  // why not
  };
  // x holds the guess and receives the last iterate. An EvaluationError of the equations on the way
  // counts as not converged; other exceptions come out.
  Outcome solve(double t, double* x);

  // The same, away from solutions that are known: first Newton's method on the deflated equations
  // prod_k (1 + 1 / |x - known_k|^2) f(x) = 0, with distances relative to the sizes, for which the
  // known ones are no solutions; then solve() from where that ends.
  Outcome solve_away_from(const std::vector<std::vector<double>>& known, double t, double* x);

 private:
  struct Kinsol;
  std::unique_ptr<Kinsol> kinsol_;
};

}  // namespace arges
