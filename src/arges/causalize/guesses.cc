#include "arges/causalize/guesses.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <unordered_map>
#include <utility>

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

  // How an equation gives its last unknown; the better ones are followed first.
  enum class Way : std::uint8_t { kDefined, kSolved, kDivided };
  struct Step {
    Way way;
    std::size_t order;  // of equally good ones the first
    std::size_t unknown;
    ExprId value;
    bool operator<(const Step& other) const {
      return std::pair(way, order) > std::pair(other.way, other.order);
    }
  };

  // What the equation makes of its last unknown, where it can be solved for it. What divides by an
  // unknown is a poor guess where a derivative or a difference is still zero: the start value of a
  // type is better.
  std::optional<Step> way_to(const CausalEquation& e, std::size_t u, std::size_t order) {
    const VarId v = unknowns_[u];
    if (model_.is_stepwise(v)) return {};
    const ExprId self = model_.flat.ref(v);
    const Solution solution = solver_.solve(e.lhs, e.rhs, v);
    if (!solution.value.valid()) return {};
    const bool is_defined = solution.value == (e.lhs == self ? e.rhs : e.lhs);
    if (!solution.safe && model_.flat[v].start.valid()) return {};
    const Way way = is_defined ? Way::kDefined : solution.safe ? Way::kSolved : Way::kDivided;
    return Step{way, order, u, solution.value};
  }

  void follow() {
    std::priority_queue<Step> ready;
    std::size_t order = 0;
    const auto is_open = [&](std::size_t u) { return is_good_[u] == 0; };
    const auto look_at = [&](std::size_t r) {
      const Row& row = rows_[r];
      const std::size_t u = *std::ranges::find_if(row.unknowns, is_open);
      if (const auto step = way_to(*row.equation, u, order++)) ready.push(*step);
    };
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      open_[r] = std::ranges::count_if(rows_[r].unknowns, is_open);
      if (open_[r] == 1) look_at(r);
    }
    while (!ready.empty()) {
      const Step step = ready.top();
      ready.pop();
      if (!is_open(step.unknown)) continue;
      found_.push_back({unknowns_[step.unknown], step.value});
      is_good_[step.unknown] = 1;
      for (const std::size_t r : rows_of_[step.unknown]) {
        if (--open_[r] == 1) look_at(r);
      }
    }
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

namespace {

constexpr std::int32_t kKnown = -1;

}  // namespace

void guess_relations(CausalModel& model, std::vector<Block>& blocks,
                     const std::vector<CausalEquation>& relations) {
  if (relations.empty()) return;
  ExprPool& pool = model.flat.pool;
  std::vector<std::int32_t> block_of(model.flat.variables.size(), kKnown);
  // Of variables: the last loop that they depend on.
  std::vector<std::int32_t> last_loop(model.flat.variables.size(), kKnown);
  ExprWalker walker(pool);
  const auto last_loop_of = [&](ExprId root) {
    std::int32_t last = kKnown;
    for (const ExprId e : walker.nodes(root)) {
      if (pool[e].op == Op::kVar)
        last = std::max(last, last_loop[static_cast<std::size_t>(pool[e].index)]);
    }
    return last;
  };
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const auto number = static_cast<std::int32_t>(k);
    const bool is_loop = !blocks[k].tears.empty();
    const auto place = [&](VarId v, std::int32_t loop) {
      block_of[static_cast<std::size_t>(v.index)] = number;
      last_loop[static_cast<std::size_t>(v.index)] = loop;
    };
    for (const VarId v : blocks[k].tears) place(v, number);
    for (const Block::Assignment& a : blocks[k].inner)
      place(a.var, is_loop ? number : last_loop_of(a.value));
  }
  std::map<std::int32_t, std::vector<CausalEquation>> of_loop;
  for (const CausalEquation& relation : relations) {
    const std::int32_t loop = last_loop_of(relation.rhs);
    if (loop != kKnown && !blocks[static_cast<std::size_t>(loop)].linear)
      of_loop[loop].push_back(relation);
  }
  for (const auto& [number, list] : of_loop) {
    const std::int32_t loop = number;
    std::unordered_map<std::int32_t, ExprId> value;  // of variables assigned after the loop
    ExprRewriter expand(pool, [&](ExprId e, std::span<const ExprId>) {
      const auto found = pool[e].op == Op::kVar ? value.find(pool[e].index) : value.end();
      return found != value.end() ? found->second : ExprId{};
    });
    for (const CausalEquation& relation : list) {
      // Blocks that the relation needs, the last first; then their values, the first first.
      std::set<std::int32_t> after;
      std::vector<ExprId> roots{relation.rhs};
      for (std::size_t k = 0; k < roots.size(); ++k) {
        for (const ExprId e : walker.nodes(roots[k])) {
          if (pool[e].op != Op::kVar || value.count(pool[e].index)) continue;
          const std::int32_t b = block_of[static_cast<std::size_t>(pool[e].index)];
          if (b > loop && after.insert(b).second)
            roots.push_back(blocks[static_cast<std::size_t>(b)].inner[0].value);
        }
      }
      for (const std::int32_t b : after) {
        const Block::Assignment& a = blocks[static_cast<std::size_t>(b)].inner[0];
        value[a.var.index] = expand(a.value);
      }
      const ExprId guess = value.empty() ? relation.rhs : expand(relation.rhs);
      blocks[static_cast<std::size_t>(loop)].relation_guesses.push_back(
          {pool.var(relation.lhs), guess});
    }
  }
}

}  // namespace arges
