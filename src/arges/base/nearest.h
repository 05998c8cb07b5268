#pragma once
// "Did you mean ...?": the known names nearest to a mistyped one.

#include <string>
#include <string_view>
#include <vector>

namespace arges {

// Damerau-Levenshtein distance (optimal string alignment), ignoring case.
int edit_distance(std::string_view a, std::string_view b);

// At most `limit` names that are near enough to be a likely slip, nearest first; ties keep their
// order in `known`.
std::vector<std::string> nearest_names(std::string_view wanted,
                                       const std::vector<std::string>& known,
                                       std::size_t limit = 3);

// "; did you mean 'a', 'b' or 'c'?", or "; known are: ..." when nothing is near and the list is
// short, or "".
std::string did_you_mean(std::string_view wanted, const std::vector<std::string>& known);

}  // namespace arges
