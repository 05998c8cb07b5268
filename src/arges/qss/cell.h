#pragma once
// One variable of a quantised-state integrator.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "arges/qss/first_exit.h"

namespace arges {

inline constexpr double kFactorial[] = {1, 1, 2, 6};

// What is known of one variable. All zero is a valid state: at zero, at rest, untouched.
template <int N, bool kImplicit>
struct Cell {
  double x[N + 1];  // polynomial of x from `time` on
  double time;
  double quantum;  // 0: not known yet
  std::int64_t moves;
  double moved;  // last
  double activity;
  double base, level;  // QSS1: q = base + level * quantum
};
template <int N>
struct Cell<N, true> {
  double x[N + 1];
  double time;
  double quantum;
  std::int64_t moves;
  double moved;
  double activity;
  double slope;  // a = df_i/dx_i
  double plan;   // the state moves then at the latest
  double decay;  // a, while the state is stiff: then x' = a x + u, and x[1 ... N] is the rate alone
  bool slope_known, planned;
};

// Refreshing of a rate that depends on time.
struct Refresh {
  double due = -kNever;  // the polynomial was compared with the rate up to here
  double interval = 0;   // the last one; 0: none yet
  double factor = 1;     // of the next one
  double quantum_due = kNever;
};

// The integral of |x'| over the next s: from extremum to extremum.
template <int N, bool kImplicit>
void add_activity(Cell<N, kImplicit>& cell, double s) {
  const auto at = [&](double r) {
    double sum = 0;
    for (int k = N; k >= 1; --k) sum = (sum + cell.x[k]) * r;
    return sum;
  };
  double turns[2] = {kNever, kNever};
  if constexpr (N == 2) {
    turns[0] = -cell.x[1] / (2 * cell.x[2]);
  } else if constexpr (N == 3) {
    const double root = cell.x[2] * cell.x[2] - 3 * cell.x[3] * cell.x[1];
    if (cell.x[3] == 0) {
      turns[0] = -cell.x[1] / (2 * cell.x[2]);
    } else if (root > 0) {
      turns[0] = (-cell.x[2] - std::sqrt(root)) / (3 * cell.x[3]);
      turns[1] = (-cell.x[2] + std::sqrt(root)) / (3 * cell.x[3]);
      if (turns[0] > turns[1]) std::swap(turns[0], turns[1]);
    }
  }
  double last = 0;
  for (const double turn : turns) {
    if (!(turn > 0 && turn < s)) continue;
    cell.activity += std::abs(at(turn) - last);
    last = at(turn);
  }
  cell.activity += std::abs(at(s) - last);
}

// A polynomial with x^(N) = d, and its best approximation of degree N - 1 in the mean over the next
// h: they differ by d/N! times the Legendre polynomial of [0, h], which is largest at the ends and
// has no mean. The length for which it is `band` there:
template <int N>
double length_of_best(double d, double band) {
  const double ratio = band / std::abs(d);
  return N == 1 ? 2 * ratio : N == 2 ? std::sqrt(12 * ratio) : std::cbrt(120 * ratio);
}

// Turns the Taylor polynomial p of such an x into that approximation.
template <int N>
void subtract_residual(double d, double h, double* p) {
  if constexpr (N == 1) {
    p[0] += d * h / 2;
  } else if constexpr (N == 2) {
    p[0] -= d * h * h / 12;
    p[1] += d * h / 2;
  } else {
    p[0] += d * h * h * h / 120;
    p[1] -= d * h * h / 10;
    p[2] += d * h / 4;
  }
}

// The longest h with d h^N / N! <= band * sum_k (a h)^k / k!, for d > band a^N, a >= 0.
template <int N>
double longest_approach(double d, double a, double band) {
  double limit = band;
  for (int k = 0; k < N; ++k) limit *= a;
  if constexpr (N == 1) {
    return band / (d - limit);
  } else if constexpr (N == 2) {
    const double c2 = (d - limit) / 2, c1 = band * a;
    return (c1 + std::sqrt(c1 * c1 + 4 * c2 * band)) / (2 * c2);
  } else {
    const double c3 = (d - limit) / 6, c2 = band * a * a / 2, c1 = band * a;
    // Newton from above: the cubic is convex there.
    double h = std::cbrt(band / c3) + c2 / c3 + std::sqrt(c1 / c3);
    for (int iteration = 0; iteration < 50; ++iteration) {
      const double rest = h * (h * (h * c3 - c2) - c1) - band;
      const double next = h - rest / (h * (3 * h * c3 - 2 * c2) - c1);
      if (!(next < h) || h - next <= 1e-12 * h) break;
      h = next;
    }
    return h;
  }
}

// A stiff state with the derivatives x, d the N-th, far from the solution without the exponential:
// p becomes the polynomial that one step of the backward Taylor method touches after its length h,
//
//   x(s) - p(s) = d'/N! (s - h)^N,   d' = d / (1 + y + ... + y^N/N!),   y = -a h,
//
// with the longest h for which the difference is at most `band` now. The method is L-stable.
template <int N>
void approach(double a, double d, double band, const double* x, double* p) {
  const double h = longest_approach<N>(std::abs(d), -a, band);
  double divisor = 1, term = 1;
  for (int k = 1; k <= N; ++k) {
    term *= -a * h / k;
    divisor += term;
  }
  d /= divisor;
  double value = x[0];
  for (int k = 0; k < N; ++k) {
    if (k > 0) value = a * value + (x[k] - a * x[k - 1]);
    double power = 1;
    for (int j = k; j < N; ++j) power *= -h;
    value -= d * power / kFactorial[N - k];
    p[k] = value / kFactorial[k];
  }
}

}  // namespace arges
