#include "arges/qss/cell.h"

#include <cmath>

#include <gtest/gtest.h>

namespace arges {
namespace {

// x = e + distance exp(a s) with e = 3 - s, and the polynomial that approach() gives for it.
template <int N>
void expect_best_approximation(double ratio) {
  constexpr double kDecay = -40, kBand = 1e-3;
  const double distance = kBand / ratio;
  const double e[3] = {3, N > 1 ? -1.0 : 0.0, 0};
  double p[3] = {e[0], e[1], e[2]};
  const double h = approach<N>(kDecay, distance, kBand, p);
  const auto difference = [&](double s) {
    const double x = e[0] + e[1] * s + distance * std::exp(kDecay * s);
    return x - (N == 1 ? p[0] : N == 2 ? p[0] + s * p[1] : p[0] + s * (p[1] + s * p[2]));
  };
  constexpr int kPoints = 2000;
  double largest = 0, mean = 0;
  for (int k = 0; k < kPoints; ++k) {
    const double s = h * (k + 0.5) / kPoints;
    largest = std::max(largest, std::abs(difference(s)));
    mean += difference(s) / kPoints;
  }
  EXPECT_NEAR(difference(0), kBand, 0.08 * kBand) << N << ' ' << ratio;
  EXPECT_LE(largest, 1.04 * kBand) << N << ' ' << ratio;
  EXPECT_NEAR(mean, 0, 1e-4 * kBand) << N << ' ' << ratio;
}

TEST(StiffCompanion, IsTheBestApproximationOfTheExponentialAndFillsTheBand) {
  for (const double ratio : {0.9, 0.7, 0.4, 0.2, 0.05}) {
    expect_best_approximation<1>(ratio);
    expect_best_approximation<2>(ratio);
    expect_best_approximation<3>(ratio);
  }
}

}  // namespace
}  // namespace arges
