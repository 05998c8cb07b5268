#include "arges/flatten/assigned_names.h"

namespace arges::lang {

namespace {

void add_target(const Expr* e, std::unordered_set<std::string_view>& names) {
  if (e == nullptr) return;
  if (e->kind == ExprKind::kReference) names.insert(as<ReferenceExpr>(*e).parts[0].name.text);
  if (e->kind == ExprKind::kTuple) {
    for (const Expr* element : as<TupleExpr>(*e).elements) add_target(element, names);
  }
}

}  // namespace

void add_assigned_names(StatementList statements, std::unordered_set<std::string_view>& names) {
  for (const Statement* s : statements) {
    if (s->kind == StatementKind::kAssign) add_target(s->left, names);
    for (const auto& branch : s->branches) add_assigned_names(branch.body, names);
  }
}

}  // namespace arges::lang
