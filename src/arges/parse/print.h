#pragma once
// The syntax tree as text.

#include <string>

#include "arges/parse/tree.h"

namespace arges::lang {

struct PrintOptions {
  bool annotations = true;
};

// Canonical Modelica text: two spaces for each level, one element to a line, no comments, strings
// and numbers as written. For a tree without errors, parse(print(tree)) has the same dump() as the
// tree. Annotations are printed as they stand in the source when they were not parsed.
std::string print(const SyntaxTree& tree, const PrintOptions& options = {});
std::string print(const ClassDef& c, const SourceFile& file, const PrintOptions& options = {});
std::string print(const Expr& e);
std::string print(const Name& n);

}  // namespace arges::lang
