#pragma once
// Assertions whose conditions change without an event: `assert(noEvent(x > 0), ...)`, or of a
// function of x. They are looked at after each step; all others at events.

#include <cstdint>
#include <vector>

#include "arges/causalize/causal_model.h"
#include "arges/compile/builder.h"

namespace arges {

// Their places in CausalModel::checks.
std::vector<std::uint32_t> watched_checks(const CausalModel& model);

// Computes whether they are violated, each into its register of `violated` (one for every check).
vm::Program watch_program(const CausalModel& model, const std::vector<std::uint32_t>& watched,
                          const std::vector<std::uint32_t>& violated, vm::CodeBase& base);

}  // namespace arges
