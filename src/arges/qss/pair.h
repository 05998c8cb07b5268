#pragma once
// Two states that are stiff together.

#include <algorithm>
#include <cmath>
#include <span>

#include "arges/qss/cell.h"

namespace arges {

// Two states follow x' = A x + u(s). Their modes z, x = V z, follow z' = lambda z + w(s) each: what
// is stiff is one of them, and the other may be slow, though both states seem stiff alone. The
// unit of a mode is such that it moves no state by more than half of its quantum.
struct PairModes {
  double v[2][2];  // v[state][mode]
  double lambda[2];
  double determinant;

  // False: the modes are not real, or not independent.
  bool find(const double a[2][2], const double quantum[2]) {
    const double half = 0.5 * (a[0][0] - a[1][1]);
    const double root = half * half + a[0][1] * a[1][0];
    if (!(root > 0)) return false;
    const double mean = 0.5 * (a[0][0] + a[1][1]);
    lambda[0] = mean - std::sqrt(root);
    lambda[1] = mean + std::sqrt(root);
    // The small one without cancellation.
    const double product = a[0][0] * a[1][1] - a[0][1] * a[1][0];
    if (mean < 0) lambda[1] = product / lambda[0];
    if (mean > 0) lambda[0] = product / lambda[1];
    for (int m = 0; m < 2; ++m) {
      const double first[2] = {a[0][1], lambda[m] - a[0][0]};
      const double second[2] = {lambda[m] - a[1][1], a[1][0]};
      const auto size = [&](const double* w) {
        return std::max(std::abs(w[0]) / quantum[0], std::abs(w[1]) / quantum[1]);
      };
      const double* w = size(first) >= size(second) ? first : second;
      const double unit = 2 * size(w);
      if (!(unit > 0) || !std::isfinite(unit)) return false;
      v[0][m] = w[0] / unit;
      v[1][m] = w[1] / unit;
    }
    determinant = v[0][0] * v[1][1] - v[0][1] * v[1][0];
    return std::abs(determinant) > 1e-6 * quantum[0] * quantum[1];
  }

  double mode(int m, const double x[2]) const {
    return (m == 0 ? v[1][1] * x[0] - v[0][1] * x[1] : v[0][0] * x[1] - v[1][0] * x[0]) /
           determinant;
  }
};

// How two states go on together.
struct PairRenewal {
  double length;    // of the step
  double slope[2];  // df_i/dx_i
  double rest[2];   // where they are, modes at rest nearer to their ends
};

// q[state] is the companion of each state, x where they are; evaluate() gives N coefficients of
// both rates along the companions. Both companions become those of their modes. A mode at rest goes
// along with its end: how much nearer it has come in the time since the two moved last (`elapsed`)
// is made up for here, because conditions may multiply what is left; it moves once more when there
// is not much left. When they move together for the first time (`elapsed` < 0), what is not seen
// beside the slower mode is over. False: nothing is changed.
template <int N, class Evaluate>
bool renew_pair(const Evaluate& evaluate, const double quantum[2], const double x[2],
                double elapsed, bool sets_out, double* q[2], PairRenewal& result) {
  double f[2][N], a[2][2];
  std::copy_n(evaluate(), 2 * N, &f[0][0]);
  for (int s = 0; s < 2; ++s) {
    const double before = q[s][0];
    q[s][0] = before + quantum[s];
    const double* aside = evaluate();
    for (int r = 0; r < 2; ++r) a[r][s] = (aside[r * N] - f[r][0]) / (q[s][0] - before);
    q[s][0] = before;
  }
  PairModes modes;
  if (!modes.find(a, quantum)) return false;
  // Derivatives for q = x: x^(k+1) = A x^(k) + u^(k), u = f - A q.
  double derivative[N + 1][2] = {{x[0], x[1]}};
  for (int k = 0; k < N; ++k) {
    for (int s = 0; s < 2; ++s) {
      const double u = f[s][k] - a[s][0] * q[0][k] - a[s][1] * q[1][k];
      derivative[k + 1][s] =
          a[s][0] * derivative[k][0] + a[s][1] * derivative[k][1] + u * kFactorial[k];
    }
  }
  result = {kNever, {a[0][0], a[1][1]}, {x[0], x[1]}};
  for (int s = 0; s < 2; ++s) std::fill_n(q[s], N, 0.0);
  for (int m = 0; m < 2; ++m) {
    double z[N + 1], companion[N];
    for (int k = 0; k <= N; ++k) z[k] = modes.mode(m, derivative[k]);
    Renewal renewal = renew_companion<N>(modes.lambda[m], z, 1, companion, sets_out);
    if (renewal.decay != 0 && renewal.length != kNever) {
      // On its way, along polynomials: short steps, for a few of its time constants.
      renewal.length = sets_out ? length_of_taylor<N>(z[N], kPlannedBand)
                                : length_of_best<N>(z[N], kPlannedBand);
      renewal.length = std::min(renewal.length, 0.5 / -modes.lambda[m]);
      for (int k = 0; k < N; ++k) companion[k] = z[k] / kFactorial[k];
      if (!sets_out) subtract_residual<N>(z[N], renewal.length, companion);
    }
    double nearer = 0;
    if (renewal.decay != 0 && renewal.length == kNever) {
      constexpr double kMuchLater = 8, kLittle = 1e-3;  // exp(-8) of a quantum is less
      constexpr double kNotSeen = 1e-2;
      const double distance = companion[0] - z[0];
      const double since = elapsed >= 0 ? elapsed : kNotSeen / std::abs(modes.lambda[1 - m]);
      nearer = -std::expm1(std::max(modes.lambda[m] * since, -100.0)) * distance;
      if (std::abs(distance - nearer) > kLittle) renewal.length = kMuchLater / -modes.lambda[m];
    }
    result.length = std::min(result.length, renewal.length);
    for (int s = 0; s < 2; ++s) {
      for (int k = 0; k < N; ++k) q[s][k] += modes.v[s][m] * companion[k];
      result.rest[s] += modes.v[s][m] * nearer;
    }
  }
  return true;
}

// The states of `candidates` with which state i is stiff, because each drives the other as strongly
// as itself: the first, or -1. influence(row, j) is df_row/dx_j, reads(j) whom row j reads.
template <class Reads, class Influence>
int find_partner(int i, std::span<const int> candidates, const Reads& reads,
                 const Influence& influence) {
  constexpr double kStrong = 0.5;  // in a row of cells that exchange something it is 1/4
  const double slope = influence(i, i);
  if (!(slope < 0)) return -1;
  for (const int j : candidates) {
    if (j == i) continue;
    const auto back = reads(j);
    if (std::find(back.begin(), back.end(), i) == back.end()) continue;
    const double own = slope * influence(j, j);
    if (own > 0 && influence(i, j) * influence(j, i) > kStrong * own) return j;
  }
  return -1;
}

}  // namespace arges
