// How `arges benchmark` ends when values are wrong, a benchmark throws, or the user interrupts.

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "console.h"

namespace arges::app {
namespace {

Benchmark with_value(const std::string& id, double computed) {
  return {id, "Title of " + id, "", [computed](BenchmarkReport& report) {
            report.begin_task("a", "Task");
            report.compare("x", computed, 1.0, 1e-6, ReferenceSource::kPublished);
          }};
}

Benchmark throwing(const std::string& id) {
  return {id, "Throws", "", [](BenchmarkReport& report) {
            report.begin_task("a", "Task");
            report.compare("y", 2, 2, 0, ReferenceSource::kReference);
            throw std::runtime_error("Newton failed at t = 3");
          }};
}

Benchmark interrupting(const std::string& id) {
  return {id, "Interrupted", "", [](BenchmarkReport& report) {
            std::raise(SIGINT);
            report.compare("z", 1, 1, 0, ReferenceSource::kReference);
          }};
}

struct Outcome {
  int code;
  std::string output, messages;
};

Outcome run_benchmark(const std::vector<Benchmark>& gallery, const BenchmarkCommand& command) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  const int code = benchmark(gallery, command);
  std::fflush(stdout);
  return {code, ::testing::internal::GetCapturedStdout(), ::testing::internal::GetCapturedStderr()};
}

TEST(BenchmarkCommand, AllValuesWithinToleranceIsZero) {
  const Outcome outcome = run_benchmark({with_value("A", 1), with_value("B", 1 + 1e-7)}, {});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.output.find("2 of 2 values within tolerance, 2 of 2 benchmarks"),
            std::string::npos);
  EXPECT_EQ(outcome.messages, "");
}

TEST(BenchmarkCommand, AWrongValueIsOne) {
  const Outcome outcome = run_benchmark({with_value("A", 1), with_value("B", 1.1)}, {});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.output.find("NOT OK"), std::string::npos);
  EXPECT_NE(outcome.output.find("1 of 2 values within tolerance"), std::string::npos);
}

TEST(BenchmarkCommand, OneThatThrowsIsFourAndTheOthersStillRun) {
  const Outcome outcome = run_benchmark({throwing("A"), with_value("B", 1)}, {});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_NE(outcome.output.find("FAILED"), std::string::npos);
  EXPECT_NE(outcome.output.find("2 of 2 values within tolerance, 1 of 2 benchmarks"),
            std::string::npos);
  EXPECT_NE(outcome.messages.find("benchmark A was not run to the end: Newton failed at t = 3"),
            std::string::npos);
}

TEST(BenchmarkCommand, JsonHasARowForTheOneThatThrows) {
  BenchmarkCommand command;
  command.json = true;
  const Outcome outcome = run_benchmark({throwing("A"), with_value("B", 1)}, command);
  EXPECT_EQ(outcome.code, 4);
  const auto rows = nlohmann::json::parse(outcome.output);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0]["ok"], true);
  EXPECT_EQ(rows[1]["ok"], false);
  EXPECT_EQ(rows[1]["quantity"], "not run to the end: Newton failed at t = 3");
  EXPECT_TRUE(rows[1]["computed"].is_null());
  EXPECT_EQ(rows[2]["benchmark"], "B");
}

TEST(BenchmarkCommand, AnInterruptionEndsAfterThePresentBenchmark) {
  EXPECT_EXIT(
      {
        watch_signals();
        std::exit(benchmark({interrupting("A"), throwing("B")}, {}));
      },
      testing::ExitedWithCode(130), "interrupted: 1 of 2 benchmarks were run");
}

TEST(BenchmarkCommand, AnEmptyGalleryIsNoError) {
  EXPECT_EQ(run_benchmark({}, {}).code, 0);
  BenchmarkCommand command;
  command.json = true;
  EXPECT_EQ(run_benchmark({}, command).output, "[]\n");
}

TEST(BenchmarkCommand, TheSameBenchmarkTwiceIsRunOnce) {
  BenchmarkCommand command;
  command.ids = {"B", "A", "B"};
  command.json = true;
  const auto rows = nlohmann::json::parse(
      run_benchmark({with_value("A", 1), with_value("B", 1)}, command).output);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["benchmark"], "B");
}

}  // namespace
}  // namespace arges::app
