#include "arges/hybrid/zeno_guard.h"

#include <cmath>

#include <gtest/gtest.h>

namespace arges {
namespace {

ZenoFinding observe_gaps(ZenoGuard& guard, double first_gap, double q, int count) {
  double t = 0, gap = first_gap;
  for (int i = 0; i < count; ++i, t += gap, gap *= q) {
    const ZenoFinding finding = guard.observe(t, true, true);
    if (finding != ZenoFinding::kNone) return finding;
  }
  return ZenoFinding::kNone;
}

TEST(ZenoGuard, FindsTheLimitOfAGeometricSeries) {
  for (const double q : {0.5, 0.9, 0.99}) {
    ZenoGuard guard;
    guard.start(0, 100);
    EXPECT_EQ(observe_gaps(guard, 1, q, 10000), ZenoFinding::kZeno) << q;
    EXPECT_NEAR(guard.accumulation_time(), 1 / (1 - q), 1e-7 / (1 - q)) << q;
  }
}

TEST(ZenoGuard, CallsTinyGapsThatDoNotShrinkChattering) {
  ZenoGuard guard;
  guard.start(0, 1);
  EXPECT_EQ(observe_gaps(guard, 1e-15, 1, 1000), ZenoFinding::kChattering);
}

TEST(ZenoGuard, KnowsThatTimesFarFromZeroAreRounded) {
  ZenoGuard guard;
  guard.start(1e9, 1e9 + 1);
  EXPECT_GT(guard.resolution(1e9), 50 * (std::nextafter(1e9, 2e9) - 1e9));
  guard.start(0, 1e9);
  EXPECT_DOUBLE_EQ(guard.resolution(1e9), 0.1);
}

TEST(ZenoGuard, CreepsOnlyAfterAFindingAndWhileTimeStandsStill) {
  ZenoGuard guard;
  guard.start(0, 1e6);
  for (int i = 0; i < 5000; ++i) ASSERT_FALSE(guard.creeps(1, false));
  for (int i = 1; i < ZenoGuard::kCreep; ++i) ASSERT_FALSE(guard.creeps(1, i == 1));
  EXPECT_FALSE(guard.creeps(1.001, false));
  for (int i = 1; i < ZenoGuard::kCreep; ++i) ASSERT_FALSE(guard.creeps(2, i == 1));
  EXPECT_TRUE(guard.creeps(2, false));
}

TEST(ZenoGuard, LetsAPeriodicEventPass) {
  ZenoGuard guard;
  guard.start(0, 1000);
  EXPECT_EQ(observe_gaps(guard, 1e-3, 1, 100000), ZenoFinding::kNone);
}

TEST(ZenoGuard, LetsShrinkingGapsPassWhileTheirSumStillMovesTime) {
  ZenoGuard guard;
  guard.start(0, 100);
  EXPECT_EQ(observe_gaps(guard, 1, 0.9, 100), ZenoFinding::kNone);
}

TEST(ZenoGuard, TakesALostContactAfterManyShrinkingBouncesForTheLimit) {
  ZenoGuard guard;
  guard.start(0, 100);
  double t = 0, gap = 1;
  for (int i = 0; i < 80; ++i, t += gap, gap *= 0.9) {
    ASSERT_EQ(guard.observe(t, true, true), ZenoFinding::kNone);
  }
  EXPECT_EQ(guard.observe(t, false, true), ZenoFinding::kZeno);
}

TEST(ZenoGuard, LetsAnEventThatPassesThroughPass) {
  ZenoGuard guard;
  guard.start(0, 100);
  for (int i = 0; i < 80; ++i) ASSERT_EQ(guard.observe(i, true, true), ZenoFinding::kNone);
  EXPECT_EQ(guard.observe(80.5, false, true), ZenoFinding::kNone);
}

TEST(ZenoGuard, FindsTheLimitOfAPatternThatShrinksAsAWhole) {
  ZenoGuard guard;
  guard.start(0, 100);
  const double pattern[] = {1, 0.3, 0.7};
  double t = 0, scale = 1;
  ZenoFinding finding = ZenoFinding::kNone;
  for (int i = 0; i < 300 && finding == ZenoFinding::kNone; ++i, scale *= 0.9) {
    t += scale * pattern[i % 3];
    finding = guard.observe(t, true, true);
  }
  EXPECT_EQ(finding, ZenoFinding::kZeno);
  EXPECT_NEAR(guard.accumulation_time(), (1 + 0.3 * 0.9 + 0.7 * 0.81) / (1 - 0.729), 1e-8);
}

TEST(ZenoGuard, TakesEveryLostContactAfterTheFirstForOne) {
  ZenoGuard guard;
  guard.start(0, 100);
  double t = 0, gap = 1;
  for (int i = 0; i < 80; ++i, t += gap, gap *= 0.9) guard.observe(t, true, true);
  for (int i = 0; i < 3; ++i, t += gap) {
    EXPECT_EQ(guard.observe(t, false, true), ZenoFinding::kZeno);
    EXPECT_TRUE(guard.lost_contact());
  }
  EXPECT_TRUE(guard.found());
  guard.forget();
  EXPECT_FALSE(guard.found());
}

TEST(ZenoGuard, AFewBouncesAreEnoughWhereTheConditionSank) {
  for (const bool sank : {false, true}) {
    ZenoGuard guard;
    guard.start(0, 100);
    double t = 0, gap = 1;
    for (int i = 0; i < 4; ++i, t += gap, gap *= 0.05) guard.observe(t, true, true);
    EXPECT_EQ(guard.observe(t, false, true, sank), sank ? ZenoFinding::kZeno : ZenoFinding::kNone);
  }
}

TEST(ZenoGuard, SinkingEndsOnlyAfterManyTimesInARow) {
  ZenoGuard guard;
  guard.start(0, 1);
  for (int round = 0; round < 3; ++round) {
    for (int i = 1; i < ZenoGuard::kBurst; ++i) ASSERT_FALSE(guard.sinks_without_end(true));
    ASSERT_FALSE(guard.sinks_without_end(false));
  }
  for (int i = 1; i < ZenoGuard::kBurst; ++i) ASSERT_FALSE(guard.sinks_without_end(true));
  EXPECT_TRUE(guard.sinks_without_end(true));
}

}  // namespace
}  // namespace arges
