#include "arges/structure/blocks.h"

#include <algorithm>

#include "arges/base/index.h"

namespace arges::structure {

namespace {}  // namespace

Blocks strong_components(const Incidence& graph) {
  const int n = graph.rows();
  Blocks blocks;
  blocks.item.reserve(at(n));
  std::vector<int> number(at(n), -1), low(at(n)), next(at(n), 0), open, path;
  std::vector<char> is_open(at(n), 0);
  int counter = 0;
  for (int root = 0; root < n; ++root) {
    if (number[at(root)] >= 0) continue;
    path.assign(1, root);
    while (!path.empty()) {
      const int i = path.back();
      if (number[at(i)] < 0) {
        number[at(i)] = low[at(i)] = counter++;
        open.push_back(i);
        is_open[at(i)] = 1;
      }
      const auto edges = graph.row(i);
      bool descended = false;
      while (next[at(i)] < static_cast<int>(edges.size())) {
        const int j = edges[at(next[at(i)])];
        if (j >= 0 && number[at(j)] < 0) {
          path.push_back(j);
          descended = true;
          break;
        }
        if (j >= 0 && is_open[at(j)]) low[at(i)] = std::min(low[at(i)], low[at(j)]);
        ++next[at(i)];
      }
      if (descended) continue;
      path.pop_back();
      if (low[at(i)] != number[at(i)]) continue;
      const std::size_t begin = blocks.item.size();
      int j;
      do {
        j = open.back();
        open.pop_back();
        is_open[at(j)] = 0;
        blocks.item.push_back(j);
      } while (j != i);
      std::sort(blocks.item.begin() + static_cast<std::ptrdiff_t>(begin), blocks.item.end());
      blocks.start.push_back(static_cast<int>(blocks.item.size()));
    }
  }
  return blocks;
}

Blocks block_lower_triangular(const Incidence& a, const Matching& matching) {
  Incidence graph;
  graph.columns = a.rows();
  graph.start = a.start;
  graph.column.reserve(a.column.size());
  for (const int c : a.column) graph.column.push_back(matching.row_of_column[at(c)]);
  return strong_components(graph);
}

SingularParts singular_parts(const Incidence& a, const Matching& m) {
  SingularParts parts;
  std::vector<char> over_row(at(a.rows()), 0), over_column(at(a.columns), 0);
  std::vector<char> under_row(at(a.rows()), 0), under_column(at(a.columns), 0);
  std::vector<int> queue;
  for (int i = 0; i < a.rows(); ++i) {
    if (m.column_of_row[at(i)] >= 0) continue;
    parts.free_rows.push_back(i);
    over_row[at(i)] = 1;
    queue.push_back(i);
  }
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (const int c : a.row(queue[head])) {
      over_column[at(c)] = 1;
      const int j = m.row_of_column[at(c)];
      if (j >= 0 && !over_row[at(j)]) {
        over_row[at(j)] = 1;
        queue.push_back(j);
      }
    }
  }
  const Incidence columns = transpose(a);
  queue.clear();
  for (int c = 0; c < a.columns; ++c) {
    if (m.row_of_column[at(c)] >= 0) continue;
    parts.free_columns.push_back(c);
    under_column[at(c)] = 1;
    queue.push_back(c);
  }
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (const int i : columns.row(queue[head])) {
      under_row[at(i)] = 1;
      const int c = m.column_of_row[at(i)];
      if (c >= 0 && !under_column[at(c)]) {
        under_column[at(c)] = 1;
        queue.push_back(c);
      }
    }
  }
  const auto collect = [](const std::vector<char>& marks, std::vector<int>& out) {
    for (std::size_t i = 0; i < marks.size(); ++i) {
      if (marks[i]) out.push_back(static_cast<int>(i));
    }
  };
  collect(over_row, parts.over_rows);
  collect(over_column, parts.over_columns);
  collect(under_row, parts.under_rows);
  collect(under_column, parts.under_columns);
  return parts;
}

}  // namespace arges::structure
