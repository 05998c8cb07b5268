#pragma once
// Doubles as integers, whatever they hold.

#include <concepts>
#include <limits>

namespace arges {

// Cut off towards zero; outside of T the end of T that is nearer, and 0 for NaN. (The plain cast is
// undefined there.)
template <std::integral T>
constexpr T saturated(double x) {
  // As doubles: for 64 bits the largest is rounded up, to a number that is too large itself.
  constexpr auto kLowest = static_cast<double>(std::numeric_limits<T>::min());
  constexpr auto kLargest = static_cast<double>(std::numeric_limits<T>::max());
  if (x != x) return 0;
  if (x <= kLowest) return std::numeric_limits<T>::min();
  if (x >= kLargest) return std::numeric_limits<T>::max();
  return static_cast<T>(x);
}

}  // namespace arges
