// fit: models and recorded data.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "any_model.h"
#include "arges/base/error.h"
#include "arges/base/parse_number.h"
#include "arges/experiment/fit.h"
#include "arges/experiment/ranks.h"
#include "arges/experiment/specification.h"
#include "arges/plot/figure.h"
#include "arges/plot/render.h"
#include "arges/results/memory_sink.h"
#include "commands.h"
#include "console.h"
#include "recording.h"
#include "search_output.h"

namespace arges::app {

namespace {

using Json = nlohmann::ordered_json;

struct Match {
  std::string text, variable, column;
};

std::vector<Match> matches_of(const FitCommand& command, const Trajectory& data) {
  std::vector<Match> matches;
  for (const std::string& list : command.match) {
    for (const std::string& text : split_names(list)) {
      const std::size_t equals = text.find('=');
      matches.push_back({text, text.substr(0, equals),
                         equals == std::string::npos ? text : text.substr(equals + 1)});
    }
  }
  if (matches.empty()) {
    for (const Column& each : data.layout.columns)
      matches.push_back({each.name, each.name, each.name});
  }
  if (matches.empty()) throw UserError(fmt::format("'{}' has no columns", command.data));
  return matches;
}

void draw_arx(const std::string& path, const FitCommand& command, const Trajectory& data,
              const std::vector<double>& output, const ArxModel& model) {
  plot::Figure figure = plot::make_figure(
      fmt::format("from {} to {}", command.input, command.output), {"time", "s"}, {command.output});
  figure.panel().add(plot::points(data.times, output, "data"));
  figure.panel().add(plot::line(data.times, model.simulated, "simulated"));
  for (const std::string& warning : plot::render(figure, path)) print_note(warning);
}

// The times of a CSV are its column 'time', or else the first one: that is worth a word.
void look_at_times(const std::string& file, const Recording& recording,
                   const std::vector<std::string>& variables) {
  const std::string& name = recording.data().time_name;
  if (name == "time") return;
  if (std::ranges::find(variables, name) != variables.end())
    recording.refuse_column(
        name, fmt::format("there is no column 'time', and the first one, '{}', is a variable of "
                          "the model",
                          name));
  print_note(
      fmt::format("'{}' has no column 'time': the first one, '{}', is taken for it", file, name));
}

// How far two recorded times may be from their distance because they were rounded to decimal
// places: the last of them, where that is a small part of the period (else steps of any length
// would do).
double rounding_of(const std::vector<double>& times, double period) {
  constexpr double kSmallPart = 0.01;
  for (double unit = 1; unit > 1e-9 * period; unit /= 10) {
    const auto is_rounded = [&](double time) {
      return std::abs(time / unit - std::round(time / unit)) < 1e-6;
    };
    if (std::ranges::all_of(times, is_rounded))
      return unit <= kSmallPart * period ? 1.001 * unit : 0;
  }
  return 0;
}

int fit_arx(const FitCommand& command) {
  if (command.search.plot) plot::check_picture_path(*command.search.plot);
  if (command.input.empty() || command.output.empty())
    throw UserError("--arx needs --input and --output: the columns of the data");
  if (!command.search.subject.model.empty())
    throw UserError("--arx identifies a difference equation: give no MODEL with it");
  ArxOrders orders;
  const std::vector<std::string> numbers = split_names(*command.arx);
  int* const parts[] = {&orders.na, &orders.nb, &orders.nk};
  std::size_t place = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto value = parse_number(numbers[i]);
    const double least = i == 1 ? 1 : 0;
    if (i > 2 || !value || *value != std::floor(*value) || *value < least || *value > 1000)
      throw UserError(
          complaint("the orders are NA,NB,NK: whole numbers, NB at least 1", *command.arx, place));
    *parts[i] = static_cast<int>(*value);
    place += numbers[i].size() + 1;
  }
  const Recording recording(command.data);
  const Trajectory& data = recording.data();
  look_at_times(command.data, recording, {command.input, command.output});
  const std::vector<double> u = recording.column(command.input, command.input);
  const std::vector<double> y = recording.column(command.output, command.output);
  const double period = data.rows() > 1 ? (data.times.back() - data.times.front()) /
                                              static_cast<double>(data.rows() - 1)
                                        : 0;
  const double deviation = std::max(1e-6 * period, rounding_of(data.times, period));
  for (std::size_t k = 1; k < data.rows(); ++k) {
    if (std::abs(data.times[k] - data.times[k - 1] - period) > deviation) {
      recording.refuse_time(
          k, fmt::format("the samples are not evenly spaced ({} after {}), but a difference "
                         "equation needs that",
                         data.times[k], data.times[k - 1]));
    }
  }
  const ArxModel model = identify_arx(u, y, orders);
  if (command.search.plot) draw_arx(*command.search.plot, command, data, y, model);
  if (command.search.json) {
    Json x = Json::object(), deviations = Json::object();
    for (std::size_t i = 0; i < model.a.size(); ++i) {
      x[fmt::format("a{}", i + 1)] = model.a[i];
      deviations[fmt::format("a{}", i + 1)] = model.a_deviations[i];
    }
    for (std::size_t i = 0; i < model.b.size(); ++i) {
      x[fmt::format("b{}", i)] = model.b[i];
      deviations[fmt::format("b{}", i)] = model.b_deviations[i];
    }
    const double squares =
        model.noise * model.noise * static_cast<double>(model.equations - orders.na - orders.nb);
    fmt::print("{}\n", Json{{"status", "found"},
                            {"x", x},
                            {"value", squares},
                            {"evaluations", 1},
                            {"residual", model.noise},
                            {"deviations", deviations},
                            {"fit", model.fit},
                            {"period", period}}
                           .dump(2));
    return 0;
  }
  fmt::print("y[k] + a1 y[k-1] + ... = b0 u[k-{}] + ..., every {:g} s, from {} equations\n",
             orders.nk, period, model.equations);
  for (std::size_t i = 0; i < model.a.size(); ++i)
    fmt::print("  a{:<15} {:>18.10g} +- {:.2g}\n", i + 1, model.a[i], model.a_deviations[i]);
  for (std::size_t i = 0; i < model.b.size(); ++i)
    fmt::print("  b{:<15} {:>18.10g} +- {:.2g}\n", i, model.b[i], model.b_deviations[i]);
  fmt::print("  {:<16} {:>18.6g}\n  {:<16} {:>17.4g} %\n", "noise", model.noise, "fit",
             100 * model.fit);
  return 0;
}

// A bound that a fit is pressed against is met to the tolerance of the search.
bool is_at_bound(const SearchVariable& variable, double value) {
  constexpr double kNear = 1e-6;
  const double unit = variable.to_unit(value);
  return unit < kNear || unit > 1 - kNear;
}

std::string why_no_interval(const FitResult& result, std::size_t variable,
                            const std::vector<std::string>& names) {
  if (result.jacobian.empty())
    return result.status == SearchStatus::kCancelled
               ? "without an interval: interrupted"
               : "without an interval: the model does not run beside it";
  if (result.determined[variable])
    return "without an interval: there are as many measurements as unknowns";
  std::vector<std::string> others;
  for (const std::size_t other : result.tied[variable]) others.push_back(names[other]);
  return others.empty() ? "not determined by the data"
                        : fmt::format("not determined by the data, only together with {}",
                                      fmt::join(others, ", "));
}

void draw(const std::string& path, const AnyModel& model, const FitRequest& request,
          const std::vector<double>& x) {
  std::vector<std::pair<std::string, double>> values;
  for (std::size_t i = 0; i < x.size(); ++i) values.emplace_back(request.variables[i].name, x[i]);
  const RunOutcome outcome = model.run(values);
  std::vector<plot::Axis> axes;
  for (const MeasuredSeries& each : request.series) axes.push_back({each.variable});
  plot::Figure figure = plot::make_stack(model.name(), {"time", "s"}, axes);
  for (std::size_t c = 0; c < request.series.size(); ++c) {
    figure.panels[c].add(plot::points(request.times, request.series[c].values, "data"));
    figure.panels[c].add(plot::line(outcome.trajectory->times,
                                    outcome.trajectory->values_of(request.series[c].variable),
                                    "fit"));
  }
  figure.height_mm = std::max(100.0, 60.0 * static_cast<double>(request.series.size()));
  for (const std::string& warning : plot::render(figure, path)) print_note(warning);
}

}  // namespace

