#include "arges/elaborate/lookup.h"

#include <algorithm>

#include "arges/diag/in_quotes.h"
#include "arges/diag/suggest.h"
#include "arges/elaborate/predefined.h"
#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;
using diag::Diagnostic;
using diag::in_quotes;

Found Lookup::from_member(const Member& member, ClassNode& owner) const {
  Found f;
  f.kind = member.kind == MemberKind::kClass       ? FoundKind::kClass
           : member.kind == MemberKind::kComponent ? FoundKind::kComponent
                                                   : FoundKind::kLiteral;
  f.node = member.node;
  f.member = &member;
  f.owner = &owner;
  f.used = 1;
  return f;
}

Found Lookup::find_element(std::string_view name, ClassNode& node) {
  // Bases may meet again at a common ancestor, and in a cycle.
  std::vector<ClassNode*> queue{&node};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    if (const Member* m = tree_.member(*queue[i], name)) return from_member(*m, *queue[i]);
    for (const auto& [base, clause] : bases(*queue[i])) {
      if (std::find(queue.begin(), queue.end(), base) == queue.end()) queue.push_back(base);
    }
  }
  return {};
}

Found Lookup::find_simple(std::string_view name, ClassNode& scope) {
  return find_simple(name, scope, true);
}

// `inherited`: whether what `scope` itself inherits counts. It does not for the names in its own
// extends clauses.
Found Lookup::find_simple(std::string_view name, ClassNode& scope, bool inherited) {
  bool encapsulated = false;
  for (ClassNode* at = &scope; !at->is_root(); at = at->parent()) {
    if (const Member* m = tree_.member(*at, name)) return from_member(*m, *at);
    if (inherited || at != &scope) {
      if (Found f = find_element(name, *at)) return f;
    }
    if (Found f = find_import(name, *at)) return f;
    const ClassDef* def = tree_.definition(*at);
    if (def != nullptr && def->encapsulated) {
      encapsulated = true;
      break;
    }
  }
  // The predefined names cannot be hidden by top-level classes, and cost no search on disk.
  if (const Member* m = tree_.member(tree_.predefined(), name)) {
    return from_member(*m, tree_.predefined());
  }
  Found f;
  f.used = 1;
  if (name == "time") {
    f.kind = FoundKind::kTime;
    return f;
  }
  if (is_predefined_function(name)) {
    f.kind = FoundKind::kFunction;
    return f;
  }
  if (!encapsulated) {
    if (const Member* m = tree_.member(tree_.root(), name)) return from_member(*m, tree_.root());
  }
  return {};
}

// The name that an import clause makes known, sought from the root.
Found Lookup::find_import_target(const Import& import, std::string_view last, ClassNode& node) {
  std::vector<Part> parts;
  for (const Identifier& i : import.name.parts) {
    parts.push_back({i.text, {tree_.file(node), i.range()}});
  }
  if (!last.empty()) parts.push_back({last, {tree_.file(node), import.range}});
  Found f = find_parts(parts, true, node, true);
  if (f) f.used = 1;
  return f;
}

Found Lookup::find_import(std::string_view name, ClassNode& node) {
  const ClassDef* def = tree_.definition(node);
  if (def == nullptr) return {};
  Found found;
  const Import* by = nullptr;
  // Imports by name come before unqualified ones.
  for (const bool unqualified : {false, true}) {
    for (const Section& section : def->sections) {
      for (const Element& element : section.elements) {
        if (element.kind != ElementKind::kImport) continue;
        const Import& import = *element.import;
        if ((import.kind == ImportKind::kUnqualified) != unqualified) continue;
        if (import.name.parts.empty()) continue;
        if (!unqualified) {
          const bool listed = std::any_of(import.list.begin(), import.list.end(),
                                          [&](const Identifier& i) { return i.text == name; });
          if (import.kind == ImportKind::kList      ? listed
              : import.kind == ImportKind::kRenamed ? import.alias.text == name
                                                    : import.name.parts.back().text == name) {
            return find_import_target(import, listed ? name : "", node);
          }
          continue;
        }
        const Found package = find_import_target(import, {}, node);
        if (package.kind != FoundKind::kClass) continue;
        const Found element_found = find_element(name, *package.node);
        if (!element_found || element_found.member->is_protected) continue;
        if (by != nullptr && found.member != element_found.member) {
          tree_.diagnostics().report(
              Diagnostic(Code::kAmbiguousImport,
                         in_quotes(name) + " comes from two unqualified imports",
                         {tree_.file(node), import.range}, "from here")
                  .label({tree_.file(node), by->range}, "and from here")
                  .suggest("import it by name"));
          return found;
        }
        found = element_found;
        by = &import;
      }
    }
  }
  return found;
}

