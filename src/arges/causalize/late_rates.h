#pragma once
// What calls with declared derivatives leave of an equation when it is differentiated.

#include <optional>
#include <unordered_map>
#include <vector>

#include "arges/causalize/late_inliner.h"
#include "arges/expr/differentiate.h"
#include "arges/structure/index_reduction.h"

namespace arges {

// The derivative of position({q, qd, qdd}, time) contains qd, neither q nor the derivative of qdd:
// which variables an equation with such calls contains when it is differentiated follows from
// differentiating it, with placeholders for rates that are no variables yet. The placeholders are
// at the end of the model's variables, and are gone when this object is: meanwhile nobody else may
// add variables.
class LateRates {
 public:
  // `columns`: the unknowns; `derivative`: their derivatives, as columns, or -1.
  LateRates(FlatModel& flat, const std::vector<VarId>& columns, const std::vector<int>& derivative);
  ~LateRates() { flat_.variables.resize(variables_); }
  LateRates(const LateRates&) = delete;
  LateRates& operator=(const LateRates&) = delete;

  // Of the equation, differentiated `order` times (1 and more); nothing if it has no such call.
  std::optional<std::vector<structure::Rate>> operator()(const CausalEquation& e, int order);

 private:
  ExprId rate_of(ExprId leaf);

  FlatModel& flat_;
  std::size_t variables_;
  LateInliner inlined_late_;
  Differentiator differentiate_;
  ExprWalker walker_;
  // Of variables, the placeholders too.
  std::unordered_map<std::int32_t, structure::Rate> stands_for_;
  std::unordered_map<std::int32_t, VarId> derivative_;
  std::unordered_map<std::int32_t, ExprId> derived_from_;  // of expressions
};

}  // namespace arges
