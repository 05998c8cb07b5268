#include "arges/linear/sparsity.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "arges/base/error.h"

namespace arges {

int SparsityPattern::find(int i, int j) const {
  const auto begin = row.begin() + column_start[j];
  const auto end = row.begin() + column_start[j + 1];
  const auto at = std::lower_bound(begin, end, i);
  return at != end && *at == i ? static_cast<int>(at - row.begin()) : -1;
}

SparsityPattern SparsityPattern::from_entries(int n, std::vector<std::pair<int, int>> entries) {
  for (const auto& [i, j] : entries) {
    if (i < 0 || i >= n || j < 0 || j >= n)
      throw ApiError("SparsityPattern: entry outside the matrix");
  }
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i);
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return std::pair(a.second, a.first) < std::pair(b.second, b.first);
  });
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());

  SparsityPattern pattern;
  pattern.n = n;
  pattern.column_start.assign(n + 1, 0);
  pattern.row.reserve(entries.size());
  for (const auto& [i, j] : entries) {
    ++pattern.column_start[j + 1];
    pattern.row.push_back(i);
  }
  std::partial_sum(pattern.column_start.begin(), pattern.column_start.end(),
                   pattern.column_start.begin());
  return pattern;
}

SparsityPattern SparsityPattern::dense(int n) {
  SparsityPattern pattern;
  pattern.n = n;
  for (int j = 0; j <= n; ++j) pattern.column_start.push_back(j * n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) pattern.row.push_back(i);
  }
  return pattern;
}

}  // namespace arges
