// Replacements and what they must fit (specification, chapters 6.4 and 7.3).

#include "arges/flatten/instances.h"
#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;
using diag::Diagnostic;

namespace {

constexpr int kDepthOfComparison = 3;

std::size_t dimensions_of(const Instance& type) {
  std::size_t n = 0;
  for (const TypeDims& d : type.cls.dims) n += d.subscripts.size();
  return n;
}

}  // namespace

// A redeclaration in a modification.
void Instances::check_redeclare(Instance& owner, const Slot& slot, const Argument& redeclaration,
                                Scope scope) {
  std::string problem;
  if (slot.element != nullptr && slot.element->final) {
    problem = "it is final";
  } else if (slot.component != nullptr &&
             slot.element->components->prefix.variability == Variability::kConstant) {
    problem = "it is a constant";
  }
  if (problem.empty()) return;
  Diagnostic d(Code::kBadRedeclare, in_quotes(slot.name) + " cannot be redeclared: " + problem,
               span(scope, redeclaration.range));
  d.label(span({&owner, slot.part}, slot.element->range), "declared here");
  throw Failure{std::move(d)};
}

// Why `made` cannot stand where `wanted` is asked for; empty when it can. `own_dims` of the
// dimensions of `made` are its own affair.
std::string Instances::misfit(Instance& made, Instance& wanted, int depth, std::size_t own_dims) {
  expand(made);
  expand(wanted);
  if (made.cls.node == wanted.cls.node) return {};
  if (wanted.basic != Basic::kNone || made.basic != Basic::kNone) {
    if (made.basic != wanted.basic) {
      if (wanted.basic == Basic::kNone && wanted.table.empty()) return {};
      return "one is a basic type, the other is not";
    }
    if (made.basic == Basic::kScalar && made.type != wanted.type) {
      return std::string(to_string(made.type)) + " is no " + std::string(to_string(wanted.type));
    }
    if (made.enumeration != nullptr && wanted.enumeration != nullptr &&
        !same_enumeration(*made.enumeration, *wanted.enumeration)) {
      return "the enumerations have different literals";
    }
    return dimensions_of(made) - own_dims == dimensions_of(wanted)
               ? std::string()
               : "the numbers of dimensions differ";
  }
  for (const Part& part : made.parts) {
    if (part.node == wanted.cls.node) return {};  // it inherits all
  }
  if (depth >= kDepthOfComparison) return {};
  const ClassKind what = kind(wanted);
  if (what == ClassKind::kPackage || what == ClassKind::kFunction ||
      what == ClassKind::kOperatorFunction) {
    return {};
  }
  for (Slot* slot : wanted.order) {
    if (slot->kind != MemberKind::kComponent || slot->is_protected) continue;
    Slot* twin = find(made, slot->name);
    if (twin == nullptr || twin->kind != MemberKind::kComponent || twin->is_protected) {
      return in_quotes(made.cls.node->path()) + " has no public component " + in_quotes(slot->name);
    }
    const auto type_of = [&](Instance& owner, Slot& s) -> Instance& {
      return make(find_class(s.element->components->type, {&owner, s.part}), World::kPackage,
                  nullptr, s.name);
    };
    const std::string why = misfit(type_of(made, *twin), type_of(wanted, *slot), depth + 1);
    if (!why.empty()) return in_quotes(slot->name) + ": " + why;
  }
  return {};
}

bool Instances::same_enumeration(ClassNode& a, ClassNode& b) {
  if (&a == &b) return true;
  const ClassDef* x = tree_.definition(a);
  const ClassDef* y = tree_.definition(b);
  if (x == nullptr || y == nullptr || x->any_enumeration || y->any_enumeration) return true;
  if (x->literals.size() != y->literals.size()) return false;
  for (std::size_t i = 0; i < x->literals.size(); ++i) {
    if (x->literals[i].name.text != y->literals[i].name.text) return false;
  }
  return true;
}

