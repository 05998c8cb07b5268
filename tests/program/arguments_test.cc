#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "commands.h"

namespace arges::app {
namespace {

using Names = std::vector<std::string>;

TEST(Arguments, ListsOfNamesAreSplitOutsideOfBrackets) {
  EXPECT_EQ(split_names("a"), (Names{"a"}));
  EXPECT_EQ(split_names("a,k[1,2],der(x)"), (Names{"a", "k[1,2]", "der(x)"}));
  EXPECT_EQ(split_names("'a,b',c"), (Names{"'a,b'", "c"}));
  EXPECT_EQ(split_names(" a, max(x, y) ,' b'"), (Names{"a", "max(x, y)", "' b'"}));
  for (const char* bad : {"", ",", "a,", ",a", "a,,b", " ", "a, ,b"})
    EXPECT_THROW(split_names(bad), UserError) << bad;
}

TEST(Arguments, RunsOfOneNameAreToldApartByTheirFolders) {
  EXPECT_EQ(run_names({"cold/a.csv", "warm/b.csv"}), (Names{"a", "b"}));
  EXPECT_EQ(run_names({"/data/cold/a.csv", "/data/warm/a.mat"}), (Names{"cold/a", "warm/a"}));
  EXPECT_EQ(run_names({"x/1/a.csv", "y/1/a.csv", "a.csv"}), (Names{"x/1/a", "y/1/a", "a"}));
  EXPECT_EQ(run_names({"a.csv", "a.mat"}), (Names{"a.csv", "a.mat"}));
}

TEST(Arguments, AssignmentsAreNumbersOrTruthValues) {
  EXPECT_EQ(parse_assignment("x=3"), std::make_pair(std::string("x"), 3.0));
  EXPECT_EQ(parse_assignment("k[1,2]=-1e-3").second, -1e-3);
  EXPECT_EQ(parse_assignment("on=true").second, 1);
  EXPECT_EQ(parse_assignment("on=false").second, 0);
  for (const char* bad : {"", "x", "=3", "x=", "x=3 ", "x=3m", "x=nan", "x=inf", "x=1=2"})
    EXPECT_THROW(parse_assignment(bad), UserError) << bad;
}

TEST(Arguments, RangesRiseAndSizesArePositive) {
  EXPECT_EQ(parse_range("--xlim", "-1:2.5"), std::make_pair(-1.0, 2.5));
  EXPECT_EQ(parse_size("--size", "160x100"), std::make_pair(160.0, 100.0));
  for (const char* bad : {"", "1", ":", "1:", ":2", "2:1", "1:1", "a:b", "0:inf", "1:2:3"})
    EXPECT_THROW(parse_range("--xlim", bad), UserError) << bad;
  for (const char* bad : {"", "x", "10", "0x10", "10x-1", "10x10mm"})
    EXPECT_THROW(parse_size("--size", bad), UserError) << bad;
}

}  // namespace
}  // namespace arges::app
