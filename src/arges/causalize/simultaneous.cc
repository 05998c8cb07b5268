#include "arges/causalize/simultaneous.h"

#include <algorithm>

#include <fmt/format.h>

#include "arges/base/index.h"
#include "arges/expr/walk.h"

namespace arges {

namespace {

bool is_set_at_events(const CausalModel& model, VarId v) {
  return model.role_of(v) == Role::kDiscrete && model.flat[v].type == ScalarType::kReal;
}

// v = if fires then value else pre(v), with any number of branches.
bool is_of_when(CausalModel& model, const CausalEquation& e, VarId v) {
  return e.defines && e.lhs == model.flat.ref(v) && model.flat.pool[e.rhs].op == Op::kIf;
}

// The same branches, with `value` in each.
ExprId in_branches(ExprPool& pool, ExprId e, ExprId value) {
  if (pool[e].op != Op::kIf) return e;
  return pool.if_else(pool.arg(e, 0), value, in_branches(pool, pool.arg(e, 2), value));
}

// An algebraic variable in place of v in the equations `rows`.
void stand_in(CausalModel& model, VarId v, std::size_t own, std::span<const int> rows) {
  FlatModel& flat = model.flat;
  FlatVariable made;
  made.name = fmt::format("$now{}", flat.variables.size());
  made.type = ScalarType::kReal;
  made.start = flat[v].start;
  made.nominal = flat[v].nominal;
  made.origin = flat[v].origin;
  made.hidden = true;
  model.role.push_back(Role::kAlgebraic);
  const ExprId now = flat.ref(flat.add(std::move(made))), before = flat.ref(v);
  ExprRewriter rewrite(
      flat.pool, [&](ExprId e, std::span<const ExprId>) { return e == before ? now : ExprId{}; });
  for (const int row : rows) {
    CausalEquation& e = model.equations[at(row)];
    e.lhs = rewrite(e.lhs);
    e.rhs = rewrite(e.rhs);
  }
  const CausalEquation& e = model.equations[own];
  CausalEquation kept = e;
  kept.lhs = before;
  kept.rhs = in_branches(flat.pool, e.rhs, now);
  model.equations.push_back(kept);
}

}  // namespace

bool solve_simultaneously(CausalModel& model, const SystemSorter& sorter,
                          const structure::Matching& matching) {
  const structure::Blocks order = structure::block_lower_triangular(sorter.incidence(), matching);
  bool changed = false;
  for (int k = 0; k < order.count(); ++k) {
    const auto rows = order[k];
    const auto unknown = [&](int row) {
      return sorter.unknowns()[at(matching.column_of_row[at(row)])];
    };
    const bool may = rows.size() > 1 && std::ranges::all_of(rows, [&](int row) {
                       const VarId v = unknown(row);
                       return is_set_at_events(model, v)
                                  ? is_of_when(model, model.equations[at(row)], v)
                                  : !model.is_stepwise(v);
                     });
    if (!may) continue;
    for (const int row : rows) {
      const VarId v = unknown(row);
      if (!is_set_at_events(model, v)) continue;
      stand_in(model, v, at(row), rows);
      changed = true;
    }
  }
  return changed;
}

}  // namespace arges
