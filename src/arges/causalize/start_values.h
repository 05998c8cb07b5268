#pragma once
// Rough numbers for choices: which unknown to eliminate, which variable to take as a state.

#include "arges/flat/flat_model.h"

namespace arges {

// The value of an expression with parameters at their bindings and variables at their start values,
// as far as they can be followed; everything else is zero. May be NaN or infinite.
double value_at_start(const FlatModel& model, ExprId e);

}  // namespace arges
