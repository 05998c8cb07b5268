#include "arges/base/nearest.h"

#include <gtest/gtest.h>

namespace arges {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsSubstitutionsAndSwaps) {
  EXPECT_EQ(edit_distance("rodas", "rodas"), 0);
  EXPECT_EQ(edit_distance("RODAS", "rodas"), 0);
  EXPECT_EQ(edit_distance("rdoas", "rodas"), 1);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
}

TEST(NearestNames, PutsTheLikeliestFirstAndLeavesOutTheFar) {
  const std::vector<std::string> known = {"euler", "dopri5", "dop853", "rodas5p", "cvode-bdf"};
  EXPECT_EQ(nearest_names("dopri", known).front(), "dopri5");
  EXPECT_EQ(nearest_names("rodas", known).front(), "rodas5p");
  EXPECT_TRUE(nearest_names("xyzxyzxyz", known).empty());
  EXPECT_TRUE(nearest_names("x", {"y"}).empty());
  EXPECT_EQ(nearest_names("kk", {"k"}).size(), 1U);
  EXPECT_TRUE(nearest_names(std::string(10'000'000, 'a'), known).empty());
}

TEST(DidYouMean, SuggestsOrListsOrStaysSilent) {
  EXPECT_EQ(did_you_mean("eular", {"euler", "rk4"}), "; did you mean 'euler'?");
  EXPECT_EQ(did_you_mean("qqqqqq", {"a", "b"}), "; known are: 'a' and 'b'");
  EXPECT_EQ(did_you_mean("q", {}), "");
}

}  // namespace
}  // namespace arges
