#pragma once
// The structure of a sparse matrix.

#include <utility>
#include <vector>

namespace arges {

// Column-compressed pattern of a square matrix; row indices ascend within each column, and every
// diagonal entry is present (implicit methods need it).
struct SparsityPattern {
  int n = 0;
  std::vector<int> column_start;  // n + 1
  std::vector<int> row;           // column_start[n]

  int nonzeros() const { return static_cast<int>(row.size()); }
  // Position of (i, j) in the value array, or -1.
  int find(int i, int j) const;
  // Sorts, removes doubles, adds the diagonal. Entries are (row, column) pairs.
  static SparsityPattern from_entries(int n, std::vector<std::pair<int, int>> entries);
  static SparsityPattern dense(int n);
};

}  // namespace arges