int fit(const ModelRegistry& models, const FitCommand& command) try {
  if (command.arx) return rank_by_environment().rank == 0 ? fit_arx(command) : 0;
  const SearchOptions& wish = command.search;
  if (wish.subject.model.empty() || wish.vary.empty())
    throw UserError("a MODEL and --vary are needed, or --arx ('arges fit --help' explains both)");
  if (wish.plot) plot::check_picture_path(*wish.plot);
  FitRequest request;
  request.variables = parse_variables(wish.vary);
  refuse_whole_numbers(request.variables, wish.vary, "whole numbers are not fitted (optimize can)");
  const Recording recording(command.data);
  const Trajectory& data = recording.data();
  const std::vector<Match> matches = matches_of(command, data);
  for (const Match& each : matches)
    request.series.push_back({each.variable, recording.column(each.column, each.text), 0});
  for (const std::string& text : command.deviations) {
    const auto [name, value] = parse_assignment(text);
    const auto series = std::ranges::find(request.series, name, &MeasuredSeries::variable);
    if (series == request.series.end())
      throw UserError(
          complaint(fmt::format("'{}' is not among the measured variables", name), text, 0));
    if (!(value > 0))
      throw UserError(complaint("a deviation is positive", text, text.find('=') + 1));
    series->deviation = value;
  }
  request.times = data.times;
  SubjectOptions options = accurate(models, wish.subject);
  // Times before the start are refused below, with their place.
  if (!options.stop_time)
    options.stop_time = std::max(request.times.back(), options.start_time.value_or(0));
  AnyModel model(models, options);
  std::vector<std::string> names;
  for (const SearchVariable& each : request.variables) names.push_back(each.name);
  model.check_names(names, wish.vary, examples_of(request.variables));
  look_at_times(command.data, recording, model.what_is_noted());
  for (const Match& each : matches) {
    const std::string problem =
        command.match.empty() ? model.why_no_variable(each.variable) : std::string();
    if (!problem.empty())
      recording.refuse_column(each.column, problem + " (--match says what was measured)");
  }
  recording.check_range(model.options().start_time, model.options().stop_time);
  SearchPool runs(model.functions(names, fit_observables(request)), wish.threads);
  FitResult result;
  {
    ProgressBar bar(wish.subject.model);
    request.limits = search_limits(wish, bar);
    runs.pool().help(request.limits);
    result = fit_runs([&](std::span<const double> x) { return runs.pool().at(x); }, request);
  }
  if (wish.plot && !result.residuals.empty()) draw(*wish.plot, model, request, result.x);
  std::vector<std::string> notes, at_bound, undetermined;
  for (std::size_t i = 0; i < result.x.size() && i < result.confidence.size(); ++i) {
    const auto [low, high] = result.confidence[i];
    notes.push_back(std::isfinite(low) ? fmt::format("+- {:.2g} (95 %)", 0.5 * (high - low))
                                       : why_no_interval(result, i, names));
    if (!result.determined[i] && !result.jacobian.empty()) undetermined.push_back(names[i]);
    if (is_at_bound(request.variables[i], result.x[i])) {
      notes.back() += ", at the end of its range";
      if (std::isfinite(low)) notes.back() += ": the interval holds without this bound only";
      at_bound.push_back(request.variables[i].name);
    }
  }
  if (wish.json) {
    Json confidence = Json::object(), deviations = Json::object();
    for (std::size_t i = 0; i < result.confidence.size(); ++i) {
      const auto number = [](double v) { return std::isfinite(v) ? Json(v) : Json(nullptr); };
      const std::string& name = request.variables[i].name;
      confidence[name] = {number(result.confidence[i].first), number(result.confidence[i].second)};
      deviations[name] = number(result.deviations[i]);
    }
    print_search_json(
        result, request.variables,
        {{"ci95", confidence},
         {"deviations", deviations},
         {"measurements", result.measurements},
         {"explained", std::isfinite(result.explained) ? Json(result.explained) : Json(nullptr)},
         {"at_bound", at_bound},
         {"undetermined", undetermined}});
  } else {
    print_search_text(result, request.variables, notes);
    if (std::isfinite(result.explained))
      fmt::print("  {:<16} {:.4g} %\n", "explained", 100 * result.explained);
  }
  return search_exit_code(result);
} catch (const WorkDone&) {
  return 0;
}

}  // namespace arges::app
