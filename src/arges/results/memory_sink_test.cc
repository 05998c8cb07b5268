#include "arges/results/memory_sink.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "arges/base/error.h"
#include "testing/result_run.h"

namespace arges {
namespace {

TEST(MemorySink, KeepsEverythingByDefault) {
  MemorySink sink;
  const test::TestRun run = test::awkward_run();
  run.send_to(sink);
  test::expect_same(sink.trajectory(), run);
  test::expect_same(sink.take(), run);
}

TEST(MemorySink, GivesItsResultOnlyAfterFinish) {
  MemorySink sink;
  sink.begin({});
  EXPECT_THROW(sink.trajectory(), ApiError);
}

ResultLayout two_columns() {
  ResultLayout layout;
  layout.columns = {test::column("slow"), test::column("fast")};
  return layout;
}

// Row i of a run whose second column has one spike.
std::vector<double> row_of(int i, int spike) {
  return {std::sin(1e-3 * i), i == spike ? 100.0 : std::cos(0.7 * i)};
}

TEST(MemorySink, ThinsToAnEnvelopeThatKeepsExtremesAndEnds) {
  for (const std::size_t max_rows : {8, 9, 10, 11, 64, 101, 1000}) {
    for (const int count : {1, 2, 7, 8, 9, 13, 100, 1000, 12345}) {
      const int spike = count / 3;
      MemorySink sink(MemoryLimits{max_rows, 10});
      sink.begin(two_columns());
      for (int i = 0; i < count; ++i) {
        sink.row(i, row_of(i, spike));
        sink.event({});
      }
      sink.finish({});
      const Trajectory& found = sink.trajectory();
      ASSERT_LE(found.rows(), max_rows);
      if (static_cast<std::size_t>(count) > max_rows) {
        ASSERT_GE(found.rows(), max_rows / 2 - 1);
      }
      EXPECT_TRUE(std::is_sorted(found.times.begin(), found.times.end()));
      EXPECT_EQ(found.times.front(), 0);
      EXPECT_EQ(found.times.back(), count - 1);
      for (std::size_t c = 0; c < 2; ++c) {
        ASSERT_EQ(found.values(c).size(), found.rows());
        double low = 1e9;
        double high = -1e9;
        for (int i = 0; i < count; ++i) {
          low = std::min(low, row_of(i, spike)[c]);
          high = std::max(high, row_of(i, spike)[c]);
        }
        EXPECT_EQ(*std::min_element(found.values(c).begin(), found.values(c).end()), low);
        EXPECT_EQ(*std::max_element(found.values(c).begin(), found.values(c).end()), high);
        EXPECT_EQ(found.values(c).front(), row_of(0, spike)[c]);
        EXPECT_EQ(found.values(c).back(), row_of(count - 1, spike)[c]);
      }
      EXPECT_EQ(found.events.size(), std::min<std::size_t>(10, static_cast<std::size_t>(count)));
      EXPECT_EQ(found.events.size() + found.events_left_out, static_cast<std::size_t>(count));
    }
  }
}

TEST(MemorySink, MovesAnExtremeByLessThanItsBucket) {
  constexpr int kCount = 100000;
  constexpr int kSpike = 33333;
  MemorySink sink(MemoryLimits{1000});
  sink.begin(two_columns());
  for (int i = 0; i < kCount; ++i) sink.row(i, row_of(i, kSpike));
  sink.finish({});
  const Trajectory& found = sink.trajectory();
  const auto values = found.values(1);
  const auto top = std::max_element(values.begin(), values.end()) - values.begin();
  // Buckets have 256 rows: 100000 rows in at most 1000 rows, two a bucket.
  EXPECT_NEAR(found.times[static_cast<std::size_t>(top)], kSpike, 256);
  // The slow column is still the sine.
  for (std::size_t r = 0; r < found.rows(); ++r) {
    EXPECT_NEAR(found.values(0)[r], std::sin(1e-3 * found.times[r]), 0.256);
  }
}

TEST(MemorySink, KeepsAValueBesideAbsentOnes) {
  MemorySink sink(MemoryLimits{8});
  ResultLayout layout;
  layout.columns = {test::column("x")};
  sink.begin(layout);
  const double nan = std::nan("");
  for (int i = 0; i < 64; ++i) sink.row(i, std::vector<double>{i == 20 ? 5.0 : nan});
  sink.finish({});
  const auto values = sink.trajectory().values(0);
  EXPECT_EQ(std::count(values.begin(), values.end(), 5.0), 2);
  EXPECT_TRUE(std::isnan(values.back()));
}

TEST(MemorySink, RefusesALimitThatCannotHoldAnEnvelope) {
  EXPECT_THROW(MemorySink(MemoryLimits{7}), ApiError);
}

TEST(Trajectory, FindsByName) {
  MemorySink sink;
  test::awkward_run().send_to(sink);
  const Trajectory& found = sink.trajectory();
  EXPECT_EQ(found.values_of("time")[1], 0.1);
  EXPECT_EQ(found.values_of("count")[1], 100000);
  EXPECT_EQ(found.values_of("g"), std::vector<double>(5, 9.81));
  EXPECT_EQ(found.final_value("count"), -2147483648.0);
  EXPECT_EQ(found.final_value("g"), 9.81);
  EXPECT_EQ(found.find_column("nothing"), std::nullopt);
  const std::string message = test::message_of<UserError>([&] { (void)found.values_of("cuont"); });
  EXPECT_EQ(message, "the result has no variable 'cuont'; did you mean 'count'?");
}

TEST(Trajectory, HasNoFinalValueWithoutRows) {
  MemorySink sink;
  test::empty_run().send_to(sink);
  EXPECT_EQ(sink.trajectory().final_value("g"), 9.81);
  EXPECT_THROW((void)sink.trajectory().final_value("x"), UserError);
}

}  // namespace
}  // namespace arges
