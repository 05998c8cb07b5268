#include "arges/compile/switch_band.h"

#include <gtest/gtest.h>

namespace arges {
namespace {

struct Memory {
  double width = 0, switched = -1e300, gap = 0;
  SwitchBand band() { return {width, switched, gap}; }
  void switch_at(double t) {
    if (band().note_switch(t, 1)) band().widen(1);
  }
};

TEST(SwitchBand, StaysClosedForSwitchesFarApart) {
  Memory m;
  for (double t = 0; t < 1; t += 1e-3) m.switch_at(t);
  EXPECT_EQ(m.width, 0);
}

TEST(SwitchBand, GrowsTenfoldWithinAMomentUpToABound) {
  Memory m;
  m.switch_at(1);
  m.switch_at(1);
  EXPECT_EQ(m.width, SwitchBand::kRounding);
  m.switch_at(1);
  EXPECT_DOUBLE_EQ(m.width, 10 * SwitchBand::kRounding);
  for (int i = 0; i < 50; ++i) m.switch_at(1);
  EXPECT_DOUBLE_EQ(m.width, 2e-9);
}

TEST(SwitchBand, ShrinksAgain) {
  Memory m;
  m.width = 1e-9;
  for (double t = 1; t < 3; t += 0.1) m.switch_at(t);
  EXPECT_LT(m.width, 1e-28);
}

TEST(SwitchBand, KeepsItsWidthWhereOneSideIsSlow) {
  Memory m;
  double t = 1;
  for (int i = 0; i < 3; ++i) m.switch_at(t);
  const double width = m.width;
  m.switch_at(t += 1e-11);  // longer than a moment: the slow side
  m.switch_at(t);           // the fast one
  EXPECT_DOUBLE_EQ(m.width, width / 10);
}

TEST(SwitchBand, CoversWhatRoundingLeftOnTheOldSide) {
  Memory m;
  m.band().cover(3e-17);
  EXPECT_GT(m.width, 3e-17);
  m.width = 0;
  m.band().cover(0);
  EXPECT_GT(m.width, 0);
}

TEST(SwitchBand, CoversNoiseOnBothSidesOnly) {
  Memory m;
  EXPECT_FALSE(m.band().cover_noise(1e-3, 1e-9, 1));
  EXPECT_FALSE(m.band().cover_noise(1e-9, 1e-3, 1));
  EXPECT_EQ(m.width, 0);
  EXPECT_TRUE(m.band().cover_noise(-1e-9, 1e-9, 1));
  EXPECT_GT(m.width, 1e-9);
}

}  // namespace
}  // namespace arges
