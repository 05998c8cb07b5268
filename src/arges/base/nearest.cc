#include "arges/base/nearest.h"

#include <algorithm>
#include <cctype>

namespace arges {

namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

std::string quoted_list(const std::vector<std::string>& names, std::string_view last_separator) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? last_separator : std::string_view(", ");
    text += "'" + names[i] + "'";
  }
  return text;
}

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  const std::size_t columns = b.size() + 1;
  std::vector<int> two_ago(columns), previous(columns), current(columns);
  for (std::size_t j = 0; j < columns; ++j) previous[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = static_cast<int>(i);
    for (std::size_t j = 1; j < columns; ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      current[j] =
          std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) current[j] = std::min(current[j], two_ago[j - 2] + 1);
    }
    two_ago.swap(previous);
    previous.swap(current);
  }
  return previous[b.size()];
}

std::vector<std::string> nearest_names(std::string_view wanted,
                                       const std::vector<std::string>& known, std::size_t limit) {
  constexpr std::size_t kLongest = 200;  // the distance takes the square of it
  if (wanted.size() > kLongest) return {};
  const int farthest = std::max(1, static_cast<int>(wanted.size()) / 2);
  std::vector<std::pair<int, std::string>> near;
  for (const std::string& name : known) {
    if (name.size() > kLongest) continue;
    int distance = edit_distance(wanted, name);
    // A prefix is a likelier slip than its distance says: "rodas" for "rodas5p".
    if (wanted.size() >= 2 &&
        edit_distance(wanted, std::string_view(name).substr(0, wanted.size())) == 0) {
      distance = std::min(distance, 1);
    }
    // Of single letters each is as near as the other.
    if (wanted.size() == 1 && name.size() == 1 && distance > 0) continue;
    if (distance <= farthest) near.emplace_back(distance, name);
  }
  std::stable_sort(near.begin(), near.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < near.size() && i < limit; ++i) names.push_back(near[i].second);
  return names;
}

std::string did_you_mean(std::string_view wanted, const std::vector<std::string>& known) {
  const auto near = nearest_names(wanted, known);
  if (!near.empty()) return "; did you mean " + quoted_list(near, " or ") + "?";
  if (!known.empty() && known.size() <= 24) return "; known are: " + quoted_list(known, " and ");
  return "";
}

}  // namespace arges
