#include "arges/compile/zero_factors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "arges/base/index.h"
#include "arges/causalize/flat_rewrite.h"
#include "arges/causalize/model_error.h"
#include "arges/causalize/passes.h"
#include "arges/compile/evaluate_call.h"
#include "arges/expr/evaluate.h"
#include "arges/expr/walk.h"

namespace arges {

namespace {

bool is_parameter(const FlatVariable& v) { return v.variability <= FlatVariability::kParameter; }

// Values of parameters by their bindings. NaN: not known before the run.
class ParameterValues {
 public:
  explicit ParameterValues(const FlatModel& flat) : flat_(flat), calls_(flat) {}

  double operator()(VarId v) { return variable(v, 0); }

 private:
  static constexpr int kMaxDepth = 100;  // bindings of bindings of ...
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

  double variable(VarId v, int depth) {
    const auto [it, is_new] = variables_.try_emplace(v.index, kUnknown);
    const FlatVariable& variable = flat_[v];
    if (!is_new || depth > kMaxDepth || !is_parameter(variable) || !variable.binding.valid() ||
        !variable.fixed.value_or(true) || variable.type == ScalarType::kString)
      return it->second;
    const double value = expression(variable.binding, depth + 1);
    return variables_[v.index] = value;
  }

  double expression(ExprId e, int depth) {
    return evaluate(flat_.pool, e, [&](ExprId leaf) {
      if (flat_.pool[leaf].op == Op::kVar) return variable(flat_.pool.var(leaf), depth);
      if (flat_.pool[leaf].op == Op::kResult) return result(leaf, depth);
      return kUnknown;
    });
  }

  double result(ExprId e, int depth) {
    const ExprId call = flat_.pool.arg(e, 0);
    auto it = results_.find(call.index);
    if (it == results_.end()) {
      std::vector<double> arguments;
      bool known = true;
      for (const ExprId a : flat_.pool.args(call)) {
        const ExprNode& node = flat_.pool[a];
        arguments.push_back(node.op == Op::kString
                                ? calls_.environment().intern(flat_.pool.text(StringId{node.index}))
                                : expression(a, depth));
        known = known && !std::isnan(arguments.back()) &&
                (node.op == Op::kString || node.type != ScalarType::kString);
      }
      std::vector<double> values;
      if (known) {
        if (auto given = calls_(FunctionId{flat_.pool[call].index}, arguments))
          values = std::move(*given);
      }
      it = results_.emplace(call.index, std::move(values)).first;
    }
    const std::size_t i = at(flat_.pool[e].index);
    return i < it->second.size() ? it->second[i] : kUnknown;
  }

  const FlatModel& flat_;
  CallEvaluator calls_;
  std::unordered_map<std::int32_t, double> variables_;
  std::unordered_map<std::int32_t, std::vector<double>> results_;  // by call
};

// By variable: final parameters that are zero by other parameters, and a factor in some equation.
std::vector<char> zero_factors(const FlatModel& flat) {
  std::vector<ExprId> sides;
  for (const FlatEquation& e : flat.equations) sides.insert(sides.end(), {e.lhs, e.rhs});
  std::vector<VarId> candidates;
  std::vector<char> seen(flat.variables.size(), 0);
  ExprWalker walker(flat.pool);
  for (const ExprId n : walker.new_nodes(sides)) {
    if (flat.pool[n].op != Op::kMul) continue;
    for (const ExprId factor : flat.pool.args(n)) {
      if (flat.pool[factor].op != Op::kVar) continue;
      const VarId v = flat.pool.var(factor);
      const FlatVariable& variable = flat[v];
      if (seen[at(v.index)] || variable.variability != FlatVariability::kParameter ||
          !variable.evaluate || !variable.binding.valid() ||
          flat.pool.is_constant(variable.binding))
        continue;
      seen[at(v.index)] = 1;
      candidates.push_back(v);
    }
  }
  if (candidates.empty()) return {};
  ParameterValues value(flat);
  std::vector<char> zero(flat.variables.size(), 0);
  bool any = false;
  for (const VarId v : candidates) {
    if (value(v) != 0) continue;
    zero[at(v.index)] = 1;
    any = true;
  }
  return any ? zero : std::vector<char>{};
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

void settle(FlatModel& flat, const std::vector<char>& zero) {
  ExprRewriter map(flat.pool, [&](ExprId e, std::span<const ExprId>) {
    const bool is_zero = flat.pool[e].op == Op::kVar && zero[at(flat.pool[e].index)];
    return is_zero ? flat.pool.real(0) : ExprId{};
  });
  rewrite_equations(flat, [&](ExprId e) { return map(e); });
  // All that they depend on.
  std::vector<std::int32_t> open;
  for (std::size_t i = 0; i < zero.size(); ++i) {
    if (zero[i]) open.push_back(static_cast<std::int32_t>(i));
  }
  std::vector<char> seen(zero);
  ExprWalker walker(flat.pool);
  while (!open.empty()) {
    FlatVariable& v = flat.variables[at(open.back())];
    open.pop_back();
    if (v.variability == FlatVariability::kParameter) v.evaluate = true;
    if (!v.binding.valid()) continue;
    for (const ExprId n : walker.nodes(v.binding)) {
      if (flat.pool[n].op != Op::kVar || seen[at(flat.pool[n].index)]) continue;
      seen[at(flat.pool[n].index)] = 1;
      open.push_back(flat.pool[n].index);
    }
  }
}

}  // namespace

CausalModel causalize_without_zero_factors(FlatModel flat) {
  const std::vector<char> zero = zero_factors(flat);
  if (zero.empty()) return causalize(std::move(flat));
  FlatModel settled = flat;
  try {
    CausalModel model = causalize(std::move(flat));
    if (!is_pivot(model, zero)) return model;
  } catch (const StructuralError&) {
    // Without them it may have a solution; else this is said again.
  }
  settle(settled, zero);
  return causalize(std::move(settled));
}

}  // namespace arges
