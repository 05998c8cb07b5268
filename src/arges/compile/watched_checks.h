#pragma once
// Assertions that are looked at otherwise than all others, which are at events.

#include "arges/causalize/causal_model.h"
#include "arges/compile/builder.h"
#include "arges/compile/model_code.h"

namespace arges {

// Those whose conditions change without an event, `assert(noEvent(x > 0), ...)` or of a function of
// x, are looked at after each step; those that ask for initial() at the start. Programs compute
// whether they are violated, each into its register of `check_violated` (one for every check).
void add_watch_programs(const CausalModel& model, ModelCode& code, vm::CodeBase& base);

}  // namespace arges
