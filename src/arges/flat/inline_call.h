#pragma once
// Calls of small functions, replaced by what they compute.

#include "arges/flat/flat_model.h"

namespace arges {

// result(call(f, ...), 0) over the arguments, where f is one assignment to its only output:
// y := a * x[2] over scalars and elements with constant subscripts. Invalid for all other
// functions.
ExprId inlined(FlatModel& model, ExprId result);

}  // namespace arges
