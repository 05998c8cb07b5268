#include "arges/qss/first_exit.h"

#include <algorithm>

namespace arges {

namespace {

struct Cubic {
  double p0, p1, p2, p3;
  double value(double s) const { return p0 + s * (p1 + s * (p2 + s * p3)); }
  double slope(double s) const { return p1 + s * (2 * p2 + s * 3 * p3); }
};

// The s in [lo, hi] at which the cubic, monotone there, has the value `target`.
double solve_monotone(const Cubic& cubic, double target, double lo, double hi) {
  const double direction = cubic.value(hi) >= cubic.value(lo) ? 1 : -1;
  double s = 0.5 * (lo + hi);
  for (int iteration = 0; iteration < 100; ++iteration) {
    const double rest = cubic.value(s) - target;
    (direction * rest > 0 ? hi : lo) = s;
    const double slope = cubic.slope(s);
    double next = slope != 0 ? s - rest / slope : lo;
    if (!(next > lo && next < hi)) next = 0.5 * (lo + hi);
    if (std::abs(next - s) <= 4e-16 * hi) return next;
    s = next;
  }
  return s;
}

}  // namespace

// Between the extrema the cubic is monotone: the first of these stretches that ends outside the
// band holds the exit.
double first_exit(double p0, double p1, double p2, double p3, double band) {
  if (!(std::abs(p0) < band)) return 0;
  if (p3 == 0) return first_exit(p0, p1, p2, band);
  const Cubic cubic{p0, p1, p2, p3};
  double extrema[2] = {kNever, kNever};
  const double discriminant = p2 * p2 - 3 * p3 * p1;
  if (discriminant > 0) {
    const double root = -(p2 + std::copysign(std::sqrt(discriminant), p2));
    extrema[0] = root / (3 * p3);
    extrema[1] = root != 0 ? p1 / root : 0;
    if (extrema[0] > extrema[1]) std::swap(extrema[0], extrema[1]);
  }
  double from = 0;
  for (const double extremum : extrema) {
    if (!(extremum > from) || extremum == kNever) continue;
    const double there = cubic.value(extremum);
    if (std::abs(there) >= band)
      return solve_monotone(cubic, std::copysign(band, there), from, extremum);
    from = extremum;
  }
  // The last stretch goes to infinity; each term alone bounds how far it is.
  const double sign = p3 > 0 ? 1 : -1;
  double to = from + std::cbrt(2 * band / std::abs(p3));
  for (int doubling = 0; doubling < 1100 && sign * cubic.value(to) < band; ++doubling) {
    to = from + 2 * (to - from);
  }
  return std::isfinite(to) ? solve_monotone(cubic, sign * band, from, to) : kNever;
}

}  // namespace arges
