#pragma once
// What statements assign.

#include <string_view>
#include <unordered_set>

#include "arges/parse/tree.h"

namespace arges::lang {

// Adds the names of the variables that statements assign, wholly or in part.
void add_assigned_names(StatementList statements, std::unordered_set<std::string_view>& names);

}  // namespace arges::lang
