#pragma once
// What is known of the unknowns of a loop before it is solved.

#include <cstdint>
#include <vector>

#include "arges/causalize/causal_model.h"
#include "arges/compile/program.h"

namespace arges {

// Sets unknowns (by the register of each variable), their nominal values (1 where that is not known
// before the run), and which of them an equation of the loop says are never negative: v = abs(e) or
// v = sqrt(e).
void set_unknowns(const FlatModel& flat, const Block& block,
                  const std::vector<CausalEquation>& equations,
                  const std::vector<std::uint32_t>& slot, vm::Loop& loop);

}  // namespace arges
