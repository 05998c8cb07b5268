// What may be inherited (specification, chapter 7.1).

#include <cctype>
#include <optional>

#include "arges/flatten/instances.h"
#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;
using diag::Diagnostic;

namespace {

// Text without white space, to see whether two declarations are the same.
std::string squeezed(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::isspace(static_cast<unsigned char>(c)) == 0) out += c;
  }
  return out;
}

}  // namespace

// `there` and `slot` have the same name and come from different classes. `inherits`: the class of
// `there` inherits that of `slot`.
void Instances::check_duplicate(Instance& instance, const Slot& there, const Slot& slot,
                                bool inherits) {
  if (there.element == slot.element && there.node == slot.node) return;
  const Scope here{&instance, there.part};
  const Scope base{&instance, slot.part};
  const auto range_of = [](const Slot& s) {
    return s.component != nullptr ? s.component->range
           : s.element != nullptr ? s.element->range
                                  : TextRange{};
  };
  const diag::Span where = span(here, range_of(there));
  const bool extended = there.kind == MemberKind::kClass && there.element != nullptr &&
                        there.element->class_def->form == ClassForm::kExtends;
  if (inherits && ((there.element != nullptr && there.element->redeclare) || extended)) {
    const bool replaceable = slot.element != nullptr && slot.element->replaceable;
    if (!replaceable && !(slot.element != nullptr && slot.element->redeclare)) {
      fail(Code::kNotReplaceable, in_quotes(slot.name) + " is not replaceable", where);
    }
    std::string problem;
    if (slot.element != nullptr && slot.element->final) {
      problem = "it is final";
    } else if (slot.component != nullptr &&
               slot.element->components->prefix.variability == Variability::kConstant) {
      problem = "it is a constant";
    } else if (slot.is_protected != there.is_protected) {
      problem = slot.is_protected ? "it is protected and would become public"
                                  : "it is public and would become protected";
    }
    if (!problem.empty()) {
      Diagnostic d(Code::kBadRedeclare,
                   "the inherited " + in_quotes(slot.name) + " cannot be redeclared: " + problem,
                   where);
      d.label(span(base, range_of(slot)), "declared here");
      throw Failure{std::move(d)};
    }
    return;
  }
  bool same = there.kind == slot.kind;
  if (same && slot.kind == MemberKind::kComponent) {
    const ComponentClause& a = *there.element->components;
    const ComponentClause& b = *slot.element->components;
    // Libraries differ in attributes such as `start`; type and value must agree.
    const auto value = [&](const Slot& s, Scope scope) {
      const Modification* m = s.component->modification;
      if (m == nullptr || m->value == nullptr) return std::string();
      return squeezed(tree_.file(node(scope))->text(m->value->range));
    };
    same = print(a.type) == print(b.type) && value(there, here) == value(slot, base);
  } else if (same && slot.kind == MemberKind::kClass) {
    const ClassDef* a = tree_.definition(*there.node);
    const ClassDef* b = tree_.definition(*slot.node);
    if (a == nullptr || b == nullptr) return;
    // Of short classes the base counts; descriptions and annotations may differ.
    const bool is_short = a->form == ClassForm::kShort && b->form == ClassForm::kShort;
    same = a == b || (is_short && print(a->base) == print(b->base)) ||
           squeezed(tree_.file(*there.node)->text(a->range)) ==
               squeezed(tree_.file(*slot.node)->text(b->range));
  }
  if (same) return;
  Diagnostic d(Code::kDifferentDuplicates,
               in_quotes(slot.name) + " is declared in " + in_quotes(node(here).path()) +
                   " and, differently, in " + in_quotes(node(base).path()),
               where);
  d.label(span(base, range_of(slot)), "and here");
  throw Failure{std::move(d)};
}

// The name of a base does not depend on what is inherited.
void Instances::check_extends(const Name& name, Scope scope) {
  if (name.parts.empty() || name.global) return;
  const Resolved found = resolve(name.parts[0].text, scope);
  if (found.kind != Resolved::Kind::kSlot || found.slot->kind != MemberKind::kClass) return;
  bool inherited = false;
  if (found.owner == scope.instance && found.slot->part != scope.part) {
    for (int p = found.slot->part; p >= 0;
         p = found.owner->parts[static_cast<std::size_t>(p)].derived) {
      inherited = inherited || p == scope.part;
    }
  }
  if (inherited) {
    fail(Code::kBadExtends,
         in_quotes(name.parts[0].text) + " is inherited itself and cannot name what to inherit",
         span(scope, name.range));
  }
  if (name.parts.size() == 1 && found.owner == scope.instance && found.slot->element != nullptr &&
      found.slot->element->replaceable) {
    fail(
        Code::kBadExtends,
        in_quotes(name.parts[0].text) + " is replaceable, so that nothing can inherit from it here",
        span(scope, name.range));
  }
}

// What a function computes is one algorithm, or one external function, its own or inherited
// (specification, 12.2).
void Instances::check_one_body(const Instance& function) {
  if (function.parts.size() < 2) return;
  diag::Span body;
  const ClassNode* from = nullptr;
  for (const Part& part : function.parts) {
    const ClassDef* def = tree_.definition(*part.node);
    const bool is_function = def != nullptr && (def->kind == ClassKind::kFunction ||
                                                def->kind == ClassKind::kOperatorFunction);
    if (!is_function) continue;
    std::optional<TextRange> here;
    if (def->external != nullptr) here = def->external->range;
    for (const Section& section : def->sections) {
      if (section.kind == SectionKind::kAlgorithm) here = section.range;
    }
    if (!here || part.node == from) continue;
    const diag::Span where{tree_.file(*part.node), *here};
    if (from != nullptr) {
      Diagnostic d(Code::kClassRestriction,
                   "a function has one algorithm, and " + in_quotes(from->path()) +
                       " inherits that of " + in_quotes(part.node->path()),
                   body);
      d.label(where, "the inherited one");
      throw Failure{std::move(d)};
    }
    from = part.node;
    body = where;
  }
}

// A base that gives sizes or a direction to the whole class.
void Instances::check_lonely(const ClassDef& def, const Extends& clause, diag::Span where) {
  for (const Section& section : def.sections) {
    for (const Element& element : section.elements) {
      if (element.kind == ElementKind::kComponents ||
          (element.kind == ElementKind::kExtends && element.extends != &clause)) {
        fail(Code::kBadExtends,
             in_quotes(print(clause.type)) +
                 " is an array or has a prefix: a class that inherits it has neither components "
                 "nor other bases",
             where);
      }
    }
  }
}

}  // namespace arges::lang
