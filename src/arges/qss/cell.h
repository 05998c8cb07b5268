#pragma once
// One variable of a quantised-state integrator.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "arges/qss/first_exit.h"
#include "arges/qss/relaxation.h"

namespace arges {

inline constexpr double kFactorial[] = {1, 1, 2, 6};

// LIQSS: a state on its way starts a step at most this far from its quantised companion, in quanta.
// What is left belongs to its neighbours: they move about as often, and each time the rest of the
// step is another one.
inline constexpr double kPlannedBand = 0.4;
// A stiff state that is so near to where it will end is at rest.
inline constexpr double kRestBand = 0.95;
// Below this |a| h a state is not stiff.
inline constexpr double kGentle = 2;

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
  bool above, known;   // where x was against q at the last move
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
  double end[N];  // the polynomial part of the solution of that, from `time` on
  int partner;    // with which it is stiff, plus one; 0: not known, -1: none
  bool slope_known, planned;
  bool sets_out;          // its next companion begins where the state is
  bool rated;             // the rate was computed at `time`
  bool coupled;           // it moves with its partner
  std::uint8_t foreseen;  // so often the polynomial of the rate was right
};

// Refreshing of a rate that depends on time.
struct Refresh {
  double due = -kNever;  // the polynomial was compared with the rate up to here
  double interval = 0;   // the last one; 0: none yet
  double factor = 1;     // of the next one
  double quantum_due = kNever;
  double curve = 0;  // the rate leaves its polynomial as curve * s^N
  // That the polynomial follows at present, from when on and for how long.
  double followed = 0, since = 0, length = 0;
};

// What the polynomial of a rate may miss until it is renewed, in quanta: what it adds up to in x,
// or what it does to a stiff state, which forgets it. Conditions may multiply the latter: a diode
// that blocks makes volts of the millionth part of an ampere.
inline constexpr double kMissedPart = 0.2, kMissedPartWhenStiff = 0.5,
                        kMissedPartWhenWatched = 1e-4;

// What a rate that misses so much after h does to x, against what it may. A stiff state is away
// from its end by miss / |a| and no more. When the polynomial was made to follow the curve c s^N,
// so that it misses nothing on the whole, that is the largest value of c (s^(N+1) - h s^N) / (N+1),
// and of c (s^N - h s^(N-1) N/(N+1)).
template <int N, bool kImplicit>
double part_missed(const Cell<N, kImplicit>& cell, double miss, double h, bool followed,
                   bool watched) {
  constexpr double kFollowed = N == 1 ? 1.0 / 8 : N == 2 ? 4.0 / 81 : 27.0 / 1024;
  double part = miss * h * (followed ? kFollowed : 1.0 / (N + 1)) / (kMissedPart * cell.quantum);
  if constexpr (kImplicit) {
    const double away = followed ? miss / (N + 1) : miss;
    const double may = watched ? kMissedPartWhenWatched : kMissedPartWhenStiff;
    if (cell.decay < 0) part = std::min(part, away / (-cell.decay * may * cell.quantum));
  }
  return part;
}

// No coefficient of its rate says that it moves.
template <int N, bool kImplicit>
bool stands_still(const Cell<N, kImplicit>& cell) {
  return std::all_of(cell.x + 1, cell.x + N + 1, [](double c) { return c == 0; });
}

// QSS: whether x was on the other side of q at the last move; it is `above` now.
template <int N>
bool turns_back(Cell<N, false>& cell, bool above) {
  const bool turns = cell.known && cell.above != above;
  cell.above = above;
  cell.known = true;
  return turns;
}

// Whether the rate f at t is what it was foreseen to be: an event has changed others.
template <int N, bool kImplicit>
bool is_as_foreseen(const Cell<N, kImplicit>& cell, double t, const double* f) {
  constexpr double kSame = 1e-12;
  double foreseen[N];
  for (int k = 0; k < N; ++k) foreseen[k] = (k + 1) * cell.x[k + 1];
  shift_polynomial<N - 1>(foreseen, t - cell.time);
  for (int k = 0; k < N; ++k) {
    if (!(std::abs(f[k] - foreseen[k]) <= kSame * std::abs(f[k]))) return false;
  }
  return true;
}

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

