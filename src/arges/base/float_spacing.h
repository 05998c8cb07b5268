#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace arges {

// Distance from |t| to the next larger double: the resolution of time at t.
inline double spacing(double t) {
  const double magnitude = std::abs(t);
  // std::nextafter, but inline: solvers ask at every step.
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) + 1) - magnitude;
}

// The longest step from t that ends on a double and is not longer than h, but at least spacing(t).
inline double representable_step(double t, double h) {
  const double end = t + h;
  const double step = end - t;
  return std::max(step > h ? std::nextafter(end, t) - t : step, spacing(t));
}

}  // namespace arges
