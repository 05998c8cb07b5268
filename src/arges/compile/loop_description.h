#pragma once
// What messages call a loop of equations.

#include <string>
#include <vector>

#include "arges/causalize/causal_model.h"

namespace arges {

// "linear equations for x, y: x + y = 1; ...": the first of its unknowns and equations.
std::string describe_loop(const CausalModel& model, const Block& block,
                          const std::vector<CausalEquation>& equations);

}  // namespace arges
