#pragma once
// Groups of matrix columns that can be found by one difference each.

#include <vector>

#include "arges/linear/sparsity.h"

namespace arges {

// A partition of the columns such that no two columns of a group have an entry in the same row: the
// difference of f along the sum of a group's directions holds each of its columns separately. Group
// g holds the columns column[start[g]] .. column[start[g + 1] - 1], ascending.
struct ColumnColouring {
  std::vector<int> start;
  std::vector<int> column;

  int groups() const { return static_cast<int>(start.size()) - 1; }
};

// Greedy colouring of the column intersection graph, columns with many entries first. Optimal for
// banded matrices up to ties, and never more groups than columns.
ColumnColouring colour_columns(const SparsityPattern& pattern);

}  // namespace arges
