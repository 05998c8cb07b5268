#include "arges/diag/suggest.h"

#include <gtest/gtest.h>

namespace arges::diag {
namespace {

std::string help(std::string_view wanted, const std::vector<std::string>& here,
                 const std::vector<std::string>& around = {}) {
  Diagnostic d(Code::kUnknownName, "", {});
  suggest_names(d, wanted, here, around, "in `M`");
  return d.help.empty() ? "" : d.help[0];
}

TEST(SuggestNames, TakesShortNamesThatDifferByALetterMore) {
  EXPECT_EQ(help("kk", {"x", "k"}), "did you mean `k`?");
  EXPECT_EQ(help("K", {"x", "k"}), "did you mean `k`?");
  EXPECT_EQ(help("x", {"y", "x1"}), "did you mean `x1`?");
}

TEST(SuggestNames, PrefersWhatIsDeclaredHere) {
  EXPECT_EQ(help("speed1", {"speed2"}, {"speed3"}), "did you mean `speed2`?");
  EXPECT_EQ(help("speed1", {"torque"}, {"speed3"}), "did you mean `speed3`?");
}

TEST(SuggestNames, ListsWhatThereIsWhenNothingIsNear) {
  EXPECT_EQ(help("x", {"z", "y", "y"}), "declared in `M`: `y`, `z`");
  EXPECT_EQ(help("x", {}), "");
  EXPECT_EQ(help("wanted", {"a", "b", "c", "d", "e", "f", "g", "h", "i"}), "");
}

}  // namespace
}  // namespace arges::diag
