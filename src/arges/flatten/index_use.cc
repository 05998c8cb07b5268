#include "arges/flatten/index_use.h"

namespace arges::lang {

namespace {

IndexUse find_in(std::string_view name, ExprList list) {
  for (const Expr* e : list) {
    if (const IndexUse u = find_use(name, e); u.reference != nullptr) return u;
  }
  return {};
}

template <class Item>
IndexUse find_in_items(std::string_view name, std::span<const Item* const> list) {
  for (const Item* item : list) {
    for (const Expr* e : {item->left, item->right}) {
      if (const IndexUse u = find_use(name, e); u.reference != nullptr) return u;
    }
    for (const auto& b : item->branches) {
      if (const IndexUse u = find_use(name, b.condition); u.reference != nullptr) return u;
      if (const IndexUse u = find_use(name, b.body); u.reference != nullptr) return u;
    }
  }
  return {};
}

}  // namespace

IndexUse find_use(std::string_view name, EquationList list) { return find_in_items(name, list); }
IndexUse find_use(std::string_view name, StatementList list) { return find_in_items(name, list); }

IndexUse find_use(std::string_view name, const Expr* e) {
  if (e == nullptr) return {};
  switch (e->kind) {
    case ExprKind::kReference: {
      const auto& r = as<ReferenceExpr>(*e);
      for (std::size_t p = 0; p < r.parts.size(); ++p) {
        const ExprList subscripts = r.parts[p].subscripts;
        for (std::size_t d = 0; d < subscripts.size(); ++d) {
          if (subscripts[d]->kind == ExprKind::kReference) {
            const auto& s = as<ReferenceExpr>(*subscripts[d]);
            if (s.parts.size() == 1 && s.parts[0].name.text == name) return {&r, p, d};
          }
          if (const IndexUse u = find_use(name, subscripts[d]); u.reference != nullptr) return u;
        }
      }
      return {};
    }
    case ExprKind::kCall: {
      const auto& c = as<CallExpr>(*e);
      if (const IndexUse u = find_in(name, c.positional); u.reference != nullptr) return u;
      for (const NamedArgument& a : c.named) {
        if (const IndexUse u = find_use(name, a.value); u.reference != nullptr) return u;
      }
      return {};
    }
    case ExprKind::kUnary:
      return find_use(name, as<UnaryExpr>(*e).operand);
    case ExprKind::kChain:
      return find_in(name, as<ChainExpr>(*e).operands);
    case ExprKind::kIf: {
      const auto& i = as<IfExpr>(*e);
      for (const IfExprBranch& b : i.branches) {
        for (const Expr* x : {b.condition, b.value}) {
          if (const IndexUse u = find_use(name, x); u.reference != nullptr) return u;
        }
      }
      return find_use(name, i.otherwise);
    }
    case ExprKind::kArray:
      return find_in(name, as<ArrayExpr>(*e).elements);
    case ExprKind::kTuple:
      return find_in(name, as<TupleExpr>(*e).elements);
    case ExprKind::kMatrix:
      for (const ExprList& row : as<MatrixExpr>(*e).rows) {
        if (const IndexUse u = find_in(name, row); u.reference != nullptr) return u;
      }
      return {};
    default:
      return {};
  }
}

}  // namespace arges::lang
