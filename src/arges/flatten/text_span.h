#pragma once
// From what an equation or variable of a flat model remembers of its text back to the text.

#include "arges/diag/source_file.h"
#include "arges/elaborate/class_tree.h"
#include "arges/flat/flat_model.h"

namespace arges::lang {

// The range of an origin in its file; without a file when it has no place, or the file was not read
// by this tree.
inline diag::Span text_span(const Origin& origin, const ExprPool& pool, const ClassTree& tree) {
  if (origin.line == 0 || !origin.file.valid()) return {};
  const diag::SourceFile* file = tree.find_file(pool.text(origin.file));
  if (file == nullptr) return {};
  const auto offset = [&](std::int32_t line, std::int32_t column) {
    return file->line_begin(static_cast<std::uint32_t>(line)) + static_cast<std::uint32_t>(column) -
           1;
  };
  return {file, {offset(origin.line, origin.column), offset(origin.end_line, origin.end_column)}};
}

}  // namespace arges::lang
