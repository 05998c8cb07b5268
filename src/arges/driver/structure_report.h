#pragma once
// Errors in the equations, and what else is said of them, as diagnostics with their places.

#include "arges/causalize/model_error.h"
#include "arges/elaborate/class_tree.h"

namespace arges {

// Reports to the diagnostics of the tree, whose files the places are looked for in.
void report(const ModelError& error, const std::string& model, lang::ClassTree& tree);
void report(const ModelWarning& told, const std::string& model, lang::ClassTree& tree);

}  // namespace arges
