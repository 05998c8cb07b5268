// The value of a declaration that is redeclared without another value (specification, chapter 7.3).

#include <algorithm>

#include "arges/flatten/instances.h"

namespace arges::lang {

// Can a value of this text stand for a component of this type? A record's value must have all of
// the type's fields; which ones it has is taken from what the text refers to, without evaluation.
bool Instances::value_fits(const Expr& value, Scope scope, Instance& type) {
  expand(type);
  if (type.basic != Basic::kNone) return true;  // that of the declaration, or else refused
  const auto fits = [&](const Expr* each) { return value_fits(*each, scope, type); };
  switch (value.kind) {
    case ExprKind::kIf: {
      const auto& e = as<IfExpr>(value);
      return fits(e.otherwise) &&
             std::ranges::all_of(e.branches, [&](const auto& each) { return fits(each.value); });
    }
    case ExprKind::kArray:
      return std::ranges::all_of(as<ArrayExpr>(value).elements, fits);
    case ExprKind::kMatrix:
      return std::ranges::all_of(as<MatrixExpr>(value).rows, [&](const ExprList& row) {
        return std::ranges::all_of(row, fits);
      });
    case ExprKind::kTuple: {
      const ExprList elements = as<TupleExpr>(value).elements;
      return elements.size() == 1 && fits(elements[0]);
    }
    case ExprKind::kCall: {
      const auto& call = as<CallExpr>(value);
      const auto parts = call.callee->parts;
      if (parts.size() == 1 && parts[0].name.text == "fill" && !call.positional.empty())
        return fits(call.positional[0]);
      return reference_fits(*call.callee, scope, type);
    }
    case ExprKind::kReference:
      return reference_fits(as<ReferenceExpr>(value), scope, type);
    default:
      return false;
  }
}

// The same for a component, or for a class as the constructor of its records.
bool Instances::reference_fits(const ReferenceExpr& reference, Scope scope, Instance& type) {
  if (reference.global || reference.parts.empty()) return false;
  Resolved found = resolve(reference.parts[0].name.text, scope);
  for (std::size_t i = 0;; ++i) {
    const bool is_component =
        found.kind == Resolved::Kind::kSlot && found.slot->kind == MemberKind::kComponent;
    Instance* at = nullptr;
    if (is_component) {
      at = referenced(*found.owner, *found.slot);
      if (at != nullptr && !at->items.empty()) at = at->items.front();
    } else if (found.kind == Resolved::Kind::kSlot || found.kind == Resolved::Kind::kClass) {
      at = &class_instance(found);
    }
    if (at == nullptr) return false;
    if (i + 1 == reference.parts.size())
      return (is_component || kind(*at) == ClassKind::kRecord) && misfit(*at, type, 0).empty();
    Slot* slot = find(*at, reference.parts[i + 1].name.text);
    if (slot == nullptr) return false;
    found = {};
    found.kind = Resolved::Kind::kSlot;
    found.owner = at;
    found.slot = slot;
  }
}

}  // namespace arges::lang
