#include "arges/causalize/solve_for.h"

#include "arges/base/error.h"
#include "arges/expr/differentiate.h"

namespace arges {

bool EquationSolver::contains(ExprId e, VarId v) {
  for (const ExprId node : walker_.nodes(e)) {
    if (flat_.pool[node].op == Op::kVar && flat_.pool[node].index == v.index) return true;
  }
  return false;
}

bool EquationSolver::depends_on_parameters_only(ExprId e) {
  for (const ExprId node : walker_.nodes(e)) {
    const ExprNode& n = flat_.pool[node];
    if (n.op == Op::kTime || n.op == Op::kResult) return false;
    if (n.op == Op::kVar && flat_[VarId{n.index}].variability > FlatVariability::kParameter)
      return false;
  }
  return true;
}

void EquationSolver::mark(ExprId e, VarId v) {
  const ExprPool& pool = flat_.pool;
  marks_.resize(static_cast<std::size_t>(pool.size()), 0);
  ++stamp_;
  for (const ExprId node : walker_.nodes(e)) {
    bool any = pool[node].op == Op::kVar && pool[node].index == v.index;
    for (const ExprId a : pool.args(node)) any = any || is_marked(a);
    if (any) marks_[static_cast<std::size_t>(node.index)] = stamp_;
  }
}

Solution EquationSolver::solve(ExprId lhs, ExprId rhs, VarId v) {
  ExprPool& pool = flat_.pool;
  const bool right = contains(rhs, v);
  mark(lhs, v);
  const bool left = is_marked(lhs);
  if (right && !left) mark(rhs, v);
  if (left == right) return left ? general(lhs, rhs, v) : Solution{};
  ExprId target = left ? lhs : rhs, other = left ? rhs : lhs;
  bool safe = true;
  for (;;) {
    const ExprNode node = pool[target];
    if (node.op == Op::kVar) return {other, safe};
    if (node.op == Op::kNeg) {
      other = pool.neg(other);
      target = pool.arg(target, 0);
      continue;
    }
    if (node.op == Op::kResult) {
      const auto [argument, value] = invert(target, other);
      if (!value.valid()) break;
      target = argument;
      other = value;
      continue;
    }
    if (node.op != Op::kAdd && node.op != Op::kSub && node.op != Op::kMul && node.op != Op::kDiv)
      break;
    const ExprId a = pool.arg(target, 0), b = pool.arg(target, 1);
    const bool in_a = is_marked(a), in_b = is_marked(b);
    if (in_a && in_b) break;
    const ExprId rest = in_a ? b : a;
    if (node.op == Op::kDiv && in_b) return {};
    switch (node.op) {
      case Op::kAdd:
        other = pool.sub(other, rest);
        break;
      case Op::kSub:
        other = in_a ? pool.add(other, rest) : pool.sub(rest, other);
        break;
      case Op::kMul:
        if (pool.is_value(rest, 0)) return {};
        safe = safe && depends_on_parameters_only(rest);
        other = pool.div(other, rest);
        break;
      default:
        other = pool.mul(other, rest);
    }
    target = in_a ? a : b;
  }
  Solution solution = general(target, other, v);
  solution.safe = solution.safe && safe;
  return solution;
}

std::pair<ExprId, ExprId> EquationSolver::invert(ExprId result, ExprId other) {
  ExprPool& pool = flat_.pool;
  const ExprId call = pool.arg(result, 0);
  const FlatFunction& f = flat_.functions[static_cast<std::size_t>(pool[call].index)];
  if (f.inverses.empty()) return {};
  const std::vector<ExprId> args(pool.args(call).begin(), pool.args(call).end());
  std::size_t with = args.size();
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (!is_marked(args[i])) continue;
    if (with < args.size()) return {};
    with = i;
  }
  std::vector<std::size_t> first;  // argument of each input
  std::size_t next = 0;
  for (std::int32_t i = 0; i < f.inputs; ++i) {
    first.push_back(next);
    next += static_cast<std::size_t>(f.locals[static_cast<std::size_t>(i)].size());
  }
  for (const FlatInverse& inverse : f.inverses) {
    if (with >= args.size() || first[static_cast<std::size_t>(inverse.input.index)] != with)
      continue;
    bool possible = true;
    ExprRewriter given(pool, [&](ExprId e, std::span<const ExprId> subscripts) {
      const ExprNode node = pool[e];
      if (node.op != Op::kLocal && node.op != Op::kElement) return ExprId{};
      const auto local = static_cast<std::size_t>(node.index);
      if (node.op == Op::kLocal && node.index == f.inputs) return other;
      possible = possible && node.index < f.inputs && node.index != inverse.input.index;
      if (!possible) return pool.real(0);
      std::size_t at = 0;
      for (std::size_t d = 0; d < subscripts.size(); ++d) {
        possible = possible && pool.is_constant(subscripts[d]);
        if (!possible) return pool.real(0);
        at = at * static_cast<std::size_t>(f.locals[local].dims[d]) +
             static_cast<std::size_t>(pool.value(subscripts[d])) - 1;
      }
      return args[first[local] + at];
    });
    const ExprId value = given(inverse.value);
    if (possible) return {args[with], value};
  }
  return {};
}

Solution EquationSolver::general(ExprId lhs, ExprId rhs, VarId v) {
  ExprPool& pool = flat_.pool;
  const ExprId residual = pool.sub(lhs, rhs);
  const ExprId self = flat_.ref(v);
  ExprId a;
  try {
    Differentiator d(pool, [&](ExprId leaf) { return leaf == self ? pool.real(1) : ExprId{}; });
    a = d(residual);
  } catch (const UserError&) {
    return {};
  }
  if (contains(a, v) || pool.is_value(a, 0)) return {};
  // b is the residual at v = 0; in conditions and the like v must not occur, since a would not show
  // it.
  std::unordered_map<std::int32_t, ExprId> at_zero;
  const auto nodes = walker_.nodes(residual);
  const std::vector<ExprId> order(nodes.begin(), nodes.end());
  std::vector<ExprId> args;
  for (const ExprId e : order) {
    args.clear();
    bool changed = false;
    for (const ExprId x : pool.args(e)) {
      args.push_back(at_zero[x.index]);
      changed = changed || args.back() != x;
    }
    const Op op = pool[e].op;
    const bool is_choice = op == Op::kIf || op == Op::kIndex;
    const bool linear_op = op == Op::kNeg || op == Op::kAdd || op == Op::kSub || op == Op::kMul ||
                           op == Op::kDiv || is_choice;
    if (changed && (!linear_op || (is_choice && args[0] != pool.arg(e, 0)))) return {};
    at_zero[e.index] = e == self ? pool.real(0) : changed ? pool.rebuild(e, args) : e;
  }
  const ExprId b = at_zero[residual.index];
  return {pool.neg(pool.div(b, a)), depends_on_parameters_only(a)};
}

}  // namespace arges
