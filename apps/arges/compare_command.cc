// compare: solvers and tolerances on one model.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "any_model.h"
#include "arges/base/error.h"
#include "arges/base/parse_number.h"
#include "arges/experiment/contest.h"
#include "arges/experiment/specification.h"
#include "arges/plot/figure.h"
#include "arges/plot/render.h"
#include "arges/solvers/stepper.h"
#include "commands.h"
#include "console.h"

namespace arges::app {

namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::vector<double> parse_tolerances(const std::string& text) {
  std::vector<double> all;
  std::size_t place = 0;
  for (const std::string& each : split_names(text)) {
    place = text.find(each, place);
    const auto value = parse_number(each);
    if (!value || !(*value > 0) || !(*value < 1))
      throw UserError(complaint("a tolerance is a number between 0 and 1", text, place));
    all.push_back(*value);
    place += each.size();
  }
  return all;
}

// Throws UserError with the place in `text`.
const SolverInfo& solver_named(const std::string& name, const std::string& text,
                               std::size_t place) {
  try {
    return find_solver(name);
  } catch (const UserError& error) {
    throw UserError(complaint(error.what(), text, place));
  }
}

// Throws UserError, with the place, for what would be a row without a run, or twice the same.
void take_solvers(ContestRequest& request, const CompareCommand& command, bool has_step) {
  for (const std::string& list : command.solvers) {
    std::size_t place = 0;
    for (const std::string& name : split_names(list)) {
      place = list.find(name, place);
      const auto refuse = [&](const std::string& what) {
        throw UserError(complaint(what, list, place));
      };
      if (std::ranges::find(request.solvers, name) != request.solvers.end())
        refuse(fmt::format("'{}' is among the solvers already", name));
      if (name != "auto" && !solver_named(name, list, place).adaptive && !has_step)
        refuse(fmt::format("'{}' has a fixed step: give its size with --step H", name));
      request.solvers.push_back(name);
      place += name.size() + 1;
    }
  }
}

void print_json(const ContestResult& result) {
  Json rows = Json::array();
  for (const ContestRow& row : result.rows) {
    rows.push_back({{"solver", row.solver},
                    {"rtol", number(row.rtol)},
                    {"steps", row.statistics.steps},
                    {"rhs", row.statistics.rhs},
                    {"jac", row.statistics.jacobians},
                    {"cpu_s", row.cpu_s},
                    {"error", number(row.error)},
                    {"events", row.events},
                    {"events_match", row.events_match()},
                    {"status", to_string(row.status)}});
    if (!row.message.empty()) rows.back()["message"] = row.message;
  }
  Json reference;  // null: interrupted before there was one
  if (!result.reference_solver.empty()) {
    reference = {{"solver", result.reference_solver},
                 {"rtol", result.reference_rtol},
                 {"error", number(result.reference_error)},
                 {"events", result.reference_events}};
  }
  fmt::print("{}\n", Json{{"reference", reference}, {"rows", rows}}.dump(2));
}

void print_table(const ContestResult& result) {
  if (result.reference_solver.empty()) return;  // interrupted before there was one
  fmt::print("reference: {} with rtol = {:g} (to about {:.1e}), {} events\n",
             result.reference_solver, result.reference_rtol, result.reference_error,
             result.reference_events);
  fmt::print("{:<12} {:>8} {:>9} {:>9} {:>7} {:>11} {:>9} {:>8}  {}\n", "solver", "rtol", "steps",
             "rhs", "jac", "cpu, s", "error", "events", "status");
  for (const ContestRow& row : result.rows) {
    fmt::print("{:<12} {:>8} {:>9} {:>9} {:>7} {:>11.3e} {:>9} {:>8}  {}\n", row.solver,
               std::isfinite(row.rtol) ? fmt::format("{:g}", row.rtol) : "", row.statistics.steps,
               row.statistics.rhs, row.statistics.jacobians, row.cpu_s,
               std::isfinite(row.error) ? fmt::format("{:.1e}", row.error) : "",
               fmt::format("{}{}", row.events, row.events_match() ? "" : " !"),
               to_string(row.status));
  }
}

std::string title_of(const ContestRow& row) {
  return row.solver + (std::isfinite(row.rtol) ? fmt::format(" with rtol = {:g}", row.rtol) : "");
}

void tell(const ContestRow& row) {
  if (row.lone_event)
    print_note(
        fmt::format("{}: its events are not those of the reference: '{}' at t = {:.9g} is {}",
                    title_of(row), row.lone_event->name, row.lone_event->time,
                    row.lone_event->in_first ? "not in the reference" : "missing"));
  if (row.ends_later)
    print_note(fmt::format("{}: it ends {:.3g} s {} than the reference", title_of(row),
                           std::abs(*row.ends_later), *row.ends_later > 0 ? "later" : "earlier"));
  if (!row.message.empty()) print_note(fmt::format("{}: {}", title_of(row), row.message));
}

void draw(const std::string& path, const std::string& title, const ContestResult& result) {
  plot::Figure figure =
      plot::make_figure(title, plot::log_axis("error"), plot::log_axis("CPU time", "s"));
  for (std::size_t i = 0; i < result.rows.size();) {
    std::vector<double> x, y;
    const std::string& solver = result.rows[i].solver;
    for (; i < result.rows.size() && result.rows[i].solver == solver; ++i) {
      if (!(result.rows[i].error > 0)) continue;
      x.push_back(result.rows[i].error);
      y.push_back(result.rows[i].cpu_s);
    }
    if (!x.empty()) figure.panel().add(plot::line_points(std::move(x), std::move(y), solver));
  }
  figure.panel().legend = plot::LegendPlace::kOutside;
  for (const std::string& warning : plot::render(figure, path)) print_note(warning);
}

}  // namespace

int compare(const ModelRegistry& models, const CompareCommand& command) {
  if (command.plot) plot::check_picture_path(*command.plot);
  ContestRequest request;
  request.rtols = parse_tolerances(command.rtols);
  request.reference = command.reference;
  if (!command.reference.empty() && command.reference != "auto")
    solver_named(command.reference, command.reference, 0);
  const AnyModel model(models, command.subject);
  take_solvers(request, command, model.is_discrete() || model.options().numerics.step > 0);
  ContestResult result;
  {
    ProgressBar bar(command.subject.model);
    request.progress = [&](double part) { bar.update(part); };
    result = model.compare(request);
  }
  if (command.plot && !result.rows.empty()) draw(*command.plot, model.name(), result);
  if (command.json) {
    print_json(result);
  } else {
    print_table(result);
  }
  for (const ContestRow& row : result.rows) tell(row);
  if (!result.cancelled) return 0;
  print_error(fmt::format("interrupted: {} of {} rows are done", result.rows.size(),
                          request.solvers.size() * request.rtols.size()));
  return interruption_exit_code();
}

}  // namespace arges::app
