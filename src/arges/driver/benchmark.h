#pragma once
// Benchmarks: tasks solved with Arges, each number beside the published one.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "arges/plot/figure.h"

namespace arges {

// What stands beside our value.
enum class ReferenceSource {
  kPublished,  // printed in the definition or in a published solution
  kReference,  // computed to more digits, by another method
  kAssumed,    // the definition has a gap, and a value was chosen: never the published benchmark
};
std::string_view to_string(ReferenceSource source);  // "published", "reference", "assumed"

struct BenchmarkRow {
  std::string benchmark;  // "C5"
  std::string task;       // "b"
  std::string quantity;   // "t3, third event"
  double computed = 0;
  double published = 0;  // the value beside ours, whatever its source
  ReferenceSource source = ReferenceSource::kReference;
  double tolerance = 0;  // absolute
  bool ok = false;       // |computed - published| <= tolerance
};

// A value with the digits that its tolerance makes sense of, and one more.
std::string format_value(double value, double tolerance);

struct BenchmarkFigure {
  std::string file;  // name without extension
  std::string caption;
  plot::Figure figure;
};

// What a benchmark hands in: rows for the table, figures, tables and paragraphs for the report, in
// this order of tasks.
class BenchmarkReport {
 public:
  explicit BenchmarkReport(std::string benchmark) : benchmark_(std::move(benchmark)) {}

  // Everything that follows belongs to this task.
  void begin_task(std::string task, std::string title);
  void compare(std::string quantity, double computed, double published, double tolerance,
               ReferenceSource source);
  void figure(std::string file, std::string caption, plot::Figure figure);
  void text(std::string paragraph);
  // A table of strings with a header row, for the report and `--tables`.
  void table(std::string caption, std::vector<std::vector<std::string>> rows);

  struct Table {
    std::string caption;
    std::vector<std::vector<std::string>> rows;
  };
  struct Task {
    std::string id, title;
    std::vector<BenchmarkRow> rows;
    std::vector<BenchmarkFigure> figures;
    std::vector<std::string> paragraphs;
    std::vector<Table> tables;
  };
  const std::vector<Task>& tasks() const { return tasks_; }
  const std::string& benchmark() const { return benchmark_; }
  std::vector<BenchmarkRow> rows() const;

 private:
  Task& task();

  std::string benchmark_;
  std::vector<Task> tasks_;
};

// One benchmark of the gallery. `solve` runs all tasks; it throws when a run that must succeed does
// not.
struct Benchmark {
  std::string id;      // "C5"
  std::string title;   // "Two State Model"
  std::string lesson;  // path of its lesson within the project: "argesim/c05_two_state/lesson.md"
  std::function<void(BenchmarkReport&)> solve;
};

// A benchmark that has been run. `failure` is what its `solve` threw, if anything; what it had
// reported before is kept.
struct SolvedBenchmark {
  std::string id;
  std::string title;
  std::string lesson;  // the text of its lesson (Markdown); may be empty
  BenchmarkReport report;
  std::string failure = {};

  std::size_t rows_ok() const;
  bool ok() const { return failure.empty() && rows_ok() == report.rows().size(); }
};

// Runs it. Only what `solve` throws as a std::exception becomes a failure.
SolvedBenchmark solve(const Benchmark& benchmark, std::string lesson);

}  // namespace arges
