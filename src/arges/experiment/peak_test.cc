#include "arges/experiment/peak.h"

#include <gtest/gtest.h>

#include <cmath>

namespace arges {
namespace {

std::array<double, kGaussPoints> at_nodes(const std::function<double(double)>& f) {
  std::array<double, kGaussPoints> values{};
  for (std::size_t k = 0; k < kGaussPoints; ++k) values[k] = f(kGaussNodes[k]);
  return values;
}

TEST(Peak, TheRuleIsExactToDegreeSeven) {
  for (int degree = 0; degree <= 8; ++degree) {
    const auto values = at_nodes([&](double s) { return std::pow(s, degree); });
    double sum = 0;
    for (std::size_t k = 0; k < kGaussPoints; ++k) sum += kGaussWeights[k] * values[k];
    const double exact = degree % 2 == 0 ? 2.0 / (degree + 1) : 0;
    EXPECT_EQ(std::abs(sum - exact) < 1e-14, degree < 8) << degree;
  }
}

TEST(Peak, ACubicHasItsMaximumWhereItFallsThroughZeroSlope) {
  const auto parabola = peak_of_cubic(at_nodes([](double s) { return 2 - (s - 0.3) * (s - 0.3); }));
  ASSERT_TRUE(parabola.has_value());
  EXPECT_NEAR(parabola->at, 0.3, 1e-14);
  EXPECT_NEAR(parabola->value, 2, 1e-14);
  for (const double sign : {1.0, -1.0}) {
    // The maximum at -sign/2, the minimum at sign/2.
    const auto cubic =
        peak_of_cubic(at_nodes([&](double s) { return sign * (s * s * s - 0.75 * s); }));
    ASSERT_TRUE(cubic.has_value());
    EXPECT_NEAR(cubic->at, -sign / 2, 1e-14);
    EXPECT_NEAR(cubic->value, 0.25, 1e-14);
  }
  EXPECT_FALSE(peak_of_cubic(at_nodes([](double s) { return s; })));
  EXPECT_FALSE(peak_of_cubic(at_nodes([](double s) { return (s - 0.3) * (s - 0.3); })));
  EXPECT_FALSE(peak_of_cubic(at_nodes([](double s) { return -(s - 2) * (s - 2); })));
  EXPECT_FALSE(peak_of_cubic(at_nodes([](double) { return 1; })));
}

TEST(Peak, TheLargestValueIsExactToRounding) {
  int calls = 0;
  const double largest = largest_between(
      [&](double t) {
        ++calls;
        return 3 + std::sin(t);
      },
      1, 2);
  EXPECT_NEAR(largest, 4, 1e-15);
  EXPECT_LT(calls, 20);
  EXPECT_NEAR(largest_between([](double t) { return std::exp(t); }, 0, 1), std::exp(1.0), 1e-7);
}

}  // namespace
}  // namespace arges
