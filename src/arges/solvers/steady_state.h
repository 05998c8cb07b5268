#pragma once
// Values at which a set of equations stands still.

#include <memory>
#include <string>

#include "arges/solvers/equations.h"

namespace arges {

// Solves 0 = f(t, x), or 0 = F(t, x, 0), for all variables at fixed t: Newton's method with a line
// search (KINSOL), then Newton steps as long as they make the residual smaller.
//
// The residual of row i is measured in units of sum_j |J_ij| * size_j, size_j = max(|x_j|,
// nominal_j): a residual of r is a relative change of the variables of about r.
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

 private:
  struct Kinsol;
  std::unique_ptr<Kinsol> kinsol_;
};

}  // namespace arges