// The length for which the Taylor polynomial of degree N - 1 differs by `band` from such an x.
template <int N>
double length_of_taylor(double d, double band) {
  const double ratio = band / std::abs(d);
  return N == 1 ? ratio : N == 2 ? std::sqrt(2 * ratio) : std::cbrt(6 * ratio);
}

// Turns the Taylor polynomial p of such an x into that approximation.
template <int N>
void subtract_residual(double d, double h, double* p) {
  if constexpr (N == 1) {
    p[0] += d * h / 2;
  } else if constexpr (N == 2) {
    p[0] -= d * h * h * (1. / 12);
    p[1] += d * h * 0.5;
  } else {
    p[0] += d * h * h * h / 120;
    p[1] -= d * h * h / 10;
    p[2] += d * h / 4;
  }
}

// exp(-y r), 0 <= r <= 1, and its best approximation of degree N - 1 in the mean differ most at
// r = 0. The y for which the difference is `ratio` there, 0 < ratio < 1, to a few in a hundred:
// right to second order at 0 and in the limit at 1.
template <int N>
double length_of_best_exponential(double ratio) {
  if constexpr (N == 1) {
    const double s = 2 * ratio;
    return s * (1 - s / 6 - s * s / 24) / (1 - ratio);
  } else if constexpr (N == 2) {
    const double s = std::sqrt(12 * ratio);
    return s * (1 + 0.2 * s - 0.0448 * s * s) / (1 - ratio);
  } else {
    const double s = std::cbrt(120 * ratio);
    return s * (1 + s / 7 + 0.00494 * s * s) / (1 - ratio);
  }
}

// A stiff state x = e + `distance` exp(a s), e a polynomial with N coefficients, a < 0: p is e and
// becomes the best approximation of x in the mean over the next h. Returns h, the longest one for
// which they differ by at most `band`. As with polynomials the difference has no mean, and q
// jumps little at the next move, so that those who read it are left alone.
template <int N>
double approach(double a, double distance, double band, double* p) {
  const double y = std::min(length_of_best_exponential<N>(band / std::abs(distance)), 50.0);
  const double h = y / -a;
  const double end = std::exp(-y);
  const double m0 = (1 - end) / y, m1 = (m0 - end) / y, m2 = (2 * m1 - end) / y;  // moments
  // In Legendre polynomials of [0, h].
  const double c0 = m0, c1 = 3 * (2 * m1 - m0), c2 = N == 3 ? 5 * (6 * m2 - 6 * m1 + m0) : 0;
  p[0] += distance * (N == 1 ? c0 : c0 - c1 + c2);
  if constexpr (N > 1) p[1] += distance * (2 * c1 - 6 * c2) / h;
  if constexpr (N > 2) p[2] += distance * 6 * c2 / (h * h);
  return h;
}

struct Renewal {
  double decay;   // a where x follows its own equation, 0 where it is a polynomial
  double length;  // of the step; infinite: until a neighbour moves
};

// LIQSS: what the companion p of a state becomes, x being its derivatives when q = x. One that is
// not stiff and sets out begins at x, and is away from it at the end of the step only.
template <int N>
Renewal renew_companion(double a, const double* x, double quantum, double* p, bool sets_out) {
  const double d = x[N], band = kPlannedBand * quantum;
  double distance = a < 0 ? d : kNever;  // from the solution without the exponential
  for (int k = 0; k < N; ++k) distance /= a;
  const bool rests = std::abs(distance) <= kRestBand * quantum;
  const double h = rests ? kNever : length_of_best<N>(d, band);
  if (rests || -a * h >= kGentle) {
    double of_exponential = distance;
    for (int k = 0; k < N; ++k, of_exponential *= a) p[k] = (x[k] - of_exponential) / kFactorial[k];
    return {a, rests ? kNever : approach<N>(a, distance, band, p)};
  }
  for (int k = 0; k < N; ++k) p[k] = x[k] / kFactorial[k];
  if (sets_out) return {0, length_of_taylor<N>(d, band)};
  if (std::isfinite(h)) subtract_residual<N>(d, h, p);  // else x is of the degree of q
  return {0, h};
}

}  // namespace arges
