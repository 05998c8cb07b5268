#include "arges/results/event_log.h"

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/results/memory_sink.h"
#include "arges/results/tee_sink.h"
#include "testing/result_run.h"

namespace arges {
namespace {

TEST(EventLog, WritesOneLineAnEventAsText) {
  const test::TempFolder folder;
  test::awkward_run().send_to(*open_event_log((folder / "events.txt").string()));
  EXPECT_EQ(
      test::slurp(folder / "events.txt"),
      "3.0000000000000004e-01  0  SE-P+SE-X  ball.bounce  x: -1e-17 -> 0\n"
      "3.0000000000000004e-01  1  SE-S  größe, \"mode\"  a[1,2]: absent -> 5e-324, count: 3 -> 4\n"
      "1.0000000000000000e+05  0  SE-I  -  -\n");
}

TEST(EventLog, WritesOneObjectALineAsJsonLines) {
  const test::TempFolder folder;
  test::awkward_run().send_to(*open_event_log((folder / "events.jsonl").string()));
  EXPECT_EQ(
      test::slurp(folder / "events.jsonl"),
      R"({"time":0.30000000000000004,"iteration":0,"kind":"SE-P+SE-X","component":"ball.bounce",)"
      R"("time_event":false,"changes":[{"name":"x","before":-1e-17,"after":0.0}]})"
      "\n"
      R"({"time":0.30000000000000004,"iteration":1,"kind":"SE-S","component":"gr\u00f6\u00dfe, \"mode\"",)"
      R"("time_event":false,"changes":[{"name":"a[1,2]","before":"NaN","after":5e-324},)"
      R"({"name":"count","before":3.0,"after":4.0}]})"
      "\n"
      R"({"time":100000.0,"iteration":0,"kind":"SE-I","component":"","time_event":true,"changes":[]})"
      "\n");
}

TEST(EventLog, WritesOneLineAChangeAsCsv) {
  const test::TempFolder folder;
  test::awkward_run().send_to(*open_event_log((folder / "events.csv").string()));
  EXPECT_EQ(test::slurp(folder / "events.csv"),
            "time,iteration,kind,component,time_event,name,before,after\n"
            "0.30000000000000004,0,SE-P+SE-X,ball.bounce,0,x,-1e-17,0\n"
            "0.30000000000000004,1,SE-S,\"größe, \"\"mode\"\"\",0,\"a[1,2]\",,5e-324\n"
            "0.30000000000000004,1,SE-S,\"größe, \"\"mode\"\"\",0,count,3,4\n"
            "1e+05,0,SE-I,,1,,,\n");
}

TEST(EventLog, WritesToAStream) {
  std::FILE* stream = std::tmpfile();
  ASSERT_NE(stream, nullptr);
  {
    EventLogSink log(stream, EventLogFormat::kText);
    test::awkward_run().send_to(log);
  }
  EXPECT_GT(std::ftell(stream), 100);
  std::fclose(stream);
}

TEST(EventLog, KeepsALineBreakInANameOffTheLine) {
  EventRecord record;
  record.component = "a\nb";
  EXPECT_EQ(format_event(record, EventLogFormat::kText), "0.0000000000000000e+00  0  -  a b  -\n");
}

TEST(TeeSink, GivesEverythingToEachSink) {
  const test::TempFolder folder;
  MemorySink memory;
  TeeSink tee;
  tee.add(memory);
  tee.add(open_event_log((folder / "events.csv").string()));
  const test::TestRun run = test::awkward_run();
  run.send_to(tee);
  test::expect_same(memory.trajectory(), run);
  EXPECT_EQ(folder.files(), std::vector<std::string>{"events.csv"});
}

}  // namespace
}  // namespace arges
