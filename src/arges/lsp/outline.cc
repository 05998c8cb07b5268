#include "arges/lsp/outline.h"

#include "arges/parse/print.h"

namespace arges::lsp {

using namespace lang;

namespace {

OutlineItem item_of(const ClassDef& c) {
  OutlineItem item{std::string(c.name.text),
                   std::string(spelling(c.kind)),
                   c.range,
                   c.name.range(),
                   &c,
                   nullptr,
                   {}};
  for (const EnumLiteral& l : c.literals)
    item.children.push_back(
        {std::string(l.name.text), {}, l.name.range(), l.name.range(), nullptr, nullptr, {}});
  for (const Section& section : c.sections) {
    for (const Element& e : section.elements) {
      if (e.class_def != nullptr && !e.class_def->name.text.empty())
        item.children.push_back(item_of(*e.class_def));
      if (e.components == nullptr) continue;
      for (const Component& component : e.components->components) {
        if (component.name.text.empty()) continue;
        item.children.push_back({std::string(component.name.text),
                                 print(e.components->type),
                                 component.range,
                                 component.name.range(),
                                 nullptr,
                                 e.components,
                                 {}});
      }
    }
  }
  return item;
}

}  // namespace

std::vector<OutlineItem> outline(const SyntaxTree& tree) {
  std::vector<OutlineItem> items;
  for (const StoredClass& c : tree.root->classes) {
    if (!c.class_def->name.text.empty()) items.push_back(item_of(*c.class_def));
  }
  return items;
}

}  // namespace arges::lsp
