#pragma once
// Rewriting every expression of a flat model.

#include <functional>

#include "arges/flat/flat_model.h"

namespace arges {

// Applies `map` to the expressions of a when-clause.
inline void rewrite_when(WhenClause& clause, const std::function<ExprId(ExprId)>& map) {
  for (WhenBranch& branch : clause.branches) {
    for (ExprId& c : branch.conditions) c = map(c);
    for (WhenAction& action : branch.actions) {
      if (action.value.valid()) action.value = map(action.value);
      if (action.message.valid()) action.message = map(action.message);
    }
  }
}

// Applies `map` to the expressions of equations, initial equations, when-clauses and asserts (not
// to attributes and bindings, nor to functions).
inline void rewrite_equations(FlatModel& model, const std::function<ExprId(ExprId)>& map) {
  for (auto* list : {&model.equations, &model.initial_equations}) {
    for (FlatEquation& e : *list) {
      e.lhs = map(e.lhs);
      e.rhs = map(e.rhs);
    }
  }
  for (WhenClause& clause : model.whens) rewrite_when(clause, map);
  for (FlatAssert& a : model.asserts) {
    a.condition = map(a.condition);
    a.message = map(a.message);
  }
}

}  // namespace arges
