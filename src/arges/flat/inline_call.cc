#include "arges/flat/inline_call.h"

#include <vector>

#include "arges/base/index.h"
#include "arges/expr/walk.h"

namespace arges {

namespace {

// The only statement of the function, when that gives its only output; else nullptr.
const Statement* single_assignment(const FlatFunction& f) {
  if (!f.external.empty() || f.impure || f.outputs != 1 || f.body.size() != 1) return nullptr;
  const Statement& s = f.body[0];
  const bool assigns = s.kind == Statement::Kind::kAssign && s.local.index == f.inputs &&
                       s.subscripts.empty() && f.locals[at(f.inputs)].dims.empty();
  return assigns ? &s : nullptr;
}

}  // namespace

ExprId inlined(FlatModel& model, ExprId result) {
  ExprPool& pool = model.pool;
  const ExprId call = pool.arg(result, 0);
  const FlatFunction& f = model.functions[at(pool[call].index)];
  const Statement* statement = single_assignment(f);
  if (statement == nullptr) return {};
  const std::vector<ExprId> given(pool.args(call).begin(), pool.args(call).end());
  std::vector<std::int32_t> first;  // scalar argument of each input
  std::int32_t scalars = 0;
  for (std::int32_t i = 0; i < f.inputs; ++i) {
    first.push_back(scalars);
    scalars += f.locals[at(i)].size();
  }
  bool possible = true;
  ExprRewriter substitute(pool, [&](ExprId e, std::span<const ExprId> args) {
    const ExprNode node = pool[e];
    if (is_relation(node.op)) possible = false;  // in a function it makes no event
    if (node.op != Op::kLocal && node.op != Op::kElement) return ExprId{};
    const FlatLocal& local = f.locals[at(node.index)];
    std::int32_t position = 0;
    possible = possible && node.index < f.inputs && args.size() == local.dims.size();
    for (std::size_t k = 0; k < args.size() && possible; ++k) {
      const double subscript = pool.is_constant(args[k]) ? pool.value(args[k]) : 0;
      possible = subscript >= 1 && subscript <= local.dims[k];
      position = position * local.dims[k] + static_cast<std::int32_t>(subscript) - 1;
    }
    return possible ? given[at(first[at(node.index)] + position)] : ExprId{};
  });
  const ExprId value = substitute(statement->value);
  return possible ? value : ExprId{};
}

}  // namespace arges
