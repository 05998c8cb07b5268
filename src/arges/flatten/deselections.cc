#include "arges/flatten/deselections.h"

#include <algorithm>

#include "arges/flatten/failure.h"
#include "arges/flatten/instances.h"
#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;

namespace {

// The same text, but for spaces.
bool is_same(const Equation& connection, const Argument& a) {
  if (connection.left == nullptr || connection.right == nullptr) return false;
  const std::string left = print(*connection.left), right = print(*connection.right);
  const std::string one = print(*a.connection[0]), other = print(*a.connection[1]);
  return (left == one && right == other) || (left == other && right == one);
}

bool has_connection(EquationList list, const Argument& a) {
  return std::ranges::any_of(list, [&](const Equation* e) {
    if (e->kind == EquationKind::kConnect) return is_same(*e, a);
    return std::ranges::any_of(e->branches,
                               [&](const auto& b) { return has_connection(b.body, a); });
  });
}

bool begins_with(const Expr* side, std::string_view name) {
  return side != nullptr && side->kind == ExprKind::kReference &&
         as<ReferenceExpr>(*side).parts[0].name.text == name;
}

}  // namespace

std::span<const Argument> deselections(const Modification* modification) {
  if (modification == nullptr) return {};
  const bool any = std::ranges::any_of(modification->arguments, [](const Argument& a) {
    return a.kind == ArgumentKind::kBreakElement || a.kind == ArgumentKind::kBreakConnection;
  });
  return any ? modification->arguments : std::span<const Argument>{};
}

bool Instances::is_deselected(const Instance& instance, const Slot& slot) {
  for (int p = slot.part; p >= 0;) {
    const Part& part = instance.parts[static_cast<std::size_t>(p)];
    for (const Argument& a : part.deselected) {
      if (a.kind != ArgumentKind::kBreakElement || a.name.parts[0].text != slot.name) continue;
      deselected_.insert_or_assign(&a, std::pair(slot.element, slot.part));
      return true;
    }
    p = part.derived;
  }
  return false;
}

bool Instances::is_deselected(const Equation& connection, Scope scope) const {
  for (int p = scope.part; p >= 0;) {
    const Part& part = scope.instance->parts[static_cast<std::size_t>(p)];
    for (const Argument& a : part.deselected) {
      if (a.kind == ArgumentKind::kBreakConnection && is_same(connection, a)) return true;
      if (a.kind != ArgumentKind::kBreakElement) continue;
      const std::string_view name = a.name.parts[0].text;
      if (begins_with(connection.left, name) || begins_with(connection.right, name)) return true;
    }
    p = part.derived;
  }
  return false;
}

// Each must leave something out: a model, block or connector, or a connection. `base`: the parts
// from here on came by the extends clause, whose text is in `scope`.
void Instances::check_deselections(Instance& instance, std::size_t base, Scope scope) {
  if (base >= instance.parts.size()) return;
  const std::string of = in_quotes(instance.parts[base].node->path());
  for (const Argument& a : instance.parts[base].deselected) {
    const diag::Span where = span(scope, a.range);
    if (a.kind == ArgumentKind::kBreakConnection) {
      bool any = false;
      for (std::size_t p = base; p < instance.parts.size(); ++p) {
        const ClassDef* def = tree_.definition(*instance.parts[p].node);
        if (def == nullptr) continue;
        for (const Section& s : def->sections) any = any || has_connection(s.equations, a);
      }
      if (!any) fail(Code::kBadExtends, of + " has no such connection to leave out", where);
    }
    if (a.kind != ArgumentKind::kBreakElement) continue;
    const std::string name = in_quotes(a.name.parts[0].text);
    const auto found = deselected_.find(&a);
    if (found == deselected_.end())
      fail(Code::kBadExtends, of + " has no component " + name + " to leave out", where);
    const auto& [element, part] = found->second;
    bool may = element != nullptr && element->kind == ElementKind::kComponents;
    if (may) {
      ClassNode& type = *find_class(element->components->type, {&instance, part}).node;
      const ClassDef* def = tree_.definition(type);
      may = !type.is_predefined() && def != nullptr && def->kind != ClassKind::kRecord &&
            def->kind != ClassKind::kOperatorRecord && def->kind != ClassKind::kType;
    }
    if (!may) {
      fail(Code::kBadExtends,
           name + " of " + of + " is no model, block or connector: it cannot be left out", where);
    }
  }
}

}  // namespace arges::lang
