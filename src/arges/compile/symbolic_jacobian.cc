#include "arges/compile/symbolic_jacobian.h"

#include <algorithm>
#include <unordered_map>

#include "arges/base/error.h"
#include "arges/base/index.h"
#include "arges/expr/differentiate.h"
#include "arges/expr/walk.h"
#include "arges/flat/differentiate_function.h"

namespace arges {

namespace {

constexpr std::size_t kLargest = 5'000;  // states; beyond, making the expressions costs too much
constexpr std::size_t kEntriesPerState = 40, kNodesPerNode = 30;
constexpr std::size_t kLoopUnknowns = 2;  // of loops whose derivatives are expressions

class RateDifferentiator {
 public:
  explicit RateDifferentiator(CausalModel& model)
      : model_(model),
        pool_(model.flat.pool),
        walker_(model.flat.pool),
        call_(call_derivative(model.flat, DerivativeBy::kVariable)),
        state_(model.flat.variables.size(), -1),
        derivatives_(model.flat.variables.size()) {
    for (std::size_t i = 0; i < model.states.size(); ++i)
      state_[at(model.states[i].state.index)] = static_cast<std::int32_t>(i);
    most_entries_ = 10'000 + kEntriesPerState * model.states.size();
    most_nodes_ = 10'000 + pool_.size() + static_cast<std::int32_t>(kNodesPerNode) * pool_.size();
  }

  // False: given up.
  bool run(const std::vector<char>& needed) {
    for (std::size_t k = 0; k < model_.blocks.size(); ++k) {
      const Block& block = model_.blocks[k];
      if (!needed[k]) continue;
      if (!block.tears.empty()) {
        if (!moves(block)) continue;
        if (block.tears.size() <= kLoopUnknowns) {
          differentiate_loop(block);
        } else {
          if (block.jacobian.empty()) return false;
          differentiate_large_loop(block);
        }
        if (entries_ > most_entries_ || pool_.size() > most_nodes_) return false;
        continue;
      }
      if (model_.is_stepwise(block.inner[0].var)) continue;
      differentiate(block.inner[0].value, derivatives_[at(block.inner[0].var.index)]);
      if (entries_ > most_entries_ || pool_.size() > most_nodes_) return false;
    }
    return true;
  }

  RateDerivatives take() {
    RateDerivatives found;
    std::vector<RateDerivative>& result = found.entries;
    for (std::size_t i = 0; i < model_.states.size(); ++i) {
      const VarId d = model_.states[i].derivative;
      const int row = static_cast<int>(i);
      if (state_[at(d.index)] >= 0) {
        result.push_back({row, state_[at(d.index)], pool_.real(1)});
        continue;
      }
      for (const Column& c : derivatives_[at(d.index)]) result.push_back({row, c.number, c.value});
    }
    found.loops = std::move(loops_);
    found.variables = static_cast<std::int32_t>(state_.size() - model_.flat.variables.size());
    return found;
  }

 private:
  struct Column {
    std::int32_t number;
    ExprId value;
  };
  std::int32_t time_column() const { return static_cast<std::int32_t>(model_.states.size()); }

  // A loop whose solution depends on states or time.
  bool moves(const Block& block) {
    std::vector<ExprId> roots = block.residuals;
    for (const auto& a : block.inner) roots.push_back(a.value);
    walker_.clear();
    for (const ExprId e : walker_.new_nodes(roots)) {
      const ExprNode& node = pool_[e];
      if (node.op == Op::kTime) return true;
      if (node.op == Op::kVar &&
          (state_[at(node.index)] >= 0 || !derivatives_[at(node.index)].empty()))
        return true;
    }
    return false;
  }

  void add_columns(ExprId e, std::vector<std::int32_t>& columns) {
    for (const ExprId n : walker_.nodes(e)) {
      const ExprNode& node = pool_[n];
      if (node.op == Op::kTime) columns.push_back(time_column());
      if (node.op != Op::kVar) continue;
      if (state_[at(node.index)] >= 0) columns.push_back(state_[at(node.index)]);
      for (const Column& c : derivatives_[at(node.index)]) columns.push_back(c.number);
    }
  }

  static void sort_unique(std::vector<std::int32_t>& columns) {
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  }

  // Of a leaf, with respect to column j; invalid: zero.
  ExprId leaf_derivative(ExprId leaf, std::int32_t j) {
    const ExprNode& node = pool_[leaf];
    if (node.op == Op::kTime) return j == time_column() ? pool_.real(1) : ExprId{};
    if (node.op != Op::kVar) return {};
    if (state_[at(node.index)] >= 0) return state_[at(node.index)] == j ? pool_.real(1) : ExprId{};
    for (const Column& c : derivatives_[at(node.index)]) {
      if (c.number == j) return c.value;
    }
    return {};
  }

  void differentiate(ExprId e, std::vector<Column>& result) {
    std::vector<std::int32_t> columns;
    add_columns(e, columns);
    sort_unique(columns);
    for (const std::int32_t j : columns) {
      Differentiator d(
          pool_, [&](ExprId leaf) { return leaf_derivative(leaf, j); }, call_);
      const ExprId value = d(e);
      if (!pool_.is_value(value, 0)) result.push_back({j, value});
    }
    entries_ += result.size();
  }

