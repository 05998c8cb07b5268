#include "arges/diag/utf16.h"

#include "arges/diag/utf8.h"

namespace arges::diag {

namespace {

std::uint32_t units_of(const CodePoint& c) { return c.value > 0xFFFF ? 2 : 1; }

}  // namespace

Utf16Position utf16_position(const SourceFile& file, std::uint32_t offset) {
  const LineColumn at = file.line_column(offset);
  std::uint32_t units = 0;
  for (std::uint32_t i = file.line_begin(at.line); i < offset;) {
    const CodePoint c = decode(file.text(), i);
    units += units_of(c);
    i += c.length;
  }
  return {at.line - 1, units};
}

std::uint32_t offset_at(const SourceFile& file, Utf16Position position) {
  if (position.line >= file.line_count()) return static_cast<std::uint32_t>(file.text().size());
  const std::string_view line = file.line(position.line + 1);
  std::uint32_t at = 0;
  for (std::uint32_t units = 0; at < line.size();) {
    const CodePoint c = decode(line, at);
    units += units_of(c);
    if (units > position.character) break;
    at += c.length;
  }
  return file.line_begin(position.line + 1) + at;
}

}  // namespace arges::diag
