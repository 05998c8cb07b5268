#pragma once

#include "arges/causalize/causal_model.h"

namespace arges {

// Differentiates what has to be differentiated, and chooses among the variables that are states or
// became candidates by that. Throws UserError when an equation cannot be differentiated.
void reduce_index(CausalModel& model);

}  // namespace arges
