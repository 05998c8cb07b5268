#pragma once
// Strong components, block lower triangular order, and what is wrong with a singular system.

#include <vector>

#include "arges/structure/matching.h"

namespace arges::structure {

// Sets of integers, one after the other: block k is item[start[k]] .. item[start[k + 1] - 1].
struct Blocks {
  std::vector<int> start{0};
  std::vector<int> item;

  int count() const { return static_cast<int>(start.size()) - 1; }
  std::span<const int> operator[](int k) const {
    return {item.data() + start[static_cast<std::size_t>(k)],
            static_cast<std::size_t>(start[static_cast<std::size_t>(k) + 1] -
                                     start[static_cast<std::size_t>(k)])};
  }
};

// Tarjan's algorithm on the graph whose node i has the edges i -> graph.row(i). A component comes
// after all those that it has edges to; nodes ascend within one. Negative targets are ignored.
Blocks strong_components(const Incidence& graph);

// The order in which a matched system can be solved: rows in blocks, each of which needs only the
// columns of earlier blocks and its own. The matching must cover all rows.
Blocks block_lower_triangular(const Incidence& a, const Matching& matching);

// The coarse decomposition of Dulmage and Mendelsohn: what of a system has too many equations, what
// has too many unknowns. All ascend.
struct SingularParts {
  std::vector<int> over_rows, over_columns;    // more rows than columns
  std::vector<int> under_rows, under_columns;  // more columns than rows
  std::vector<int> free_rows, free_columns;    // not matched
};
SingularParts singular_parts(const Incidence& a, const Matching& maximum);

}  // namespace arges::structure
