#include "arges/driver/benchmark.h"

#include <cmath>

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

}  // namespace arges
