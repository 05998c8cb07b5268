#pragma once
// Help for a name that nobody has declared.

#include <string>
#include <string_view>
#include <vector>

#include "arges/diag/diagnostic.h"

namespace arges::diag {

// Adds what was probably meant: the name nearest to `wanted` of those declared `here` and, after
// them, `around`. When none is near and only few are declared here, they are listed; `where` says
// where that is ("in `M`").
void suggest_names(Diagnostic& d, std::string_view wanted, const std::vector<std::string>& here,
                   const std::vector<std::string>& around, const std::string& where);

}  // namespace arges::diag
