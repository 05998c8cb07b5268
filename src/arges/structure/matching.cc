#include "arges/structure/matching.h"

#include <algorithm>
#include <limits>

#include "arges/base/index.h"

namespace arges::structure {

namespace {

constexpr int kFar = std::numeric_limits<int>::max();

// Rows that have one choice only are settled first, then each row takes the first free column.
void assign_cheaply(const Incidence& a, Matching& m) {
  for (int pass = 0; pass < 2; ++pass) {
    for (int i = 0; i < a.rows(); ++i) {
      if (m.column_of_row[at(i)] >= 0 || (pass == 0 && a.row(i).size() != 1)) continue;
      for (const int c : a.row(i)) {
        if (m.row_of_column[at(c)] >= 0) continue;
        m.row_of_column[at(c)] = i;
        m.column_of_row[at(i)] = c;
        break;
      }
    }
  }
}

}  // namespace

int Matching::size() const {
  return static_cast<int>(column_of_row.size()) -
         static_cast<int>(std::count(column_of_row.begin(), column_of_row.end(), -1));
}

bool Matching::perfect() const {
  return column_of_row.size() == row_of_column.size() &&
         size() == static_cast<int>(column_of_row.size());
}

Matching maximum_matching(const Incidence& a) {
  const int n = a.rows();
  Matching m{std::vector<int>(at(n), -1), std::vector<int>(at(a.columns), -1)};
  assign_cheaply(a, m);
  std::vector<int> level(at(n)), queue, next(at(n)), path;
  for (;;) {
    // Levels of rows along alternating paths from the free rows.
    queue.clear();
    for (int i = 0; i < n; ++i) {
      level[at(i)] = m.column_of_row[at(i)] < 0 ? 0 : kFar;
      if (level[at(i)] == 0) queue.push_back(i);
    }
    bool reachable = false;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const int i = queue[head];
      for (const int c : a.row(i)) {
        const int j = m.row_of_column[at(c)];
        if (j < 0) {
          reachable = true;
        } else if (level[at(j)] == kFar) {
          level[at(j)] = level[at(i)] + 1;
          queue.push_back(j);
        }
      }
    }
    if (!reachable) return m;
    // Disjoint shortest paths, depth first. next[i]: position of the edge to try in row i.
    std::fill(next.begin(), next.end(), 0);
    for (int root = 0; root < n; ++root) {
      if (m.column_of_row[at(root)] >= 0) continue;
      path.assign(1, root);
      while (!path.empty()) {
        const int i = path.back();
        const auto row = a.row(i);
        if (next[at(i)] == static_cast<int>(row.size())) {
          level[at(i)] = kFar;
          path.pop_back();
          if (!path.empty()) ++next[at(path.back())];
          continue;
        }
        const int j = m.row_of_column[at(row[at(next[at(i)])])];
        if (j < 0) {
          for (const int r : path) {
            const int c = a.row(r)[at(next[at(r)])];
            m.column_of_row[at(r)] = c;
            m.row_of_column[at(c)] = r;
          }
          break;
        }
        if (level[at(j)] == level[at(i)] + 1 && level[at(i)] != kFar) {
          path.push_back(j);
        } else {
          ++next[at(i)];
        }
      }
    }
  }
}

int match_in_order(const Incidence& a, std::span<const int> order, Matching& m) {
  std::vector<int> visited(at(a.columns), -1), next(at(a.rows()), 0), path;
  int added = 0, stamp = 0;
  for (const int root : order) {
    if (m.column_of_row[at(root)] >= 0) continue;
    // A search that fails leaves its marks: what could not be reached once cannot be reached before
    // another search succeeds.
    path.assign(1, root);
    next[at(root)] = 0;
    bool found = false;
    while (!path.empty() && !found) {
      const int i = path.back();
      const auto row = a.row(i);
      if (next[at(i)] == 0) {
        for (std::size_t k = 0; k < row.size() && !found; ++k) {
          if (m.row_of_column[at(row[k])] < 0) {
            next[at(i)] = static_cast<int>(k);
            found = true;
          }
        }
        if (found) break;
      }
      if (next[at(i)] == static_cast<int>(row.size())) {
        path.pop_back();
        if (!path.empty()) ++next[at(path.back())];
        continue;
      }
      const int c = row[at(next[at(i)])];
      if (visited[at(c)] == stamp) {
        ++next[at(i)];
        continue;
      }
      visited[at(c)] = stamp;
      path.push_back(m.row_of_column[at(c)]);
      next[at(path.back())] = 0;
    }
    if (!found) continue;
    for (const int r : path) {
      const int c = a.row(r)[at(next[at(r)])];
      m.column_of_row[at(r)] = c;
      m.row_of_column[at(c)] = r;
    }
    ++added;
    ++stamp;
  }
  return added;
}

}  // namespace arges::structure
