#pragma once
// Which column (variable) occurs in which row (equation): integers, nothing else.

#include <span>
#include <utility>
#include <vector>

namespace arges::structure {

// Row-compressed: the columns of row i are column[start[i]] .. column[start[i + 1] - 1].
struct Incidence {
  int columns = 0;
  std::vector<int> start{0};
  std::vector<int> column;

  int rows() const { return static_cast<int>(start.size()) - 1; }
  int nonzeros() const { return static_cast<int>(column.size()); }
  std::span<const int> row(int i) const {
    return {column.data() + start[static_cast<std::size_t>(i)],
            static_cast<std::size_t>(start[static_cast<std::size_t>(i) + 1] -
                                     start[static_cast<std::size_t>(i)])};
  }
  // Adds the next row.
  void add_row(std::span<const int> columns_of_row) {
    column.insert(column.end(), columns_of_row.begin(), columns_of_row.end());
    start.push_back(static_cast<int>(column.size()));
  }
};

Incidence transpose(const Incidence& a);
// Doubles are kept; the order within a row is that of the pairs.
Incidence from_pairs(int rows, int columns, std::span<const std::pair<int, int>> row_column);

}  // namespace arges::structure
