#pragma once
// Derivatives of functions, made from their statements.

#include <vector>

#include "arges/flat/flat_model.h"

namespace arges {

// A function whose arguments are those of f, then the derivatives of its Real inputs; its results
// are the derivatives of the Real outputs. It is made once, for all calls, if all that f computes
// from its inputs has a derivative; else once for each set of inputs that vary: what is computed
// from the others (coefficients that an external function makes of a table) then needs none.
// Invalid when f has no derivative: it is external or impure, or calls such a function with what
// varies.
FunctionId statement_derivative(FlatModel& model, FunctionId f, const std::vector<bool>& varies);

}  // namespace arges