Found Lookup::find(const Name& name, ClassNode& scope) {
  std::vector<Part> parts;
  for (const Identifier& i : name.parts) {
    parts.push_back({i.text, {tree_.file(scope), i.range()}});
  }
  return find_parts(parts, name.global, scope, true);
}

Found Lookup::find(std::string_view name, ClassNode& scope) {
  std::vector<Part> parts;
  const bool global = name.starts_with('.');
  if (global) name.remove_prefix(1);
  while (!name.empty()) {
    const std::size_t quote = name[0] == '\'' ? name.find('\'', 1) : 0;
    const std::size_t end = quote == std::string_view::npos ? quote : name.find('.', quote);
    parts.push_back({name.substr(0, end), {}});
    name = end == std::string_view::npos ? "" : name.substr(end + 1);
  }
  return find_parts(parts, global, scope, true);
}

Found Lookup::find_parts(const std::vector<Part>& parts, bool global, ClassNode& scope,
                         bool inherited) {
  if (parts.empty()) return {};
  Found f = global ? find_element(parts[0].text, tree_.root())
                   : find_simple(parts[0].text, scope, inherited);
  if (!f) {
    not_found(parts[0], global ? tree_.root() : scope);
    return {};
  }
  f.used = 1;
  while (f.used < parts.size() && f.kind == FoundKind::kClass) {
    const Part& part = parts[f.used];
    const Found next = find_element(part.text, *f.node);
    if (!next) {
      not_found_in(part, *f.node);
      return {};
    }
    if (next.member->is_protected && !inherits(scope, *next.owner)) {
      tree_.diagnostics().report(Diagnostic(
          Code::kProtectedAccess,
          in_quotes(part.text) + " is protected in " + in_quotes(next.owner->path()), part.span));
    }
    const std::size_t used = f.used + 1;
    f = next;
    f.used = used;
  }
  return f;
}

bool Lookup::inherits(ClassNode& node, const ClassNode& base) {
  std::vector<ClassNode*> queue{&node};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    if (queue[i] == &base) return true;
    for (const auto& [next, clause] : bases(*queue[i])) {
      if (std::find(queue.begin(), queue.end(), next) == queue.end()) queue.push_back(next);
    }
  }
  // Inside the class that declares it, or inside one that inherits it.
  return node.parent() != nullptr && inherits(*node.parent(), base);
}

// ---- messages ----

std::vector<std::string> Lookup::element_names(ClassNode& node) {
  std::vector<std::string> names;
  const auto add = [&](ClassNode& of) {
    for (const std::string_view n : tree_.member_names(of)) names.emplace_back(n);
  };
  add(node);
  if (node.is_root()) return names;
  for (const auto& [base, clause] : bases(node)) add(*base);
  return names;
}

std::vector<std::string> Lookup::names_around(ClassNode& scope) {
  std::vector<std::string> names;
  for (ClassNode* at = scope.parent(); at != nullptr; at = at->parent()) {
    for (std::string& name : element_names(*at)) names.push_back(std::move(name));
  }
  for (const std::string_view n : tree_.member_names(tree_.predefined())) names.emplace_back(n);
  for (std::string& name : tree_.library_path().names()) names.push_back(std::move(name));
  return names;
}

void Lookup::not_found(const Part& part, ClassNode& scope) {
  Diagnostic d(Code::kUnknownName,
               scope.is_root() ? "there is no class " + in_quotes(part.text)
                               : in_quotes(part.text) + " is not declared in " +
                                     in_quotes(scope.path()) + " or around it",
               part.span);
  suggest_names(d, part.text, element_names(scope), names_around(scope),
                scope.is_root() ? "at the top" : "in " + in_quotes(scope.path()));
  for (ClassNode* at = &scope; !at->is_root(); at = at->parent()) {
    const ClassDef* def = tree_.definition(*at);
    if (def == nullptr || !def->encapsulated) continue;
    d.note(in_quotes(at->path()) + " is encapsulated: names from outside must be imported");
    break;
  }
  tree_.diagnostics().report(std::move(d));
}

void Lookup::not_found_in(const Part& part, ClassNode& node) {
  Diagnostic d(Code::kUnknownElement,
               in_quotes(node.path()) + " has no element " + in_quotes(part.text), part.span);
  suggest_names(d, part.text, element_names(node), {}, "in " + in_quotes(node.path()));
  tree_.diagnostics().report(std::move(d));
}

}  // namespace arges::lang
