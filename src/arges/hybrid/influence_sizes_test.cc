#include "arges/hybrid/influence_sizes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace arges {
namespace {

std::vector<double> sizes(const SparsityPattern* pattern, const std::vector<double>& x) {
  InfluenceSizes measured(static_cast<int>(x.size()));
  measured.bind(pattern, static_cast<int>(x.size()));
  std::vector<double> result(x.size());
  measured.measure(x.data(), result.data());
  return result;
}

TEST(InfluenceSizes, WithoutAPatternAllAreAsLargeAsTheLargest) {
  EXPECT_EQ(sizes(nullptr, {1, -5, 3}), (std::vector<double>{5, 5, 5}));
}

// h' = v, p' = -p; q' depends on both.
TEST(InfluenceSizes, OnlyWhatAStateDependsOnCounts) {
  const SparsityPattern pattern = SparsityPattern::from_entries(4, {{0, 1}, {3, 0}, {3, 2}});
  EXPECT_EQ(sizes(&pattern, {1e-9, 2e-3, -1e8, 1}), (std::vector<double>{2e-3, 2e-3, 1e8, 1e8}));
}

TEST(InfluenceSizes, ARingIsOne) {
  const SparsityPattern pattern = SparsityPattern::from_entries(3, {{0, 1}, {1, 2}, {2, 0}});
  EXPECT_EQ(sizes(&pattern, {1, 7, 0}), (std::vector<double>{7, 7, 7}));
}

TEST(InfluenceSizes, WhatIsNotANumberHasNoSize) {
  const SparsityPattern pattern = SparsityPattern::from_entries(3, {{0, 1}});
  EXPECT_EQ(sizes(&pattern, {1, std::nan(""), 3}), (std::vector<double>{1, 0, 3}));
  EXPECT_EQ(sizes(&pattern, {}).size(), 0u);
}

}  // namespace
}  // namespace arges
