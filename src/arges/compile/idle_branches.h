#pragma once
// Branches that parameters never take, where an equation would be solved for what only they have.

#include "arges/causalize/causal_model.h"

namespace arges {

// As causalize_without_zero_factors(), but where a loop has an unknown of its own only in branches
// that the present values of parameters exclude (`y = if abs(T) < eps then k*u else x` with T = 1
// cannot be solved for u), the parameters in their conditions are settled before the run, like
// those with Evaluate = true: the equation then has the branch that is taken alone.
CausalModel causalize_taken_branches(FlatModel flat);

}  // namespace arges
