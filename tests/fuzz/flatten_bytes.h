#pragma once
// Bytes to a flat model under limits that keep one input short.

#include <cstdint>
#include <optional>
#include <string>

#include "arges/elaborate/class_tree.h"
#include "arges/flatten/instances.h"
#include "arges/flatten/load.h"

namespace arges::fuzz {

// Of a package its last class, as far as it has one.
inline lang::ClassNode& last_model(lang::ClassTree& tree, lang::ClassNode& node) {
  lang::ClassNode* at = &node;
  for (lang::ClassNode* next = at; next != nullptr;) {
    at = next;
    next = nullptr;
    const lang::ClassDef* def = tree.definition(*at);
    if (def == nullptr || def->kind != lang::ClassKind::kPackage) break;
    for (const std::string_view name : tree.member_names(*at)) {
      const lang::Member* member = tree.member(*at, name);
      if (member->kind == lang::MemberKind::kClass) next = member->node;
    }
  }
  return *at;
}

// The last class of the text; nothing when there is none or the diagnostics of the tree hold
// errors.
inline std::optional<FlatModel> flatten_bytes(lang::ClassTree& tree, std::string text) {
  const std::vector<lang::ClassNode*> added = tree.add_text("fuzz.mo", std::move(text));
  if (added.empty() || tree.diagnostics().has_errors()) return std::nullopt;
  lang::Limits limits;
  limits.elements = 2000;
  limits.variables = 500;
  limits.instances = 5000;
  limits.evaluations = 20'000;
  FlatModel model = lang::flatten_class(tree, last_model(tree, *added.back()), limits);
  if (tree.diagnostics().has_errors()) return std::nullopt;
  return model;
}

inline std::string to_string(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace arges::fuzz
