#include "arges/compile/sparsity.h"

#include <algorithm>
#include <numeric>

#include "arges/expr/walk.h"

namespace arges {

namespace {

// A state that constraints determine stands for all states that are tied to it.
void widen_by_constraints(const CausalModel& model, ModelCode& code) {
  if (model.invariants.empty()) return;
  if (model.invariant_jacobian.empty()) {
    code.has_sparsity = false;
    return;
  }
  const auto at = [](std::int32_t i) { return static_cast<std::size_t>(i); };
  std::vector<std::int32_t> tied_to(model.states.size(), -1);  // states -> constraint; -1: none
  std::vector<std::int32_t> parent(model.invariants.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](std::int32_t i) {
    while (parent[at(i)] != i) i = parent[at(i)];
    return i;
  };
  for (const Block::Entry& e : model.invariant_jacobian) {
    std::int32_t& tie = tied_to[at(e.column)];
    if (tie < 0) tie = e.row;
    parent[at(root(e.row))] = root(tie);
  }
  std::vector<std::vector<int>> members(model.invariants.size());
  for (std::size_t j = 0; j < tied_to.size(); ++j) {
    if (tied_to[j] >= 0) members[at(root(tied_to[j]))].push_back(static_cast<int>(j));
  }
  std::vector<std::pair<int, int>> wider = code.sparsity;
  for (const auto& [row, column] : code.sparsity) {
    if (tied_to[at(column)] < 0) continue;
    for (const int other : members[at(root(tied_to[at(column)]))]) wider.emplace_back(row, other);
  }
  for (const std::vector<int>& group : members) {
    for (const int row : group) {
      for (const int column : group) wider.emplace_back(row, column);
    }
  }
  std::sort(wider.begin(), wider.end());
  wider.erase(std::unique(wider.begin(), wider.end()), wider.end());
  code.sparsity = std::move(wider);
}

}  // namespace

void find_sparsity(const CausalModel& model, const std::vector<std::int32_t>& block_of,
                   ModelCode& code) {
  const auto at = [](std::int32_t i) { return static_cast<std::size_t>(i); };
  const std::size_t n = model.states.size();
  const std::size_t limit = std::max<std::size_t>(100'000, 60 * n);
  std::vector<std::int32_t> state_number(model.flat.variables.size(), -1);
  for (std::size_t i = 0; i < n; ++i)
    state_number[at(model.states[i].state.index)] = static_cast<std::int32_t>(i);

  std::vector<std::vector<int>> depends(model.blocks.size());
  std::size_t total = 0;
  ExprWalker walker(model.flat.pool);
  std::vector<ExprId> roots;
  std::vector<int> set;
  for (std::size_t k = 0; k < model.blocks.size(); ++k) {
    const Block& block = model.blocks[k];
    if (block.tears.empty() && model.role_of(block.inner[0].var) == Role::kDiscrete) continue;
    roots.assign(block.residuals.begin(), block.residuals.end());
    for (const auto& a : block.inner) roots.push_back(a.value);
    set.clear();
    walker.clear();
    for (const ExprId e : walker.new_nodes(roots)) {
      if (model.flat.pool[e].op != Op::kVar) continue;
      const std::int32_t v = model.flat.pool[e].index;
      if (state_number[at(v)] >= 0) set.push_back(state_number[at(v)]);
      const std::int32_t b = block_of[at(v)];
      if (b >= 0 && at(b) != k) set.insert(set.end(), depends[at(b)].begin(), depends[at(b)].end());
      if (set.size() > 4 * limit) return;
    }
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    total += set.size();
    if (total > limit) return;
    depends[k] = set;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const VarId d = model.states[i].derivative;
    const int row = static_cast<int>(i);
    if (state_number[at(d.index)] >= 0) {
      code.sparsity.emplace_back(row, state_number[at(d.index)]);
    } else if (block_of[at(d.index)] >= 0) {
      for (const int c : depends[at(block_of[at(d.index)])]) code.sparsity.emplace_back(row, c);
    }
  }
  code.has_sparsity = true;
  widen_by_constraints(model, code);
}

}  // namespace arges
