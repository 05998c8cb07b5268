#pragma once
// Rows of integers that depend on each other although their structure does not show it.

#include <cstdint>
#include <span>
#include <vector>

namespace arges::structure {

struct IntegerTerm {
  int column;
  std::int64_t factor;
};
using IntegerRow = std::vector<IntegerTerm>;  // each column once

// A sum of rows, each times its factor, in which all columns cancel. `row`, whose factor is not
// zero, is the one that the others make superfluous.
struct VanishingSum {
  struct Part {
    int row;
    std::int64_t factor;
  };
  int row;
  std::vector<Part> parts;
};

// x - y and y - x could be matched with x and y, but their sum is zero: their rank is less than a
// matching promises. Finds all rows that depend on others in the connected parts of the matrix
// where that is so (in other parts what depends is seen from the structure, and belongs to others):
//
//   rows with a column that no other row has are left out, again and again: nothing depends on them
//   rank of the rest by elimination, exact; of the columns of a row the one on which the fewest
//   rows were reduced becomes the pivot, so that differences of two columns cost as much as
//   union-find
//   where it is below the size of a maximum matching: elimination once more, sums noted
//
// Parts in which the elimination fills up, or integers grow beyond 64 bits, are given up: nothing
// is found there.
std::vector<VanishingSum> hidden_dependencies(std::span<const IntegerRow> rows, int columns);

}  // namespace arges::structure
