#include "arges/base/saturated.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace arges {
namespace {

TEST(Saturated, CutsOffInsideAndStopsAtTheEnds) {
  EXPECT_EQ(saturated<int>(-2.9), -2);
  EXPECT_EQ(saturated<int>(2147483646.5), 2147483646);
  EXPECT_EQ(saturated<int>(1e10), 2147483647);
  EXPECT_EQ(saturated<int>(-INFINITY), -2147483647 - 1);
  EXPECT_EQ(saturated<int>(NAN), 0);
  EXPECT_EQ(saturated<std::int64_t>(9.3e18), INT64_MAX);
  EXPECT_EQ(saturated<std::int64_t>(-9.3e18), INT64_MIN);
  EXPECT_EQ(saturated<std::uint8_t>(-1), 0);
}

}  // namespace
}  // namespace arges
