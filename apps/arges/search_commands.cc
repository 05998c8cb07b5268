// optimize and solve-bvp: values that make runs as they are wanted.

#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "any_model.h"
#include "arges/base/error.h"
#include "arges/driver/plot_results.h"
#include "arges/experiment/least_squares.h"
#include "arges/experiment/optimise.h"
#include "arges/experiment/specification.h"
#include "arges/plot/render.h"
#include "commands.h"
#include "console.h"
#include "search_output.h"

namespace arges::app {

namespace {

std::vector<std::string> names_of(const std::vector<SearchVariable>& variables) {
  std::vector<std::string> names;
  for (const SearchVariable& each : variables) names.push_back(each.name);
  return names;
}

// The model, what may change, and the formulas of its runs; throws before anything is run.
class Search {
 public:
  Search(const ModelRegistry& models, const SearchOptions& options)
      : options_(options),
        variables_(parse_variables(options.vary)),
        formulas_(names_of(variables_)),
        model_(models, accurate(models, options.subject)) {
    if (options.plot) plot::check_picture_path(*options.plot);
    if (options.stop_when) model_.stop_when(*options.stop_when);
    check_variables();
  }

  const std::vector<SearchVariable>& variables() const { return variables_; }
  const AnyModel& model() const { return model_; }
  RunFormulas& formulas() { return formulas_; }

  // After the last formula. Throws WorkDone on ranks that helped.
  void prepare(SearchLimits& limits) {
    const ModelFunctions make = model_.functions(formulas_.names(), formulas_.observables());
    runs_.emplace(make, options_.threads);
    runs_->pool().help(limits);
  }
  // Runs, for value(); false when the run failed.
  bool run(std::span<const double> x) {
    x_.assign(x.begin(), x.end());
    result_ = runs_->pool().at(x);
    return result_.ended();
  }
  double value(std::size_t formula) const {
    return formulas_.value(formula, x_, result_.observables);
  }
  // The relative error of what comes out.
  double accuracy() const {
    const DiscreteModel* discrete = model_.discrete();
    const bool integrates = discrete == nullptr || discrete->has_continuous_parts();
    return integrates ? model_.options().numerics.rtol : std::numeric_limits<double>::epsilon();
  }
  int finish(const SearchResult& result) const {
    if (options_.json) {
      print_search_json(result, variables_);
    } else {
      print_search_text(result, variables_);
    }
    return search_exit_code(result);
  }

 private:
  void check_variables() {
    const std::vector<std::vector<double>> examples = examples_of(variables_);
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      const SearchVariable& each = variables_[i];
      const std::string& text = options_.vary[i];
      if (each.scale == SearchVariable::Scale::kInteger || takes(i, examples[i])) continue;
      const double low = std::ceil(each.low), high = std::floor(each.high);
      if (low < high && takes(i, {low, high}))
        throw UserError(complaint(fmt::format("'{}' is a whole number: write {}=int:{}:{}",
                                              each.name, each.name, low, high),
                                  text, text.find('=') + 1));
    }
    model_.check_names(names_of(variables_), options_.vary, examples);
  }
  bool takes(std::size_t variable, const std::vector<double>& values) {
    try {
      model_.check_names({variables_[variable].name}, {options_.vary[variable]}, {values});
      return true;
    } catch (const UserError&) {
      return false;
    }
  }

  const SearchOptions& options_;
  std::vector<SearchVariable> variables_;
  RunFormulas formulas_;
  AnyModel model_;
  std::optional<SearchPool> runs_;
  std::vector<double> x_;
  ModelFunction::Result result_;
};

void draw_solution(const std::string& path, const Search& search, const std::vector<double>& x) {
  std::vector<std::pair<std::string, double>> values;
  for (std::size_t i = 0; i < x.size(); ++i) values.emplace_back(search.variables()[i].name, x[i]);
  const RunOutcome outcome = search.model().run(values);
  for (const std::string& warning : plot::render(plot_run(*outcome.trajectory), path))
    print_note(warning);
}

}  // namespace

