#include "arges/causalize/clock_stages.h"

#include <fmt/format.h>

#include "arges/expr/walk.h"

namespace arges {

std::vector<ClockedRow> ClockStages::rows(ClockSolver solver, const std::vector<State>& states,
                                          const std::vector<ClockedRow>& given) {
  ExprPool& pool = flat_.pool;
  states_ = &states;
  given_ = &given;
  std::vector<ExprId> first;
  for (const State& s : states) first.push_back(partition_.previous(flat_.ref(s.rate)));
  std::vector<ExprId> mean = stage(Place::kMiddle, 0.5, first);
  if (solver == ClockSolver::kRungeKutta4) {
    const std::vector<ExprId> k3 = stage(Place::kMiddle, 0.5, mean);
    const std::vector<ExprId> k4 = stage(Place::kEnd, 1, k3);
    for (std::size_t i = 0; i < states.size(); ++i) {
      const ExprId inner = pool.mul(pool.real(2), pool.add(mean[i], k3[i]));
      mean[i] = pool.div(pool.add(pool.add(first[i], inner), k4[i]), pool.real(6));
    }
  }
  for (std::size_t i = 0; i < states.size(); ++i) {
    const ExprId x = flat_.ref(states[i].x);
    const ExprId next = pool.add(partition_.previous(x), pool.mul(partition_.interval, mean[i]));
    rows_.push_back({x, pool.if_else(partition_.first_tick, states[i].start, next),
                     flat_[states[i].x].origin, true});
  }
  return std::move(rows_);
}

std::vector<ExprId> ClockStages::stage(Place place, double part, const std::vector<ExprId>& rates) {
  ExprPool& pool = flat_.pool;
  ++stages_;
  const auto name = [&](VarId v) { return fmt::format("$stage{}.{}", stages_, flat_[v].name); };
  std::unordered_map<std::int32_t, ExprId> of;  // by VarId
  for (std::size_t i = 0; i < states_->size(); ++i) {
    const VarId x = (*states_)[i].x;
    const VarId at = partition_.add(name(x), ScalarType::kReal);
    const ExprId moved = pool.mul(pool.mul(pool.real(part), partition_.interval), rates[i]);
    rows_.push_back({flat_.ref(at), pool.add(partition_.previous(flat_.ref(x)), moved), {}, true});
    of[x.index] = flat_.ref(at);
  }
  ExprRewriter at_stage(pool, [&](ExprId e, std::span<const ExprId>) {
    if (pool[e].op != Op::kVar) return ExprId{};
    const VarId v = pool.var(e);
    const auto known = of.find(v.index);
    if (known != of.end()) return known->second;
    const auto u = partition_.inputs.find(v.index);
    if (u != partition_.inputs.end()) return of[v.index] = input(e, u->second, place);
    if (!partition_.belongs(v)) return ExprId{};
    return of[v.index] = flat_.ref(partition_.add(name(v), flat_[v].type));
  });
  for (const ClockedRow& row : *given_)
    rows_.push_back({at_stage(row.lhs), at_stage(row.rhs), row.origin, row.defines});
  std::vector<ExprId> result;
  for (const State& s : *states_) result.push_back(at_stage(flat_.ref(s.rate)));
  return result;
}

// At the first tick there is none before.
ExprId ClockStages::input(ExprId u, Input kind, Place place) {
  ExprPool& pool = flat_.pool;
  if (kind == Input::kLinear && place == Place::kEnd) return u;
  const ExprId before = partition_.previous(u);
  const ExprId value =
      kind == Input::kHeld ? before : pool.mul(pool.real(0.5), pool.add(before, u));
  return pool.if_else(partition_.first_tick, u, value);
}

}  // namespace arges
