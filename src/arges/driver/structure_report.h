#pragma once
// Errors in the equations as diagnostics with their places.

#include "arges/causalize/model_error.h"
#include "arges/elaborate/class_tree.h"

namespace arges {

// Reports to the diagnostics of the tree, whose files the places are looked for in.
void report(const ModelError& error, const std::string& model, lang::ClassTree& tree);

}  // namespace arges
