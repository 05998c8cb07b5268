#include "arges/causalize/guesses.h"

#include <algorithm>
#include <unordered_map>

#include "arges/causalize/solve_for.h"

namespace arges {

namespace {

class Guesses {
 public:
  // The walker and the solver serve all blocks: what they remember is as large as the model.
  Guesses(CausalModel& model, const Block& block, const std::vector<CausalEquation>& equations,
          ExprWalker& walker, EquationSolver& solver)
      : model_(model), solver_(solver) {
    for (const VarId v : block.tears) add_unknown(v);
    for (const Block::Assignment& a : block.inner) add_unknown(a.var);
    for (const std::int32_t number : block.equations) {
      Row row{&equations[static_cast<std::size_t>(number)], {}};
      const ExprId sides[] = {row.equation->lhs, row.equation->rhs};
      walker.clear();
      for (const ExprId e : walker.new_nodes(sides)) {
        if (model.flat.pool[e].op != Op::kVar) continue;
        const auto found = number_.find(model.flat.pool[e].index);
        if (found != number_.end()) row.unknowns.push_back(found->second);
      }
      for (const std::size_t u : row.unknowns) rows_of_[u].push_back(rows_.size());
      rows_.push_back(std::move(row));
    }
    open_.resize(rows_.size());
  }

  std::vector<Block::Assignment> find() {
    for (const bool of_types : {false, true}) {
      for (std::size_t u = 0; u < unknowns_.size(); ++u) {
        const FlatVariable& v = model_.flat[unknowns_[u]];
        if (v.start.valid() && (of_types || !v.start_of_type)) is_good_[u] = 1;
      }
      follow();
    }
    return std::move(found_);
  }

 private:
  struct Row {
    const CausalEquation* equation;
    std::vector<std::size_t> unknowns;
  };

  void add_unknown(VarId v) {
    number_[v.index] = unknowns_.size();
    unknowns_.push_back(v);
    rows_of_.emplace_back();
    is_good_.push_back(0);
  }

  void follow() {
    std::vector<std::size_t> ready;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      open_[r] =
          std::ranges::count_if(rows_[r].unknowns, [&](std::size_t u) { return is_good_[u] == 0; });
      if (open_[r] == 1) ready.push_back(r);
    }
    for (std::size_t k = 0; k < ready.size(); ++k) {
      const Row& row = rows_[ready[k]];
      const auto u =
          std::ranges::find_if(row.unknowns, [&](std::size_t n) { return is_good_[n] == 0; });
      if (u == row.unknowns.end() || !guess(*row.equation, unknowns_[*u])) continue;
      is_good_[*u] = 1;
      for (const std::size_t r : rows_of_[*u]) {
        if (--open_[r] == 1) ready.push_back(r);
      }
    }
  }

  bool guess(const CausalEquation& e, VarId v) {
    if (model_.is_stepwise(v)) return false;
    const Solution solution = solver_.solve(e.lhs, e.rhs, v);
    if (!solution.value.valid()) return false;
    found_.push_back({v, solution.value});
    return true;
  }

  CausalModel& model_;
  EquationSolver& solver_;
  std::vector<VarId> unknowns_;
  std::unordered_map<std::int32_t, std::size_t> number_;  // of variables: their unknown
  std::vector<Row> rows_;
  std::vector<std::vector<std::size_t>> rows_of_;  // of unknowns
  std::vector<char> is_good_;
  std::vector<std::ptrdiff_t> open_;  // of rows: unknowns that are not good
  std::vector<Block::Assignment> found_;
};

}  // namespace

void find_guesses(CausalModel& model, std::vector<Block>& blocks,
                  const std::vector<CausalEquation>& equations) {
  ExprWalker walker(model.flat.pool);
  EquationSolver solver(model.flat);
  for (Block& block : blocks) {
    if (block.linear || block.equations.size() < 2) continue;
    block.guesses = Guesses(model, block, equations, walker, solver).find();
  }
}

}  // namespace arges
