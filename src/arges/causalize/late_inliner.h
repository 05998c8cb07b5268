#pragma once
// Calls that wait for index reduction.

#include <vector>

#include "arges/causalize/causal_model.h"
#include "arges/expr/walk.h"

namespace arges {

// Replaces calls of functions that have declared derivatives with noDerivative, and of these
// derivatives, by what they compute, where that is one expression.
class LateInliner {
 public:
  explicit LateInliner(FlatModel& flat);

  bool any() const { return any_; }
  CausalEquation operator()(const CausalEquation& e);

 private:
  std::vector<char> is_late_;  // functions
  bool any_ = false;
  ExprRewriter rewrite_;
};

}  // namespace arges
