#include "arges/causalize/clock_system.h"

#include <gtest/gtest.h>

#include "arges/base/error.h"

namespace arges {
namespace {

TEST(Ratio, IsKeptInLowestTerms) {
  EXPECT_EQ(Ratio::of(6, -4), (Ratio{-3, 2}));
  EXPECT_EQ(Ratio::of(1, 2) + Ratio::of(1, 3), (Ratio{5, 6}));
  EXPECT_EQ(Ratio::of(1, 2) / Ratio::of(3, 4), (Ratio{2, 3}));
  EXPECT_EQ(common_measure(Ratio::of(1, 2), Ratio::of(1, 3)), (Ratio{1, 6}));
  EXPECT_EQ(common_measure({0, 1}, Ratio::of(2, 3)), (Ratio{2, 3}));
  EXPECT_THROW(Ratio::of(1, 0), UserError);
  EXPECT_THROW(Ratio::of(std::int64_t{1} << 62, 1) * Ratio::of(4, 1), UserError);
}

TEST(ClockSystem, PeriodsAndStartsAreFoundBothWays) {
  ClockSystem clocks;
  const int base = clocks.add(), slow = clocks.add(), shifted = clocks.add(), fast = clocks.add(),
            open = clocks.add();
  clocks.relate(base, slow, {3, 1}, {0, 1});
  clocks.relate(slow, shifted, {1, 1}, {1, 2});
  clocks.relate(fast, base, {4, 1}, {0, 1});  // base is a sub-clock of it
  clocks.define(base, 7);
  clocks.solve();
  EXPECT_EQ(clocks[slow], (ClockSystem::Position{7, {3, 1}, {0, 1}}));
  EXPECT_EQ(clocks[shifted], (ClockSystem::Position{7, {3, 1}, {3, 2}}));
  EXPECT_EQ(clocks[fast], (ClockSystem::Position{7, {1, 4}, {0, 1}}));
  EXPECT_FALSE(clocks[open].has_value());
}

TEST(ClockSystem, RelationsThatContradictAreReported) {
  ClockSystem clocks;
  const int a = clocks.add(), b = clocks.add();
  clocks.define(a, 0);
  clocks.relate(a, b, {2, 1}, {0, 1});
  clocks.equal(a, b);
  EXPECT_THROW(clocks.solve(), UserError);
  ClockSystem two;
  const int c = two.add(), d = two.add();
  two.define(c, 0);
  two.define(d, 1);
  two.equal(c, d);
  EXPECT_THROW(two.solve(), UserError);
}

}  // namespace
}  // namespace arges
