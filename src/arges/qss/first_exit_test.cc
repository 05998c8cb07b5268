#include "arges/qss/first_exit.h"

#include <cmath>

#include <gtest/gtest.h>

namespace arges {
namespace {

TEST(FirstExit, IsTheSmallestRootOfThePolynomialMinusTheBand) {
  EXPECT_DOUBLE_EQ(first_exit(0.5, 1, 1), 0.5);
  EXPECT_DOUBLE_EQ(first_exit(0.5, -1, 1), 1.5);
  EXPECT_EQ(first_exit(0.5, 0, 1), kNever);
  EXPECT_EQ(first_exit(1.0, -1, 1), 0);
  EXPECT_DOUBLE_EQ(first_exit(0, 0, 1, 4), 2);
  EXPECT_DOUBLE_EQ(first_exit(0, -4, 1, 3), 1);  // downwards, before the vertex
  EXPECT_DOUBLE_EQ(first_exit(0, -2, 1, 3), 3);  // the vertex stays inside
  EXPECT_NEAR(first_exit(0, 0, 0, 1, 8), 2, 1e-14);
  EXPECT_NEAR(first_exit(0, 0, 3, -1, 4), 2, 1e-7);  // touches the band at its maximum
  for (const double c : {-3.0, -0.1, 0.0, 0.2, 5.0}) {
    for (const double b : {-2.0, -0.3, 0.0, 1.0}) {
      for (const double a : {-1.5, 0.4, 3.0}) {
        const double s = first_exit(0.1, a, b, c, 1);
        const auto value = [&](double r) { return 0.1 + r * (a + r * (b + r * c)); };
        EXPECT_NEAR(std::abs(value(s)), 1, 1e-12);
        for (int k = 1; k < 100; ++k) EXPECT_LT(std::abs(value(s * k / 100)), 1);
      }
    }
  }
}

}  // namespace
}  // namespace arges
