#pragma once
// Why a step failed, in words.

#include <string>

#include "arges/solvers/stepper.h"

namespace arges {

// What a one-step method knows about its last rejected step.
struct StepFailure {
  int variable = -1;           // the component concerned
  bool in_derivative = false;  // kNonFinite: the derivative, not the state
  std::string what;            // text of an EvaluationError
};

// The component with the largest error against its tolerance.
int worst_variable(int n, const double* error, const double* x_old, const double* x_new,
                   const double* atol, double rtol);
// The first component that is NaN or infinite, or -1.
int first_nonfinite(int n, const double* x);

// One or two sentences: what, where, with which value, and what to do. h is the step that would
// have been tried next; 0 when the point itself cannot be evaluated.
std::string describe(const StepFailure& failure, StepStatus status, const Equations& equations,
                     double t, double h);

}  // namespace arges
