#pragma once
// How messages name what stands in the text.

#include <string>
#include <string_view>

namespace arges::diag {

inline std::string in_quotes(std::string_view text) { return "`" + std::string(text) + "`"; }

}  // namespace arges::diag
