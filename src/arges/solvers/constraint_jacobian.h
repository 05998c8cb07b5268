#pragma once
// dc/dx of the constraints that equations have besides.

#include "arges/solvers/equations.h"

namespace arges {

// Dense, column-major: that of the model, or forward differences where it has none. May throw
// EvaluationError.
void evaluate_constraint_jacobian(const Equations& equations, double t, const double* x,
                                  double* values);

}  // namespace arges
