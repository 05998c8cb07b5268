#include "arges/qss/time_heap.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "arges/qss/first_exit.h"

namespace arges {
namespace {

// Times that come again and again, in an order without a pattern.
struct Sequence {
  unsigned state = 1;
  unsigned next(unsigned below) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
  }
};

class TimeHeapOf : public ::testing::TestWithParam<int> {};

TEST_P(TimeHeapOf, ItsFirstIsTheEarliestWhateverWasSet) {
  const int variables = GetParam();
  TimeHeap heap(variables);
  std::vector<double> times(static_cast<std::size_t>(variables), kNever);
  EXPECT_EQ(heap.first_time(), kNever);
  Sequence sequence;
  for (int round = 0; round < 2000; ++round) {
    const int variable = static_cast<int>(sequence.next(static_cast<unsigned>(variables)));
    const double time = sequence.next(10) == 0 ? kNever : sequence.next(50);
    heap.set(variable, time);
    times[static_cast<std::size_t>(variable)] = time;
    const double earliest = *std::min_element(times.begin(), times.end());
    ASSERT_EQ(heap.first_time(), earliest) << "round " << round;
    if (earliest < kNever) {
      ASSERT_EQ(times[static_cast<std::size_t>(heap.first())], earliest);
    }
  }
  heap.clear();
  EXPECT_EQ(heap.first_time(), kNever);
}

// Up to eight stand in a row, more in a heap.
INSTANTIATE_TEST_SUITE_P(Sizes, TimeHeapOf, ::testing::Values(1, 2, 7, 8, 9, 40));

TEST(TimeHeap, OfAFewWithOneTimeTheLowestNumberIsFirst) {
  TimeHeap heap(5);
  for (const int variable : {3, 1, 4}) heap.set(variable, 2.0);
  EXPECT_EQ(heap.first(), 1);
  heap.set(1, 3.0);
  EXPECT_EQ(heap.first(), 3);
}

}  // namespace
}  // namespace arges