// The class `ref` of an element fits the class that constrains it. `redeclarations` are those of
// the element, from the outside in: the first gave `ref`.
void Instances::check_constraint(Instance& owner, const Slot& slot, const ClassRef& ref,
                                 const Redeclarations& redeclarations, diag::Span where) {
  if (slot.element == nullptr) return;
  // Types that constrain: that of the redeclaration before the last, or else of the element.
  std::vector<std::pair<const Name*, Scope>> wanted;
  const Scope here{&owner, slot.part};
  for (std::size_t i = 1; i < redeclarations.size(); ++i) {
    const auto& [argument, scope] = redeclarations[i];
    if (argument->constraint != nullptr) wanted.emplace_back(&argument->constraint->type, scope);
  }
  if (wanted.empty()) {
    if (slot.element->constraint != nullptr) {
      wanted.emplace_back(&slot.element->constraint->type, here);
    } else if (!redeclarations.empty() && slot.component != nullptr) {
      wanted.emplace_back(&slot.element->components->type, here);
    } else if (!redeclarations.empty() && slot.node != nullptr &&
               slot.element->class_def->form == ClassForm::kShort) {
      wanted.emplace_back(&slot.element->class_def->base, here);
    }
  }
  if (wanted.empty()) return;
  const auto fits = [&](const ClassRef& candidate, std::pair<const Name*, Scope> constraint) {
    std::string why;
    std::string path;
    try {
      Instance& type = make(find_class(*constraint.first, constraint.second), World::kPackage,
                            nullptr, slot.name);
      const std::size_t own =
          candidate.node == slot.node ? slot.element->class_def->subscripts.size() : 0;
      why = misfit(make(candidate, World::kPackage, nullptr, slot.name), type, 0, own);
      path = type.cls.node->path();
    } catch (const Failure&) {
      return;  // what is wrong with the classes shows when they are used
    }
    if (why.empty()) return;
    throw Failure{Diagnostic(Code::kNotSubtype,
                             in_quotes(candidate.node->path()) + " does not fit " +
                                 in_quotes(path) + ", which constrains " + in_quotes(slot.name),
                             where)
                      .note(why)};
  };
  fits(ref, wanted[0]);
  if (!redeclarations.empty() && redeclarations[0].first->constraint != nullptr) {
    const auto& [argument, scope] = redeclarations[0];
    fits(find_class(argument->constraint->type, scope), wanted[0]);
  }
}

// The outer element `slot` of `owner` and the inner one that it refers to.
void Instances::check_inner(Instance& owner, Slot& slot, Instance& inner) {
  const Scope here{&owner, slot.part};
  const diag::Span where = span(here, slot.component->range);
  Environment environment;
  collect(owner, owner.parts[static_cast<std::size_t>(slot.part)].environment, slot.name,
          environment, nullptr);
  const Modification* own = slot.component->modification;
  const bool modified = own != nullptr && (own->value != nullptr || !own->arguments.empty());
  // What is inner, too, is modified as such.
  if ((modified || !environment.empty()) && !slot.element->inner) {
    const TextRange range = slot.component->range;
    fail(Code::kOuterModified,
         in_quotes(slot.name) + " is outer: only the inner " + in_quotes(full_name(inner)) +
             " can be modified",
         span(here, range));
  }
  const std::size_t own_dims =
      slot.component->subscripts.size() + slot.element->components->subscripts.size();
  Instance& type =
      make(find_class(slot.element->components->type, here), World::kPackage, nullptr, slot.name);
  expand(type);
  std::string why;
  if (own_dims + dimensions_of(type) != inner.dims.size()) {
    why = "the numbers of dimensions differ";
  } else {
    std::size_t d = 0;
    for (const ExprList list : {slot.component->subscripts, slot.element->components->subscripts}) {
      for (const Expr* e : list) {
        if (e->kind != ExprKind::kColon && evaluator_->dimension(*e, here) != inner.dims[d]) {
          why = "the sizes differ";
        }
        ++d;
      }
    }
  }
  if (why.empty()) {
    Instance& element = inner.items.empty() ? inner : *inner.items[0];
    if (!inner.is_array() || !inner.items.empty()) {
      why = misfit(element, type, 0);
      if (why == "the numbers of dimensions differ") why.clear();
    }
  }
  if (why.empty()) return;
  Diagnostic d(Code::kOuterMismatch,
               "the inner " + in_quotes(full_name(inner)) + " does not fit the outer " +
                   in_quotes(slot.name),
               where, "declared outer here");
  if (inner.text != nullptr) d.label(span(inner.text_scope, inner.text->range), "the inner one");
  throw Failure{std::move(d.note(why))};
}

}  // namespace arges::lang
