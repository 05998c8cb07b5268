#include "arges/structure/incidence.h"

namespace arges::structure {

Incidence from_pairs(int rows, int columns, std::span<const std::pair<int, int>> row_column) {
  Incidence a;
  a.columns = columns;
  a.start.assign(static_cast<std::size_t>(rows) + 1, 0);
  for (const auto& [r, c] : row_column) ++a.start[static_cast<std::size_t>(r) + 1];
  for (int i = 0; i < rows; ++i)
    a.start[static_cast<std::size_t>(i) + 1] += a.start[static_cast<std::size_t>(i)];
  a.column.resize(row_column.size());
  std::vector<int> next(a.start.begin(), a.start.end() - 1);
  for (const auto& [r, c] : row_column)
    a.column[static_cast<std::size_t>(next[static_cast<std::size_t>(r)]++)] = c;
  return a;
}

Incidence transpose(const Incidence& a) {
  Incidence t;
  t.columns = a.rows();
  t.start.assign(static_cast<std::size_t>(a.columns) + 1, 0);
  for (const int c : a.column) ++t.start[static_cast<std::size_t>(c) + 1];
  for (int i = 0; i < a.columns; ++i)
    t.start[static_cast<std::size_t>(i) + 1] += t.start[static_cast<std::size_t>(i)];
  t.column.resize(a.column.size());
  std::vector<int> next(t.start.begin(), t.start.end() - 1);
  for (int i = 0; i < a.rows(); ++i) {
    for (const int c : a.row(i))
      t.column[static_cast<std::size_t>(next[static_cast<std::size_t>(c)]++)] = i;
  }
  return t;
}

}  // namespace arges::structure
