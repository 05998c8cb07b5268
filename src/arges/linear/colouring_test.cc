#include "arges/linear/colouring.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

namespace arges {
namespace {

// Every column once, and no row met twice within a group.
void expect_valid(const SparsityPattern& pattern, const ColumnColouring& colouring) {
  std::vector<int> columns = colouring.column;
  std::sort(columns.begin(), columns.end());
  std::vector<int> all(pattern.n);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(columns, all);
  for (int g = 0; g < colouring.groups(); ++g) {
    std::vector<int> hits(pattern.n, 0);
    for (int k = colouring.start[g]; k < colouring.start[g + 1]; ++k) {
      const int j = colouring.column[k];
      for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p)
        EXPECT_EQ(hits[pattern.row[p]]++, 0) << "group " << g << ", row " << pattern.row[p];
    }
  }
}

TEST(Colouring, ATridiagonalMatrixNeedsThreeGroups) {
  std::vector<std::pair<int, int>> entries;
  for (int i = 0; i < 30; ++i) {
    if (i > 0) entries.emplace_back(i, i - 1);
    if (i < 29) entries.emplace_back(i, i + 1);
  }
  const SparsityPattern pattern = SparsityPattern::from_entries(30, entries);
  const ColumnColouring colouring = colour_columns(pattern);
  expect_valid(pattern, colouring);
  EXPECT_LE(colouring.groups(), 4);
  EXPECT_GE(colouring.groups(), 3);
}

TEST(Colouring, ADiagonalMatrixNeedsOneGroupAndADenseOneAsManyAsColumns) {
  const SparsityPattern diagonal = SparsityPattern::from_entries(7, {});
  EXPECT_EQ(colour_columns(diagonal).groups(), 1);
  expect_valid(diagonal, colour_columns(diagonal));
  const SparsityPattern dense = SparsityPattern::dense(7);
  EXPECT_EQ(colour_columns(dense).groups(), 7);
  expect_valid(dense, colour_columns(dense));
}

TEST(Colouring, AnArrowMatrixWithAFullRowNeedsAllGroups) {
  std::vector<std::pair<int, int>> entries;
  for (int j = 0; j < 9; ++j) entries.emplace_back(0, j);
  const SparsityPattern pattern = SparsityPattern::from_entries(9, entries);
  EXPECT_EQ(colour_columns(pattern).groups(), 9);
  expect_valid(pattern, colour_columns(pattern));
}

TEST(Colouring, AFullColumnCostsOneGroupMore) {
  std::vector<std::pair<int, int>> entries;
  for (int i = 0; i < 9; ++i) entries.emplace_back(i, 4);
  const SparsityPattern pattern = SparsityPattern::from_entries(9, entries);
  EXPECT_EQ(colour_columns(pattern).groups(), 2);
  expect_valid(pattern, colour_columns(pattern));
}

}  // namespace
}  // namespace arges
