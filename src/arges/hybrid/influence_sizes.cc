#include "arges/hybrid/influence_sizes.h"

#include <algorithm>
#include <cmath>

namespace arges {

InfluenceSizes::InfluenceSizes(int largest_dimension) {
  order_.resize(static_cast<std::size_t>(largest_dimension));
  open_.reserve(static_cast<std::size_t>(largest_dimension));
}

void InfluenceSizes::bind(const SparsityPattern* pattern, int size) {
  if (pattern == pattern_ && size == size_) return;
  pattern_ = pattern;
  size_ = size;
  all_are_one_ = true;
  if (pattern == nullptr || size == 0) return;
  std::vector<int> start(static_cast<std::size_t>(size) + 1, 0), column(pattern->row.size());
  for (const int row : pattern->row) ++start[static_cast<std::size_t>(row) + 1];
  for (int i = 0; i < size; ++i) start[i + 1] += start[i];
  std::vector<int> next(start.begin(), start.end() - 1);
  for (int j = 0; j < size; ++j) {
    for (int k = pattern->column_start[j]; k < pattern->column_start[j + 1]; ++k)
      column[next[pattern->row[k]]++] = j;
  }
  all_are_one_ = reaches_all(pattern->column_start, pattern->row) && reaches_all(start, column);
}

// From state 0, along the edges k -> to[start[k]] .. to[start[k + 1] - 1].
bool InfluenceSizes::reaches_all(const std::vector<int>& start, const std::vector<int>& to) {
  std::vector<char> seen(static_cast<std::size_t>(size_), 0);
  std::vector<int> open{0};
  seen[0] = 1;
  int count = 1;
  while (!open.empty()) {
    const int from = open.back();
    open.pop_back();
    for (int k = start[from]; k < start[from + 1]; ++k) {
      if (seen[to[k]] != 0) continue;
      seen[to[k]] = 1;
      ++count;
      open.push_back(to[k]);
    }
  }
  return count == size_;
}

// From the largest on, each gives its size to all that depend on it and have none yet.
void InfluenceSizes::measure(const double* x, double* sizes) {
  constexpr double kNone = -1;
  if (all_are_one_) {
    double largest = 0;
    for (int i = 0; i < size_; ++i) largest = std::max(largest, std::abs(x[i]));
    std::fill_n(sizes, size_, largest);
    return;
  }
  std::fill_n(sizes, size_, kNone);
  const auto end = order_.begin() + size_;
  for (int i = 0; i < size_; ++i) order_[i] = i;
  const auto size = [x](int i) { return std::isnan(x[i]) ? 0 : std::abs(x[i]); };
  std::sort(order_.begin(), end,
            [&](int a, int b) { return size(a) > size(b) || (size(a) == size(b) && a < b); });
  for (auto largest = order_.begin(); largest != end; ++largest) {
    if (sizes[*largest] != kNone) continue;
    sizes[*largest] = size(*largest);
    open_.assign(1, *largest);
    while (!open_.empty()) {
      const int from = open_.back();
      open_.pop_back();
      for (int k = pattern_->column_start[from]; k < pattern_->column_start[from + 1]; ++k) {
        const int i = pattern_->row[k];
        if (sizes[i] != kNone) continue;
        sizes[i] = sizes[from];
        open_.push_back(i);
      }
    }
  }
}

}  // namespace arges
