#pragma once
// Errors in the equations, and what else is said of them, as diagnostics with their places.

#include <string>
#include <vector>

#include "arges/causalize/model_error.h"
#include "arges/elaborate/class_tree.h"

namespace arges {

// The connectors of the model itself that nothing is connected to from outside, with a flow: it is
// 0 by that, and this equation stands nowhere in the text.
std::vector<std::string> open_connectors(const FlatModel& flat);

// Reports to the diagnostics of the tree, whose files the places are looked for in. `open` is told
// with what an equation more or less may come from.
void report(const ModelError& error, const std::string& model, lang::ClassTree& tree,
            const std::vector<std::string>& open = {});
void report(const ModelWarning& told, const std::string& model, lang::ClassTree& tree);

}  // namespace arges
