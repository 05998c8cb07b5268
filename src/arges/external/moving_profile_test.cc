#include "arges/external/moving_profile.h"

#include <cmath>

#include <gtest/gtest.h>

namespace arges::external {
namespace {

constexpr double kPoints[] = {0, 1};
constexpr double kZeros[] = {0, 0};

TEST(MovingProfile, WhatHasEnteredComesOutOneLengthLater) {
  MovingProfile p;
  p.begin(0, kPoints, kZeros);
  const auto f = [](double x) { return 2 + x - x * x * x; };
  for (int i = 0; i <= 40; ++i) p.add(0.05 * i, 0.05 * i, f(0.05 * i), true);
  for (const double x : {2.01, 2.5, 2.977}) EXPECT_NEAR(p.at(x, -2, true), f(x - 1), 1e-12);
}

TEST(MovingProfile, AJumpComesOutWhenItsFrontIsPassed) {
  MovingProfile p;
  p.begin(0, kPoints, kZeros);
  for (int i = 0; i <= 10; ++i) p.add(0.05 * i, 0.05 * i, 1, true);
  for (int i = 10; i <= 18; ++i) p.add(0.05 * i, 0.05 * i, 5, true);
  // Between the initial profile and what entered first there is a break, too.
  EXPECT_EQ(p.next_break(0.5, true), 0.0);
  ASSERT_TRUE(p.next_break(-0.1, true).has_value());
  EXPECT_NEAR(*p.next_break(-0.1, true), -0.5, 1e-12);
  EXPECT_NEAR(p.at(1.5, -0.5, true), 1, 1e-12);  // not yet
  EXPECT_NEAR(p.at(1.5, -9, true), 5, 1e-12);
}

TEST(MovingProfile, TurningBringsBackWhatIsInside) {
  MovingProfile p;
  p.begin(0, kPoints, kZeros);
  for (int i = 0; i <= 60; ++i) p.add(0.05 * i, 0.05 * i, 10 + 0.05 * i, true);
  // At x = 3 the pipe holds what entered at x = 2 (at its end) to 3. Backward, this comes out at
  // y = 0 in the reverse order, and then what has entered at the other end.
  for (int i = 60; i >= 52; --i) p.add(6 - 0.05 * i, 0.05 * i, 100, false);
  EXPECT_EQ(p.forward(), false);
  const double front = p.next_break(-2.9, false).value();
  EXPECT_NEAR(front, 1 - 3.0, 1e-12);
  EXPECT_NEAR(p.at(2.5, front, false), 12.5, 1e-9);
  EXPECT_NEAR(p.at(1.5, 1, false), 100, 1e-9);
}

TEST(MovingProfile, TheInitialProfileIsLinearBetweenItsPoints) {
  constexpr double kPlaces[] = {0, 0.25, 0.25, 0.5, 1};
  constexpr double kValues[] = {7, 7, 9, 1, 3};
  MovingProfile p;
  p.begin(0, kPlaces, kValues);
  EXPECT_NEAR(p.at(0.25, 0.5, true), 2, 1e-12);    // y = 0.75
  EXPECT_NEAR(p.at(0.625, 0.25, true), 5, 1e-12);  // y = 0.375
  EXPECT_NEAR(p.at(0.8, 0, true), 7, 1e-12);
  EXPECT_EQ(p.next_break(1, true), 0.5);
  EXPECT_EQ(p.next_break(0.5, true), 0.25);
  EXPECT_FALSE(p.next_break(0.25, true).has_value());
  EXPECT_EQ(p.next_break(0, false), 0.25);
}

}  // namespace
}  // namespace arges::external
