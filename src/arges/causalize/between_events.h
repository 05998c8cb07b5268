#pragma once
// What expressions do between events.

#include <vector>

#include "arges/causalize/causal_model.h"

namespace arges {

// Whether lowered expressions (lower_events()) change between events, by the roles that the
// variables have now. Each node is looked at once, arguments first, as they have smaller numbers.
class BetweenEvents {
 public:
  explicit BetweenEvents(const CausalModel& model);

  bool changes(ExprId e) const { return nodes_[static_cast<std::size_t>(e.index)].changes; }

 private:
  struct Node {
    bool changes = false;       // between events, too
    bool is_momentary = false;  // false, but for single instants that are events
  };

  void look_at(ExprId e);
  bool is_edge(ExprId v, ExprId other) const;  // v and not pre(v): rising
  bool is_left_limit(ExprId v, ExprId before) const;

  const CausalModel& model_;
  const ExprPool& pool_;
  std::vector<Node> nodes_;           // by expression
  std::vector<VarId> left_limit_of_;  // by variable
  std::vector<char> is_momentary_;    // by variable
};

}  // namespace arges
