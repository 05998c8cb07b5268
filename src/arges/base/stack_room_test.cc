#include "arges/base/stack_room.h"

#include <gtest/gtest.h>

#include <thread>

namespace arges {
namespace {

// How many calls there are until the stack is short.
int calls(int depth) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(depth);
  if (stack_is_short() || depth > 1'000'000) return depth;
  const int deepest = calls(depth + 1);
  return frame[0] == static_cast<char>(depth) ? deepest : -1;  // the frame was needed until here
}

TEST(StackRoom, RunsShortBeforeItEnds) {
  EXPECT_FALSE(stack_is_short());
  const int deep = calls(0);
  EXPECT_GT(deep, 100);
  EXPECT_LT(deep, 100'000);
  EXPECT_FALSE(stack_is_short());
}

TEST(StackRoom, EachThreadHasItsOwn) {
  int deep = 0;
  std::thread([&] { deep = calls(0); }).join();
  EXPECT_GT(deep, 100);
  EXPECT_LT(deep, 100'000);
}

}  // namespace
}  // namespace arges
