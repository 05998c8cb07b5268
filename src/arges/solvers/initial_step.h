#pragma once
// The first step of an adaptive explicit method.

#include <span>

#include "arges/solvers/equations.h"

namespace arges {

// Hairer, Norsett, Wanner I, section II.4: an explicit Euler step, small against the solution,
// estimates x''; then h^order max(|x'|, |x''|) = 0.01 in the norm of the tolerances.
//
// f0 is f(t, x). The Euler step stays within `room` (how far f may be evaluated), and the result
// below max_step. Where the Euler step cannot be evaluated, ever shorter ones are tried. Counts its
// evaluations in `evaluations`; y and f1 are scratch of the size of x. Throws only
// EvaluationError that is not recoverable.
double initial_step(const Equations& equations, double t, const double* x, const double* f0,
                    std::span<const double> atol, double rtol, int order, double room,
                    double max_step, double* y, double* f1, std::int64_t& evaluations);

}  // namespace arges
