#pragma once
// How a stiff state follows its neighbours.

#include <algorithm>
#include <cmath>

#include "arges/qss/first_exit.h"

namespace arges {

// p of degree D, from now on: as a polynomial of the time from s later on.
template <int D>
void shift_polynomial(double* p, double s) {
  for (int from = 0; from < D; ++from) {
    for (int k = D - 1; k >= from; --k) p[k] += s * p[k + 1];
  }
}

// The solution of x' = a x + u(s), a != 0, for a polynomial u with N coefficients: a polynomial e
// that solves the equation, and an exponential that begins at the distance from it,
//
//   x(s) = e(s) + (x(0) - e(0)) exp(a s),   a e + u = e'.
template <int N>
class Relaxation {
 public:
  Relaxation() = default;
  Relaxation(double a, const double* u, double start) : a_(a) {
    double next = 0;  // coefficient of e'
    for (int k = N - 1; k >= 0; --k) {
      e_[k] = (next - u[k]) / a;
      next = k * e_[k];
    }
    distance_ = start - e_[0];
  }

  // From the polynomial and x now.
  static Relaxation known(double a, const double* e, double start) {
    Relaxation result;
    result.a_ = a;
    std::copy_n(e, N, result.e_);
    result.distance_ = start - e[0];
    return result;
  }
  const double* end() const { return e_; }

  double value(double s) const { return follow(e_, s) + distance_ * decay(s); }

  // When x leaves the band around the polynomial q. What is left of the exponential then is not
  // looked at below a hundredth of the band. The exit of a state that is far from e, while e goes
  // away as well, may be early, and late by a few hundredths of the band.
  double leaves(const double* q, double band) const {
    double p[3] = {0, 0, 0};
    for (int k = 0; k < N; ++k) p[k] = e_[k] - q[k];
    if (!(std::abs(p[0] + distance_) < band)) return 0;
    double wait = first_exit(p[0], p[1], p[2], band);  // of e; 0 when it is outside
    if (wait == kNever || distance_ == 0) return wait;
    const double seen = 0.01 * band;  // a < 0: without the exponential when it has no say
    if (wait > 0 && (is_below(seen) || std::abs(distance_) * decay(wait) < seen)) return wait;
    const double target = std::copysign(band, follow(p, wait));
    // Of an e on the border of the band the exponential alone would never be outside.
    constexpr double kLongest = 50;
    if (wait == 0) wait = std::min(std::log((target - p[0]) / distance_) / a_, kLongest / -a_);
    for (int iteration = 0; iteration < 2; ++iteration) {
      const double decayed = distance_ * decay(wait);
      const double rest = follow(p, wait) + decayed - target;
      if (N < 3 && std::abs(rest) <= 0.01 * band) return wait;
      const double slope = p[1] + 2 * p[2] * wait + a_ * decayed;
      const double next = wait - rest / slope;
      if (!(next > 0.5 * wait && next < 2 * wait)) break;
      wait = next;
    }
    return not_outside(p, band, wait);
  }

 private:
  bool is_below(double seen) const { return a_ < 0 && std::abs(distance_) < seen; }

  // `wait`, or an exit before it: what was found by the exponential alone, or by the polynomial
  // alone, may be far outside.
  double not_outside(const double* p, double band, double wait) const {
    constexpr double kLate = 1.05;
    const auto distance = [&](double s) { return std::abs(follow(p, s) + distance_ * decay(s)); };
    double inside = 0, outside = wait;
    if (N == 3 && distance(0.5 * wait) > kLate * band) {  // a parabola may be back by then
      outside = 0.5 * wait;
    } else if (!(distance(wait) > kLate * band)) {
      return wait;
    }
    for (int halving = 0; halving < 60; ++halving) {
      const double middle = inside + 0.5 * (outside - inside);
      const double there = distance(middle);
      if (there > band && there <= kLate * band) return middle;
      (there > band ? outside : inside) = middle;
    }
    return inside;
  }

  // exp(a s); below the last digits nothing (underflow would be slow).
  double decay(double s) const { return a_ * s < -100 ? 0 : std::exp(a_ * s); }
  static double follow(const double* p, double s) {
    double sum = p[N - 1];
    for (int k = N - 2; k >= 0; --k) sum = sum * s + p[k];
    return sum;
  }

  double a_, distance_;
  double e_[N];
};

}  // namespace arges
