#include "arges/external/history.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace arges::external {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

TEST(History, CubicsAreReadExactlyAndTheBeginHolds) {
  History h;
  const auto f = [](double t) { return 1 + t - 2 * t * t + 0.5 * t * t * t; };
  for (int i = 0; i <= 20; ++i) h.add(0.1 * i * i, f(0.1 * i * i));
  for (const double t : {0.0, 0.03, 0.5, 7.77, 39.0, 40.0})
    EXPECT_NEAR(h.at(t, kNever), f(t), 1e-9 * (1 + std::abs(f(t))));
  EXPECT_EQ(h.at(-3, kNever), f(0));
}

TEST(History, AJumpIsSeenWhenItIsPassed) {
  History h;
  for (int i = 0; i <= 10; ++i) h.add(0.1 * i, 0.1 * i);
  for (int i = 10; i <= 20; ++i) h.add(0.1 * i, 5 + 0.1 * i);
  EXPECT_DOUBLE_EQ(h.next_jump(0), 1);
  EXPECT_EQ(h.next_jump(1), std::numeric_limits<double>::infinity());
  EXPECT_NEAR(h.at(1, kNever), 1, 1e-12);  // from the left
  EXPECT_NEAR(h.at(1, 1), 6, 1e-12);
  EXPECT_NEAR(h.at(1.55, 1), 6.55, 1e-12);
  EXPECT_NEAR(h.at(0.95, kNever), 0.95, 1e-12);
}

TEST(History, ABreakSeparatesCurvesOfDifferentSlope) {
  History h;
  for (int i = 0; i <= 10; ++i) h.add(0.1 * i, 0.1 * i);
  h.add_break(1, false);
  for (int i = 11; i <= 20; ++i) h.add(0.1 * i, 2 - 0.1 * i);
  EXPECT_EQ(h.next_jump(0), 1);
  EXPECT_EQ(h.last_jump(1.5, 0.5), 1);
  EXPECT_LT(h.last_jump(1.4, 0.5), -1e300);
  EXPECT_NEAR(h.at(0.97, kNever), 0.97, 1e-14);
  EXPECT_NEAR(h.at(1.03, 1), 0.97, 1e-14);
  h.add_break(3, true);  // it rests from 2 to 3, then goes on
  for (int i = 31; i <= 40; ++i) h.add(0.1 * i, 0.1 * i - 3);
  EXPECT_NEAR(h.at(1.97, 1), 0.03, 1e-14);
  EXPECT_NEAR(h.at(2.5, 2), 0, 1e-14);
  EXPECT_EQ(h.next_jump(2), 3);
  EXPECT_NEAR(h.at(3.05, 3), 0.05, 1e-14);
}

}  // namespace
}  // namespace arges::external
