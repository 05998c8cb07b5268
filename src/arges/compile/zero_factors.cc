#include "arges/compile/zero_factors.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "arges/base/index.h"
#include "arges/causalize/flat_rewrite.h"
#include "arges/causalize/model_error.h"
#include "arges/causalize/passes.h"
#include "arges/compile/known_values.h"
#include "arges/expr/walk.h"

namespace arges {

namespace {

// Factors that are zero whatever happens.
struct ZeroFactors {
  std::vector<char> variables;  // by variable: it is one of them
  std::vector<ExprId> values;   // of those that are not parameters
  bool any() const { return !variables.empty(); }
};

std::vector<ExprId> sides_of(const FlatModel& flat) {
  std::vector<ExprId> sides;
  for (const FlatEquation& e : flat.equations) sides.insert(sides.end(), {e.lhs, e.rhs});
  return sides;
}

// By variable: what it is equal to, where that calls functions with an argument that is zero.
// (Without one, a function of what changes is hardly zero for good.)
class CalledValues {
 public:
  CalledValues(const FlatModel& flat, KnownValues& known)
      : flat_(flat), known_(known), walker_(flat.pool) {
    std::vector<char> calls(flat.pool.size(), 0);
    for (const ExprId n : walker_.new_nodes(sides_of(flat))) {
      const auto args = flat.pool.args(n);
      calls[at(n.index)] =
          flat.pool[n].op == Op::kCall ||
          std::any_of(args.begin(), args.end(), [&](ExprId a) { return calls[at(a.index)]; });
    }
    for (const FlatEquation& e : flat.equations) {
      for (const auto& [side, other] : {std::pair(e.lhs, e.rhs), std::pair(e.rhs, e.lhs)}) {
        if (flat.pool[side].op == Op::kVar && calls[at(other.index)])
          values_.emplace(flat.pool[side].index, other);
      }
    }
  }

  // Invalid: none.
  ExprId operator()(VarId v) {
    const auto it = values_.find(v.index);
    if (it == values_.end()) return {};
    for (const ExprId n : walker_.nodes(it->second)) {
      if (flat_.pool[n].op != Op::kCall) continue;
      const auto args = flat_.pool.args(n);
      if (std::any_of(args.begin(), args.end(), [&](ExprId a) {
            return flat_.pool[a].type == ScalarType::kReal && known_(a) == 0;
          }))
        return it->second;
    }
    return {};
  }

 private:
  const FlatModel& flat_;
  KnownValues& known_;
  ExprWalker walker_;
  std::unordered_map<std::int32_t, ExprId> values_;
};

// Final parameters that are zero by other parameters, and variables that are zero since functions
// of parameters and other variables are, if they are a factor in some equation.
ZeroFactors zero_factors(const FlatModel& flat) {
  KnownValues known(flat);
  CalledValues called(flat, known);
  ZeroFactors zero;
  std::vector<char> seen(flat.variables.size(), 0);
  ExprWalker walker(flat.pool);
  for (const ExprId n : walker.new_nodes(sides_of(flat))) {
    if (flat.pool[n].op != Op::kMul) continue;
    for (const ExprId factor : flat.pool.args(n)) {
      if (flat.pool[factor].op != Op::kVar) continue;
      const VarId v = flat.pool.var(factor);
      if (std::exchange(seen[at(v.index)], 1)) continue;
      const FlatVariable& variable = flat[v];
      const bool is_parameter = variable.variability == FlatVariability::kParameter;
      const ExprId value = is_parameter ? variable.binding : called(v);
      const bool may_be_zero =
          value.valid() && (!is_parameter || (variable.evaluate && !flat.pool.is_constant(value)));
      if (!may_be_zero || (is_parameter ? known(v) : known(value)) != 0) continue;
      zero.variables.resize(flat.variables.size(), 0);
      zero.variables[at(v.index)] = 1;
      if (!is_parameter) zero.values.push_back(value);
    }
  }
  return zero;
}

// Whether a block divides by one of them, or has one in the matrix of its unknowns.
bool is_pivot(const CausalModel& model, const std::vector<char>& zero) {
  const ExprPool& pool = model.flat.pool;
  std::vector<ExprId> factors;
  ExprWalker walker(pool);
  for (const auto* blocks : {&model.blocks, &model.initial_blocks}) {
    for (const Block& block : *blocks) {
      std::vector<ExprId> sources(block.residuals);
      for (const auto& a : block.inner) sources.push_back(a.value);
      for (const ExprId n : walker.new_nodes(sources)) {
        if (pool[n].op == Op::kDiv) factors.push_back(pool.arg(n, 1));
      }
      for (const auto& entry : block.jacobian) factors.push_back(entry.value);
      const bool by_differences = !block.tears.empty() && block.jacobian.empty();
      if (by_differences) factors.insert(factors.end(), sources.begin(), sources.end());
    }
  }
  walker.clear();
  const auto nodes = walker.new_nodes(factors);
  return std::any_of(nodes.begin(), nodes.end(), [&](ExprId n) {
    return pool[n].op == Op::kVar && at(pool[n].index) < zero.size() && zero[at(pool[n].index)];
  });
}

// All parameters that e depends on cannot be changed without compiling again.
void fix_parameters(FlatModel& flat, std::vector<ExprId> open) {
  ExprWalker walker(flat.pool);
  std::vector<ExprId> next;
  for (; !open.empty(); std::swap(open, next)) {
    next.clear();
    for (const ExprId n : walker.new_nodes(open)) {
      if (flat.pool[n].op != Op::kVar) continue;
      FlatVariable& v = flat[flat.pool.var(n)];
      if (v.variability > FlatVariability::kParameter) continue;
      v.evaluate = true;
      if (v.binding.valid()) next.push_back(v.binding);
    }
  }
}

void settle(FlatModel& flat, const ZeroFactors& zero) {
  std::vector<ExprId> roots = zero.values;
  for (std::size_t i = 0; i < zero.variables.size(); ++i) {
    const FlatVariable& v = flat.variables[i];
    if (zero.variables[i] && v.variability <= FlatVariability::kParameter)
      roots.push_back(v.binding);
  }
  ExprRewriter map(flat.pool, [&](ExprId e, std::span<const ExprId>) {
    const bool is_zero =
        flat.pool[e].op == Op::kVar
            ? zero.variables[at(flat.pool[e].index)] &&
                  flat[flat.pool.var(e)].variability <= FlatVariability::kParameter
            : std::find(zero.values.begin(), zero.values.end(), e) != zero.values.end();
    return is_zero ? flat.pool.real(0) : ExprId{};
  });
  rewrite_equations(flat, [&](ExprId e) { return map(e); });
  fix_parameters(flat, std::move(roots));
}

}  // namespace

CausalModel causalize_without_zero_factors(FlatModel flat) {
  const ZeroFactors zero = zero_factors(flat);
  if (!zero.any()) return causalize(std::move(flat));
  FlatModel settled = flat;
  try {
    CausalModel model = causalize(std::move(flat));
    if (!is_pivot(model, zero.variables)) return model;
  } catch (const StructuralError&) {
    // Without them it may have a solution; else this is said again.
  }
  settle(settled, zero);
  return causalize(std::move(settled));
}

}  // namespace arges
