#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace arges {

// A decimal number that takes up the whole text, whatever the locale. Empty: it is none.
inline std::optional<double> parse_number(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

}  // namespace arges
