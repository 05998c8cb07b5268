#pragma once
// Which locals of a function can have a derivative.

#include <cstdint>
#include <vector>

#include "arges/flat/flat_model.h"

namespace arges {

// One mark for each local of f: true where its value may follow a Real input for which `varies`
// holds, through any statement or initial value. The derivative of the others is zero wherever it
// is asked for, and what they are computed from need not have one: tables, and coefficients that
// an external function makes of tables. Arrays count as a whole.
std::vector<bool> active_locals(const FlatModel& model, const FlatFunction& f,
                                const std::vector<bool>& varies);

}  // namespace arges
