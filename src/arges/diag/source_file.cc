#include "arges/diag/source_file.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>

#include "arges/base/error.h"

namespace arges::diag {

SourceFile::SourceFile(std::string path, std::string text)
    : path_(std::move(path)), text_(std::move(text)) {
  if (text_.size() >= std::numeric_limits<std::uint32_t>::max() - 16) {
    throw UserError("'" + path_ + "' has " + std::to_string(text_.size()) +
                    " bytes; a source file may have at most 4 GB: split it into several files");
  }
  line_begins_.push_back(0);
  const char* const first = text_.data();
  const char* const last = first + text_.size();
  for (const char* p = first; p < last;) {
    const void* found = std::memchr(p, '\n', static_cast<std::size_t>(last - p));
    if (found == nullptr) break;
    p = static_cast<const char*>(found) + 1;
    line_begins_.push_back(static_cast<std::uint32_t>(p - first));
  }
}

std::unique_ptr<const SourceFile> SourceFile::load(const std::string& path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  if (!in) throw IoError("cannot open '" + path + "': " + std::strerror(errno));
  const std::streamoff size = in.tellg();
  // A folder can be opened, but has no size.
  if (size < 0 || size == std::numeric_limits<std::streamoff>::max()) {
    throw IoError("cannot read '" + path + "': it is not a plain file");
  }
  std::string text(static_cast<std::size_t>(size), '\0');
  in.seekg(0);
  if (!in.read(text.data(), size)) throw IoError("cannot read '" + path + "'");
  return std::make_unique<const SourceFile>(path, std::move(text));
}

LineColumn SourceFile::line_column(std::uint32_t offset) const {
  const auto after = std::upper_bound(line_begins_.begin(), line_begins_.end(), offset);
  const auto line = static_cast<std::uint32_t>(after - line_begins_.begin());
  return {line, offset - line_begins_[line - 1] + 1};
}

std::string_view SourceFile::line(std::uint32_t line) const {
  const std::size_t begin = line_begins_[line - 1];
  std::size_t end = line < line_begins_.size() ? line_begins_[line] - 1 : text_.size();
  if (end > begin && text_[end - 1] == '\r') --end;
  return text().substr(begin, end - begin);
}

}  // namespace arges::diag
