#pragma once
// The rooted trees behind the order conditions of one-step methods.

#include <vector>

namespace arges::testing {

struct Tree {
  int nodes;
  std::vector<int> children;  // indices of trees, ascending: each tree comes once
  double gamma;
};

// All rooted trees of up to `order` nodes, the smaller ones first.
inline std::vector<Tree> rooted_trees(int order) {
  std::vector<Tree> trees = {{1, {}, 1}};
  for (int nodes = 2; nodes <= order; ++nodes) {
    const int known = static_cast<int>(trees.size());
    std::vector<int> children;
    const auto extend = [&](auto& self, int left, int first) -> void {
      if (left == 0) {
        double gamma = nodes;
        for (int child : children) gamma *= trees[child].gamma;
        trees.push_back({nodes, children, gamma});
        return;
      }
      for (int child = first; child < known; ++child) {
        if (trees[child].nodes > left) break;
        children.push_back(child);
        self(self, left - trees[child].nodes, child);
        children.pop_back();
      }
    };
    extend(extend, nodes - 1, 0);
  }
  return trees;
}

}  // namespace arges::testing
