#include "arges/linear/colouring.h"

#include <algorithm>
#include <numeric>

namespace arges {

namespace {

// The rows' view of the pattern: the columns of row i are column[start[i]] .. column[start[i+1]-1].
struct Rows {
  std::vector<int> start;
  std::vector<int> column;
};

Rows transpose(const SparsityPattern& pattern) {
  Rows rows;
  rows.start.assign(pattern.n + 1, 0);
  rows.column.resize(pattern.row.size());
  for (int i : pattern.row) ++rows.start[i + 1];
  std::partial_sum(rows.start.begin(), rows.start.end(), rows.start.begin());
  std::vector<int> next(rows.start.begin(), rows.start.end() - 1);
  for (int j = 0; j < pattern.n; ++j) {
    for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p)
      rows.column[next[pattern.row[p]]++] = j;
  }
  return rows;
}

// The smallest colour that no column sharing a row with column j has yet; at most n are needed.
// Entry c of `seen` is j when colour c is taken by a neighbour of j.
int smallest_free_colour(const SparsityPattern& pattern, const Rows& rows, int j,
                         const std::vector<int>& colour, std::vector<int>& seen) {
  for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p) {
    const int i = pattern.row[p];
    for (int q = rows.start[i]; q < rows.start[i + 1]; ++q) {
      if (colour[rows.column[q]] >= 0) seen[colour[rows.column[q]]] = j;
    }
  }
  int c = 0;
  while (seen[c] == j) ++c;
  return c;
}

}  // namespace

ColumnColouring colour_columns(const SparsityPattern& pattern) {
  const int n = pattern.n;
  const Rows rows = transpose(pattern);
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  const auto entries = [&](int j) { return pattern.column_start[j + 1] - pattern.column_start[j]; };
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return entries(a) > entries(b); });

  std::vector<int> colour(n, -1);
  std::vector<int> seen(n + 1, -1);
  int colours = 0;
  for (int j : order) {
    colour[j] = smallest_free_colour(pattern, rows, j, colour, seen);
    colours = std::max(colours, colour[j] + 1);
  }

  ColumnColouring result;
  result.start.assign(colours + 1, 0);
  result.column.resize(n);
  for (int c : colour) ++result.start[c + 1];
  std::partial_sum(result.start.begin(), result.start.end(), result.start.begin());
  std::vector<int> next(result.start.begin(), result.start.end() - 1);
  for (int j = 0; j < n; ++j) result.column[next[colour[j]]++] = j;
  return result;
}

}  // namespace arges
