// ModelicaStrings_*.

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>

#include "arges/external/registry.h"

namespace arges::external {

namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

// Positions count from 1; the end of the text is size() + 1.
std::size_t after_space(std::string_view s, int start) {
  auto i = static_cast<std::size_t>(std::max(start, 1)) - 1;
  while (i < s.size() && is_space(s[i])) ++i;
  return i;
}

std::size_t after_digits(std::string_view s, std::size_t i) {
  while (i < s.size() && is_digit(s[i])) ++i;
  return i;
}

char at(std::string_view s, std::size_t i) { return i < s.size() ? s[i] : '\0'; }

// [sign] digits [. digits] [e [sign] digits]: its end, or `from` when there is none.
std::size_t real_end(std::string_view s, std::size_t from, bool is_unsigned) {
  std::size_t i = from;
  if (at(s, i) == '+' || at(s, i) == '-') {
    if (is_unsigned) return from;
    ++i;
  }
  const std::size_t digits = i;
  i = after_digits(s, i);
  bool any = i > digits;
  if (at(s, i) == '.') {
    const std::size_t fraction = i + 1;
    i = after_digits(s, fraction);
    any = any || i > fraction;
  }
  if (!any) return from;
  if (at(s, i) == 'e' || at(s, i) == 'E') {
    std::size_t exponent = i + 1;
    if (at(s, exponent) == '+' || at(s, exponent) == '-') ++exponent;
    const std::size_t end = after_digits(s, exponent);
    if (end == exponent) return from;
    i = end;
  }
  return i;
}

std::string_view without_plus(std::string_view s) {
  if (!s.empty() && s[0] == '+') s.remove_prefix(1);
  return s;
}

void scan_real(const Call& c) {
  const std::string& s = c.text(0);
  const std::size_t from = after_space(s, c.integer(1));
  const std::size_t end = real_end(s, from, c.boolean(2));
  double value = 0;
  if (end > from) {
    const std::string_view text = without_plus(std::string_view(s).substr(from, end - from));
    std::from_chars(text.data(), text.data() + text.size(), value);
  }
  c.set(3, end > from ? static_cast<double>(end + 1) : c.integer(1));
  c.set(4, value);
}

void scan_integer(const Call& c) {
  const std::string& s = c.text(0);
  const std::size_t from = after_space(s, c.integer(1));
  const bool sign = at(s, from) == '+' || at(s, from) == '-';
  const std::size_t digits = from + (sign ? 1 : 0);
  const std::size_t end = after_digits(s, digits);
  const char next = at(s, end);
  int value = 0;
  bool ok = end > digits && !(sign && c.boolean(2)) && next != '.' && next != 'e' && next != 'E';
  if (ok) {
    const std::string_view text = without_plus(std::string_view(s).substr(from, end - from));
    ok = std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc();
  }
  c.set(3, ok ? static_cast<double>(end + 1) : c.integer(1));
  c.set(4, ok ? value : 0);
}

void scan_identifier(const Call& c) {
  const std::string& s = c.text(0);
  const std::size_t from = after_space(s, c.integer(1));
  std::size_t end = from;
  if (is_letter(at(s, from))) {
    while (is_letter(at(s, end)) || is_digit(at(s, end)) || at(s, end) == '_') ++end;
  }
  c.set_text(3, std::string_view(s).substr(std::min(from, s.size()), end - from));
  c.set(2, end > from ? static_cast<double>(end + 1) : c.integer(1));
}

void scan_string(const Call& c) {
  const std::string& s = c.text(0);
  const std::size_t from = after_space(s, c.integer(1));
  std::size_t end = from + 1;
  if (at(s, from) == '"') {
    while (end < s.size() && (s[end] != '"' || s[end - 1] == '\\')) ++end;
  }
  const bool ok = at(s, from) == '"' && end < s.size();
  c.set_text(3, ok ? std::string_view(s).substr(from + 1, end - from - 1) : std::string_view());
  c.set(2, ok ? static_cast<double>(end + 2) : c.integer(1));
}

void compare(const Call& c) {
  std::string a = c.text(0), b = c.text(1);
  if (!c.boolean(2)) {
    for (std::string* s : {&a, &b}) {
      for (char& x : *s) x = static_cast<char>(std::tolower(static_cast<unsigned char>(x)));
    }
  }
  c.result(a < b ? 1 : a == b ? 2 : 3);  // Modelica.Utilities.Types.Compare
}

void substring(const Call& c) {
  const std::string& s = c.text(0);
  const int from = std::max(c.integer(1), 1);
  const int to = c.integer(2) < 0 ? from : std::min(c.integer(2), static_cast<int>(s.size()));
  c.result_text(to < from ? std::string_view()
                          : std::string_view(s).substr(static_cast<std::size_t>(from - 1),
                                                       static_cast<std::size_t>(to - from + 1)));
}

// Arash Partow's hash function.
void hash(const Call& c) {
  std::uint32_t h = 0xAAAAAAAA;
  const std::string& s = c.text(0);
  for (std::size_t i = 0; i < s.size(); ++i) {
    const std::uint32_t x = static_cast<unsigned char>(s[i]);
    h ^= (i & 1) == 0 ? (h << 7) ^ (x * (h >> 3)) : ~((h << 11) + (x ^ (h >> 5)));
  }
  c.result(static_cast<std::int32_t>(h));
}

const Entry kTable[] = {
    {"ModelicaStrings_length", 1,
     [](const Call& c) { c.result(static_cast<double>(c.text(0).size())); }},
    {"ModelicaStrings_substring", 3, substring},
    {"ModelicaStrings_compare", 3, compare},
    {"ModelicaStrings_skipWhiteSpace", 2,
     [](const Call& c) {
       c.result(static_cast<double>(after_space(c.text(0), c.integer(1)) + 1));
     }},
    {"ModelicaStrings_scanReal", 5, scan_real},
    {"ModelicaStrings_scanInteger", 5, scan_integer},
    {"ModelicaStrings_scanIdentifier", 4, scan_identifier},
    {"ModelicaStrings_scanString", 4, scan_string},
    {"ModelicaStrings_hashString", 1, hash},
};

}  // namespace

std::span<const Entry> string_functions() { return kTable; }

}  // namespace arges::external
