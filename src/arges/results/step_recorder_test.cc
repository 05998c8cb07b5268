#include "arges/results/step_recorder.h"

#include <cmath>

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/results/memory_sink.h"

namespace arges {
namespace {

using Values = std::vector<double>;

TEST(StepRecorder, WritesBothSidesOfEachTimeAtWhichSomethingChanges) {
  MemorySink memory;
  StepRecorder recorder(memory);
  const std::size_t a = recorder.add({"a", "", "", ValueType::kInteger}, 1);
  const std::size_t b = recorder.add({"b", "", ""}, NAN);
  recorder.begin(0);
  recorder.set(1, a, 2);
  recorder.set(1, a, 3);
  recorder.set(1, b, 7);
  recorder.set(2, a, 3);  // no change, no row
  recorder.set(2.5, b, NAN);
  recorder.end(4);
  memory.finish({});
  const Trajectory& result = memory.trajectory();
  EXPECT_EQ(result.times, (Values{0, 1, 1, 2.5, 2.5, 4}));
  EXPECT_EQ(result.values_of("a"), (Values{1, 1, 3, 3, 3, 3}));
  EXPECT_TRUE(std::isnan(result.values_of("b")[0]));
  EXPECT_EQ(result.values_of("b")[3], 7);
  EXPECT_TRUE(std::isnan(result.values_of("b")[5]));
  EXPECT_EQ(result.layout.columns[0].variability, Variability::kDiscrete);
}

TEST(StepRecorder, WritesTheEndOnceWhenTheLastChangeIsThere) {
  MemorySink memory;
  StepRecorder recorder(memory);
  const std::size_t a = recorder.add({"a", "", ""}, 0);
  recorder.begin(0);
  recorder.set(2, a, 1);
  recorder.end(2);
  memory.finish({});
  EXPECT_EQ(memory.trajectory().times, (Values{0, 2, 2}));
  EXPECT_EQ(memory.trajectory().values_of("a"), (Values{0, 0, 1}));
}

TEST(StepRecorder, WritesMultiplesOfAnInterval) {
  MemorySink memory;
  StepRecorder recorder(memory, 1);
  const std::size_t a = recorder.add({"a", "", ""}, 0);
  recorder.begin(0);
  recorder.set(0.5, a, 1);
  recorder.set(2, a, 2);  // counts at 2
  recorder.end(3.5);
  memory.finish({});
  EXPECT_EQ(memory.trajectory().times, (Values{0, 1, 2, 3, 3.5}));
  EXPECT_EQ(memory.trajectory().values_of("a"), (Values{0, 1, 2, 2, 2}));
}

TEST(StepRecorder, WritesOneRowForWhatGlidesAndTwoForWhatJumpsThere) {
  MemorySink memory;
  StepRecorder recorder(memory);
  const std::size_t a = recorder.add({"a", "", ""}, 0, Variability::kContinuous);
  const std::size_t b = recorder.add({"b", "", ""}, 0);
  recorder.begin(0);
  recorder.glide(1, a, 10);
  recorder.glide(2, a, 20);
  recorder.set(2, b, 1);
  recorder.glide(3, a, 30);
  recorder.end(3);
  memory.finish({});
  EXPECT_EQ(memory.trajectory().times, (Values{0, 1, 2, 2, 3}));
  EXPECT_EQ(memory.trajectory().values_of("a"), (Values{0, 10, 20, 20, 30}));
  EXPECT_EQ(memory.trajectory().values_of("b"), (Values{0, 0, 0, 1, 1}));
  EXPECT_EQ(memory.trajectory().layout.columns[0].variability, Variability::kContinuous);
}

TEST(StepRecorder, HasFixedColumns) {
  MemorySink memory;
  StepRecorder recorder(memory);
  recorder.begin(0);
  EXPECT_THROW(recorder.add({"late", "", ""}, 0), ApiError);
}

}  // namespace
}  // namespace arges
