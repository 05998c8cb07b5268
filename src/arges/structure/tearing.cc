#include "arges/structure/tearing.h"

#include <queue>

#include "arges/base/index.h"

namespace arges::structure {

namespace {}  // namespace

Tearing tear(const Incidence& a, const std::function<bool(int, int)>& solvable,
             std::span<const int> unsolvable) {
  const int n = a.rows();
  const Incidence columns = transpose(a);
  std::vector<int> unknowns(at(n)), degree(at(a.columns));
  std::vector<char> known(at(a.columns), 0), used(at(n), 0);
  std::priority_queue<int, std::vector<int>, std::greater<>> ready;
  std::priority_queue<std::pair<int, int>> by_degree;  // (degree, -column), with outdated entries
  for (int i = 0; i < n; ++i) {
    unknowns[at(i)] = static_cast<int>(a.row(i).size());
    if (unknowns[at(i)] == 1) ready.push(i);
  }
  for (int c = 0; c < a.columns; ++c) {
    degree[at(c)] = static_cast<int>(columns.row(c).size());
    by_degree.emplace(degree[at(c)], -c);
  }
  Tearing result;
  const auto learn = [&](int c) {
    known[at(c)] = 1;
    for (const int i : columns.row(c)) {
      if (--unknowns[at(i)] == 1 && !used[at(i)]) ready.push(i);
    }
  };
  const auto use = [&](int i) {
    used[at(i)] = 1;
    for (const int c : a.row(i)) {
      if (!known[at(c)]) by_degree.emplace(--degree[at(c)], -c);
    }
  };
  int left = a.columns;
  // What no row can be solved for must be guessed.
  for (const int c : unsolvable) {
    result.tear_columns.push_back(c);
    learn(c);
    --left;
  }
  while (left > 0) {
    if (!ready.empty()) {
      const int i = ready.top();
      ready.pop();
      if (used[at(i)] || unknowns[at(i)] != 1) continue;
      const auto row = a.row(i);
      for (std::size_t k = 0; k < row.size(); ++k) {
        const int c = row[k];
        if (known[at(c)]) continue;
        if (solvable(i, static_cast<int>(k))) {
          use(i);
          result.assignments.emplace_back(i, c);
          learn(c);
          --left;
        }
        break;
      }
      continue;
    }
    const auto [d, minus] = by_degree.top();
    by_degree.pop();
    const int c = -minus;
    if (known[at(c)] || d != degree[at(c)]) continue;
    result.tear_columns.push_back(c);
    learn(c);
    --left;
  }
  for (int i = 0; i < n; ++i) {
    if (!used[at(i)]) result.residual_rows.push_back(i);
  }
  return result;
}

}  // namespace arges::structure
