#include "arges/expr/text.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "arges/base/saturated.h"

namespace arges {

namespace {

constexpr int kLongest = 1000;

}  // namespace

std::string padded_text(std::string text, int length, bool left) {
  const auto wanted = static_cast<std::size_t>(std::clamp(length, 0, kLongest));
  if (text.size() >= wanted) return text;
  const std::string blanks(wanted - text.size(), ' ');
  return left ? text + blanks : blanks + text;
}

std::string value_text(ScalarType type, double value, int digits, int length, bool left) {
  std::string text;
  if (type == ScalarType::kBoolean) {
    text = value != 0 ? "true" : "false";
  } else if (type == ScalarType::kReal) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%.*g", std::clamp(digits, 1, 17), value);
    text = buffer;
  } else {
    text = std::to_string(saturated<long long>(value));
  }
  return padded_text(std::move(text), length, left);
}

std::string formatted_text(ScalarType type, double value, std::string_view format) {
  if (!format.empty() && format[0] == '%') format.remove_prefix(1);
  const char kind = format.empty() ? ' ' : format.back();
  const std::string_view flags = format.substr(0, format.empty() ? 0 : format.size() - 1);
  const bool plain = flags.find_first_not_of("-+ #0123456789.") == flags.npos && flags.size() < 12;
  char buffer[512];
  if (plain && std::string_view("eEfFgG").find(kind) != std::string_view::npos) {
    std::snprintf(buffer, sizeof buffer, ("%" + std::string(format)).c_str(), value);
    return buffer;
  }
  if (plain && std::string_view("dioxXuc").find(kind) != std::string_view::npos) {
    const std::string with_size = "%" + std::string(flags) + (kind == 'c' ? "" : "ll") + kind;
    if (kind == 'c') {
      std::snprintf(buffer, sizeof buffer, with_size.c_str(), saturated<int>(value));
    } else {
      std::snprintf(buffer, sizeof buffer, with_size.c_str(), saturated<long long>(value));
    }
    return buffer;
  }
  return value_text(type, value);
}

}  // namespace arges
