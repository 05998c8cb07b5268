#include "arges/driver/run_model.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arges/base/error.h"
#include "arges/driver/range_watch.h"
#include "arges/driver/run_manifest.h"
#include "arges/hybrid/simulator.h"
#include "arges/hybrid/update.h"
#include "arges/results/chosen_columns.h"
#include "arges/results/csv_sink.h"
#include "arges/results/event_log.h"
#include "arges/results/memory_sink.h"
#include "arges/results/open_sink.h"
#include "arges/results/tee_sink.h"

namespace arges {

namespace {

constexpr std::size_t kTrajectoryRows = 200'000;

template <class T>
T check_limit(const char* option, T value) {
  if (!(value > 0)) throw UserError(fmt::format("{} must be positive, not {}", option, value));
  return value;
}

// Where a name leads to, through links whose end need not be there yet.
std::filesystem::path place_of(const std::string& name) {
  constexpr int kMostLinks = 40;
  std::error_code error;
  std::filesystem::path path = std::filesystem::absolute(name, error);
  for (int i = 0; i < kMostLinks && std::filesystem::is_symlink(path, error); ++i)
    path = path.parent_path() / std::filesystem::read_symlink(path, error);
  const auto place = std::filesystem::weakly_canonical(path, error);
  return error ? std::filesystem::path(name) : place;
}

// Two outputs with one name would write over each other; a choice of variables needs one.
void check_outputs(const RunRequest& request) {
  std::set<std::filesystem::path> seen;
  std::vector<std::string> all = request.outputs;
  for (const std::string& name : request.outputs) {
    if (name.ends_with(".csv")) all.push_back(CsvSink::sidecar_path(name).string());
  }
  if (!request.record.empty() && all.empty() && !request.keep_trajectory) {
    throw UserError("there is no result file and no picture to hold it; ask for one", {"record"});
  }
  if (request.events && *request.events != "-") all.push_back(*request.events);
  for (const std::string& name : all) {
    if (name.empty()) throw UserError("the name of an output file is empty");
    std::error_code error;
    const bool device = std::filesystem::is_other(name, error);
    if (!device && !seen.insert(place_of(name)).second)
      throw UserError(fmt::format("two outputs of the run have the name '{}'", name));
  }
}

// Solvers are for models with something to solve.
void refuse_solver_options(const DiscreteModel& model, const RunRequest& request) {
  const bool given = request.solver || request.rtol || request.atol || request.step ||
                     request.max_step || request.linear_algebra != LinearAlgebra::kAuto;
  if (given) {
    throw UserError(
        fmt::format(
            "'{}' is a discrete-event model: it has no equations, and no options of solvers",
            model.info().name),
        {"solver", "rtol", "atol", "step", "max-step", "linear-solver"});
  }
}

// Where a run goes to.
struct Destinations {
  explicit Destinations(const RunRequest& request)
      : chosen(request.record, results),
        records(!request.outputs.empty() || request.events || request.keep_trajectory) {
    for (const std::string& path : request.outputs) results.add(open_sink(path));
    if (request.keep_trajectory) results.add(memory);
    sinks.add(chosen);
    if (request.events) sinks.add(open_event_log(*request.events));
  }
  // One that looks at what comes, and leaves nothing.
  void add(ResultSink& watch) {
    sinks.add(watch);
    writes = true;
  }
  MemorySink memory{MemoryLimits{kTrajectoryRows, kTrajectoryRows}};
  TeeSink results;
  ChosenColumns chosen;
  TeeSink sinks;  // the results, and the event log
  bool records;
  bool writes = records;
};

// Of a model as text: what the compiler has added ($dummy of a model without states, the inputs of
// delays). No name that a user can write begins so.
bool is_made_by_compiler(const std::string& name) {
  return name.starts_with('$') || name.starts_with("der($");
}

std::vector<NamedValue> final_values(const Simulator& simulator, const RunResult& result,
                                     const std::vector<std::string>& asked) {
  std::vector<NamedValue> values;
  const ResultLayout layout = simulator.layout(result.final);
  for (std::size_t i = 0; i < layout.columns.size() && i < result.final_row.size(); ++i) {
    const bool is_shown = !layout.columns[i].hidden || is_asked_for(layout.columns[i], asked);
    if (result.final_row_exists[i] != 0 && is_shown &&
        !is_made_by_compiler(layout.columns[i].name)) {
      values.push_back({layout.columns[i].name, result.final_row[i], layout.columns[i].type});
    }
  }
  for (const auto& [column, value] : layout.parameters) {
    if (!column.hidden || is_asked_for(column, asked))
      values.push_back({column.name, value, column.type});
  }
  return values;
}

const double* find_value(const Schema& schema, const Context& context, const std::string& name) {
  const auto find = [&](const std::vector<VariableInfo>& list,
                        const std::vector<double>& values) -> const double* {
    for (std::size_t i = 0; i < list.size() && i < values.size(); ++i) {
      if (list[i].name == name) return &values[i];
    }
    return nullptr;
  };
  if (const double* value = find(schema.inputs, context.u)) return value;
  if (const double* value = find(schema.discretes, context.z)) return value;
  return find(schema.modes[context.mode.index].states, context.x);
}

// Start values that were asked for, but that the model's own initial equations replace.
std::vector<std::string> replaced_values(const HybridSystem& model, const RunRequest& request,
                                         const Context& initial, const RunOptions& options) {
  // Parameters keep what they are given: for them alone nothing has to be computed once more.
  const auto can_be_replaced = [&](const auto& given) {
    return find_value(model.schema(), initial, given.first) != nullptr;
  };
  if (std::ranges::none_of(request.values, can_be_replaced)) return {};
  std::vector<std::string> notes;
  Context start = initial;
  // What has taken the run all its time is not worth as much again.
  const Interrupt interrupt(options.cancel,
                            std::chrono::steady_clock::now() + std::chrono::seconds(1));
  start.interrupt = &interrupt;
  Update update(model, initial, start);
  try {
    model.initialize(update);
  } catch (const std::exception&) {
    return {};  // the run will say what is wrong
  }
  for (const auto& [name, value] : request.values) {
    const double* now = find_value(model.schema(), start, name);
    if (now != nullptr && *now != value) {
      notes.push_back(
          fmt::format("the start value {} of '{}' has no effect: the model computes it ({})", value,
                      name, *now));
    }
  }
  return notes;
}

}  // namespace

RunOptions run_options(const RunRequest& request, const ExperimentInfo& experiment) {
  RunOptions options;
  options.start_time = request.start_time.value_or(experiment.start_time);
  options.stop_time = request.stop_time.value_or(experiment.stop_time);
  options.solver = request.solver.value_or(experiment.solver);
  options.numerics.rtol = request.rtol.value_or(experiment.rtol);
  if (request.atol) {
    if (!(*request.atol >= 0)) {
      throw UserError(
          fmt::format("the absolute tolerance must not be negative, but it is {}", *request.atol),
          {"atol"});
    }
    options.numerics.atol = *request.atol;
  }
  if (request.step) {
    if (!(*request.step > 0))
      throw UserError(fmt::format("the step size must be positive, not {}", *request.step),
                      {"step"});
    options.numerics.step = *request.step;
  }
  if (request.max_step) options.numerics.max_step = *request.max_step;
  options.numerics.linear_algebra = request.linear_algebra;
  options.interval = request.interval.value_or(experiment.interval);
  if (request.interval && !(*request.interval >= 0)) {
    throw UserError(fmt::format("the output interval must be positive (or 0: every step), not {}",
                                *request.interval),
                    {"interval"});
  }
  if (request.interval && *request.interval == 0) options.interval = RunOptions::kEveryStep;
  if (request.max_steps) options.max_steps = check_limit("--max-steps", *request.max_steps);
  if (request.max_events) options.max_events = check_limit("--max-events", *request.max_events);
  if (request.time_limit) options.time_limit = check_limit("--time-limit", *request.time_limit);
  if (request.newton_steps && *request.newton_steps < 0) {
    throw UserError(fmt::format("Newton steps cannot be negative ({})", *request.newton_steps),
                    {"newton"});
  }
  options.numerics.newton_steps = request.newton_steps.value_or(options.numerics.newton_steps);
  options.numerics.projection_steps = request.projection_steps.value_or(0);
  options.numerics.jacobian_every = request.jacobian_every.value_or(1);
  options.numerics.constant_history = request.constant_history;
  options.numerics.newton_tolerance = request.newton_tolerance.value_or(0);
  options.numerics.jacobian_background = request.jacobian_background.has_value();
  options.numerics.background_lag = request.jacobian_background.value_or(0);
  options.numerics.frame_ratio = request.frame_ratio.value_or(options.numerics.frame_ratio);
  options.numerics.fast = request.fast;
  if (request.real_time) {
    if (!(*request.real_time > 0)) {
      throw UserError(
          fmt::format(
              "the pace of --real-time must be positive (model time for each second), not {}",
              *request.real_time),
          {"real-time"});
    }
    options.real_time = *request.real_time;
  }
  options.on_zeno = request.on_zeno;
  options.measures_activity = request.activity;
  options.cancel = request.cancel;
  options.progress = request.progress;
  return options;
}

RunOutcome run_model(const ModelRegistry& models, const RunRequest& request) {
  if (const DiscreteModel* model = models.find_discrete(request.model))
    return run_model(*model, request);
  return run_model(*models.make(request.model), request);
}

RunOutcome run_model(const HybridSystem& model, const RunRequest& request) {
  check_outputs(request);
  const RunOptions options = run_options(request, model.schema().experiment);
  Simulator simulator(model, options);
  Context initial = make_context(model);
  for (const auto& [name, value] : request.values) set_value(model, initial, name, value);

  Destinations to(request);
  RangeWatch ranges(options.numerics);
  // (Rows that nobody wants cost time, which there is none of then.)
  const bool has_time = to.records || options.real_time == 0;
  if (has_time && RangeWatch::has_work(simulator.layout(initial))) to.add(ranges);
  RunOutcome outcome;
  outcome.result = simulator.run(initial, to.writes ? &to.sinks : nullptr);
  for (std::string& note : ranges.findings()) outcome.result.notes.push_back(std::move(note));
  for (std::string& note : replaced_values(model, request, initial, options))
    outcome.result.notes.push_back(std::move(note));
  if (to.records) to.sinks.finish(make_manifest(model, options, request, initial, outcome.result));
  if (request.keep_trajectory) outcome.trajectory = to.memory.take();
  outcome.final = final_values(simulator, outcome.result, request.record);
  return outcome;
}

RunOutcome run_model(const DiscreteModel& model, const RunRequest& request) {
  check_outputs(request);
  if (!model.has_continuous_parts()) refuse_solver_options(model, request);
  RunOptions options = run_options(request, model.info().experiment);
  options.interval = std::max(options.interval, 0.0);  // 0: at each change
  if (!request.max_events) options.max_events = std::numeric_limits<std::int64_t>::max();
  if (!(options.stop_time >= options.start_time)) {
    throw UserError(fmt::format("the stop time {} is before the start time {}", options.stop_time,
                                options.start_time),
                    {"stop", "start"});
  }
  ParameterValues values(model.info().parameters);
  for (const auto& [name, value] : request.values) values.set(name, value);

  Destinations to(request);
  DiscreteResult run =
      model.run({options, values, to.sinks, to.records, request.events.has_value()});
  if (to.records) to.sinks.finish(make_manifest(model, options, values, run));
  RunOutcome outcome;
  outcome.result = std::move(run.result);
  if (request.keep_trajectory) outcome.trajectory = to.memory.take();
  outcome.final = std::move(run.final);
  outcome.final.insert(outcome.final.end(), run.summary.begin(), run.summary.end());
  for (const VariableInfo& p : values.parameters()) {
    outcome.final.push_back({p.name, p.start, p.type});
  }
  return outcome;
}

}  // namespace arges
