#pragma once
// The Newton matrix of the SUNDIALS steppers, and the direct solver that goes with it. Included by
// .cc files only.

#include <cstdint>
#include <vector>

#include "arges/solvers/sundials_common.h"

namespace arges {

// Owns a SUNMatrix, dense, banded or sparse, with its solver, and fills it with Jacobians.
//
// The values come in the order of Equations::jacobian: dense column-major or that of the pattern.
// Where the storage has the same order they are written in place, otherwise by a table of positions
// made once. KLU keeps its symbolic analysis for the life of the stepper, over all restarts.
class NewtonMatrix {
 public:
  NewtonMatrix(const Equations& equations, LinearAlgebra choice, const SundialsContext& context,
               N_Vector like);

  SUNMatrix matrix() const { return matrix_.get(); }
  SUNLinearSolver solver() const { return solver_.get(); }
  JacobianEvaluator& evaluator() { return evaluator_; }

  // Fills `to` (this matrix or a clone of it) with df/dx, or dF/dx + c dF/dx' for kImplicit.
  int fill(ModelCalls& calls, SUNMatrix to, double t, const double* x, const double* xdot,
           const double* f, double c, double step);
  // to -= c M, where M is 1 for differential variables and 0 for algebraic ones.
  void subtract_mass(SUNMatrix to, double c) const;

 private:
  void make_dense(const SundialsContext& context, N_Vector like);
  void make_banded(const SundialsContext& context, N_Vector like);
  void make_sparse(const SundialsContext& context, N_Vector like);

  const Equations& equations_;
  LinearAlgebra kind_;
  JacobianEvaluator evaluator_;
  MatrixOwner matrix_;
  LinearSolverOwner solver_;
  std::vector<double> values_;           // only with positions_
  std::vector<std::int64_t> positions_;  // of value k in the storage; empty: the same order
  std::vector<std::int64_t> diagonal_;   // positions of the differential variables' diagonal
  std::vector<std::int64_t> column_start_, row_;  // KLU
};

}  // namespace arges
