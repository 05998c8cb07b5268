#include "arges/external/time_table.h"

#include <limits>

#include <gtest/gtest.h>

#include "arges/base/error.h"

namespace arges::external {
namespace {

constexpr double kNever = std::numeric_limits<double>::max();

TimeTable jump(TimeTable::Settings s) { return TimeTable({0, 1, 1, 2}, {{0, 1, 5, 6}}, s); }

TEST(TimeTable, EventsAtEveryPointAtJumpsOrNowhere) {
  TimeTable::Settings s;
  s.start = -1;
  EXPECT_EQ(jump(s).next_event(-2), -1);
  EXPECT_EQ(jump(s).next_event(-1), 0);
  EXPECT_EQ(jump(s).next_event(0), 1);
  EXPECT_EQ(jump(s).next_event(1), 2);
  EXPECT_EQ(jump(s).next_event(2), kNever);
  s.events = TimeEvents::kNone;
  EXPECT_EQ(jump(s).next_event(0), 2);
  s.events = TimeEvents::kAtDiscontinuities;
  const TimeTable t({0, 0.5, 1, 1, 2}, {{0, 0, 1, 5, 6}}, s);
  EXPECT_EQ(t.next_event(0), 1);
}

TEST(TimeTable, TheValueJumpsWhenTheEventIsNoticed) {
  const TimeTable t = jump({});
  EXPECT_DOUBLE_EQ(t.at(1, 0.5, 1, 1).value, 0.5);
  EXPECT_DOUBLE_EQ(t.at(1, 1, 1, 1).value, 1);  // not noticed yet
  EXPECT_DOUBLE_EQ(t.at(1, 1, 2, 1).value, 5);  // in the event
  EXPECT_DOUBLE_EQ(t.at(1, 1, 2, 2).value, 5);  // after it
  EXPECT_DOUBLE_EQ(t.at(1, 1.5, 2, 2).value, 5.5);
  EXPECT_DOUBLE_EQ(t.at(1, 1.5, 2, 2).first, 1);
}

TEST(TimeTable, RoundingOfTheShiftDoesNotMissAJump) {
  TimeTable::Settings s;
  s.shift = 0.1;
  s.smoothness = Smoothness::kConstant;
  const TimeTable t({0, 0.2, 0.7}, {{1, 2, 3}}, s);
  const double event = t.next_event(0.15);
  EXPECT_EQ(event, 0.2 + 0.1);
  const double next = t.next_event(event);
  EXPECT_GT(next, event);
  EXPECT_EQ(t.at(1, event, event, event).value, 1);
  EXPECT_EQ(t.at(1, event, next, next).value, 2);
}

TEST(TimeTable, PeriodsRepeatForEver) {
  TimeTable::Settings s;
  s.extrapolation = Extrapolation::kPeriodic;
  const TimeTable t({0, 0.1, 0.3}, {{0, 1, 4}}, s);
  double time = 0;
  for (int k = 0; k < 2000; ++k) {
    const double next = t.next_event(time);
    ASSERT_GT(next, time);
    const double middle = 0.5 * (time + next);
    ASSERT_NEAR(t.at(1, middle, next, next).value, k % 2 == 0 ? 0.5 : 2.5, 1e-9);
    ASSERT_NEAR(t.at(1, next, next, next).value, k % 2 == 0 ? 1 : 4, 1e-9);  // from the left
    time = next;
  }
  EXPECT_NEAR(time, 300, 1e-9);
}

TEST(TimeTable, NothingBeforeTheStart) {
  TimeTable::Settings s;
  s.start = 0.5;
  const TimeTable t({0, 1}, {{7, 8}}, s);
  EXPECT_EQ(t.next_event(0), 0.5);
  EXPECT_EQ(t.at(1, 0.4, 0.5, 0.5).value, 0);
  EXPECT_EQ(t.at(1, 0.5, 0.5, 0.5).value, 0);  // not noticed yet
  EXPECT_DOUBLE_EQ(t.at(1, 0.5, 1, 0.5).value, 7.5);
}

TEST(TimeTable, TimesMustBeInOrder) {
  EXPECT_THROW(TimeTable({0, 2, 1}, {{0, 0, 0}}, {}), EvaluationError);
  TimeTable::Settings s;
  s.smoothness = Smoothness::kAkima;
  EXPECT_THROW(TimeTable({0, 1, 1}, {{0, 0, 0}}, s), EvaluationError);
}

}  // namespace
}  // namespace arges::external
