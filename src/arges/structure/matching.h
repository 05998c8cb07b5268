#pragma once
// Maximum matching of rows and columns.

#include <vector>

#include "arges/structure/incidence.h"

namespace arges::structure {

// -1: not matched.
struct Matching {
  std::vector<int> column_of_row;
  std::vector<int> row_of_column;

  int size() const;
  bool perfect() const;
};

// Hopcroft and Karp: phases of shortest augmenting paths after a cheap first assignment,
// O(nonzeros sqrt(rows)). Rows are taken in ascending order, so the result depends on nothing but
// the incidence.
Matching maximum_matching(const Incidence& a);

// Grows `matching` by augmenting paths from the rows in `order`, one by one. What is matched stays
// matched: rows that come first in the order win where not all can be matched. Returns how many
// rows of the order were added.
int match_in_order(const Incidence& a, std::span<const int> order, Matching& matching);

}  // namespace arges::structure
