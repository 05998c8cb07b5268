#include "arges/compile/derivative_loops.h"

#include <utility>

#include "arges/base/index.h"

namespace arges {

namespace {

vm::Loop derivative_loop(vm::CodeBase& code, ExprPool& pool, const LoopDerivative& of,
                         const LoopDerivative::Column& column,
                         const std::vector<std::uint32_t>& residuals) {
  const int n = static_cast<int>(column.unknowns.size());
  vm::Loop loop;
  loop.linear = loop.is_derivative = true;
  loop.residuals = residuals;
  loop.nominal.assign(at(n), 1);
  std::vector<ExprId> sums;
  for (int i = 0; i < n; ++i) {
    loop.unknowns.push_back(code.slot[at(column.unknowns[at(i)].index)]);
    sums.push_back(pool.variable(column.kept[at(i)]));
  }
  std::vector<std::pair<int, int>> entries;
  for (const LoopDerivative::Entry& e : of.matrix) {
    const ExprId unknown = pool.variable(column.unknowns[at(e.column)]);
    sums[at(e.row)] = pool.add(sums[at(e.row)], pool.mul(pool.variable(e.kept), unknown));
    loop.entries.push_back(code.slot[at(e.kept.index)]);
    entries.emplace_back(e.row, e.column);
  }
  loop.pattern = SparsityPattern::from_entries(n, std::move(entries));
  for (const LoopDerivative::Entry& e : of.matrix)
    loop.position.push_back(loop.pattern.find(e.row, e.column));
  vm::ProgramBuilder residual(code, vm::Region::kInner);
  for (const ExprId e : sums) residual.announce(e);
  for (std::size_t i = 0; i < sums.size(); ++i) residual.assign(sums[i], residuals[i]);
  loop.residual = residual.finish();
  // The entries are there.
  loop.jacobian = vm::ProgramBuilder(code, vm::Region::kInner).finish();
  loop.description = "the derivatives of a loop";
  return loop;
}

}  // namespace

std::vector<JacobianStep> derivative_loops(vm::CodeBase& code, ExprPool& pool,
                                           const RateDerivatives& derivatives,
                                           const std::function<std::uint32_t()>& new_register) {
  std::vector<JacobianStep> steps;
  for (const LoopDerivative& loop : derivatives.loops) {
    for (const LoopDerivative::Entry& e : loop.matrix)
      steps.push_back({e.value, code.slot[at(e.kept.index)]});
    std::vector<std::uint32_t> residuals;
    for (const LoopDerivative::Column& column : loop.columns) {
      for (std::size_t i = 0; i < column.values.size(); ++i) {
        if (residuals.size() == i) residuals.push_back(new_register());
        steps.push_back({column.values[i], code.slot[at(column.kept[i].index)]});
      }
      steps.push_back({{}, 0, static_cast<std::int32_t>(code.tables.loops.size())});
      code.tables.loops.push_back(derivative_loop(code, pool, loop, column, residuals));
    }
  }
  return steps;
}

}  // namespace arges
