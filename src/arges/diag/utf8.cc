#include "arges/diag/utf8.h"

#include <cstring>

namespace arges::diag {

CodePoint decode(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
  };
  const unsigned b0 = byte(0);
  if (b0 < 0x80) return {static_cast<char32_t>(b0), 1, true};
  const int length = b0 >= 0xC2 && b0 <= 0xDF   ? 2
                     : b0 >= 0xE0 && b0 <= 0xEF ? 3
                     : b0 >= 0xF0 && b0 <= 0xF4 ? 4
                                                : 0;
  if (length == 0) return {};
  char32_t value = b0 & (0x7FU >> length);
  for (int i = 1; i < length; ++i) {
    const unsigned b = byte(static_cast<std::size_t>(i));
    if ((b & 0xC0U) != 0x80U) return {};
    value = (value << 6U) | (b & 0x3FU);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  if (overlong || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return {};
  return {value, static_cast<std::uint8_t>(length), true};
}

int display_width(char32_t c) {
  const auto in = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  if (in(0x300, 0x36F) || in(0x1AB0, 0x1AFF) || in(0x1DC0, 0x1DFF) || in(0x200B, 0x200F) ||
      in(0x20D0, 0x20FF) || in(0xFE00, 0xFE0F) || in(0xFE20, 0xFE2F)) {
    return 0;
  }
  if (in(0x1100, 0x115F) || in(0x2E80, 0x303E) || in(0x3041, 0xA4CF) || in(0xAC00, 0xD7A3) ||
      in(0xF900, 0xFAFF) || in(0xFE30, 0xFE6F) || in(0xFF00, 0xFF60) || in(0xFFE0, 0xFFE6) ||
      in(0x1F300, 0x1F64F) || in(0x1F900, 0x1F9FF) || in(0x20000, 0x3FFFD)) {
    return 2;
  }
  return 1;
}

std::size_t find_invalid_utf8(std::string_view text, std::size_t from) {
  std::size_t i = from;
  while (i < text.size()) {
    // Eight ASCII bytes at a time: nearly all of any model text.
    std::uint64_t word = 0;
    if (i + sizeof word <= text.size()) {
      std::memcpy(&word, text.data() + i, sizeof word);
      if ((word & 0x8080808080808080ULL) == 0) {
        i += sizeof word;
        continue;
      }
    }
    const CodePoint c = decode(text, i);
    if (!c.valid) return i;
    i += c.length;
  }
  return std::string_view::npos;
}

}  // namespace arges::diag
