#pragma once
// Which conditions need no meaning at a point: those behind a guard that is false there.

#include <functional>
#include <vector>

#include "arges/causalize/causal_model.h"

namespace arges {

// The guards of relations and floors (Relation::asked) in three-valued logic: a relation whose
// condition is NaN is neither true nor false, so that in `z > 0 and sqrt(z) > 1` the first spares
// the second, while in `sqrt(z) > 1 and sqrt(z) > 2` none spares the other.
//
//   not u = u,   u and false = false,   u and true = u,   u or true = true,   u or false = u
class GuardLogic {
 public:
  GuardLogic() = default;
  explicit GuardLogic(const CausalModel& model);

  // No condition has a guard.
  bool empty() const { return guards_.empty(); }
  // Expressions over what changes at events only, whose values the guards need.
  const std::vector<ExprId>& inputs() const { return inputs_; }
  // Of relations, then of floors: whether the guard is false. `side(relation)`: 1, 0 or NaN;
  // `input(k)`: the value of inputs()[k].
  std::vector<char> false_guards(const std::function<double(std::size_t)>& side,
                                 const std::function<double(std::size_t)>& input) const;

 private:
  enum class Kind { kInput, kRelation, kUnknown, kNot, kAnd, kOr };
  struct Node {
    Kind kind;
    std::size_t a = 0, b = 0;  // nodes; or the number of the input or relation
  };
  class Builder;

  std::vector<Node> nodes_;  // arguments first
  std::vector<ExprId> inputs_;
  std::vector<std::ptrdiff_t> guards_;  // nodes; -1: always asked for
};

}  // namespace arges
