#include "arges/diag/utf16.h"

#include <gtest/gtest.h>

namespace arges::diag {
namespace {

// a, e with acute (2 bytes, 1 unit), a face (4 bytes, 2 units), b.
const std::string kLine =
    "a\xC3\xA9\xF0\x9F\x98\x80"
    "b";

TEST(Utf16, CountsUnitsAndBack) {
  const SourceFile file("x.mo", "first\r\n" + kLine + "\nlast");
  const std::uint32_t begin = 7;
  const std::pair<std::uint32_t, std::uint32_t> pairs[] = {{0, 0}, {1, 1}, {3, 2}, {7, 4}, {8, 5}};
  for (const auto& [bytes, units] : pairs) {
    EXPECT_EQ(utf16_position(file, begin + bytes), (Utf16Position{1, units}));
    EXPECT_EQ(offset_at(file, {1, units}), begin + bytes);
  }
}

TEST(Utf16, PositionsOutsideOfTheTextAreItsNearestPlace) {
  const SourceFile file("x.mo", "first\r\n" + kLine + "\nlast");
  EXPECT_EQ(offset_at(file, {0, 99}), 5U);      // before the line end
  EXPECT_EQ(offset_at(file, {1, 3}), 7U + 3U);  // inside of the face
  EXPECT_EQ(offset_at(file, {9, 0}), file.text().size());
}

TEST(Utf16, AByteThatIsNoUtf8CountsOne) {
  const SourceFile file("x.mo",
                        "a\xFF"
                        "b");
  EXPECT_EQ(utf16_position(file, 2), (Utf16Position{0, 2}));
  EXPECT_EQ(offset_at(file, {0, 2}), 2U);
}

}  // namespace
}  // namespace arges::diag
