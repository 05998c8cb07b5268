#pragma once
// Which rates depend on which states.

#include "arges/compile/model_code.h"

namespace arges {

// Fills code.sparsity by passing sets of states through the blocks; block_of: variable -> block, or
// -1. Gives up (has_sparsity false) when the sets together grow beyond what a sparse Jacobian is
// good for.
void find_sparsity(const CausalModel& model, const std::vector<std::int32_t>& block_of,
                   ModelCode& code);

}  // namespace arges
