#pragma once
// UTF-8 as far as showing positions needs it.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace arges::diag {

struct CodePoint {
  char32_t value = 0xFFFD;
  std::uint8_t length = 1;  // bytes
  bool valid = false;
};

// The code point at `at` (at < text.size()). Overlong forms, surrogates and cut sequences are
// invalid and have length 1.
CodePoint decode(std::string_view text, std::size_t at);

// Columns of a terminal: 0 for combining marks, 2 for East Asian wide characters and emoji.
int display_width(char32_t c);

// The first offset at or after `from` where the text is not UTF-8; npos when it is from there on.
std::size_t find_invalid_utf8(std::string_view text, std::size_t from = 0);

}  // namespace arges::diag
