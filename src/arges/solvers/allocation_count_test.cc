// The one place of this test program that replaces operator new.
#include <memory>

#include <gtest/gtest.h>

#include "testing/allocation_guard_operators.h"

namespace arges::testing {
namespace {

TEST(AllocationGuard, CountsEveryAllocation) {
  const AllocationGuard guard;
  const auto one = std::make_unique<int>(1);
  const auto two = std::make_unique<double[]>(100);
  ASSERT_NE(one.get(), nullptr);
  ASSERT_NE(two.get(), nullptr);
  EXPECT_EQ(guard.count(), 2);
}

}  // namespace
}  // namespace arges::testing
