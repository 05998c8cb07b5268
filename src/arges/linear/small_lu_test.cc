#include "arges/linear/small_lu.h"

#include <random>

#include <gtest/gtest.h>

namespace arges {
namespace {

// A random matrix whose rows differ by up to `grade` in magnitude, and that needs pivoting.
template <int N>
void check_inverse(double grade) {
  std::mt19937 random(7 * N);
  std::uniform_real_distribution<double> uniform(-1, 1);
  double a[N * N], inverse[N * N];
  for (int i = 0; i < N; ++i) {
    const double row = std::pow(grade, uniform(random));
    for (int j = 0; j < N; ++j) a[j * N + i] = row * uniform(random);
  }
  a[0] = 0;
  if (N == 1) a[0] = 3;
  SmallLu<N> lu{};
  ASSERT_EQ(lu.factor(a), -1);
  lu.inverse(inverse);
  for (int j = 0; j < N; ++j) {
    double b[N] = {}, x[N];
    b[j] = 1;
    lu.solve(b, x);
    for (int i = 0; i < N; ++i) {
      EXPECT_NEAR(inverse[j * N + i], x[i], 1e-12 * std::abs(x[i])) << N << ": " << i << ", " << j;
    }
    for (int i = 0; i < N; ++i) {
      double product = 0, magnitude = 0;
      for (int k = 0; k < N; ++k) {
        product += a[k * N + i] * inverse[j * N + k];
        magnitude += std::abs(a[k * N + i] * inverse[j * N + k]);
      }
      EXPECT_NEAR(product, i == j ? 1 : 0, 1e-12 * magnitude);
    }
  }
}

TEST(SmallLu, TheInverseOfAMatrixThatNeedsPivotingIsItsInverse) {
  check_inverse<1>(1);
  check_inverse<2>(1);
  check_inverse<3>(1);
  check_inverse<6>(1);
}

TEST(SmallLu, RowsOfVeryDifferentMagnitudeDoNotHarmTheInverse) {
  check_inverse<2>(1e8);
  check_inverse<4>(1e8);
}

TEST(SmallLu, NamesTheFirstColumnWithoutAPivot) {
  const double a[] = {1, 2, 0, 2, 4, 0, 5, 6, 7};
  EXPECT_EQ(SmallLu<3>().factor(a), 1);
}

}  // namespace
}  // namespace arges
