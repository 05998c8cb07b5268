#include "arges/structure/independence.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace arges::structure {

namespace {

// Of factors that are known to some 1e-16, after the cancellations of a few eliminations.
constexpr double kNothingLeft = 1e-9;

}  // namespace

bool GrowingBasis::take(const std::vector<std::pair<int, double>>& vector) {
  std::map<int, double> left;
  std::set<int> open;  // rows to subtract: a row contains pivots of later rows only
  double largest = 0;
  const auto add = [&](int column, double value) {
    double& element = left[column];
    element += value;
    largest = std::max({largest, std::abs(value), std::abs(element)});
    const auto it = row_of_pivot_.find(column);
    if (it != row_of_pivot_.end()) open.insert(it->second);
  };
  for (const auto& [column, value] : vector) add(column, value);
  while (!open.empty()) {
    const Row& row = rows_[static_cast<std::size_t>(*open.begin())];
    open.erase(open.begin());
    const double factor = left[row.pivot];
    left.erase(row.pivot);
    if (factor == 0) continue;
    for (const auto& [column, value] : row.rest) add(column, -factor * value);
  }
  const auto pivot = std::max_element(left.begin(), left.end(), [](const auto& a, const auto& b) {
    return std::abs(a.second) < std::abs(b.second);
  });
  if (pivot == left.end() || !(std::abs(pivot->second) > kNothingLeft * largest)) return false;
  Row row{pivot->first, {}};
  for (const auto& [column, value] : left) {
    if (column != row.pivot && std::abs(value) > kNothingLeft * largest)
      row.rest.emplace_back(column, value / pivot->second);
  }
  row_of_pivot_[row.pivot] = size();
  rows_.push_back(std::move(row));
  return true;
}

// The finalizer of SplitMix64.
double unrelated_number(std::uint64_t key) {
  std::uint64_t z = key + 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return 1 + static_cast<double>(z >> 11) * 0x1p-53;
}

}  // namespace arges::structure
