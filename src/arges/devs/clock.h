#pragma once
// The clock of discrete events: a sum of time advances without the roundings of a double.

#include <algorithm>
#include <cmath>
#include <limits>

namespace arges::devs {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A time as the unevaluated sum t + rest, |rest| <= ulp(t)/2. Adding a time advance is exact up to
// 2^-104 relatively, so after any number of steps a clock is off by the errors of its time advances
// only: relatively by 2^-53 when these are correctly rounded.
struct Clock {
  double t = 0;
  double rest = 0;

  friend bool operator==(const Clock&, const Clock&) = default;
  friend bool operator<(const Clock& a, const Clock& b) {
    return a.t < b.t || (a.t == b.t && a.rest < b.rest);
  }
};

// Two-sum of Knuth, then one renormalisation. `dt` is finite.
inline Clock operator+(const Clock& c, double dt) {
  const double sum = c.t + dt;
  const double part = sum - c.t;
  const double error = (c.t - (sum - part)) + (dt - part);
  const double low = error + c.rest;
  const double t = sum + low;
  return {t, low - (t - sum)};
}

inline double operator-(const Clock& a, const Clock& b) { return (a.t - b.t) + (a.rest - b.rest); }

// The latest time that counts as simultaneous with `t`. Clocks that began at a time `start` below 0
// are as exact as the way that they have come, also where they pass 0.
inline double end_of_coincidence(double t, double ulps, double start) {
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  return t + ulps * kEpsilon * std::max(std::abs(t), -start);
}

}  // namespace arges::devs
