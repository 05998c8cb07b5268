#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "arges/base/error.h"
#include "arges/results/open_sink.h"
#include "arges/results/reader.h"
#include "testing/result_run.h"

namespace arges {
namespace {

using test::message_of;

std::string error_of(std::string_view text) {
  return message_of<IoError>([text] { read_csv(text, "t.csv"); });
}

TEST(ReadCsv, ReadsAPlainTable) {
  const Trajectory found = read_csv("time,x,y\n0,1,2\n0.5,-3e2,+4\n", "t.csv");
  EXPECT_EQ(found.times, (std::vector<double>{0, 0.5}));
  EXPECT_EQ(found.values_of("x"), (std::vector<double>{1, -300}));
  EXPECT_EQ(found.values_of("y"), (std::vector<double>{2, 4}));
}

TEST(ReadCsv, TakesSemicolonsTabsByteOrderMarksAndWindowsLines) {
  for (const char separator : {';', '\t'}) {
    std::string text = "\xef\xbb\xbfx|Time|\"a|\"\"b\"|c\r\n 1 |0|nan|TRUE\r\n\r\n2|1||false";
    std::replace(text.begin(), text.end(), '|', separator);
    const Trajectory found = read_csv(text, "t.csv");
    EXPECT_EQ(found.times, (std::vector<double>{0, 1}));
    EXPECT_EQ(found.values_of("x"), (std::vector<double>{1, 2}));
    EXPECT_TRUE(std::isnan(found.values_of(std::string("a") + separator + "\"b")[0]));
    EXPECT_TRUE(std::isnan(found.values(1)[1]));
    EXPECT_EQ(found.values_of("c"), (std::vector<double>{1, 0}));
  }
}

TEST(ReadCsv, TakesTheFirstColumnAsTimeWhenNoneIsNamedSo) {
  const Trajectory found = read_csv("t,x\n1,2\n", "t.csv");
  EXPECT_EQ(found.times, std::vector<double>{1});
  EXPECT_EQ(found.layout.columns[0].name, "x");
}

TEST(ReadCsv, RoundsNumbersBeyondTheRangeOfDoubles) {
  const Trajectory found = read_csv("time,x\n0,1e999\n1,-1e999\n2,1e-999\n", "t.csv");
  EXPECT_EQ(found.values_of("x"), (std::vector<double>{HUGE_VAL, -HUGE_VAL, 0}));
}

TEST(ReadCsv, SaysWhereTheTableIsWrong) {
  EXPECT_EQ(error_of("time,x\n0,1\n1,abc\n"), "t.csv:3: column 2: 'abc' is not a number");
  EXPECT_EQ(error_of("time,x\n0,1\n1\n"), "t.csv:3: column 2: 1 cells, where the header has 2");
  EXPECT_EQ(error_of("time,x\n0,1,2\n"),
            "t.csv:2: column 3: more cells than the header, which has 2");
  EXPECT_EQ(error_of("time,x\n,1\n"), "t.csv:2: column 1: the time is missing");
  EXPECT_EQ(error_of("time,\"x\n0,1\n"), "t.csv:1: column 2: the quote is never closed");
  EXPECT_EQ(error_of("time,\"x\"y\n"), "t.csv:1: column 2: text after the closing quote");
  EXPECT_EQ(error_of("\"time\nof day\",x\n0,1\n1,1.5.2\n"),
            "t.csv:4: column 2: '1.5.2' is not a number");
  EXPECT_EQ(error_of("hello\n"), "t.csv:1: no column 'time', and no other that could be one");
  EXPECT_EQ(error_of("one, two\n"), "t.csv:1: no column 'time', and no other that could be one");
  EXPECT_EQ(error_of("1,2\n3,4\n"),
            "t.csv:1: the first line holds numbers; a header with the names is needed");
  EXPECT_EQ(error_of("\n\n"), "t.csv:1: the table has no header");
}

TEST(ReadCsv, DoesNotTakeNumbersApart) {
  for (const char* cell : {"0x10", "1e", "--1", "+-1", "1,5;", "1 2", ".", "e5", "infx", "12abc"}) {
    EXPECT_NE(error_of(std::string("time,x\n0,\"") + cell + "\"\n"), "") << cell;
  }
}

TEST(ReadResult, UsesTheSidecarOnlyWhenItBelongsToTheTable) {
  const test::TempFolder folder;
  test::awkward_run().send_to(*open_sink(folder / "a.csv"));
  EXPECT_EQ(read_result(folder / "a.csv").layout.parameters.size(), 3u);
  test::spit(folder / "a.csv", "time,other\n0,1\n");
  EXPECT_EQ(read_result(folder / "a.csv").layout.parameters.size(), 0u);
  test::spit(folder / "a.csv.manifest.json", "{\"format\": 1");
  EXPECT_TRUE(message_of<IoError>([&] {
                read_result(folder / "a.csv");
              }).starts_with((folder / "a.csv.manifest.json").string()));
}

TEST(ReadResult, RefusesATableThatHasLostItsLastBytes) {
  const test::TempFolder folder;
  test::awkward_run().send_to(*open_sink(folder / "a.csv"));
  const std::string whole = test::slurp(folder / "a.csv");
  for (std::size_t lost = 1; lost <= 3; ++lost) {
    test::spit(folder / "a.csv", whole.substr(0, whole.size() - lost));
    EXPECT_NE(message_of<IoError>([&] { read_result(folder / "a.csv"); }), "") << lost;
  }
  test::spit(folder / "b.csv", "time,x\n0,1.25\n1,2.5");
  EXPECT_NE(message_of<IoError>([&] { read_result(folder / "b.csv"); }).find("is cut"),
            std::string::npos);
}

TEST(ReadResult, TellsTheFormatByTheContent) {
  const test::TempFolder folder;
  for (const char* name : {"a.csv", "a.mat", "a.h5"}) {
    test::awkward_run().send_to(*open_sink(folder / name));
    std::filesystem::rename(folder / name, folder / "plain");
    EXPECT_EQ(read_result(folder / "plain").rows(), 5u) << name;
  }
}

TEST(ReadResult, RefusesOtherFiles) {
  const test::TempFolder folder;
  const auto error_for = [&](std::string_view bytes) {
    test::spit(folder / "f", bytes);
    return message_of<IoError>([&] { read_result(folder / "f"); });
  };
  EXPECT_NE(error_for("").find("the file is empty"), std::string::npos);
  EXPECT_NE(error_for("MATLAB 5.0 MAT-file").find("later version"), std::string::npos);
  EXPECT_NE(error_for(std::string("PK\3\4\0\0", 6)).find("neither CSV nor"), std::string::npos);
  EXPECT_NE(message_of<IoError>([&] { read_result(folder / "none"); }).find("No such file"),
            std::string::npos);
  EXPECT_NE(message_of<IoError>([&] { read_result(folder.path()); }).find("directory"),
            std::string::npos);
}

}  // namespace
}  // namespace arges
