#include "arges/compile/idle_branches.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "arges/base/index.h"
#include "arges/compile/known_values.h"
#include "arges/compile/zero_factors.h"
#include "arges/expr/walk.h"

namespace arges {

namespace {

// One settled parameter may bring in the next branch.
constexpr int kMaxRounds = 4;

bool has_branches(const FlatModel& flat) {
  ExprWalker walker(flat.pool);
  for (const FlatEquation& e : flat.equations) {
    for (const ExprId n : walker.new_nodes(std::vector{e.lhs, e.rhs})) {
      if (flat.pool[n].op == Op::kIf) return true;
    }
  }
  return false;
}

class IdleBranches {
 public:
  explicit IdleBranches(const CausalModel& model)
      : flat_(model.flat), pool_(flat_.pool), known_(flat_), walker_(pool_), inner_(pool_) {
    is_unknown_.assign(flat_.variables.size(), 0);
    for (const auto* blocks : {&model.blocks, &model.initial_blocks}) {
      for (const Block& block : *blocks) {
        if (!block.tears.empty()) look_at(block);
      }
    }
  }

  // The parameters in the conditions found.
  const std::vector<VarId>& parameters() const { return parameters_; }

 private:
  void look_at(const Block& block) {
    std::vector<ExprId> sources(block.residuals);
    for (const auto& a : block.inner) sources.push_back(a.value);
    mark(block, 1);
    walker_.clear();
    for (const ExprId n : walker_.new_nodes(sources)) {
      if (pool_[n].op == Op::kIf) look_at(n);
    }
    mark(block, 0);
  }

  void mark(const Block& block, char value) {
    for (const VarId v : block.tears) is_unknown_[at(v.index)] = value;
    for (const auto& a : block.inner) is_unknown_[at(a.var.index)] = value;
  }

  void look_at(ExprId branches) {
    const ExprId condition = pool_.arg(branches, 0);
    const double value = known_(condition);
    if (std::isnan(value)) return;
    const ExprId taken = pool_.arg(branches, value != 0 ? 1 : 2);
    const ExprId idle = pool_.arg(branches, value != 0 ? 2 : 1);
    const std::vector<std::int32_t> there = unknowns(taken);
    const std::vector<std::int32_t> only_idle = unknowns(idle);
    if (std::includes(there.begin(), there.end(), only_idle.begin(), only_idle.end())) return;
    for (const ExprId n : inner_.nodes(condition)) {
      if (pool_[n].op == Op::kVar) parameters_.push_back(pool_.var(n));
    }
  }

  std::vector<std::int32_t> unknowns(ExprId e) {
    std::vector<std::int32_t> found;
    for (const ExprId n : inner_.nodes(e)) {
      if (pool_[n].op == Op::kVar && is_unknown_[at(pool_[n].index)])
        found.push_back(pool_[n].index);
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  const FlatModel& flat_;
  const ExprPool& pool_;
  KnownValues known_;
  ExprWalker walker_, inner_;
  std::vector<char> is_unknown_;  // by variable: of the block that is looked at
  std::vector<VarId> parameters_;
};

// With all parameters on which they depend. False: they were so before.
bool settle(FlatModel& flat, std::vector<VarId> open) {
  ExprWalker walker(flat.pool);
  bool any = false;
  while (!open.empty()) {
    const VarId v = open.back();
    open.pop_back();
    if (at(v.index) >= flat.variables.size()) continue;
    FlatVariable& variable = flat[v];
    if (variable.variability != FlatVariability::kParameter || variable.evaluate) continue;
    variable.evaluate = true;
    any = true;
    if (!variable.binding.valid()) continue;
    for (const ExprId n : walker.nodes(variable.binding)) {
      if (flat.pool[n].op == Op::kVar) open.push_back(flat.pool.var(n));
    }
  }
  return any;
}

}  // namespace

CausalModel causalize_taken_branches(FlatModel flat) {
  for (int round = 0; round < kMaxRounds && has_branches(flat); ++round) {
    CausalModel model = causalize_without_zero_factors(flat);
    const IdleBranches idle(model);
    if (idle.parameters().empty() || !settle(flat, idle.parameters())) return model;
  }
  return causalize_without_zero_factors(std::move(flat));
}

}  // namespace arges
