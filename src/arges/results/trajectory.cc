#include "arges/results/trajectory.h"

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/nearest.h"

namespace arges {

std::optional<std::size_t> Trajectory::find_column(std::string_view name) const {
  for (std::size_t i = 0; i < layout.columns.size(); ++i) {
    if (layout.columns[i].name == name) return i;
  }
  return std::nullopt;
}

std::optional<double> Trajectory::find_parameter(std::string_view name) const {
  for (const auto& [column, value] : layout.parameters) {
    if (column.name == name) return value;
  }
  return std::nullopt;
}

std::vector<double> Trajectory::values_of(std::string_view name) const {
  if (const auto column = find_column(name)) {
    const auto found = values(*column);
    return {found.begin(), found.end()};
  }
  if (name == "time") return times;
  if (const auto parameter = find_parameter(name)) {
    return std::vector<double>(rows(), *parameter);
  }
  throw UserError(
      fmt::format("the result has no variable '{}'{}", name, did_you_mean(name, names())));
}

double Trajectory::final_value(std::string_view name) const {
  if (const auto parameter = find_parameter(name); parameter && !find_column(name)) {
    return *parameter;
  }
  const std::vector<double> all = values_of(name);
  if (all.empty())
    throw UserError(fmt::format("the result has no row, so '{}' has no value", name));
  return all.back();
}

std::vector<std::string> Trajectory::names() const {
  std::vector<std::string> all = {"time"};
  for (const Column& column : layout.columns) all.push_back(column.name);
  for (const auto& parameter : layout.parameters) all.push_back(parameter.first.name);
  return all;
}

}  // namespace arges
