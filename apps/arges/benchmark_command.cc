#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arges/base/error.h"
#include "arges/base/nearest.h"
#include "arges/driver/report.h"
#include "argesim/embedded.h"
#include "commands.h"
#include "console.h"

namespace arges::app {

namespace {

using Json = nlohmann::ordered_json;
using Cells = std::vector<std::string>;

std::vector<const Benchmark*> choose(const std::vector<Benchmark>& gallery,
                                     const std::vector<std::string>& ids) {
  std::vector<const Benchmark*> chosen;
  std::vector<std::string> known;
  for (const Benchmark& each : gallery) known.push_back(each.id);
  for (const std::string& id : ids) {
    bool known_id = false;
    for (const Benchmark& each : gallery) {
      // C21 has parts, C21-ball and others: its name alone means all of them.
      if (each.id != id && !each.id.starts_with(id + "-")) continue;
      known_id = true;
      if (std::find(chosen.begin(), chosen.end(), &each) == chosen.end()) chosen.push_back(&each);
    }
    if (!known_id) {
      throw UserError(
          fmt::format("there is no benchmark '{}'{} ('arges benchmark --list' shows all)", id,
                      did_you_mean(id, known)));
    }
  }
  if (ids.empty()) {
    for (const Benchmark& each : gallery) chosen.push_back(&each);
  }
  return chosen;
}

int list_gallery(const std::vector<Benchmark>& gallery, bool json) {
  if (json) {
    Json all = Json::array();
    for (const Benchmark& each : gallery)
      all.push_back({{"benchmark", each.id}, {"title", each.title}});
    fmt::print("{}\n", all.dump(2));
    return 0;
  }
  std::size_t width = 0;
  for (const Benchmark& each : gallery) width = std::max(width, each.id.size());
  for (const Benchmark& each : gallery) fmt::print("{:<{}}  {}\n", each.id, width, each.title);
  return 0;
}

Json number(double value) {
  if (!std::isfinite(value)) return nullptr;  // JSON has no NaN
  return value;
}

void print_json(const std::vector<SolvedBenchmark>& all) {
  Json rows = Json::array();
  for (const SolvedBenchmark& each : all) {
    for (const BenchmarkRow& row : each.report.rows()) {
      rows.push_back({{"benchmark", row.benchmark},
                      {"task", row.task},
                      {"quantity", row.quantity},
                      {"computed", number(row.computed)},
                      {"published", number(row.published)},
                      {"source", to_string(row.source)},
                      {"tolerance", number(row.tolerance)},
                      {"ok", row.ok}});
    }
    if (!each.failure.empty()) {
      const auto& tasks = each.report.tasks();
      rows.push_back({{"benchmark", each.id},
                      {"task", tasks.empty() ? "" : tasks.back().id},
                      {"quantity", "not run to the end: " + each.failure},
                      {"computed", nullptr},
                      {"published", nullptr},
                      {"source", to_string(ReferenceSource::kReference)},
                      {"tolerance", nullptr},
                      {"ok", false}});
    }
  }
  fmt::print("{}\n", rows.dump(2));
}

// Characters, not bytes.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

// In columns; `is_right` says which of them end at the same place.
template <class IsRight>
void print_columns(const std::vector<Cells>& rows, IsRight is_right) {
  std::vector<std::size_t> widths;
  for (const Cells& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width_of(row[c]));
  }
  for (const Cells& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string fill(widths[c] - width_of(row[c]), ' ');
      line += is_right(c) ? fill + row[c] + "  " : row[c] + fill + "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  }
  fmt::print("\n");
}

void print_tables(const std::vector<SolvedBenchmark>& all) {
  for (const SolvedBenchmark& each : all) {
    for (const BenchmarkReport::Task& task : each.report.tasks()) {
      for (const BenchmarkReport::Table& table : task.tables) {
        fmt::print("{} {}: {}\n", each.id, task.id, table.caption);
        print_columns(table.rows, [](std::size_t) { return false; });
      }
    }
  }
}

void print_table(const std::vector<SolvedBenchmark>& all) {
  std::vector<Cells> rows{
      {"benchmark", "task", "quantity", "computed", "published", "source", "tolerance", "ok"}};
  for (const SolvedBenchmark& each : all) {
    for (const BenchmarkRow& row : each.report.rows()) {
      rows.push_back(
          {row.benchmark, row.task, row.quantity, format_value(row.computed, row.tolerance),
           format_value(row.published, row.tolerance), std::string(to_string(row.source)),
           fmt::format("{:.2g}", row.tolerance), row.ok ? "ok" : "NOT OK"});
    }
    if (!each.failure.empty()) {
      const auto& tasks = each.report.tasks();
      rows.push_back({each.id, tasks.empty() ? "" : tasks.back().id, "(not run to the end)", "-",
                      "-", "-", "-", "FAILED"});
    }
  }
  if (rows.size() == 1) return;
  print_columns(rows, [](std::size_t c) { return c == 3 || c == 4 || c == 6; });
}

void print_summary(const std::vector<SolvedBenchmark>& all, std::size_t chosen) {
  std::size_t rows = 0, ok = 0, assumed = 0, failed = 0;
  for (const SolvedBenchmark& each : all) {
    failed += each.failure.empty() ? 0 : 1;
    for (const BenchmarkRow& row : each.report.rows()) {
      ++rows;
      ok += row.ok ? 1 : 0;
      assumed += row.source == ReferenceSource::kAssumed ? 1 : 0;
    }
  }
  fmt::print("{} of {} values within tolerance, {} of {} benchmarks run to the end", ok, rows,
             all.size() - failed, chosen);
  if (assumed > 0) fmt::print("; {} of the values beside ours are assumed, not published", assumed);
  fmt::print("\n");
}

}  // namespace

int benchmark(const std::vector<Benchmark>& gallery, const BenchmarkCommand& command) {
  if (command.tables && command.json)
    throw UserError("--tables and --json exclude each other: --json prints the values");
  if (command.list) return list_gallery(gallery, command.json);
  const auto chosen = choose(gallery, command.ids);
  if (command.report) prepare_report_folder(*command.report);

  std::vector<SolvedBenchmark> all;
  {
    ProgressBar bar("benchmarks");
    for (const Benchmark* each : chosen) {
      if (interrupted()) break;
      bar.update(static_cast<double>(all.size()) / static_cast<double>(chosen.size()));
      all.push_back(solve(*each, std::string(argesim::embedded_text(each->lesson))));
    }
  }

  if (command.json) {
    print_json(all);
  } else {
    command.tables ? print_tables(all) : print_table(all);
    print_summary(all, chosen.size());
  }
  if (command.report) {
    const std::string path = write_report(all, *command.report).string();
    if (command.json) {
      print_note("report: " + path);
    } else {
      fmt::print("report: {}\n", path);
    }
  }
  bool failed = false, wrong = false;
  for (const SolvedBenchmark& each : all) {
    if (!each.failure.empty())
      print_error(fmt::format("benchmark {} was not run to the end: {}", each.id, each.failure));
    failed = failed || !each.failure.empty();
    wrong = wrong || !each.ok();
  }
  if (interrupted()) {
    print_error(
        fmt::format("interrupted: {} of {} benchmarks were run", all.size(), chosen.size()));
    return interruption_exit_code();
  }
  return failed ? 4 : wrong ? 1 : 0;
}

}  // namespace arges::app
