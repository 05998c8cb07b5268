#pragma once
// With what the iteration of a loop begins, as programs.

#include <vector>

#include "arges/causalize/causal_model.h"
#include "arges/compile/builder.h"

namespace arges {

std::vector<vm::Loop::Guess> compile_guesses(vm::CodeBase& base,
                                             const std::vector<Block::Assignment>& guesses,
                                             bool homotopy);

}  // namespace arges
