// Constraints among states: which are solved together, for which states, and their Jacobian.

#include <algorithm>
#include <set>
#include <unordered_map>

#include "arges/base/index.h"
#include "arges/causalize/passes.h"
#include "arges/expr/differentiate.h"
#include "arges/expr/walk.h"
#include "arges/flat/differentiate_function.h"

namespace arges {

namespace {

using Columns = std::set<std::int32_t>;

class Arranger {
 public:
  explicit Arranger(CausalModel& model)
      : model_(model),
        pool_(model.flat.pool),
        walker_(pool_),
        state_(model.flat.variables.size(), -1),
        block_of_(model.flat.variables.size(), -1) {
    for (std::size_t i = 0; i < model.states.size(); ++i)
      state_[at(model.states[i].state.index)] = static_cast<std::int32_t>(i);
    for (std::size_t k = 0; k < model.blocks.size(); ++k) {
      for (const auto& a : model.blocks[k].inner)
        block_of_[at(a.var.index)] = static_cast<std::int32_t>(k);
      for (const VarId v : model.blocks[k].tears)
        block_of_[at(v.index)] = static_cast<std::int32_t>(k);
    }
  }

  void run() {
    for (const CausalEquation& e : model_.invariants) residuals_.push_back(pool_.sub(e.lhs, e.rhs));
    needed_.assign(model_.blocks.size(), 0);
    for (const ExprId r : residuals_) columns_.push_back(columns_of(r));
    differentiate();
    group();
    for (ConstraintSet& set : model_.constraint_sets) add_flags(set);
  }

 private:
  // The states on which an expression depends, also through the blocks.
  Columns columns_of(ExprId root) {
    Columns columns;
    std::vector<char> seen(model_.blocks.size(), 0);
    std::vector<ExprId> roots{root};
    walker_.clear();
    while (!roots.empty()) {
      const auto nodes = walker_.new_nodes(roots);
      const std::vector<ExprId> fresh(nodes.begin(), nodes.end());
      roots.clear();
      for (const ExprId e : fresh) {
        if (pool_[e].op != Op::kVar) continue;
        const std::int32_t v = pool_[e].index;
        if (state_[at(v)] >= 0) columns.insert(state_[at(v)]);
        const std::int32_t k = block_of_[at(v)];
        if (k < 0 || seen[at(k)] || model_.role[at(v)] == Role::kDiscrete) continue;
        seen[at(k)] = needed_[at(k)] = 1;
        for (const auto& a : model_.blocks[at(k)].inner) roots.push_back(a.value);
        for (const ExprId r : model_.blocks[at(k)].residuals) roots.push_back(r);
      }
    }
    return columns;
  }

  void differentiate() {
    for (std::size_t k = 0; k < needed_.size(); ++k) {
      if (needed_[k] && !model_.blocks[k].tears.empty()) return;  // through a loop: by differences
    }
    Columns all;
    for (const Columns& c : columns_) all.insert(c.begin(), c.end());
    const auto call = call_derivative(model_.flat, DerivativeBy::kVariable);
    std::vector<Block::Entry> entries;
    try {
      for (const std::int32_t j : all) {
        std::unordered_map<std::int32_t, ExprId> rate{
            {model_.states[at(j)].state.index, pool_.real(1)}};
        Differentiator d(
            pool_,
            [&](ExprId e) {
              if (pool_[e].op != Op::kVar) return ExprId{};
              const auto it = rate.find(pool_[e].index);
              return it == rate.end() ? ExprId{} : it->second;
            },
            call);
        for (std::size_t k = 0; k < needed_.size(); ++k) {
          if (!needed_[k]) continue;
          const Block::Assignment& a = model_.blocks[k].inner[0];
          const ExprId value = d(a.value);
          if (!pool_.is_value(value, 0)) rate[a.var.index] = value;
        }
        for (std::size_t i = 0; i < residuals_.size(); ++i) {
          if (columns_[i].count(j) == 0) continue;
          const ExprId value = d(residuals_[i]);
          if (!pool_.is_value(value, 0))
            entries.push_back({static_cast<std::int32_t>(i), j, value});
        }
      }
    } catch (const UserError&) {  // a function without derivative
      return;
    }
    model_.invariant_jacobian = std::move(entries);
  }

  // Constraints on few states first; what these determine is known to the others: x^2 + y^2 = 1 is
  // for x and y, and x vx + y vy = 0 then for vx and vy. A group that has no choice left over is
  // solved together with those whose states it would like.
  void group() {
    std::vector<std::pair<std::set<std::int32_t>, Columns>> groups;  // rows, candidates
    Columns used;
    std::vector<char> done(columns_.size(), 0);
    const auto free_columns = [&](std::size_t i) {
      Columns open;
      std::set_difference(columns_[i].begin(), columns_[i].end(), used.begin(), used.end(),
                          std::inserter(open, open.end()));
      return open;
    };
    for (std::size_t round = 0; round < columns_.size(); ++round) {
      std::size_t best = columns_.size(), fewest = 0;
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (done[i]) continue;
        const std::size_t count = free_columns(i).size();
        if (best == columns_.size() || count < fewest) {
          best = i;
          fewest = count;
        }
      }
      if (best == columns_.size()) break;
      std::set<std::int32_t> rows;
      Columns candidates = free_columns(best);
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        const Columns open = done[i] ? Columns{} : free_columns(i);
        if (done[i] ||
            !std::includes(candidates.begin(), candidates.end(), open.begin(), open.end()))
          continue;
        rows.insert(static_cast<std::int32_t>(i));
        done[i] = 1;
      }
      if (candidates.size() <= rows.size()) merge(groups, rows, candidates);
      used.insert(candidates.begin(), candidates.end());
      groups.emplace_back(std::move(rows), std::move(candidates));
    }
    for (auto& [rows, candidates] : groups)
      model_.constraint_sets.push_back(
          {{rows.begin(), rows.end()}, {candidates.begin(), candidates.end()}, {}});
  }

  // Takes the groups that hold states of these rows into the new one.
  void merge(std::vector<std::pair<std::set<std::int32_t>, Columns>>& groups,
             std::set<std::int32_t>& rows, Columns& candidates) const {
    Columns wanted;
    for (const std::int32_t i : rows) wanted.insert(columns_[at(i)].begin(), columns_[at(i)].end());
    std::erase_if(groups, [&](const auto& group) {
      const bool overlaps = std::any_of(group.second.begin(), group.second.end(),
                                        [&](std::int32_t c) { return wanted.count(c) > 0; });
      if (!overlaps) return false;
      rows.insert(group.first.begin(), group.first.end());
      candidates.insert(group.second.begin(), group.second.end());
      return true;
    });
  }

  void add_flags(ConstraintSet& set) {
    for (const std::int32_t j : set.candidates) {
      FlatVariable flag;
      flag.name = "$solved(" + model_.flat[model_.states[at(j)].state].name + ")";
      flag.type = ScalarType::kBoolean;
      flag.variability = FlatVariability::kDiscrete;
      flag.hidden = true;
      set.solved.push_back(model_.flat.add(std::move(flag)));
      model_.role.push_back(Role::kDiscrete);
    }
  }

  CausalModel& model_;
  ExprPool& pool_;
  ExprWalker walker_;
  std::vector<std::int32_t> state_, block_of_;  // of variables, or -1
  std::vector<ExprId> residuals_;
  std::vector<Columns> columns_;  // of each constraint
  std::vector<char> needed_;      // blocks, by any constraint
};

}  // namespace

void arrange_constraints(CausalModel& model) {
  if (!model.invariants.empty()) Arranger(model).run();
}

}  // namespace arges
