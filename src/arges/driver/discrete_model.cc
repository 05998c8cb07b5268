#include "arges/driver/discrete_model.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/nearest.h"
#include "arges/devs/result_recorder.h"
#include "arges/devs/simulator.h"
#include "arges/hybrid/simulator.h"
#include "arges/hybrid_devs/continuous_part.h"
#include "arges/hybrid_devs/hybrid_simulator.h"

namespace arges {

namespace {

double wall_clock() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::int64_t transitions(const devs::Simulator& simulator) {
  const devs::SimulatorStatistics s = simulator.statistics();
  return s.internal + s.external + s.confluent + s.state;
}

void add_counts(const devs::Simulator& simulator, const devs::ResultRecorder& recorder,
                DiscreteResult& outcome) {
  const devs::SimulatorStatistics s = simulator.statistics();
  const auto count = [&](const char* name, std::int64_t number) {
    outcome.summary.push_back({name, static_cast<double>(number), ValueType::kInteger});
  };
  count("internal", s.internal);
  count("external", s.external);
  count("confluent", s.confluent);
  if (s.state > 0) count("state_events", s.state);
  count("messages", s.messages);
  count("structure_changes", s.structure_changes);
  const auto left_out = static_cast<std::int64_t>(recorder.without_columns());
  if (left_out > 0) count("components_without_columns", left_out);
}

DiscreteModel::Info with_engine(DiscreteModel::Info info, const char* engine) {
  info.engine = engine;
  return info;
}

}  // namespace

ParameterValues::ParameterValues(const std::vector<VariableInfo>& parameters)
    : parameters_(parameters) {}

void ParameterValues::set(const std::string& name, double value) {
  std::vector<std::string> names;
  for (VariableInfo& parameter : parameters_) {
    names.push_back(parameter.name);
    if (parameter.name != name) continue;
    if (parameter.type != ValueType::kReal && value != std::round(value)) {
      throw UserError(fmt::format("the parameter '{}' is a whole number, not {}", name, value));
    }
    parameter.start = value;
    return;
  }
  throw UserError(
      fmt::format("the model has no parameter '{}'{}", name, did_you_mean(name, names)));
}

double ParameterValues::operator[](std::string_view name) const {
  for (const VariableInfo& parameter : parameters_) {
    if (parameter.name == name) return parameter.start;
  }
  throw ApiError(fmt::format("the parameter '{}' is not declared", name));
}

RunWatch::RunWatch(const RunOptions& options)
    : options_(options), begun_(wall_clock()), last_progress_(begun_) {}

double RunWatch::wall_s() const { return wall_clock() - begun_; }

bool RunWatch::goes_on(double time, std::int64_t events, RunStatus& status) {
  const auto end = [&](RunReason reason, std::string message) {
    status.reason = reason;
    status.time = time;
    status.message = std::move(message);
    return false;
  };
  if (events >= options_.max_events) {
    return end(RunReason::kTooManySteps,
               fmt::format("{} events until t = {}: the limit that was set", events, time));
  }
  if (++count_ < 64) return true;
  count_ = 0;
  if (options_.cancel != nullptr && *options_.cancel) {
    return end(RunReason::kCancelled, fmt::format("cancelled at t = {}", time));
  }
  const double now = wall_clock();
  if (now - begun_ > options_.time_limit) {
    return end(RunReason::kTimeLimit, fmt::format("the time limit of {} s is reached at t = {}",
                                                  options_.time_limit, time));
  }
  if (options_.progress && now - last_progress_ > 0.1 && std::isfinite(options_.stop_time)) {
    last_progress_ = now;
    options_.progress((time - options_.start_time) / (options_.stop_time - options_.start_time));
  }
  return true;
}

void declare_parameters(const ParameterValues& values, StepRecorder& steps) {
  for (const VariableInfo& p : values.parameters()) {
    steps.add_parameter({p.name, p.unit, p.description, p.type, Variability::kParameter}, p.start);
  }
}

std::vector<NamedValue> final_values(const StepRecorder& steps) {
  std::vector<NamedValue> values;
  for (std::size_t i = 0; i < steps.columns().size(); ++i) {
    if (std::isnan(steps.values()[i])) continue;
    values.push_back({steps.columns()[i].name, steps.values()[i], steps.columns()[i].type});
  }
  return values;
}

DevsModel::DevsModel(Info info, Make make)
    : DiscreteModel(with_engine(std::move(info), "devs")), make_(std::move(make)) {}

DiscreteResult DevsModel::run(const DiscreteRun& run) const {
  const std::unique_ptr<devs::Model> model = make_(run.values);
  RunWatch watch(run.options);
  StepRecorder steps(run.sink, run.options.interval);
  declare_parameters(run.values, steps);
  devs::SimulatorOptions options;
  options.start_time = run.options.start_time;
  devs::Simulator simulator(*model, options);
  devs::ResultRecorder recorder(simulator, steps,
                                {run.log_events, run.log_messages, run.log_events});
  simulator.set_observer(&recorder);
  steps.begin(options.start_time);

  DiscreteResult outcome;
  RunResult& result = outcome.result;
  const double stop = run.options.stop_time;
  bool goes_on = true;
  while (goes_on && simulator.next_time() <= stop && simulator.step()) {
    goes_on = watch.goes_on(simulator.time(), transitions(simulator), result.status);
  }
  if (goes_on) result.status = simulator.run_until(stop);
  steps.end(simulator.time());

  result.statistics.steps = simulator.statistics().steps;
  result.events = transitions(simulator);
  result.wall_s = watch.wall_s();
  result.solver = info().engine;
  outcome.final = final_values(steps);
  add_counts(simulator, recorder, outcome);
  return outcome;
}

HybridDevsModel::HybridDevsModel(Info info, DevsModel::Make make)
    : DiscreteModel(with_engine(std::move(info), "hybrid-devs")), make_(std::move(make)) {}

DiscreteResult HybridDevsModel::run(const DiscreteRun& run) const {
  const double stop = run.options.stop_time;
  if (!std::isfinite(stop))
    throw UserError("a model with continuous parts has a finite stop time", {"stop"});
  const std::unique_ptr<devs::Model> model = make_(run.values);
  RunWatch watch(run.options);
  StepRecorder steps(run.sink, run.options.interval);
  declare_parameters(run.values, steps);
  hybrid_devs::HybridSimulator simulator(*model, run.options);
  devs::ResultRecorder recorder(simulator.discrete(), steps,
                                {run.log_events, run.log_messages, run.log_events});
  simulator.discrete().set_observer(&recorder);
  simulator.set_sampler([&](double t) { recorder.sample(simulator.discrete(), t); });
  steps.begin(run.options.start_time);

  DiscreteResult outcome;
  RunResult& result = outcome.result;
  bool goes_on = true;
  std::size_t listed = 0;  // of rows_at
  while (goes_on && simulator.time() < stop) {
    double until = std::min(stop, simulator.next_discrete());
    if (listed < run.options.rows_at.size()) until = std::min(until, run.options.rows_at[listed]);
    result.status = simulator.run_until(std::max(until, simulator.time()));
    while (listed < run.options.rows_at.size() && run.options.rows_at[listed] <= simulator.time())
      ++listed;
    goes_on = result.status.ok() &&
              watch.goes_on(simulator.time(), transitions(simulator.discrete()), result.status);
  }
  if (goes_on) result.status = simulator.run_until(stop);
  steps.end(simulator.time());

  result.statistics = simulator.statistics().solver;
  result.accumulation = simulator.accumulation();
  result.notes = simulator.notes();
  result.events = transitions(simulator.discrete());
  result.wall_s = watch.wall_s();
  result.solver = simulator.solver().empty() ? info().engine : simulator.solver();
  outcome.final = final_values(steps);
  add_counts(simulator.discrete(), recorder, outcome);
  return outcome;
}

Moment DiscreteModel::moment(const RunOptions&, const ParameterValues&) const {
  throw UserError(
      fmt::format("'{}' is a discrete-event model: it has no equations, so there are no steady "
                  "states and no linear models of it",
                  info_.name),
      {"model"});
}

Moment HybridDevsModel::moment(const RunOptions& options, const ParameterValues& values) const {
  // The system refers to all that it was made from.
  struct Running {
    std::unique_ptr<devs::Model> model;
    hybrid_devs::HybridSimulator simulator;
    std::unique_ptr<hybrid_devs::ContinuousPart> part;
    Running(std::unique_ptr<devs::Model> the_model, const RunOptions& how)
        : model(std::move(the_model)), simulator(*model, how), part(nullptr) {}
  };
  const auto running = std::make_shared<Running>(make_(values), options);
  Moment moment;
  moment.status = running->simulator.run_until(options.stop_time);
  if (!moment.status.ok()) return moment;
  running->part = std::make_unique<hybrid_devs::ContinuousPart>(running->simulator.discrete());
  if (running->part->state_count() == 0)
    throw UserError(
        fmt::format("'{}' has no continuous states at t = {}", info().name, options.stop_time),
        {"at", "model"});
  moment.at = make_context(*running->part);
  moment.at.t = options.stop_time;
  running->part->read(moment.at.x);
  moment.system = std::shared_ptr<const HybridSystem>(running, running->part.get());
  return moment;
}

ProcessModel::ProcessModel(Info info, Make make)
    : DiscreteModel(with_engine(std::move(info), "process")), make_(std::move(make)) {}

DiscreteResult ProcessModel::run(const DiscreteRun& run) const {
  RunWatch watch(run.options);
  process::World world(run.options.start_time);
  const std::unique_ptr<ProcessScene> scene = make_(world, run.values);
  StepRecorder steps(run.sink, run.options.interval);
  declare_parameters(run.values, steps);
  process::ResultRecorder recorder(steps, run.log_events);
  scene->watch(recorder);
  world.set_observer(&recorder);
  steps.begin(world.now());

  DiscreteResult outcome;
  RunResult& result = outcome.result;
  const double stop = run.options.stop_time;
  bool goes_on = true;
  for (double next = world.next_time(); goes_on && next <= stop && next < devs::kInfinity;
       next = world.next_time()) {
    result.status = world.run_until(next);
    ++result.statistics.steps;
    goes_on = result.status.ok() && watch.goes_on(next, world.resumptions(), result.status);
  }
  if (goes_on && stop < devs::kInfinity) result.status = world.run_until(stop);
  // Nothing will happen any more: a process that still waits then does so in vain.
  if (goes_on && result.status.ok() && world.next_time() == devs::kInfinity) {
    result.status = world.run();
  }
  steps.end(world.now());

  result.events = world.resumptions();
  result.wall_s = watch.wall_s();
  result.solver = info().engine;
  outcome.final = final_values(steps);
  outcome.summary = scene->summary();
  return outcome;
}

}  // namespace arges
