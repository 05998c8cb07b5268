#pragma once
// Reading a smooth curve that is known at some places.

#include <algorithm>
#include <cstddef>

namespace arges::external {

// The value at `place` of the cubic through the four points around it, of the points [from, to) in
// ascending order; of a parabola, a line, a constant when there are fewer. Places beyond the points
// are read from the cubic at the end. Between equal values it is that value, to the last bit: the
// weights add up to one only up to rounding, so they are applied to differences.
template <class Places, class Values>
double read_smooth(const Places& places, const Values& values, std::size_t from, std::size_t to,
                   double place) {
  const std::size_t count = to - from;
  if (count == 1) return values[from];
  const auto above = static_cast<std::size_t>(
      std::upper_bound(places.begin() + static_cast<std::ptrdiff_t>(from),
                       places.begin() + static_cast<std::ptrdiff_t>(to), place) -
      places.begin());
  const std::size_t points = std::min<std::size_t>(4, count);
  const std::size_t first = std::clamp(above > from + 2 ? above - 2 : from, from, to - points);
  double sum = values[first];
  for (std::size_t i = first; i < first + points; ++i) {
    double weight = values[i] - values[first];
    for (std::size_t j = first; j < first + points; ++j) {
      if (j != i) weight *= (place - places[j]) / (places[i] - places[j]);
    }
    sum += weight;
  }
  return sum;
}

}  // namespace arges::external
