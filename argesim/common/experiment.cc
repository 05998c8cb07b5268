#include "argesim/common/experiment.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/driver/model_text.h"
#include "arges/hybrid/simulator.h"
#include "arges/results/memory_sink.h"
#include "argesim/embedded.h"

namespace arges::argesim {

namespace {

Context context_with(const HybridSystem& model, const Settings& settings) {
  Context context = make_context(model);
  for (const auto& [name, value] : settings) set_value(model, context, name, value);
  return context;
}

void must_be_ok(const HybridSystem& model, const RunResult& result) {
  if (result.status.ok()) return;
  throw std::runtime_error(fmt::format(
      "model '{}' with solver '{}' ended at t = {:.17g} with status {}: {}", model.schema().name,
      result.solver, result.status.time, to_string(result.status.reason), result.status.message));
}

template <class Predicate>
std::vector<std::string> solvers_where(Predicate wanted) {
  std::vector<std::string> names;
  for (const SolverInfo& info : solver_catalogue()) {
    if (!info.quantised && wanted(info)) names.emplace_back(info.name);
  }
  return names;
}

}  // namespace

std::vector<double> Recording::event_times(std::string_view component) const {
  std::vector<double> times;
  for (const EventRecord& event : trajectory.events) {
    if (component.empty() || event.component == component) times.push_back(event.time);
  }
  return times;
}

std::vector<double> Recording::change_times(std::string_view name, std::optional<double> to) const {
  std::vector<double> times;
  for (const EventRecord& event : trajectory.events) {
    for (const EventChange& change : event.changes) {
      if (change.name == name && (!to || change.after == *to)) times.push_back(event.time);
    }
  }
  return times;
}

double Recording::value_at(double t, std::string_view name) const {
  const auto& times = trajectory.times;
  const auto row = std::lower_bound(times.begin(), times.end(), t) - times.begin();
  return trajectory.values_of(name).at(static_cast<std::size_t>(row));
}

std::unique_ptr<HybridSystem> text_model(const std::string& path, const std::string& class_name) {
  const std::string_view text = embedded_text(path);
  if (text.empty()) throw ApiError(fmt::format("no model '{}' is part of the program", path));
  return model_from_text(path, std::string(text), class_name);
}

RunOptions options(std::string solver, double rtol, double stop_time) {
  RunOptions made;
  made.solver = std::move(solver);
  made.numerics.rtol = rtol;
  made.stop_time = stop_time;
  return made;
}

Recording try_run(const HybridSystem& model, const RunOptions& options, const Settings& settings) {
  MemorySink sink;
  Recording run;
  run.result = Simulator(model, options).run(context_with(model, settings), &sink);
  sink.finish({});
  run.trajectory = sink.take();
  return run;
}

Recording run(const HybridSystem& model, const RunOptions& options, const Settings& settings) {
  Recording run = try_run(model, options, settings);
  must_be_ok(model, run.result);
  return run;
}

RunResult final_state(const HybridSystem& model, const RunOptions& options,
                      const Settings& settings) {
  RunResult result = Simulator(model, options).run(context_with(model, settings));
  must_be_ok(model, result);
  return result;
}

std::vector<double> final_values(const HybridSystem& model, const RunOptions& options,
                                 const Settings& settings, const std::vector<std::string>& names) {
  Simulator simulator(model, options);
  const RunResult result = simulator.run(context_with(model, settings));
  must_be_ok(model, result);
  const std::vector<Column> columns = simulator.layout(result.final).columns;
  std::vector<double> values;
  for (const std::string& name : names) {
    const auto column = std::find_if(columns.begin(), columns.end(),
                                     [&](const Column& each) { return each.name == name; });
    if (column == columns.end()) throw ApiError(fmt::format("there is no variable '{}'", name));
    values.push_back(result.final_row[static_cast<std::size_t>(column - columns.begin())]);
  }
  return values;
}

std::vector<std::string> implicit_solvers() {
  return solvers_where([](const SolverInfo& info) { return info.adaptive && info.implicit; });
}

std::vector<std::string> explicit_adaptive_solvers() {
  return solvers_where([](const SolverInfo& info) { return info.adaptive && !info.implicit; });
}

}  // namespace arges::argesim
