#include "arges/plot/axis_map.h"

#include <gtest/gtest.h>

#include <cmath>

#include "arges/base/error.h"

namespace arges::plot {
namespace {

PanelRanges ranges_of(const Series& series, Axis x = {}, Axis y = {}) {
  Figure figure = make_figure("", std::move(x), std::move(y));
  figure.panel().add(series);
  std::vector<std::string> warnings;
  return find_ranges(figure, warnings)[0];
}

TEST(AxisMap, IsLinearInTheValueOrItsLogarithm) {
  const AxisMap linear(Scale::kLinear, {-1, 3}, 100, 300);
  EXPECT_DOUBLE_EQ(linear(-1), 100);
  EXPECT_DOUBLE_EQ(linear(0), 150);
  const AxisMap log(Scale::kLog, {1e-2, 1e2}, 100, 300);
  EXPECT_DOUBLE_EQ(log(1), 200);
  EXPECT_DOUBLE_EQ(log(100), 300);
  EXPECT_TRUE(std::isnan(log(0)));
  EXPECT_TRUE(std::isnan(log(-3)));
  EXPECT_TRUE(std::isnan(linear(INFINITY)));
  EXPECT_EQ(linear(1e300), 1e6);
}

TEST(AxisMap, IsLinearWhereDifferencesOverflow) {
  const AxisMap wide(Scale::kLinear, {-8e307, 8e307}, 0, 160);
  EXPECT_DOUBLE_EQ(wide(0), 80);
  EXPECT_NEAR(wide(1e308), 180, 1e-9);
  EXPECT_NEAR(wide(-1e308), -20, 1e-9);
}

TEST(Ranges, TellWhatIsBeyondTheLargestAxis) {
  Figure figure = make_figure("", {}, {});
  figure.panel().add(line({0, 1}, {1e308, -1e308}));
  std::vector<std::string> warnings;
  find_ranges(figure, warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0], "panel 1: an axis ends at 8e+307, and values are beyond");
}

TEST(Ranges, FollowTimeExactlyAndLeaveRoomAboveAndBelow) {
  const PanelRanges r = ranges_of(line({0, 1, 2}, {0, 10, 5}));
  EXPECT_EQ(r.x.lower, 0);
  EXPECT_EQ(r.x.upper, 2);
  EXPECT_NEAR(r.y.lower, -0.4, 1e-12);
  EXPECT_NEAR(r.y.upper, 10.4, 1e-12);
}

TEST(Ranges, LeaveRoomAroundPhasePlots) {
  EXPECT_LT(ranges_of(line({0, 1, 0, -1}, {1, 0, -1, 0})).x.lower, -1);
}

TEST(Ranges, IgnoreWhatCannotBeDrawn) {
  const PanelRanges r = ranges_of(line({0, 1, NAN, 3, 4}, {1, NAN, 50, -INFINITY, 2}));
  EXPECT_EQ(r.x.upper, 4);
  EXPECT_LT(r.y.upper, 3);
  EXPECT_FALSE(ranges_of(line({0, 1}, {NAN, NAN})).has_data);
}

TEST(Ranges, AreNeverEmpty) {
  for (const double v : {0.0, 5.0, -1e-300, 1e300, -1.7e308, 4.9e-324}) {
    const PanelRanges r = ranges_of(line({1, 1}, {v, v}));
    EXPECT_LT(r.y.lower, r.y.upper) << v;
    EXPECT_TRUE(std::isfinite(r.y.upper - r.y.lower)) << v;
    EXPECT_LT(r.x.lower, r.x.upper);
  }
  const PanelRanges noise = ranges_of(line({0, 1, 2}, {1, 1 + 2e-16, 1}));
  EXPECT_NEAR(noise.y.upper, 1.1, 1e-9);  // rounding errors are not blown up
  const PanelRanges log = ranges_of(line({1, 2}, {3, 3}), {}, log_axis("y"));
  EXPECT_LT(log.y.lower, 3);
  EXPECT_GT(log.y.lower, 0);
}

TEST(Ranges, TakeTheLimitsGiven) {
  Axis x{"t", "s"}, y{"y"};
  x.upper = 1;
  y.lower = -7;
  const PanelRanges r = ranges_of(line({0, 1, 2}, {0, 1, 100}), x, y);
  EXPECT_EQ(r.x.upper, 1);
  EXPECT_EQ(r.y.lower, -7);
  EXPECT_LT(r.y.upper, 2);  // what lies beyond the limit of x does not count
  y.lower = 500;            // above all data
  EXPECT_GT(ranges_of(line({0, 1}, {0, 1}), x, y).y.upper, 500);
}

TEST(Ranges, RefuseLimitsThatMakeNoSense) {
  Axis falling{"t", "s"};
  falling.lower = 2;
  falling.upper = 1;
  EXPECT_THROW(ranges_of(line({0, 1}, {0, 1}), falling), UserError);
  Axis zero = log_axis("t");
  zero.lower = 0;
  EXPECT_THROW(ranges_of(line({0, 1}, {0, 1}), zero), UserError);
  EXPECT_THROW(ranges_of(line({0, 1}, {0})), ApiError);
  EXPECT_THROW(ranges_of(band({0, 1}, {0, 1}, {0})), ApiError);
}

TEST(Ranges, TellWhatALogarithmicAxisLeavesOut) {
  Figure figure = make_figure("", log_axis("t"), {"y"});
  figure.panel().add(line({0, 1, 10}, {1, 2, 3}, "flow"));
  std::vector<std::string> warnings;
  const PanelRanges r = find_ranges(figure, warnings)[0];
  EXPECT_EQ(r.x.lower, 1);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("'flow': 1 of 3 points"), std::string::npos) << warnings[0];
}

TEST(Ranges, AreSharedByStackedPanels) {
  Figure figure = make_stack("", {"t", "s"}, {{"a"}, {"b"}});
  figure.panels[0].add(line({0, 5}, {0, 1}));
  figure.panels[1].add(line({2, 9}, {0, 1}));
  std::vector<std::string> warnings;
  EXPECT_EQ(find_ranges(figure, warnings)[0].x.upper, 9);
  figure.share_x = false;
  EXPECT_EQ(find_ranges(figure, warnings)[0].x.upper, 5);
}

TEST(Ranges, OfBarsBeginAtZeroAndHoldTheOuterBars) {
  const PanelRanges r = ranges_of(bars({1, 2, 3}, {5, 7, 6}));
  EXPECT_EQ(r.y.lower, 0);
  EXPECT_LE(r.x.lower, 0.6);
  EXPECT_GE(r.x.upper, 3.4);
  EXPECT_TRUE(r.whole_y);
}

TEST(Bars, StandSideBySide) {
  Panel panel;
  panel.add(bars({0, 1}, {1, 1})).add(bars({0, 1}, {2, 2}));
  const BarGeometry a = bar_geometry(panel, panel.series[0]),
                    b = bar_geometry(panel, panel.series[1]);
  EXPECT_DOUBLE_EQ(a.width, 0.4);
  EXPECT_DOUBLE_EQ(a.shift, -0.2);
  EXPECT_DOUBLE_EQ(b.shift, 0.2);
}

}  // namespace
}  // namespace arges::plot
