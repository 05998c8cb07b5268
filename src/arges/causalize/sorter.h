#pragma once
// From equations and unknowns to blocks: shared by the system of the run and that of the start.

#include <vector>

#include "arges/causalize/causal_model.h"
#include "arges/causalize/solve_for.h"
#include "arges/structure/blocks.h"

namespace arges {

// Equations (rows) over unknowns (columns).
class SystemSorter {
 public:
  // `unknowns` are the columns.
  SystemSorter(CausalModel& model, std::vector<VarId> unknowns);

  // `initial`: an initial equation, which may give a discrete variable from continuous ones.
  void add(const CausalEquation& equation, std::int32_t index, bool initial = false);
  int rows() const { return static_cast<int>(equations_.size()); }
  const std::vector<VarId>& unknowns() const { return unknowns_; }
  int column(VarId v) const { return column_[static_cast<std::size_t>(v.index)]; }

  // Which unknowns occur in which equation, and those which the equation may be solved for:
  // continuous variables anywhere, others only as one side of the equation. The nearest choice
  // comes first.
  const structure::Incidence& incidence() const { return incidence_; }
  const structure::Incidence& candidates() const { return candidates_; }

  // Throws StructuralError when rows or columns are left.
  void check(const structure::Matching& matching, const char* system) const;
  // Blocks in the order of solution, loops torn. All rows must be matched.
  std::vector<Block> blocks(const structure::Matching& matching, CausalStatistics* statistics);

 private:
  Block single(int row, VarId v);
  Block loop(std::span<const int> rows, const structure::Matching& matching,
             CausalStatistics* statistics);
  bool tear(std::span<const int> rows, const structure::Incidence& local,
            const std::vector<VarId>& variables, Block& block);
  [[noreturn]] void fail_discrete_loop(int row, VarId v) const;
  ExprId residual(int row);
  bool fill_jacobian(Block& block);
  bool may_vanish(const CausalEquation& e, VarId v);
  void note_linear(Block& block);
  std::string name(int column) const;

  CausalModel& model_;
  EquationSolver solver_;
  ExprWalker walker_;
  std::vector<VarId> unknowns_;
  std::vector<int> column_;  // by VarId
  std::vector<CausalEquation> equations_;
  std::vector<std::int32_t> index_;
  structure::Incidence incidence_, candidates_;
};

}  // namespace arges
