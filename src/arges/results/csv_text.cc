#include "arges/results/csv_text.h"

#include <charconv>
#include <cmath>
#include <cstdint>

namespace arges {

char* write_number(char* out, double value, bool whole) {
  if (std::isnan(value)) return out;
  constexpr double kExactIntegers = 9007199254740992.0;  // 2^53
  if (whole && std::abs(value) < kExactIntegers && value == std::trunc(value)) {
    return std::to_chars(out, out + kMaxNumberChars, static_cast<std::int64_t>(value)).ptr;
  }
  return std::to_chars(out, out + kMaxNumberChars, value).ptr;
}

std::string format_number(double value) {
  char text[kMaxNumberChars];
  return {text, write_number(text, value)};
}

std::string csv_cell(std::string_view text) {
  const bool blank_end = !text.empty() && (text.front() == ' ' || text.back() == ' ' ||
                                           text.front() == '\t' || text.back() == '\t');
  if (!blank_end && text.find_first_of(",\"\r\n;\t") == std::string_view::npos) {
    return std::string(text);
  }
  std::string cell = "\"";
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c;
  }
  cell += '"';
  return cell;
}

}  // namespace arges
