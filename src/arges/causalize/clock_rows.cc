#include "arges/causalize/clock_rows.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "arges/causalize/model_error.h"
#include "arges/structure/blocks.h"
#include "arges/structure/matching.h"

namespace arges {

namespace {

class TickingRows {
 public:
  TickingRows(FlatModel& flat, std::vector<ClockedRow>& rows,
              const std::function<bool(VarId)>& belongs)
      : flat_(flat), pool_(flat.pool), rows_(rows), belongs_(belongs), solutions_(rows.size()) {}

  std::vector<TickingRow> run() {
    std::vector<TickingRow> result(rows_.size(), {VarId{}, true});
    const structure::Incidence present = unknowns();
    structure::Matching matching = structure::maximum_matching(solvable_);
    std::vector<int> open;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (matching.column_of_row[i] < 0) open.push_back(static_cast<int>(i));
    }
    if (structure::match_in_order(present, open, matching) < static_cast<int>(open.size())) {
      for (const VarId v : variables_) make_algebraic(v);
      return result;
    }
    const structure::Incidence needs = dependences(matching);
    const structure::Blocks blocks = structure::strong_components(needs);
    for (int k = 0; k < blocks.count(); ++k) {
      const bool discrete = std::ranges::none_of(blocks[k], [&](int row) {
        const int column = matching.column_of_row[static_cast<std::size_t>(row)];
        return is_real(variables_[static_cast<std::size_t>(column)]);
      });
      for (const int row : blocks[k]) {
        const auto i = static_cast<std::size_t>(row);
        const int column = matching.column_of_row[i];
        const VarId v = variables_[static_cast<std::size_t>(column)];
        result[i].target = v;
        if (blocks[k].size() > 1 || std::ranges::count(needs.row(row), -1) > 0) {
          // (Other loops with a Real among them are iterated, as a relation is.)
          if (discrete || (!is_real(v) && rows_[i].lhs != flat_.ref(v)))
            refuse(v, i, discrete && blocks[k].size() > 1);
          make_algebraic(v);
          continue;
        }
        result[i].stays = false;
        rows_[i].lhs = flat_.ref(v);
        rows_[i].rhs = solutions_[i].at(column);
      }
    }
    return result;
  }

 private:
  // Which unknowns each equation has, and (solvable_) for which of them it can be solved.
  structure::Incidence unknowns() {
    structure::Incidence present;
    std::unordered_map<std::int32_t, int> column;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const ClockedRow& row = rows_[i];
      std::set<std::int32_t> occurring;
      for (const ExprId side : {row.lhs, row.rhs}) {
        for (const ExprId e : walker_.nodes(side)) {
          const VarId v{pool_[e].index};
          if (pool_[e].op == Op::kVar && belongs_(v)) occurring.insert(v.index);
        }
      }
      std::vector<int> all, some;
      for (const std::int32_t index : occurring) {
        const VarId v{index};
        const auto [it, is_new] = column.try_emplace(index, static_cast<int>(variables_.size()));
        if (is_new) variables_.push_back(v);
        if (row.defines && row.lhs != flat_.ref(v)) {
          if (pool_[row.lhs].op != Op::kVar) all.push_back(it->second);
          continue;
        }
        all.push_back(it->second);
        const ExprId value = solution(row, v);
        if (!value.valid()) continue;
        some.push_back(it->second);
        solutions_[i][it->second] = value;
      }
      present.add_row(all);
      solvable_.add_row(some);
    }
    solvable_.columns = present.columns = static_cast<int>(variables_.size());
    return present;
  }

  ExprId solution(const ClockedRow& row, VarId v) {
    const Solution found = solver_.solve(row.lhs, row.rhs, v);
    if (!found.value.valid() || !found.safe) return {};
    // (2*j = i gives no Integer j.)
    const ScalarType type = flat_[v].type;
    const bool fits = type == ScalarType::kReal || pool_[found.value].type == type;
    return fits ? found.value : ExprId{};
  }

  // From row to row; -1: an equation that cannot be solved by itself.
  structure::Incidence dependences(const structure::Matching& matching) {
    std::unordered_map<std::int32_t, int> row_of;
    for (std::size_t c = 0; c < variables_.size(); ++c) {
      if (matching.row_of_column[c] >= 0) row_of[variables_[c].index] = matching.row_of_column[c];
    }
    structure::Incidence needs;
    needs.columns = static_cast<int>(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      std::vector<int> others;
      const auto need = [&](VarId v) {
        const auto it = row_of.find(v.index);
        if (it == row_of.end()) return;
        others.push_back(it->second);
        if (it->second == static_cast<int>(i)) others.push_back(-1);
      };
      const auto known = solutions_[i].find(matching.column_of_row[i]);
      if (known == solutions_[i].end()) {
        for (const ExprId side : {rows_[i].lhs, rows_[i].rhs}) {
          for (const ExprId e : walker_.nodes(side)) {
            if (pool_[e].op == Op::kVar) need(VarId{pool_[e].index});
          }
        }
      } else {
        for (const ExprId e : walker_.nodes(known->second)) {
          if (pool_[e].op == Op::kVar) need(VarId{pool_[e].index});
        }
      }
      needs.add_row(others);
    }
    return needs;
  }

  bool is_real(VarId v) const { return flat_[v].type == ScalarType::kReal; }

  void make_algebraic(VarId v) {
    if (is_real(v)) flat_[v].variability = FlatVariability::kContinuous;
  }

  [[noreturn]] void refuse(VarId v, std::size_t row, bool loop) {
    const std::string& name = flat_[v].name;
    throw ModelError(
        diag::Code::kNotSupported,
        loop ? fmt::format(
                   "algebraic loops of Integers and other discrete variables among equations "
                   "that tick are not supported: '{}' cannot be computed by one equation "
                   "after another",
                   name)
             : fmt::format("equations that tick and cannot be solved for the {} '{}' are not "
                           "supported: write {} = ..",
                           to_string(flat_[v].type), name, name),
        {place_in_text(pool_, rows_[row].origin, "")});
  }

  FlatModel& flat_;
  ExprPool& pool_;
  std::vector<ClockedRow>& rows_;
  const std::function<bool(VarId)>& belongs_;
  EquationSolver solver_{flat_};
  ExprWalker walker_{flat_.pool};
  structure::Incidence solvable_;
  std::vector<VarId> variables_;                  // by column
  std::vector<std::map<int, ExprId>> solutions_;  // by row, then column
};

}  // namespace

std::vector<TickingRow> solve_ticking_rows(FlatModel& flat, std::vector<ClockedRow>& rows,
                                           const std::function<bool(VarId)>& belongs) {
  return TickingRows(flat, rows, belongs).run();
}

}  // namespace arges
