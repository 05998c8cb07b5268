#include "arges/experiment/whole_numbers.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace arges {

namespace {

constexpr double kMostCombinations = 1e5;

bool is_whole(const SearchVariable& variable) {
  return variable.scale == SearchVariable::Scale::kInteger;
}

}  // namespace

std::size_t count_whole_numbers(const OptimiseRequest& request) {
  return static_cast<std::size_t>(std::ranges::count_if(request.variables, is_whole));
}

std::vector<bool> fixed_variables(const OptimiseRequest& request, std::span<const double> unit) {
  std::vector<double> x;
  for (std::size_t i = 0; i < unit.size(); ++i)
    x.push_back(request.variables[i].from_unit(unit[i]));
  std::vector<bool> fixed;
  for (std::size_t i = 0; i < unit.size(); ++i)
    fixed.push_back(is_whole(request.variables[i]) || (request.matters && !request.matters(x, i)));
  return fixed;
}

std::string structure_at(const OptimiseRequest& request, std::span<const double> x) {
  if (request.structure) return request.structure(x);
  std::string text;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (is_whole(request.variables[i])) text += fmt::format("{} ", x[i]);
  }
  return text;
}

std::optional<std::vector<std::vector<double>>> all_structures(const OptimiseRequest& request,
                                                               std::int64_t most) {
  std::vector<double> x;
  double combinations = 1;
  for (const SearchVariable& each : request.variables) {
    x.push_back(is_whole(each) ? each.low : each.first_guess());
    if (is_whole(each)) combinations *= each.high - each.low + 1;
  }
  if (combinations > kMostCombinations) return std::nullopt;
  std::set<std::string> known{""};
  std::vector<std::vector<double>> units;
  for (;;) {
    if (known.insert(structure_at(request, x)).second) {
      if (static_cast<std::int64_t>(units.size()) == most) return std::nullopt;
      std::vector<double>& unit = units.emplace_back();
      for (std::size_t i = 0; i < x.size(); ++i)
        unit.push_back(std::clamp(request.variables[i].to_unit(x[i]), 0.0, 1.0));
    }
    // Counts, the last number fastest.
    std::size_t i = x.size();
    while (i > 0 &&
           (!is_whole(request.variables[i - 1]) || x[i - 1] == request.variables[i - 1].high)) {
      --i;
      if (is_whole(request.variables[i])) x[i] = request.variables[i].low;
    }
    if (i == 0) return units;
    ++x[i - 1];
  }
}

}  // namespace arges
