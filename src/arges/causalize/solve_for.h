#pragma once
// Solving one equation for one of its variables.

#include <utility>

#include "arges/expr/walk.h"
#include "arges/flat/flat_model.h"

namespace arges {

struct Solution {
  ExprId value;       // invalid: the equation is not linear in the variable
  bool safe = false;  // what was divided by is a constant or depends on parameters only
};

// lhs = rhs for v, which stands for a continuous variable: by inverting +, -, *, / and
// functions with an inverse on the way to v,
// or, when v occurs several times, as -b/a of a v + b. Nothing is assumed about the sign of
// anything.
class EquationSolver {
 public:
  explicit EquationSolver(FlatModel& flat) : flat_(flat), walker_(flat.pool) {}
  Solution solve(ExprId lhs, ExprId rhs, VarId v);
  bool contains(ExprId e, VarId v);
  // Whether none of the variables for which `varies` holds occurs, nor time.
  bool depends_on_parameters_only(ExprId e);

 private:
  Solution general(ExprId lhs, ExprId rhs, VarId v);
  // f(.., a, ..) = other, where v occurs in a alone: a by the inverse that f declares, and what a
  // is. Invalid when there is none.
  std::pair<ExprId, ExprId> invert(ExprId result, ExprId other);
  // Marks what v occurs in, of e and all below it, in one go: sums may have as many terms as a
  // ground has pins.
  void mark(ExprId e, VarId v);
  bool is_marked(ExprId e) const { return marks_[static_cast<std::size_t>(e.index)] == stamp_; }

  FlatModel& flat_;
  ExprWalker walker_;
  std::vector<std::uint32_t> marks_;
  std::uint32_t stamp_ = 0;
};

}  // namespace arges
