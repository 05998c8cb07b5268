#include "arges/results/result_spool.h"

#include <cmath>

#include <gtest/gtest.h>

#include "arges/results/memory_sink.h"
#include "arges/results/step_recorder.h"

namespace arges {
namespace {

TEST(ResultSpool, GivesBackRowsAndEventsInTheirOrderFromMemoryAndFromAFile) {
  for (const std::size_t in_memory : {ResultSpool::kInMemory, std::size_t{0}, std::size_t{100}}) {
    ResultSpool spool(in_memory);
    for (int i = 0; i < 100; ++i) {
      const std::vector<double> values(static_cast<std::size_t>(1 + i / 50), i);
      spool.row(i, values);
      spool.event({i + 0.5, i, "kind " + std::to_string(i), "", i % 2 == 0, {{"a", 1, 2}}});
    }
    MemorySink sink;
    sink.begin({{{"a", "", ""}, {"b", "", ""}}, {}});
    spool.replay(sink, 2);
    sink.finish({});
    const Trajectory& result = sink.trajectory();
    ASSERT_EQ(result.times.size(), 100u);
    ASSERT_EQ(result.events.size(), 100u);
    EXPECT_EQ(result.times[99], 99);
    EXPECT_EQ(result.values_of("a")[70], 70);
    EXPECT_TRUE(std::isnan(result.values_of("b")[49]));
    EXPECT_EQ(result.values_of("b")[50], 50);
    EXPECT_EQ(result.events[7].kind, "kind 7");
    EXPECT_EQ(result.events[7].iteration, 7);
    EXPECT_FALSE(result.events[7].is_time_event);
    ASSERT_EQ(result.events[7].changes.size(), 1u);
    EXPECT_EQ(result.events[7].changes[0].after, 2);
  }
}

TEST(StepRecorder, TakesNewColumnsOnTheWayWhenItMayGrow) {
  MemorySink sink;
  StepRecorder steps(sink);
  const std::size_t a = steps.add({"a", "", ""}, 1);
  steps.let_grow();
  steps.begin(0);
  const std::size_t b = steps.add({"b", "", "", ValueType::kBoolean}, 7);
  steps.set(1, b, 5);
  steps.widen(b, ValueType::kInteger);
  steps.set(2, a, 3);
  steps.set(2, b, std::nan(""));
  steps.end(3);
  sink.finish({});
  const Trajectory& result = sink.trajectory();
  EXPECT_EQ(result.times, (std::vector<double>{0, 1, 1, 2, 2, 3}));
  const std::vector<double> values = result.values_of("b");
  EXPECT_TRUE(std::isnan(values[0]) && std::isnan(values[1]));
  EXPECT_EQ(values[2], 5);
  EXPECT_EQ(values[3], 5);
  EXPECT_TRUE(std::isnan(values[4]) && std::isnan(values[5]));
  EXPECT_EQ(result.layout.columns[1].type, ValueType::kInteger);
}

TEST(StepRecorder, GrowsWithinBounds) {
  MemorySink sink;
  StepRecorder steps(sink);
  steps.let_grow();
  steps.begin(0);
  for (std::size_t i = 0; i < StepRecorder::kMostLateColumns; ++i) {
    ASSERT_TRUE(steps.may_add());
    steps.add({"c" + std::to_string(i), "", ""}, 0);
  }
  EXPECT_FALSE(steps.may_add());
}

}  // namespace
}  // namespace arges
