// What exists in a mode of a state machine.

#include <algorithm>

#include <fmt/format.h>

#include "arges/base/index.h"
#include "arges/causalize/passes.h"
#include "arges/expr/walk.h"
#include "arges/flat/print.h"

namespace arges {

void check_present(const CausalModel& model) {
  const FlatModel& flat = model.flat;
  const ExprPool& pool = flat.pool;
  ExprWalker walker(pool);
  if (std::none_of(flat.variables.begin(), flat.variables.end(),
                   [](const FlatVariable& v) { return v.absent; }))
    return;
  const auto check = [&](ExprId root, const std::string& where) {
    for (const ExprId e : walker.nodes(root)) {
      if (pool[e].op != Op::kVar || model.role[at(pool[e].index)] != Role::kAbsent) continue;
      throw UserError(
          fmt::format("{} uses '{}', which does not exist here: its block is not "
                      "active",
                      where, flat.variables[at(pool[e].index)].name));
    }
  };
  for (const auto* list : {&model.equations, &model.initial_equations}) {
    for (const CausalEquation& e : *list) {
      for (const ExprId side : {e.lhs, e.rhs}) check(side, fmt::format("'{}'", model.describe(e)));
    }
  }
  for (const AliasLink& a : model.aliases) {
    const FlatVariable& v = flat[a.var];
    for (const ExprId e : walker.nodes(a.value)) {
      if (pool[e].op != Op::kVar) continue;
      const FlatVariable& root = flat[pool.var(e)];
      if (v.absent == root.absent) continue;
      throw UserError(
          fmt::format("'{} = {}' uses '{}', which does not exist here: its block is "
                      "not active",
                      v.name, root.name, v.absent ? v.name : root.name));
    }
  }
  for (const Relation& r : model.relations) {
    const std::string text = to_text(pool, r.exact, model.names_to_read());
    check(r.exact, fmt::format("the relation '{}'", text));
  }
  for (const FloorMemory& f : model.floors) check(f.argument, "a rounded value");
  for (const CheckAction& c : model.checks) check(c.violated, "an assertion");
  for (const ReinitAction& r : model.reinits) check(r.value, "a reinit");
}

}  // namespace arges
