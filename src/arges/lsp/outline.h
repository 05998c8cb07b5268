#pragma once
// The classes and components of a document, as an editor lists them.

#include <string>
#include <vector>

#include "arges/parse/tree.h"

namespace arges::lsp {

struct OutlineItem {
  std::string name;
  std::string detail;  // the type of a component, the kind of a class
  lang::TextRange range, name_range;
  const lang::ClassDef* class_def = nullptr;          // null: a component
  const lang::ComponentClause* components = nullptr;  // null: a class, or a literal
  std::vector<OutlineItem> children;
};

std::vector<OutlineItem> outline(const lang::SyntaxTree& tree);

}  // namespace arges::lsp
