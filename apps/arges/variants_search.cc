// variants --minimize, --maximize: the best variant, and its best values.

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "any_model.h"
#include "arges/base/error.h"
#include "arges/experiment/optimise.h"
#include "arges/experiment/run_function.h"
#include "arges/variants/variant_search.h"
#include "console.h"
#include "search_output.h"
#include "subject.h"
#include "variants_modes.h"
#include "variants_output.h"

namespace arges::app {

using namespace arges::variants;
using Json = nlohmann::ordered_json;

namespace {

// The best point of one structure.
struct Record {
  std::vector<double> x;
  double value;
  std::int64_t points;
};

Json point_json(const EntityStructure& structure, VariantSearch& search,
                const std::vector<double>& x) {
  Json json = choices_json(structure, search.variant_at(x));
  for (const auto& [name, value] : search.ranges_at(x)) json[name] = number_json(value);
  return json;
}

void print_search(const EntityStructure& structure, VariantSearch& search,
                  const SearchResult& result, const std::vector<Record>& records, bool json) {
  if (json) {
    Json list = Json::array();
    for (const Record& each : records) {
      list.push_back({{"choices", choices_json(structure, search.variant_at(each.x))},
                      {"x", point_json(structure, search, each.x)},
                      {"value", number_json(each.value)},
                      {"points", each.points}});
    }
    Json x = result.x.empty() ? Json::object() : point_json(structure, search, result.x);
    fmt::print("{}\n", Json{{"status", to_string(result.status)},
                            {"x", x},
                            {"value", number_json(result.value)},
                            {"evaluations", result.evaluations},
                            {"residual", number_json(result.residual)},
                            {"message", result.message},
                            {"runs", search.runs()},
                            {"variants", list}}
                           .dump(2));
    return;
  }
  fmt::print("{} after {} points, {} runs of {} variants\n", to_string(result.status),
             result.evaluations, search.runs(), records.size());
  if (result.x.empty()) return;
  const Variant best = search.variant_at(result.x);
  for (const Choice& each : best.choices) {
    const Decision& decision = structure.decisions[each.decision];
    fmt::print("  {:<16} {}\n", decision.name, decision.options[each.option]);
  }
  for (const auto& [name, value] : search.ranges_at(result.x))
    fmt::print("  {:<16} {:.15g}\n", name, value);
  fmt::print("  {:<16} {:.15g}\n", "value", result.value);
}

}  // namespace

int search_variants(const EntityStructure& structure, const Selection& selection,
                    VariantSetup setup, const VariantsCommand& command) {
  if (command.minimize.has_value() && command.maximize.has_value())
    throw UserError("give one of --minimize and --maximize");
  const std::string& text = command.minimize ? *command.minimize : *command.maximize;
  const double sign = command.minimize ? 1 : -1;
  const std::vector<SearchVariable> ranges = parse_variables(command.vary);
  std::vector<std::string> names = structure.numbers;
  for (const SearchVariable& each : ranges) {
    if (std::ranges::find(names, each.name) == names.end()) names.push_back(each.name);
  }
  RunFormulas formulas(names);
  formulas.add(Formula::parse(text, Formula::Leaves::kRun));
  OptimiseRequest request;
  std::vector<Condition> conditions;
  for (const std::string& each : command.constraints) {
    conditions.push_back(parse_condition(each, Formula::Leaves::kRun));
    formulas.add(conditions.back().left);
    formulas.add(conditions.back().right);
    ++(conditions.back().kind == Condition::Kind::kEqual ? request.equalities
                                                         : request.inequalities);
  }
  setup.observables = formulas.observables();
  VariantSearch search(structure, selection, std::move(setup), ranges);
  request.variables = search.variables();
  request.method = command.method;
  request.seed = command.seed;
  request.structure = [&](std::span<const double> x) { return search.structure_at(x); };
  request.matters = [&](std::span<const double> x, std::size_t i) { return search.matters(x, i); };
  request.limits.max_evaluations = command.max_evaluations;
  request.limits.cancel = &interrupted();
  SearchPool runs(search.functions(), command.threads);
  search.run_on(runs.pool());
  search.help(request.limits);
  std::vector<double> values;
  std::map<std::string, std::string> failures;  // of variants, the first of each
  std::map<std::string, std::size_t> record_of;
  std::vector<Record> records;
  const auto note = [&](std::span<const double> x, double value) {
    values.push_back(value);
    const auto [known, is_new] =
        record_of.try_emplace(describe(structure, search.variant_at(x)), records.size());
    if (is_new) records.push_back({{x.begin(), x.end()}, value, 0});
    Record& record = records[known->second];
    ++record.points;
    if (!(sign * record.value <= sign * value) && !std::isnan(value)) {
      record.x.assign(x.begin(), x.end());
      record.value = value;
    }
  };
  SearchResult result;
  {
    ProgressBar bar(command.subject.model);
    request.limits.progress = [&](double part) { bar.update(part); };
    result = optimise(
        [&](std::span<const double> x) {
          const VariantSearch::Trial& trial = search(x);
          const auto value = [&](std::size_t formula) {
            return formulas.value(formula, trial.numbers, trial.observables);
          };
          Appraisal appraisal;
          appraisal.value = std::nan("");
          if (!trial.allowed) return appraisal;
          const double objective = trial.ended ? value(0) : std::nan("");
          note(x, objective);
          if (!trial.message.empty())
            failures.try_emplace(describe(structure, search.variant_at(x)), trial.message);
          appraisal.value = sign * objective;
          for (std::size_t i = 0; i < conditions.size(); ++i) {
            appraisal.constrain(value(1 + 2 * i), value(2 + 2 * i),
                                conditions[i].kind == Condition::Kind::kEqual);
          }
          return appraisal;
        },
        request);
  }
  result.value *= sign;
  std::ranges::stable_sort(records, {}, [&](const Record& each) {
    return std::isnan(each.value) ? std::numeric_limits<double>::infinity() : sign * each.value;
  });
  if (command.plot && !values.empty()) {
    for (double& each : values) each *= sign;
    draw_search(*command.plot, structure.root.text, command.minimize ? text : "-(" + text + ")",
                values);
  }
  print_search(structure, search, result, records, command.json);
  for (const auto& [variant, message] : failures)
    print_note(fmt::format("a run of {} failed: {}", variant, message));
  return search_exit_code(result);
}

}  // namespace arges::app
