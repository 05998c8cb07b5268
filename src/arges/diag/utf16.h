#pragma once
// Positions as editors count them.

#include <cstdint>

#include "arges/diag/source_file.h"

namespace arges::diag {

// Line and character count from 0, characters in UTF-16 units (as the Language Server Protocol
// asks): a character beyond the basic plane counts two, a byte that is no UTF-8 counts one.
struct Utf16Position {
  std::uint32_t line = 0;
  std::uint32_t character = 0;

  friend bool operator==(Utf16Position, Utf16Position) = default;
};

Utf16Position utf16_position(const SourceFile& file, std::uint32_t offset);

// The offset of a position. What lies behind the end of its line is the end of that line, a line
// behind the last is the end of the text, and the middle of a character is its begin.
std::uint32_t offset_at(const SourceFile& file, Utf16Position position);

}  // namespace arges::diag
