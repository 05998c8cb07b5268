#pragma once

#include <vector>

#include "arges/linear/sparsity.h"

namespace arges {

// How large the states are that have to do with a state: the largest of all that it depends on,
// directly or through others. What rounding leaves open of a small state comes from these, not from
// a large one beside it.
class InfluenceSizes {
 public:
  explicit InfluenceSizes(int largest_dimension);

  // The pattern of df/dx; null: each state may depend on each. It must outlive its use here.
  void bind(const SparsityPattern* pattern, int size);
  // sizes[i] for each state, without taking memory.
  void measure(const double* x, double* sizes);

 private:
  bool reaches_all(const std::vector<int>& start, const std::vector<int>& to);

  const SparsityPattern* pattern_ = nullptr;
  int size_ = 0;
  bool all_are_one_ = true;  // each depends on each
  std::vector<int> order_, open_;
};

}  // namespace arges
