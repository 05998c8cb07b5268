#pragma once
// The sentences that say why solvers fail: what, where, what to do.

#include <string>
#include <string_view>

#include "arges/solvers/equations.h"
#include "arges/solvers/stepper.h"

namespace arges {

// Index of the first value that is NaN or infinite, or -1.
int find_non_finite(int n, const double* values);

std::string non_finite_state_message(const Equations& equations, int i, double value, double t,
                                     bool fixed_step);
std::string non_finite_slope_message(const Equations& equations, int i, double value, double t);
std::string evaluation_message(const std::string& what, double t, bool fixed_step);
// The error test failed down to the smallest step; `i` contributes most to the error.
std::string step_too_small_message(const Equations& equations, int i, double t, double h);
// The matrix of an implicit step has no pivot in column `i`, with shorter steps, too.
std::string singular_matrix_message(const Equations& equations, int i, double t);
// The step is below the resolution of t.
std::string no_progress_message(double t, double h);
std::string limit_passed_message(double t, double limit);
// What to do about an event that happens again and again without progress. Quantised states that
// swing within their quanta carry a condition to and fro that rests in the model.
std::string way_out_of_chattering(const Stepper* stepper, std::string_view solver);
// After --max-events.
std::string way_out_of_many_events(const Stepper* stepper, std::string_view solver);

}  // namespace arges
