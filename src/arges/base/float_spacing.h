#pragma once

#include <cmath>
#include <limits>

namespace arges {

// Distance from |t| to the next larger double: the resolution of time at t.
inline double spacing(double t) {
  const double magnitude = std::abs(t);
  return std::nextafter(magnitude, std::numeric_limits<double>::infinity()) - magnitude;
}

}  // namespace arges