  // The residuals of a loop, differentiated by `outer` leaves with the variables that it computes
  // taken into account; the unknowns themselves have the derivative that `outer` says.
  template <class Outer>
  std::vector<ExprId> differentiate_residuals(const Block& block, Outer outer) {
    std::unordered_map<std::int32_t, ExprId> inner;
    Differentiator d(
        pool_,
        [&](ExprId leaf) {
          if (pool_[leaf].op == Op::kVar) {
            const auto it = inner.find(pool_[leaf].index);
            if (it != inner.end()) return it->second;
          }
          return outer(leaf);
        },
        call_);
    for (const Block::Assignment& a : block.inner) {
      if (model_.is_stepwise(a.var)) continue;
      const ExprId value = d(a.value);
      inner[a.var.index] = pool_.is_value(value, 0) ? ExprId{} : value;
    }
    std::vector<ExprId> result;
    for (const ExprId r : block.residuals) result.push_back(d(r));
    return result;
  }

  void differentiate_loop(const Block& block) {
    const std::size_t m = block.tears.size();
    std::vector<std::vector<ExprId>> by_unknown;  // [unknown][residual]
    for (const VarId v : block.tears) {
      by_unknown.push_back(differentiate_residuals(block, [&](ExprId leaf) {
        return pool_[leaf].op == Op::kVar && pool_.var(leaf) == v ? pool_.real(1) : ExprId{};
      }));
    }
    const auto determinant = [&](const std::vector<ExprId>& a, const std::vector<ExprId>& b) {
      return pool_.sub(pool_.mul(a[0], b[1]), pool_.mul(a[1], b[0]));
    };
    const std::vector<std::int32_t> columns = columns_of(block);
    std::vector<std::vector<Column>> found(m);
    for (const std::int32_t j : columns) {
      const std::vector<ExprId> b =
          differentiate_residuals(block, [&](ExprId leaf) { return leaf_derivative(leaf, j); });
      for (std::size_t i = 0; i < m; ++i) {
        const ExprId value = m == 1 ? pool_.neg(pool_.div(b[0], by_unknown[0][0]))
                                    : pool_.div(i == 0 ? determinant(by_unknown[1], b)
                                                       : determinant(b, by_unknown[0]),
                                                determinant(by_unknown[0], by_unknown[1]));
        if (!pool_.is_value(value, 0)) found[i].push_back({j, value});
      }
    }
    finish_loop(block, found);
  }

  std::vector<std::int32_t> columns_of(const Block& block) {
    std::vector<std::int32_t> columns;
    for (const ExprId r : block.residuals) add_columns(r, columns);
    for (const Block::Assignment& a : block.inner) add_columns(a.value, columns);
    sort_unique(columns);
    return columns;
  }

  // `found`: by unknown.
  void finish_loop(const Block& block, std::vector<std::vector<Column>>& found) {
    for (std::size_t i = 0; i < found.size(); ++i) {
      entries_ += found[i].size();
      derivatives_[at(block.tears[i].index)] = std::move(found[i]);
    }
    for (const Block::Assignment& a : block.inner) {
      if (!model_.is_stepwise(a.var)) differentiate(a.value, derivatives_[at(a.var.index)]);
    }
  }

  // One that only the Jacobian has.
  VarId new_variable() {
    state_.push_back(-1);
    derivatives_.emplace_back();
    return VarId{static_cast<std::int32_t>(state_.size()) - 1};
  }

  void differentiate_large_loop(const Block& block) {
    const std::size_t m = block.tears.size();
    LoopDerivative loop;
    for (const Block::Entry& e : block.jacobian)
      loop.matrix.push_back({e.row, e.column, e.value, new_variable()});
    std::vector<std::vector<Column>> found(m);
    for (const std::int32_t j : columns_of(block)) {
      LoopDerivative::Column column;
      column.values =
          differentiate_residuals(block, [&](ExprId leaf) { return leaf_derivative(leaf, j); });
      for (std::size_t i = 0; i < m; ++i) {
        column.kept.push_back(new_variable());
        column.unknowns.push_back(new_variable());
        found[i].push_back({j, pool_.variable(column.unknowns[i])});
      }
      loop.columns.push_back(std::move(column));
    }
    loops_.push_back(std::move(loop));
    finish_loop(block, found);
  }

  CausalModel& model_;
  ExprPool& pool_;
  ExprWalker walker_;
  Differentiator::Call call_;
  std::vector<std::int32_t> state_;               // variable -> number of the state, or -1
  std::vector<std::vector<Column>> derivatives_;  // of variables, columns ascending
  std::vector<LoopDerivative> loops_;
  std::size_t entries_ = 0, most_entries_;
  std::int32_t most_nodes_;
};

}  // namespace

std::optional<RateDerivatives> differentiate_rates(CausalModel& model,
                                                   const std::vector<char>& needed) {
  if (model.states.empty() || model.states.size() > kLargest) return std::nullopt;
  try {
    RateDifferentiator d(model);
    if (!d.run(needed)) return std::nullopt;
    return d.take();
  } catch (const UserError&) {  // a function without derivative
    return std::nullopt;
  }
}

}  // namespace arges
