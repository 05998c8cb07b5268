#include <algorithm>

#include "arges/causalize/passes.h"
#include "arges/expr/walk.h"
#include "arges/flat/differentiate_function.h"
#include "arges/flat/inline_call.h"

namespace arges {

void inline_late(CausalModel& model) {
  FlatModel& flat = model.flat;
  ExprPool& pool = flat.pool;
  // Derivatives of such functions may have none themselves.
  std::vector<char> is_late(flat.functions.size(), 0);
  for (std::size_t i = 0; i < flat.functions.size(); ++i) {
    if (!follows_declaration(flat.functions[i])) continue;
    is_late[i] = 1;
    for (const FlatDerivative& d : flat.functions[i].declared)
      is_late[static_cast<std::size_t>(d.function.index)] = 1;
  }
  if (std::count(is_late.begin(), is_late.end(), 1) == 0) return;
  ExprRewriter rewrite(pool, [&](ExprId e, std::span<const ExprId> args) {
    if (pool[e].op != Op::kResult || is_late[static_cast<std::size_t>(pool[args[0]].index)] == 0)
      return ExprId{};
    return inlined(flat, pool.result(args[0], pool[e].index, pool[e].type));
  });
  for (auto* equations : {&model.equations, &model.invariants}) {
    for (CausalEquation& e : *equations) {
      e.lhs = rewrite(e.lhs);
      e.rhs = rewrite(e.rhs);
    }
  }
}

}  // namespace arges
