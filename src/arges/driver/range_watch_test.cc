#include "arges/driver/range_watch.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace arges {
namespace {

ResultLayout limited(const std::vector<std::string>& names, double min, double max) {
  ResultLayout layout;
  for (const std::string& name : names) {
    Column column{name, "", ""};
    column.min = min;
    column.max = max;
    layout.columns.push_back(column);
  }
  return layout;
}

std::vector<std::string> findings(const ResultLayout& layout,
                                  const std::vector<std::vector<double>>& rows) {
  SolverOptions numerics;
  numerics.rtol = 1e-3;
  numerics.atol = 1e-6;
  RangeWatch watch(numerics);
  watch.begin(layout);
  for (std::size_t i = 0; i < rows.size(); ++i) watch.row(0.5 * static_cast<double>(i), rows[i]);
  return watch.findings();
}

TEST(RangeWatch, TellsTheFirstRowOutside) {
  const auto found = findings(limited({"x"}, 0, 2), {{1}, {-0.5}, {3}});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0], "'x' is -0.5 at t = 0.5, below its min = 0");
}

TEST(RangeWatch, WhatTheSolverMayBeOffIsNoFinding) {
  EXPECT_TRUE(findings(limited({"x"}, 0, 10), {{5}, {-0.04}, {10.05}}).empty());
  EXPECT_EQ(findings(limited({"x"}, 0, 10), {{5}, {-0.06}}).size(), 1u);
  EXPECT_EQ(findings(limited({"x"}, 0, 10), {{0}, {-0.04}}).size(), 1u);
}

TEST(RangeWatch, WhatDoesNotExistIsNotLookedAt) {
  EXPECT_TRUE(findings(limited({"x"}, 0, 10), {{std::nan("")}}).empty());
}

TEST(RangeWatch, TellsAFewAndHowManyMore) {
  const auto found =
      findings(limited({"a", "b", "c", "d", "e", "f", "g"}, 0, 1), {{2, 2, 2, 2, 2, 2, 2}});
  ASSERT_EQ(found.size(), 6u);
  EXPECT_EQ(found[5], "2 more variables leave their min or max");
}

TEST(RangeWatch, HasNoWorkWithoutLimits) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(RangeWatch::has_work(limited({"x"}, -kNone, kNone)));
  EXPECT_TRUE(RangeWatch::has_work(limited({"x"}, 0, kNone)));
}

}  // namespace
}  // namespace arges
