#include "arges/causalize/start_values.h"

#include <unordered_map>

#include "arges/expr/evaluate.h"

namespace arges {

namespace {

// Bindings of bindings of ...: deeper ones count as zero.
constexpr int kMaxDepth = 30;

// Many parameters may follow from the same others: each is evaluated once.
using Memo = std::unordered_map<std::int32_t, double>;

double value_at(const FlatModel& model, ExprId e, int depth, Memo& memo) {
  if (depth > kMaxDepth) return 0;
  return evaluate(model.pool, e, [&](ExprId leaf) -> double {
    if (model.pool[leaf].op != Op::kVar) return 0;
    const VarId id = model.pool.var(leaf);
    const FlatVariable& v = model[id];
    const ExprId given = v.binding.valid() ? v.binding : v.start;
    if (!given.valid()) return 0;
    if (const auto known = memo.find(id.index); known != memo.end()) return known->second;
    const double value = value_at(model, given, depth + 1, memo);
    memo.emplace(id.index, value);
    return value;
  });
}

}  // namespace

double value_at_start(const FlatModel& model, ExprId e) {
  Memo memo;
  return value_at(model, e, 0, memo);
}

}  // namespace arges