int optimize(const ModelRegistry& models, const OptimizeCommand& command) try {
  if (command.minimize.has_value() == command.maximize.has_value())
    throw UserError("give one of --minimize and --maximize");
  if (command.tolerance && !(*command.tolerance > 0 && *command.tolerance < 1))
    throw UserError(fmt::format("--tolerance {}: a part of the ranges, between 0 and 1, is needed",
                                *command.tolerance));
  const std::string& text = command.minimize ? *command.minimize : *command.maximize;
  const double sign = command.minimize ? 1 : -1;
  const Formula objective = Formula::parse(text, Formula::Leaves::kRun);
  std::vector<Condition> conditions;
  for (const std::string& each : command.constraints)
    conditions.push_back(parse_condition(each, Formula::Leaves::kRun));
  Search search(models, command.search);
  search.formulas().add(objective);
  OptimiseRequest request;
  for (const Condition& each : conditions) {
    search.formulas().add(each.left);
    search.formulas().add(each.right);
    ++(each.kind == Condition::Kind::kEqual ? request.equalities : request.inequalities);
  }
  request.variables = search.variables();
  request.method = command.method;
  request.seed = command.seed;
  if (command.tolerance) request.tolerance = *command.tolerance;
  std::vector<double> values;
  SearchResult result;
  {
    ProgressBar bar(command.search.subject.model);
    request.limits = search_limits(command.search, bar);
    search.prepare(request.limits);
    result = optimise(
        [&](std::span<const double> x) {
          Appraisal appraisal;
          const bool good = search.run(x);
          values.push_back(good ? search.value(0) : std::nan(""));
          appraisal.value = sign * values.back();
          for (std::size_t i = 0; i < conditions.size(); ++i) {
            appraisal.constrain(search.value(1 + 2 * i), search.value(2 + 2 * i),
                                conditions[i].kind == Condition::Kind::kEqual);
          }
          return appraisal;
        },
        request);
  }
  result.value *= sign;
  if (command.search.plot && !values.empty()) {
    for (double& each : values) each *= sign;
    draw_search(*command.search.plot, search.model().name(),
                command.minimize ? text : "-(" + text + ")", values);
  }
  return search.finish(result);
} catch (const WorkDone&) {
  return 0;
}

int solve_bvp(const ModelRegistry& models, const SolveBvpCommand& command) try {
  std::vector<Condition> conditions;
  for (const std::string& each : command.conditions) {
    conditions.push_back(parse_condition(each, Formula::Leaves::kRun));
    if (conditions.back().kind != Condition::Kind::kEqual)
      throw UserError(
          complaint("a boundary condition is an equation", each, each.find_first_of("<>")));
  }
  Search search(models, command.search);
  if (conditions.size() != search.variables().size()) {
    throw UserError(
        fmt::format(
            "{} to vary and {} are given: as many conditions as unknowns are needed (optimize does "
            "with fewer)",
            search.variables().size() == 1 ? "one value"
                                           : fmt::format("{} values", search.variables().size()),
            conditions.size() == 1 ? "one condition"
                                   : fmt::format("{} conditions", conditions.size())),
        {"condition"});
  }
  refuse_whole_numbers(search.variables(), command.search.vary,
                       "a boundary value problem is not solved in whole numbers");
  for (const Condition& each : conditions) {
    search.formulas().add(each.left);
    search.formulas().add(each.right);
  }
  SearchResult result;
  {
    ProgressBar bar(command.search.subject.model);
    SearchLimits limits = search_limits(command.search, bar);
    search.prepare(limits);
    result = solve_equations(
        [&](std::span<const double> x) {
          Sides sides{std::vector<double>(conditions.size(), std::nan("")),
                      std::vector<double>(conditions.size(), std::nan(""))};
          if (!search.run(x)) return sides;
          for (std::size_t i = 0; i < conditions.size(); ++i) {
            sides.left[i] = search.value(2 * i);
            sides.right[i] = search.value(2 * i + 1);
          }
          return sides;
        },
        search.variables(), limits, search.accuracy());
  }
  result.value = std::sqrt(result.value);
  if (command.search.plot && result.status == SearchStatus::kFound)
    draw_solution(*command.search.plot, search, result.x);
  return search.finish(result);
} catch (const WorkDone&) {
  return 0;
}

}  // namespace arges::app
