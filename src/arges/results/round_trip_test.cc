// Every format gives back what was written, bit by bit.

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/results/open_sink.h"
#include "arges/results/reader.h"
#include "testing/result_run.h"

namespace arges {
namespace {

class RoundTrip : public ::testing::TestWithParam<const char*> {
 protected:
  std::filesystem::path write(const test::TestRun& run) {
    std::filesystem::path path = folder_ / GetParam();
    const auto sink = open_sink(path);
    run.send_to(*sink);
    return path;
  }
  test::TempFolder folder_;
};

TEST_P(RoundTrip, GivesBackAnAwkwardRunBitByBit) {
  const test::TestRun run = test::awkward_run();
  test::expect_same(read_result(write(run)), run);
}

TEST_P(RoundTrip, KeepsBothRowsAtAnEvent) {
  const Trajectory found = read_result(write(test::awkward_run()));
  EXPECT_EQ(found.times[2], found.times[3]);
  EXPECT_EQ(found.values(0)[2], -1e-17);
  EXPECT_EQ(found.values(0)[3], 0);
}

TEST_P(RoundTrip, GivesAValidFileForARunWithoutRows) {
  const test::TestRun run = test::empty_run();
  test::expect_same(read_result(write(run)), run);
}

TEST_P(RoundTrip, GivesAValidFileForARunWithoutColumns) {
  test::TestRun run;
  run.rows = {{0.0, {}}, {1.0, {}}};
  test::expect_same(read_result(write(run)), run);
}

TEST_P(RoundTrip, GivesBackManyRowsAcrossBlocks) {
  test::TestRun run;
  for (int c = 0; c < 37; ++c)
    run.layout.columns.push_back(test::column("y[" + std::to_string(c) + "]"));
  for (int r = 0; r < 5000; ++r) {
    std::vector<double> values;
    for (int c = 0; c < 37; ++c) values.push_back(std::sin(0.1 * r + c) * std::pow(10.0, c - 18));
    run.rows.emplace_back(r * 0.1, values);
  }
  for (int e = 0; e < 3000; ++e) {
    run.events.push_back({e * 0.1,
                          e % 3,
                          "SE-X",
                          "c" + std::to_string(e % 7),
                          e % 2 == 0,
                          {{"y[1]", e * 0.3, -e * 0.7}}});
  }
  test::expect_same(read_result(write(run)), run);
}

TEST_P(RoundTrip, LeavesOnlyTheFinishedFiles) {
  write(test::awkward_run());
  std::vector<std::string> expected = {GetParam()};
  if (std::string(GetParam()) == "run.csv") expected.push_back("run.csv.manifest.json");
  EXPECT_EQ(folder_.files(), expected);
}

TEST_P(RoundTrip, LeavesNothingWhenTheRunIsAbandoned) {
  {
    const auto sink = open_sink(folder_ / GetParam());
    const test::TestRun run = test::awkward_run();
    sink->begin(run.layout);
    sink->row(0, run.rows[0].second);
    sink->event(run.events[0]);
  }
  EXPECT_EQ(folder_.files(), std::vector<std::string>{});
}

TEST_P(RoundTrip, KeepsTheOldFileUntilTheNewOneIsFinished) {
  const std::filesystem::path path = write(test::awkward_run());
  {
    const auto sink = open_sink(path);
    sink->begin(test::empty_run().layout);
  }
  test::expect_same(read_result(path), test::awkward_run());
  write(test::empty_run());
  test::expect_same(read_result(path), test::empty_run());
}

TEST_P(RoundTrip, RefusesCallsOutOfOrder) {
  const auto sink = open_sink(folder_ / GetParam());
  const test::TestRun run = test::awkward_run();
  EXPECT_THROW(sink->row(0, {}), ApiError);
  EXPECT_THROW(sink->event(run.events[0]), ApiError);
  EXPECT_THROW(sink->finish({}), ApiError);
  sink->begin(run.layout);
  EXPECT_THROW(sink->begin(run.layout), ApiError);
  EXPECT_EQ(test::message_of<ApiError>([&] { sink->row(0, std::vector<double>(3)); }),
            "ResultSink::row: 3 values for 7 columns");
}

INSTANTIATE_TEST_SUITE_P(Formats, RoundTrip, ::testing::Values("run.csv", "run.mat", "run.h5"),
                         [](const auto& format) { return std::string(format.param).substr(4); });

TEST(OpenSink, TellsTheFormatByTheExtensionInAnyCase) {
  const test::TempFolder folder;
  for (const char* name : {"a.CSV", "a.Mat", "a.hdf5", "a.H5"})
    EXPECT_NE(open_sink(folder / name), nullptr);
}

TEST(OpenSink, ListsTheFormatsForAnUnknownExtension) {
  EXPECT_EQ(
      test::message_of<UserError>([] { open_sink("a.xlsx"); }),
      "cannot tell the format of the result file 'a.xlsx', which ends in '.xlsx'; use .csv (any "
      "program), .mat (MAT v4, Modelica tools) or .h5 (HDF5)");
  EXPECT_THROW(open_sink("plain"), UserError);
}

}  // namespace
}  // namespace arges
