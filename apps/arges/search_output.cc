#include "search_output.h"

#include <cmath>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/run_status.h"
#include "arges/experiment/specification.h"
#include "arges/plot/render.h"

namespace arges::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kSearchRtol = 1e-10;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

}  // namespace

SubjectOptions accurate(const ModelRegistry& models, SubjectOptions options) {
  const DiscreteModel* discrete = models.find_discrete(options.model);
  const bool integrates = discrete == nullptr || discrete->has_continuous_parts();
  if (!options.rtol && integrates) options.rtol = kSearchRtol;
  return options;
}

std::vector<SearchVariable> parse_variables(const std::vector<std::string>& texts) {
  std::vector<SearchVariable> variables;
  for (const std::string& text : texts) variables.push_back(parse_search_variable(text));
  return variables;
}

void refuse_whole_numbers(const std::vector<SearchVariable>& variables,
                          const std::vector<std::string>& texts, const std::string& what) {
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (variables[i].scale == SearchVariable::Scale::kInteger)
      throw UserError(complaint(what, texts[i], texts[i].find('=') + 1));
  }
}

std::vector<std::vector<double>> examples_of(const std::vector<SearchVariable>& variables) {
  constexpr double kNoRatio = 0.3819660112501051;  // the golden section
  std::vector<std::vector<double>> examples;
  for (const SearchVariable& each : variables)
    examples.push_back({each.from_unit(kNoRatio), each.low, each.high});
  return examples;
}

SearchLimits search_limits(const SearchOptions& options, ProgressBar& bar) {
  SearchLimits limits;
  limits.max_evaluations = options.max_evaluations;
  limits.cancel = &interrupted();
  limits.progress = [&](double part) { bar.update(part); };
  return limits;
}

void print_search_json(const SearchResult& result, const std::vector<SearchVariable>& variables,
                       const Json& more) {
  Json x = Json::object();
  for (std::size_t i = 0; i < result.x.size(); ++i) x[variables[i].name] = number(result.x[i]);
  Json json{{"status", to_string(result.status)},  {"x", x},
            {"value", number(result.value)},       {"evaluations", result.evaluations},
            {"residual", number(result.residual)}, {"message", result.message}};
  json.update(more);
  fmt::print("{}\n", json.dump(2));
}

void print_search_text(const SearchResult& result, const std::vector<SearchVariable>& variables,
                       const std::vector<std::string>& notes) {
  fmt::print("{} after {} runs\n", to_string(result.status), result.evaluations);
  for (std::size_t i = 0; i < result.x.size(); ++i) {
    fmt::print("  {:<16} {:.15g}{}\n", variables[i].name, result.x[i],
               i < notes.size() ? "   " + notes[i] : "");
  }
  if (result.x.empty()) return;  // nothing has a value
  fmt::print("  {:<16} {:.15g}\n  {:<16} {:.3g}\n", "value", result.value, "residual",
             result.residual);
}

void draw_search(const std::string& path, const std::string& title, const std::string& label,
                 const std::vector<double>& values) {
  std::vector<double> number, best;
  for (const double value : values) {
    number.push_back(static_cast<double>(number.size() + 1));
    best.push_back(best.empty() || !(value >= best.back()) ? value : best.back());
  }
  plot::Figure figure = plot::make_figure(title, {"run"}, {label});
  figure.panel().add(plot::points(number, values, "runs"));
  figure.panel().add(plot::line(number, best, "best"));
  for (const std::string& warning : plot::render(figure, path)) print_note(warning);
}

int search_exit_code(const SearchResult& result) {
  switch (result.status) {
    case SearchStatus::kFound:
      if (!result.message.empty()) print_note(result.message);
      return 0;
    case SearchStatus::kLimit:
      if (!result.message.empty()) {  // nothing that could be used
        print_error(result.message);
        return exit_code(RunReason::kNewtonFailed);
      }
      print_note(fmt::format("the search ended after {} runs, with the best until then",
                             result.evaluations));
      return 0;
    case SearchStatus::kCancelled:
      print_error(
          result.evaluations == 0
              ? std::string("interrupted before the first run had ended")
              : fmt::format("interrupted: the best of {} runs is kept", result.evaluations));
      return interruption_exit_code();
    default:
      print_error(result.message.empty() ? "no solution was found" : result.message);
      return exit_code(RunReason::kNewtonFailed);
  }
}

}  // namespace arges::app
