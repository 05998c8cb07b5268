#pragma once
// When a polynomial leaves a band.

#include <cmath>
#include <limits>

namespace arges {

inline constexpr double kNever = std::numeric_limits<double>::infinity();

// The least s >= 0 at which |p0 + p1 s| = band, |p0| < band. A start outside the band means now:
// rounding puts a value on or behind its threshold, and a crossing in the past must not be lost.
inline double first_exit(double p0, double p1, double band) {
  if (!(std::abs(p0) < band)) return 0;
  if (p1 == 0) return kNever;
  return (std::copysign(band, p1) - p0) / p1;
}

// The same for p0 + p1 s + p2 s^2.
inline double first_exit(double p0, double p1, double p2, double band) {
  if (!(std::abs(p0) < band)) return 0;
  if (p2 == 0) return first_exit(p0, p1, band);
  if (p2 < 0) {
    p0 = -p0;
    p1 = -p1;
    p2 = -p2;
  }
  // Upwards it leaves in any case, downwards only when its vertex lies below the band.
  if (p1 < 0) {
    const double below = p1 * p1 - 4 * p2 * (p0 + band);
    if (below >= 0) return 2 * (p0 + band) / (-p1 + std::sqrt(below));
  }
  const double above = std::sqrt(p1 * p1 + 4 * p2 * (band - p0));
  return p1 > 0 ? 2 * (band - p0) / (p1 + above) : (above - p1) / (2 * p2);
}

// The same for p0 + p1 s + p2 s^2 + p3 s^3.
double first_exit(double p0, double p1, double p2, double p3, double band);

}  // namespace arges
