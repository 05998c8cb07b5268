#pragma once
// Linear independence of sparse vectors, decided one by one.

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace arges::structure {

// A basis that grows: what depends on the vectors taken before is not taken. Elimination with
// sparse rows; what is left of a vector counts as nothing below 1e-9 of its largest intermediate
// element.
class GrowingBasis {
 public:
  // (column, value), in any order, each column once. Whether it was taken.
  bool take(const std::vector<std::pair<int, double>>& vector);
  int size() const { return static_cast<int>(rows_.size()); }

 private:
  struct Row {
    int pivot;
    std::vector<std::pair<int, double>> rest;  // of pivot value 1; without the pivot
  };
  std::vector<Row> rows_;
  std::map<int, int> row_of_pivot_;
};

// Between 1 and 2, by the key alone. Numbers of different keys are related by nothing: they stand
// for values that are not known.
double unrelated_number(std::uint64_t key);

}  // namespace arges::structure
