#include "arges/driver/benchmark.h"

#include <algorithm>
#include <cmath>
#include <exception>

#include <fmt/format.h>

namespace arges {

std::string_view to_string(ReferenceSource source) {
  switch (source) {
    case ReferenceSource::kPublished:
      return "published";
    case ReferenceSource::kReference:
      return "reference";
    case ReferenceSource::kAssumed:
      return "assumed";
  }
  return "";
}

std::string format_value(double value, double tolerance) {
  if (value == 0 || !std::isfinite(value) || !(tolerance > 0)) return fmt::format("{}", value);
  const double digits =
      std::floor(std::log10(std::abs(value))) - std::floor(std::log10(tolerance)) + 2;
  return fmt::format("{:.{}g}", value, static_cast<int>(std::clamp(digits, 4.0, 17.0)));
}

void BenchmarkReport::begin_task(std::string task, std::string title) {
  tasks_.push_back({std::move(task), std::move(title), {}, {}, {}, {}});
}

BenchmarkReport::Task& BenchmarkReport::task() {
  if (tasks_.empty()) begin_task("", "");
  return tasks_.back();
}

void BenchmarkReport::compare(std::string quantity, double computed, double published,
                              double tolerance, ReferenceSource source) {
  const bool ok = std::abs(computed - published) <= tolerance;
  task().rows.push_back(
      {benchmark_, task().id, std::move(quantity), computed, published, source, tolerance, ok});
}

void BenchmarkReport::figure(std::string file, std::string caption, plot::Figure figure) {
  task().figures.push_back({std::move(file), std::move(caption), std::move(figure)});
}

void BenchmarkReport::text(std::string paragraph) {
  task().paragraphs.push_back(std::move(paragraph));
}

void BenchmarkReport::table(std::string caption, std::vector<std::vector<std::string>> rows) {
  task().tables.push_back({std::move(caption), std::move(rows)});
}

std::vector<BenchmarkRow> BenchmarkReport::rows() const {
  std::vector<BenchmarkRow> all;
  for (const Task& each : tasks_) all.insert(all.end(), each.rows.begin(), each.rows.end());
  return all;
}

std::size_t SolvedBenchmark::rows_ok() const {
  const auto rows = report.rows();
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [](const BenchmarkRow& row) { return row.ok; }));
}

SolvedBenchmark solve(const Benchmark& benchmark, std::string lesson) {
  SolvedBenchmark solved{benchmark.id, benchmark.title, std::move(lesson),
                         BenchmarkReport(benchmark.id)};
  try {
    benchmark.solve(solved.report);
  } catch (const std::exception& error) {
    solved.failure = error.what();
    if (solved.failure.empty()) solved.failure = "an error without a message";
  }
  return solved;
}

}  // namespace arges
