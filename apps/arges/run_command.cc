#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arges/base/error.h"
#include "arges/driver/plot_results.h"
#include "arges/experiment/specification.h"
#include "arges/hybrid/simulator.h"
#include "arges/plot/render.h"
#include "commands.h"
#include "console.h"
#include "given_values.h"

namespace arges::app {

namespace {

using Json = nlohmann::ordered_json;

const std::map<std::string, ZenoPolicy> kZenoPolicies{
    {"stop", ZenoPolicy::kStop}, {"stick", ZenoPolicy::kStick}, {"go", ZenoPolicy::kGo}};
const std::map<std::string, LinearAlgebra> kLinearSolvers{{"auto", LinearAlgebra::kAuto},
                                                          {"dense", LinearAlgebra::kDense},
                                                          {"banded", LinearAlgebra::kBanded},
                                                          {"klu", LinearAlgebra::kKlu}};

const std::map<std::string, Tier> kTiers{
    {"vm", Tier::kVm}, {"jit", Tier::kJit}, {"auto", Tier::kAuto}};

void print_json(const RunOutcome& outcome) {
  const RunResult& run = outcome.result;
  Json json;
  json["status"] = to_string(run.status.reason);
  json["time"] = run.status.time;
  json["solver"] = run.solver;
  json["steps"] = run.statistics.steps;
  json["rejected"] = run.statistics.rejected;
  json["rhs"] = run.statistics.rhs;
  json["jac"] = run.statistics.jacobians;
  json["events"] = run.events;
  json["wall_s"] = run.wall_s;
  json["message"] = run.status.message;
  if (!run.activity.empty()) {
    Json all = Json::array();
    for (const StateActivity& each : run.activity) {
      Json& one = all.emplace_back(
          Json{{"name", each.name}, {"activity", each.activity}, {"crossings", each.crossings}});
      if (each.moves) one["moves"] = *each.moves;
    }
    json["activity"] = std::move(all);
  }
  if (run.real_time.steps > 0) {
    const RealTimeReport& report = run.real_time;
    json["real_time"] = {{"steps", report.steps},     {"overruns", report.overruns},
                         {"mean_s", report.mean_s},   {"cost_999_s", report.cost_999_s},
                         {"worst_s", report.worst_s}, {"latest_s", report.latest_s}};
  }
  // Names are unique; operator[] would look for each among all before it.
  Json::object_t::Container& final = (json["final"] = Json::object()).get_ref<Json::object_t&>();
  for (const NamedValue& value : outcome.final) final.emplace_back(value.name, json_value(value));
  fmt::print("{}\n", json.dump(2));
}

void print_text(const RunCommand& command, const RunOutcome& outcome) {
  const RunResult& run = outcome.result;
  fmt::print(
      "{}: {} at t = {:.10g} ({} steps, {} rejected, {} rhs, {} jac, {} events, {:.3g} s, solver "
      "{})\n",
      command.request.model, to_string(run.status.reason), run.status.time, run.statistics.steps,
      run.statistics.rejected, run.statistics.rhs, run.statistics.jacobians, run.events, run.wall_s,
      run.solver);
  std::size_t width = 0;
  for (const NamedValue& value : outcome.final) width = std::max(width, value.name.size());
  for (const NamedValue& value : outcome.final) {
    if (value.type == ValueType::kBoolean) {
      fmt::print("  {:<{}}  {}\n", value.name, width, value.value != 0);
    } else {
      fmt::print("  {:<{}}  {:.15g}\n", value.name, width, value.value);
    }
  }
}

// One line for each state, and the sum; what was foreseen beside what has happened, with quantised
// states.
void print_activity(const std::vector<StateActivity>& activity) {
  std::size_t width = 5;
  StateActivity total{"total"};
  for (const StateActivity& each : activity) {
    width = std::max(width, each.name.size());
    total.activity += each.activity;
    total.crossings += each.crossings;
    if (each.moves) total.moves = total.moves.value_or(0) + *each.moves;
  }
  fmt::print("  {:<{}}  {:>16}  {:>17}{}\n", "", width, "activity", "quantum crossings",
             total.moves ? fmt::format("  {:>12}", "moves made") : "");
  const auto line = [&](const StateActivity& each) {
    fmt::print("  {:<{}}  {:>16.10g}  {:>17.10g}{}\n", each.name, width, each.activity,
               each.crossings, each.moves ? fmt::format("  {:>12}", *each.moves) : "");
  };
  for (const StateActivity& each : activity) line(each);
  line(total);
}

// Methods for real time project, so that a step has a known cost.
ConstraintPolicy constraint_policy(const RunCommand& command) {
  const bool project = command.constraints == "auto"
                           ? command.request.solver.value_or("").starts_with("rt-")
                           : command.constraints == "project";
  return project ? ConstraintPolicy::kProject : ConstraintPolicy::kSelect;
}

void print_real_time(const RealTimeReport& report) {
  fmt::print(
      "  real time: {} steps, {} overruns; a step cost {:.3g} s on average, 99.9 % at most {:.3g} "
      "s, the worst {:.3g} s\n",
      report.steps, report.overruns, report.mean_s, report.cost_999_s, report.worst_s);
}

}  // namespace

Json json_value(const NamedValue& value) {
  if (value.type == ValueType::kBoolean) return value.value != 0;
  if (value.type == ValueType::kInteger)
    return static_cast<std::int64_t>(std::llround(value.value));
  if (!std::isfinite(value.value)) return nullptr;  // JSON has no NaN
  return value.value;
}

ZenoPolicy zeno_policy(const std::string& name) { return kZenoPolicies.at(name); }

int run(const ModelRegistry& models, RunCommand command) {
  command.request.on_zeno = zeno_policy(command.on_zeno);
  command.request.linear_algebra = kLinearSolvers.at(command.linear_solver);
  if (command.json && command.request.events == "-") {
    throw UserError(
        "--json and --events - both want the standard output: give the event log a file");
  }
  if (command.plot) plot::check_picture_path(*command.plot);
  command.request.keep_trajectory = command.plot.has_value();
  command.request.cancel = &interrupted();

  RunOutcome outcome;
  std::string model_note;
  {
    ProgressBar bar(command.request.model);
    command.request.progress = [&](double fraction) { bar.update(fraction); };
    if (const DiscreteModel* model = models.find_discrete(command.request.model)) {
      ParameterValues probe(model->info().parameters);
      command.request.values = parse_assignments(command.assignments);
      set_all(command.request.values, command.assignments,
              [&](const std::string& name, double value) { probe.set(name, value); });
      refuse_truth(command.assignments, {&model->info().parameters});
      outcome = run_model(*model, command.request);
    } else {
      GivenModel given = open_given(models,
                                    {.what = command.request.model,
                                     .class_name = command.class_name,
                                     .colour = colours(),
                                     .tier = kTiers.at(command.tier),
                                     .libraries = command.libraries,
                                     .constraints = constraint_policy(command)},
                                    command.assignments, &model_note);
      command.request.values = std::move(given.values);
      outcome = run_model(*given.model, command.request);
    }
  }
  if (command.plot) {
    for (const std::string& warning : plot::render(plot_run(*outcome.trajectory), *command.plot)) {
      print_note(warning);
    }
  }

  if (!model_note.empty()) print_note(model_note);
  const RunResult& run = outcome.result;
  if (command.json) {
    print_json(outcome);
  } else {
    // An event log on the standard output is for pipes: nothing else goes there.
    if (command.request.events != "-") {
      print_text(command, outcome);
      if (!run.activity.empty()) print_activity(run.activity);
      if (command.request.real_time) print_real_time(run.real_time);
    }
    if (!run.solver_reason.empty())
      print_note(fmt::format("solver {}: {}", run.solver, run.solver_reason));
    for (const std::string& note : run.notes) print_note(note);
  }
  if (!run.status.ok())
    print_error(fmt::format("{}: {}", to_string(run.status.reason), run.status.message));
  return run.status.reason == RunReason::kCancelled ? interruption_exit_code()
                                                    : exit_code(run.status.reason);
}

}  // namespace arges::app
