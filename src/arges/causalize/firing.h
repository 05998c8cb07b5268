#pragma once
// What the branches of a `when` fire by: the variables of their conditions, and what discrete ones
// among them are computed from.

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "arges/expr/pool.h"
#include "arges/expr/walk.h"

namespace arges {

class Firing {
 public:
  explicit Firing(const ExprPool& pool) : pool_(pool), walker_(pool) {}

  // A discrete variable is computed from this.
  void computed(std::int32_t variable, ExprId value) { made_from_.emplace(variable, value); }

  void clear() { references_.clear(); }
  bool empty() const { return references_.empty(); }
  bool contains(ExprId reference) const { return references_.contains(reference.index); }

  // One more condition, in time proportional to what it brings.
  void add(ExprId condition) {
    std::vector<ExprId> open{condition};
    while (!open.empty()) {
      const ExprId root = open.back();
      open.pop_back();
      for (const ExprId e : walker_.nodes(root)) {
        if (pool_[e].op != Op::kVar || !references_.insert(e.index).second) continue;
        const auto made = made_from_.find(pool_[e].index);
        if (made != made_from_.end()) open.push_back(made->second);
      }
    }
  }

 private:
  const ExprPool& pool_;
  ExprWalker walker_;
  std::unordered_set<std::int32_t> references_;
  std::unordered_map<std::int32_t, ExprId> made_from_;  // discrete variables
};

}  // namespace arges
