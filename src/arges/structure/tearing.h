#pragma once
// Tearing: few unknowns of a loop to iterate on, the others computed one after the other.

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "arges/structure/incidence.h"

namespace arges::structure {

struct Tearing {
  std::vector<int> tear_columns;                 // guessed
  std::vector<std::pair<int, int>> assignments;  // (row, column it gives), in order
  std::vector<int> residual_rows;                // as many as tears; must come out as zero
};

// Greedy, after Ollero and Amselem, and Cellier: rows with one unknown left give it, if they can be
// solved for it; when there is none, the unknown in most of the remaining rows is guessed (ties:
// lower number). `solvable(row, k)`: whether the row can be solved for its k-th column. The system
// must be square. `unsolvable`: columns that are known to be solvable from no row; they are guessed
// before all others. O(nonzeros log n).
Tearing tear(const Incidence& a, const std::function<bool(int row, int k)>& solvable,
             std::span<const int> unsolvable = {});

}  // namespace arges::structure
