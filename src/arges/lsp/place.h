#pragma once
// What stands at a place of the text.

#include <string_view>
#include <vector>

#include "arges/parse/tree.h"

namespace arges::lsp {

enum class PlaceKind : std::uint8_t {
  kNothing,
  kName,           // of a class, or a reference in an expression: a.b.c up to the part pointed at
  kImport,         // the same, sought from the root
  kModifier,       // x(a(b = 1)): a.b of what `type` names
  kNamedArgument,  // f(a = 1): an input of the function `type`
  kDeclaration,    // of a component, class or literal, by its own name
};

// An identifier, and what is needed to find its declaration.
struct Place {
  PlaceKind kind = PlaceKind::kNothing;
  lang::TextRange range;  // of the identifier
  std::vector<std::string_view> path;
  std::vector<std::string_view> type;
  bool global = false;
  // The iterator that the first part of the path is, if it is one.
  const lang::ForIndex* index = nullptr;
};

// Looks for the identifier at an offset (also directly behind it). Annotations are not looked into.
Place find_place(const lang::SyntaxTree& tree, std::uint32_t offset);

}  // namespace arges::lsp
