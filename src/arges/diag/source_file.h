#pragma once
// Model text and positions in it.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace arges::diag {

// A half-open range of byte offsets in one file.
struct TextRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  constexpr std::uint32_t size() const { return end - begin; }
  constexpr bool empty() const { return begin == end; }
  friend constexpr bool operator==(TextRange, TextRange) = default;
};

// The smallest range that holds both.
constexpr TextRange join(TextRange a, TextRange b) {
  return {a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

// Line and column count from 1; the column counts bytes.
struct LineColumn {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

// The text of one file with its table of lines. It is immutable and never moves: syntax trees and
// diagnostics keep string_views into it and must not outlive it. Line ends are LF or CR LF.
class SourceFile {
 public:
  // The text is kept as it is, valid UTF-8 or not. Throws UserError when it has 2^32 - 16 bytes or
  // more, for offsets have 32 bits.
  SourceFile(std::string path, std::string text);
  SourceFile(const SourceFile&) = delete;
  SourceFile& operator=(const SourceFile&) = delete;

  // Reads a file; throws IoError when that fails.
  static std::unique_ptr<const SourceFile> load(const std::string& path);

  const std::string& path() const { return path_; }
  std::string_view text() const { return text_; }
  std::string_view text(TextRange r) const { return text().substr(r.begin, r.size()); }

  std::uint32_t line_count() const { return static_cast<std::uint32_t>(line_begins_.size()); }
  LineColumn line_column(std::uint32_t offset) const;
  // Offset of the first byte of a line.
  std::uint32_t line_begin(std::uint32_t line) const { return line_begins_[line - 1]; }
  // The text of a line without its line end.
  std::string_view line(std::uint32_t line) const;

 private:
  std::string path_;
  std::string text_;
  std::vector<std::uint32_t> line_begins_;
};

// A range in a file. `file` may be null: then the diagnostic belongs to no place in the text.
struct Span {
  const SourceFile* file = nullptr;
  TextRange range;
};

}  // namespace arges::diag
