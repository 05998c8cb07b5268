#pragma once
// What each variable is for the run.

#include "arges/causalize/causal_model.h"

namespace arges {

void set_roles(CausalModel& model);

}  // namespace arges
