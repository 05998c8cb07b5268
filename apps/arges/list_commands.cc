#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arges/results/reader.h"
#include "arges/results/run_info.h"
#include "arges/solvers/stepper.h"
#include "commands.h"

namespace arges::app {

using Json = nlohmann::ordered_json;

int list(const ModelRegistry& models, const ListCommand& command) {
  const auto all = models.summary();
  if (command.json) {
    Json json = Json::array();
    for (const auto& [name, description] : all) {
      json.push_back({{"name", name}, {"description", description}});
    }
    fmt::print("{}\n", json.dump(2));
    return 0;
  }
  std::size_t width = 0;
  for (const auto& [name, description] : all) width = std::max(width, name.size());
  for (const auto& [name, description] : all) fmt::print("{:<{}}  {}\n", name, width, description);
  return 0;
}

int solvers(const ListCommand& command) {
  if (command.json) {
    Json all = Json::array();
    for (const SolverInfo& info : solver_catalogue()) {
      all.push_back({{"name", info.name},
                     {"family", info.family},
                     {"order", info.order},
                     {"adaptive", info.adaptive},
                     {"implicit", info.implicit},
                     {"semi_explicit_dae", info.semi_explicit_dae},
                     {"implicit_dae", info.implicit_dae},
                     {"description", info.description}});
    }
    fmt::print("{}\n", all.dump(2));
    return 0;
  }
  fmt::print("{:<12} {:<21} {:>5}  {:<5} {:<3}  {}\n", "name", "family", "order", "stiff", "DAE",
             "description");
  for (const SolverInfo& info : solver_catalogue()) {
    const char* dae = info.implicit_dae ? "all" : info.semi_explicit_dae ? "yes" : "";
    fmt::print("{:<12} {:<21} {:>5}  {:<5} {:<3}  {}\n", info.name, info.family, info.order,
               info.implicit ? "yes" : "", dae, info.description);
  }
  fmt::print("{:<12} {:<21} {:>5}  {:<5} {:<3}  {}\n", "auto", "", "", "", "",
             "chooses one of these, and says why");
  return 0;
}

int results(const ResultsCommand& command) {
  const Trajectory trajectory = read_result(command.file);
  const auto& columns = trajectory.layout.columns;
  if (command.json) {
    Json json;
    json["file"] = command.file;
    json["rows"] = trajectory.rows();
    if (trajectory.rows() > 0) {
      json["start"] = trajectory.times.front();
      json["stop"] = trajectory.times.back();
    }
    json["events"] = trajectory.events.size();
    json["variables"] = Json::array();
    for (const Column& column : columns) {
      json["variables"].push_back({{"name", column.name},
                                   {"unit", column.unit},
                                   {"description", column.description},
                                   {"type", to_string(column.type)},
                                   {"variability", to_string(column.variability)}});
    }
    json["parameters"] = Json::object();
    for (const auto& [column, value] : trajectory.layout.parameters)
      json["parameters"][column.name] = value;
    json["manifest"] = Json::object();
    for (const auto& [key, value] : trajectory.manifest.entries) json["manifest"][key] = value;
    fmt::print("{}\n", json.dump(2));
    return 0;
  }
  fmt::print("{}: {} rows", command.file, trajectory.rows());
  if (trajectory.rows() > 0)
    fmt::print(", time {} to {}", trajectory.times.front(), trajectory.times.back());
  fmt::print(", {} events\n", trajectory.events.size());
  std::size_t width = 4;
  for (const Column& column : columns) width = std::max(width, column.name.size());
  for (const auto& [column, value] : trajectory.layout.parameters)
    width = std::max(width, column.name.size());
  if (!columns.empty()) fmt::print("\nvariables\n");
  for (std::size_t c = 0; c < columns.size(); ++c) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const double value : trajectory.values(c)) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
    const std::string range = low <= high ? fmt::format("{:.6g} .. {:.6g}", low, high) : "-";
    fmt::print("  {:<{}}  {:<26} {:<8} {}\n", columns[c].name, width, range, columns[c].unit,
               columns[c].description);
  }
  if (!trajectory.layout.parameters.empty()) fmt::print("\nparameters\n");
  for (const auto& [column, value] : trajectory.layout.parameters) {
    fmt::print("  {:<{}}  {:<26} {:<8} {}\n", column.name, width, fmt::format("{}", value),
               column.unit, column.description);
  }
  if (!trajectory.manifest.entries.empty()) fmt::print("\nmanifest\n");
  for (const auto& [key, value] : trajectory.manifest.entries) width = std::max(width, key.size());
  for (const auto& [key, value] : trajectory.manifest.entries)
    fmt::print("  {:<{}}  {}\n", key, width, value);
  return 0;
}

}  // namespace arges::app
