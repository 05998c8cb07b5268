#include "arges/qss/relaxation.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace arges {
namespace {

TEST(Relaxation, SolvesItsEquation) {
  // x' = -2 x + 1 + 3 s - s^2, x(0) = 5: by substitution e = c0 + c1 s + c2 s^2.
  const double u[3] = {1, 3, -1};
  const Relaxation<3> solution(-2, u, 5);
  const double c2 = -0.5, c1 = (3 - 2 * c2) / 2, c0 = (1 - c1) / 2;
  for (const double s : {0.0, 0.1, 1.0, 7.0}) {
    const double exact = c0 + c1 * s + c2 * s * s + (5 - c0) * std::exp(-2 * s);
    EXPECT_NEAR(solution.value(s), exact, 1e-14 * (1 + std::abs(exact)));
  }
}

TEST(Relaxation, StaysForEverInABandThatHoldsItsEnd) {
  const double u[1] = {3};  // to 3
  const double q[1] = {3.05};
  EXPECT_EQ((Relaxation<1>(-1, u, 3.1).leaves(q, 0.1)), kNever);
  EXPECT_EQ((Relaxation<1>(-1, u, 3.2).leaves(q, 0.1)), 0);
}

TEST(Relaxation, LeavesABandThatDoesNotHoldItsEnd) {
  const double u[1] = {3};
  const double q[1] = {4};
  // 3 + 0.95 exp(-s) = 3.9.
  EXPECT_NEAR((Relaxation<1>(-1, u, 3.95).leaves(q, 0.1)), std::log(0.95 / 0.9), 1e-14);
}

TEST(Relaxation, FollowsAnEndThatMovesAway) {
  const double u[2] = {0, 10};  // e = -0.1 + s
  const double q[2] = {0, 0};
  const Relaxation<2> solution(-10, u, 0);
  const double leaves = solution.leaves(q, 0.5);
  EXPECT_NEAR(solution.value(leaves), 0.5, 0.01 * 0.5);
}

// By the exponential alone it would leave late, or not before the end has carried it far away.
TEST(Relaxation, IsNotFarOutsideItsBandWhenItLeaves) {
  for (const double a : {-0.1, -1.0, -10.0, -200.0}) {
    for (const double u1 : {-30.0, -1.0, 0.0, 2.0, 100.0}) {
      for (const double u2 : {-50.0, 0.0, 1.0, 400.0}) {
        for (const double start : {-0.9, 0.0, 0.5, 0.99}) {
          const double u[3] = {3 * -a, u1, u2}, q[3] = {0, 0, 0};
          const Relaxation<3> solution(a, u, start);
          const double leaves = std::min(solution.leaves(q, 1), 50.0);
          for (const double part : {0.25, 0.5, 0.75, 1.0}) {
            EXPECT_LE(std::abs(solution.value(part * leaves)), 1.5) << a << ' ' << u1 << ' ' << u2;
          }
        }
      }
    }
  }
}

TEST(ShiftedPolynomial, IsTheSameFunction) {
  double p[4] = {1, -2, 3, 0.5};
  shift_polynomial<3>(p, 2);
  const auto original = [](double s) { return 1 + s * (-2 + s * (3 + s * 0.5)); };
  for (const double s : {0.0, 1.0, -3.0}) {
    EXPECT_DOUBLE_EQ(p[0] + s * (p[1] + s * (p[2] + s * p[3])), original(s + 2));
  }
}

}  // namespace
}  // namespace arges
