#include "arges/causalize/start_values.h"

#include "arges/expr/evaluate.h"

namespace arges {

namespace {

// Bindings of bindings of ...: deeper ones count as zero.
constexpr int kMaxDepth = 30;

double value_at(const FlatModel& model, ExprId e, int depth) {
  if (depth > kMaxDepth) return 0;
  return evaluate(model.pool, e, [&](ExprId leaf) -> double {
    if (model.pool[leaf].op != Op::kVar) return 0;
    const FlatVariable& v = model[model.pool.var(leaf)];
    if (v.binding.valid()) return value_at(model, v.binding, depth + 1);
    return v.start.valid() ? value_at(model, v.start, depth + 1) : 0;
  });
}

}  // namespace

double value_at_start(const FlatModel& model, ExprId e) { return value_at(model, e, 0); }

}  // namespace arges
