#pragma once
// What is zero by parameters where an equation would be solved by dividing by it.

#include "arges/causalize/causal_model.h"

namespace arges {

// As causalize(), but a final parameter that is zero, and that a loop or an assignment needs as the
// factor of one of its unknowns, is zero in the equations: i R = u - v with R = 0 is u = v, which
// has another structure (fewer states, another matching). Parameters on which it depends are then
// settled before the run as well, like those with Evaluate = true. Other parameters that are zero
// stay as they are: they can be changed without compiling again.
//
// So is a variable that functions compute as zero whatever their other arguments are: the capacity
// c(v, C0) of a junction with C0 = 0 (known_values.h).
CausalModel causalize_without_zero_factors(FlatModel flat);

}  // namespace arges
