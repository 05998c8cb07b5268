#include "arges/lsp/symbol.h"

#include <algorithm>
#include <unordered_set>

#include "arges/elaborate/predefined.h"
#include "arges/parse/print.h"

namespace arges::lsp {

using namespace lang;

namespace {

// A chain of type definitions that is longer is a circle.
constexpr int kMaxTypes = 100;

}  // namespace

const std::vector<std::string_view>& attribute_names() {
  static const std::vector<std::string_view> kNames = {
      "start", "fixed",   "unit",     "displayUnit", "min",
      "max",   "nominal", "quantity", "stateSelect", "unbounded"};
  return kNames;
}

std::optional<Symbol> Symbols::symbol_of(const Found& found, std::string_view name) const {
  Symbol s;
  s.name = name;
  s.node = found.node;
  s.owner = found.owner;
  s.member = found.member;
  switch (found.kind) {
    case FoundKind::kNothing:
      return std::nullopt;
    case FoundKind::kClass:
      s.kind = SymbolKind::kClass;
      break;
    case FoundKind::kComponent:
      s.kind = SymbolKind::kComponent;
      break;
    case FoundKind::kLiteral:
      s.kind = SymbolKind::kLiteral;
      break;
    case FoundKind::kFunction:
      s.kind = SymbolKind::kFunction;
      break;
    case FoundKind::kTime:
      s.kind = SymbolKind::kTime;
      break;
  }
  return s;
}

ClassNode* Symbols::predefined_type(ClassNode& node) {
  ClassNode* at = &node;
  for (int i = 0; i < kMaxTypes && !at->is_predefined(); ++i) {
    const auto& bases = lookup_.bases(*at);
    if (bases.size() != 1) return nullptr;
    at = bases[0].first;
  }
  return at->is_predefined() ? at : nullptr;
}

std::optional<Symbol> Symbols::step(const Symbol& from, std::string_view name) {
  ClassNode* type = type_of(from);
  if (type == nullptr) return std::nullopt;
  if (const Found f = lookup_.find_element(name, *type)) return symbol_of(f, name);
  const auto& attributes = attribute_names();
  if (std::find(attributes.begin(), attributes.end(), name) == attributes.end()) return {};
  ClassNode* basic = predefined_type(*type);
  const ClassDef* def = tree_.definition(*type);
  const bool enumeration = def != nullptr && def->form == ClassForm::kEnumeration;
  if (basic == nullptr && !enumeration) return std::nullopt;
  Symbol s;
  s.kind = SymbolKind::kAttribute;
  s.name = name;
  s.owner = basic == nullptr ? type : basic;
  return s;
}

std::optional<Symbol> Symbols::find(const std::vector<std::string_view>& path, bool global,
                                    ClassNode& scope) {
  if (path.empty()) return std::nullopt;
  std::optional<Symbol> s = symbol_of(
      global ? lookup_.find_element(path[0], tree_.root()) : lookup_.find_simple(path[0], scope),
      path[0]);
  for (std::size_t i = 1; s && i < path.size(); ++i) s = step(*s, path[i]);
  return s;
}

std::optional<Symbol> Symbols::find_inside(const std::vector<std::string_view>& path,
                                           ClassNode& node) {
  Symbol at;
  at.node = &node;
  std::optional<Symbol> s = at;
  for (std::size_t i = 0; s && i < path.size(); ++i) s = step(*s, path[i]);
  return s;
}

std::optional<Symbol> Symbols::at(const Place& place, ClassNode& scope) {
  switch (place.kind) {
    case PlaceKind::kNothing:
      return std::nullopt;
    case PlaceKind::kName:
      if (place.index != nullptr) {
        Symbol s;
        s.kind = SymbolKind::kIndex;
        s.name = place.index->name.text;
        s.owner = &scope;
        s.index = place.index;
        return s;
      }
      return find(place.path, place.global, scope);
    case PlaceKind::kImport:
      return find(place.path, true, scope);
    case PlaceKind::kDeclaration: {
      // The name of a class stands in the class itself.
      if (const Found f = lookup_.find_element(place.path[0], scope))
        return symbol_of(f, place.path[0]);
      return find(place.path, false, scope.is_root() ? scope : *scope.parent());
    }
    case PlaceKind::kModifier:
    case PlaceKind::kNamedArgument: {
      const std::optional<Symbol> type = find(place.type, false, scope);
      if (!type) return std::nullopt;
      if (ClassNode* node = type_of(*type)) return find_inside(place.path, *node);
      return std::nullopt;
    }
  }
  return std::nullopt;
}

ClassNode* Symbols::type_of(const Symbol& symbol) {
  if (symbol.kind == SymbolKind::kClass) return symbol.node;
  if (symbol.kind == SymbolKind::kLiteral) return symbol.owner;
  if (symbol.kind != SymbolKind::kComponent) return nullptr;
  const Name& type = symbol.member->element->components->type;
  std::vector<std::string_view> path;
  for (const Identifier& part : type.parts) path.push_back(part.text);
  const std::optional<Symbol> found = find(path, type.global, *symbol.owner);
  return found && found->kind == SymbolKind::kClass ? found->node : nullptr;
}

std::vector<Symbol> Symbols::elements(ClassNode& node) {
  std::vector<Symbol> all;
  std::unordered_set<std::string> seen;
  std::vector<ClassNode*> queue{&node};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const std::vector<std::string_view> names = tree_.member_names(*queue[i]);
    for (const std::string_view name : names) {
      if (!seen.emplace(name).second) continue;
      Found f;
      f.member = tree_.member(*queue[i], name);
      f.kind = f.member->kind == MemberKind::kClass       ? FoundKind::kClass
               : f.member->kind == MemberKind::kComponent ? FoundKind::kComponent
                                                          : FoundKind::kLiteral;
      f.node = f.member->node;
      f.owner = queue[i];
      all.push_back(*symbol_of(f, name));
    }
    if (queue[i]->is_root()) continue;
    for (const auto& [base, clause] : lookup_.bases(*queue[i])) {
      if (std::find(queue.begin(), queue.end(), base) == queue.end()) queue.push_back(base);
    }
  }
  if (ClassNode* basic = node.is_root() ? nullptr : predefined_type(node)) {
    for (const std::string_view name : attribute_names()) {
      Symbol s;
      s.kind = SymbolKind::kAttribute;
      s.name = name;
      s.owner = basic;
      all.push_back(std::move(s));
    }
  }
  return all;
}

