#include "variants_output.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace arges::app {

using namespace arges::variants;
using Json = nlohmann::ordered_json;

namespace {

const char* to_string(Decision::Kind kind) {
  switch (kind) {
    case Decision::Kind::kDecomposition:
      return "aspect";
    case Decision::Kind::kSpecialisation:
      return "specialisation";
    default:
      return "number";
  }
}

Json option_json(const Decision& decision, std::size_t option) {
  if (decision.kind == Decision::Kind::kNumber) return static_cast<int>(decision.value(option));
  return decision.options[option];
}

}  // namespace

Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json decisions_json(const EntityStructure& structure) {
  Json all = Json::array();
  for (const Decision& each : structure.decisions) {
    Json options = Json::array();
    for (std::size_t i = 0; i < each.options.size(); ++i) options.push_back(option_json(each, i));
    all.push_back({{"name", each.name}, {"kind", to_string(each.kind)}, {"options", options}});
  }
  return all;
}

Json choices_json(const EntityStructure& structure, const Variant& variant) {
  Json choices = Json::object();
  for (const Choice& each : variant.choices) {
    const Decision& decision = structure.decisions[each.decision];
    choices[decision.name] = option_json(decision, each.option);
  }
  return choices;
}

void print_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows[0].size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  }
}

std::vector<std::vector<std::string>> choice_rows(const EntityStructure& structure,
                                                  const std::vector<Variant>& all) {
  std::vector<std::vector<std::string>> rows{{"variant"}};
  for (const Decision& each : structure.decisions) rows[0].push_back(each.name);
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<std::string> row{fmt::format("{}", i + 1)};
    row.resize(rows[0].size(), "-");
    for (const Choice& each : all[i].choices)
      row[each.decision + 1] = structure.decisions[each.decision].options[each.option];
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace arges::app
