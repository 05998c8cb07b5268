#include "arges/causalize/late_inliner.h"

#include "arges/causalize/passes.h"
#include "arges/flat/differentiate_function.h"
#include "arges/flat/inline_call.h"

namespace arges {

LateInliner::LateInliner(FlatModel& flat)
    : is_late_(flat.functions.size(), 0),
      rewrite_(flat.pool, [this, &flat](ExprId e, std::span<const ExprId> args) {
        ExprPool& pool = flat.pool;
        if (pool[e].op != Op::kResult) return ExprId{};
        const auto function = static_cast<std::size_t>(pool[args[0]].index);
        if (function >= is_late_.size() || is_late_[function] == 0) return ExprId{};
        return inlined(flat, pool.result(args[0], pool[e].index, pool[e].type));
      }) {
  for (std::size_t i = 0; i < flat.functions.size(); ++i) {
    if (!follows_declaration(flat.functions[i])) continue;
    is_late_[i] = 1;
    any_ = true;
    for (const FlatDerivative& d : flat.functions[i].declared)
      is_late_[static_cast<std::size_t>(d.function.index)] = 1;
  }
}

CausalEquation LateInliner::operator()(const CausalEquation& e) {
  if (!any_) return e;
  CausalEquation made = e;
  made.lhs = rewrite_(e.lhs);
  made.rhs = rewrite_(e.rhs);
  return made;
}

void inline_late(CausalModel& model) {
  LateInliner inlined_late(model.flat);
  for (auto* equations : {&model.equations, &model.invariants}) {
    for (CausalEquation& e : *equations) e = inlined_late(e);
  }
}

}  // namespace arges