void Symbols::add_imports(ClassNode& node, std::vector<Symbol>& out) {
  const ClassDef* def = tree_.definition(node);
  if (def == nullptr) return;
  const auto add = [&](std::string_view name) {
    if (const std::optional<Symbol> s = find({name}, false, node)) out.push_back(*s);
  };
  for (const Section& section : def->sections) {
    for (const Element& element : section.elements) {
      if (element.kind != ElementKind::kImport || element.import->name.parts.empty()) continue;
      const Import& import = *element.import;
      if (import.kind == ImportKind::kRenamed) {
        add(import.alias.text);
      } else if (import.kind == ImportKind::kQualified) {
        add(import.name.parts.back().text);
      } else if (import.kind == ImportKind::kList) {
        for (const Identifier& i : import.list) add(i.text);
      } else {
        std::vector<std::string_view> path;
        for (const Identifier& part : import.name.parts) path.push_back(part.text);
        const std::optional<Symbol> package = find(path, true, node);
        if (!package || package->kind != SymbolKind::kClass) continue;
        for (Symbol& s : elements(*package->node)) out.push_back(std::move(s));
      }
    }
  }
}

std::vector<Symbol> Symbols::visible(ClassNode& scope) {
  std::vector<Symbol> all;
  bool encapsulated = false;
  for (ClassNode* at = &scope; !at->is_root() && !encapsulated; at = at->parent()) {
    for (Symbol& s : elements(*at)) all.push_back(std::move(s));
    add_imports(*at, all);
    const ClassDef* def = tree_.definition(*at);
    encapsulated = def != nullptr && def->encapsulated;
  }
  for (Symbol& s : elements(tree_.predefined())) all.push_back(std::move(s));
  for (const std::string_view name : predefined_functions()) {
    Symbol s;
    s.kind = SymbolKind::kFunction;
    s.name = name;
    if (std::isupper(static_cast<unsigned char>(name[0])) == 0) all.push_back(std::move(s));
  }
  Symbol time;
  time.kind = SymbolKind::kTime;
  time.name = "time";
  all.push_back(std::move(time));
  if (!encapsulated) {
    for (Symbol& s : elements(tree_.root())) all.push_back(std::move(s));
    for (const std::string& name : tree_.library_path().names()) {
      if (const std::optional<Symbol> s = find({name}, true, tree_.root())) all.push_back(*s);
    }
  }
  std::unordered_set<std::string> seen;
  std::erase_if(all, [&](const Symbol& s) { return !seen.insert(s.name).second; });
  return all;
}

}  // namespace arges::lsp
