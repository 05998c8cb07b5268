#include "arges/causalize/jumps.h"

#include <numeric>
#include <utility>

#include "arges/base/index.h"
#include "arges/causalize/sorter.h"
#include "arges/structure/matching.h"

namespace arges {

Jumps::Jumps(const CausalModel& model)
    : model_(model), walker_(model.flat.pool), is_set_(model.role.size(), 0) {
  for (const ReinitAction& r : model.reinits) is_set_[at(r.state.index)] = 1;
}

bool Jumps::near(VarId v) {
  if (parent_.empty()) connect();
  return may_jump_[at(root(v.index))] != 0;
}

bool Jumps::in_computing(VarId v) {
  if (equation_of_.empty()) match();
  if (!is_matched_) return near(v);
  std::vector<char> seen(equation_of_.size(), 0);
  std::vector<int> open{v.index};
  while (!open.empty()) {
    const int w = open.back();
    open.pop_back();
    if (std::exchange(seen[at(w)], 1)) continue;
    if (is_set_[at(w)]) return true;
    if (equation_of_[at(w)] < 0) continue;  // a state
    const CausalEquation& e = model_.equations[at(equation_of_[at(w)])];
    if (jumps(e)) return true;
    for (const int next : variables_of(e)) open.push_back(next);
  }
  return false;
}

void Jumps::connect() {
  parent_.resize(model_.role.size());
  std::iota(parent_.begin(), parent_.end(), 0);
  may_jump_.assign(parent_.size(), 0);
  std::vector<int> jumping;
  for (const CausalEquation& e : model_.differentiated) {
    const std::vector<int> variables = variables_of(e);
    if (variables.empty()) continue;
    for (const int v : variables) parent_[at(root(v))] = root(variables[0]);
    if (jumps(e)) jumping.push_back(variables[0]);
  }
  for (const int v : jumping) may_jump_[at(root(v))] = 1;
}

// Equations with the variables for which they could be solved.
void Jumps::match() {
  equation_of_.assign(model_.role.size(), -1);
  std::vector<VarId> unknowns;
  for (std::size_t i = 0; i < model_.role.size(); ++i) {
    const VarId v{static_cast<std::int32_t>(i)};
    if (model_.role[i] == Role::kAlgebraic && !model_.is_stepwise(v)) unknowns.push_back(v);
  }
  CausalModel copy = model_;  // the sorter writes to its model, though not when rows are added
  SystemSorter sorter(copy, unknowns);
  for (std::size_t i = 0; i < model_.equations.size(); ++i)
    sorter.add(model_.equations[i], static_cast<std::int32_t>(i));
  const structure::Matching matching = structure::maximum_matching(sorter.candidates());
  is_matched_ = true;
  for (std::size_t c = 0; c < unknowns.size(); ++c) {
    equation_of_[at(unknowns[c].index)] = matching.row_of_column[c];
    is_matched_ = is_matched_ && matching.row_of_column[c] >= 0;
  }
}

bool Jumps::jumps(const CausalEquation& e) {
  if (has_discrete(e.lhs) || has_discrete(e.rhs)) return true;
  for (const int v : variables_of(e)) {
    if (is_set_[at(v)]) return true;
  }
  return false;
}

std::vector<int> Jumps::variables_of(const CausalEquation& e) {
  const ExprPool& pool = model_.flat.pool;
  std::vector<int> variables;
  for (const ExprId side : {e.lhs, e.rhs}) {
    for (const ExprId n : walker_.nodes(side)) {
      if (pool[n].op == Op::kVar && is_continuous(pool[n].index))
        variables.push_back(pool[n].index);
    }
  }
  return variables;
}

bool Jumps::is_continuous(int v) const {
  return model_.role[at(v)] == Role::kState || model_.role[at(v)] == Role::kAlgebraic;
}

bool Jumps::has_discrete(ExprId e) const {
  const ExprPool& pool = model_.flat.pool;
  std::vector<ExprId> open{e};
  while (!open.empty()) {
    const ExprId n = open.back();
    open.pop_back();
    if (pool[n].op == Op::kCall) continue;
    if (pool[n].op == Op::kVar) {
      const VarId v = pool.var(n);
      if (model_.role_of(v) != Role::kParameter && model_.is_stepwise(v)) return true;
    }
    for (const ExprId arg : pool.args(n)) open.push_back(arg);
  }
  return false;
}

int Jumps::root(int v) {
  while (parent_[at(v)] != v) v = parent_[at(v)] = parent_[at(parent_[at(v)])];
  return v;
}

}  // namespace arges
