#include "arges/driver/run_manifest.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arges/base/hash.h"
#include "arges/base/version.h"
#include "arges/compile/equations_hash.h"

namespace arges {

namespace {

// Changes whenever what a model declares changes, and, of a model in text, its equations.
std::string model_hash(const HybridSystem& model) {
  const Schema& schema = model.schema();
  std::string text = fmt::format("{} {:016x}", schema.name, equations_hash(model));
  const auto add = [&](const std::vector<VariableInfo>& list) {
    for (const VariableInfo& v : list) text += fmt::format(";{}={}", v.name, v.start);
  };
  add(schema.parameters);
  add(schema.inputs);
  add(schema.discretes);
  add(schema.outputs);
  for (const ModeInfo& mode : schema.modes) {
    text += ";mode " + mode.name;
    add(mode.states);
  }
  for (const EventInfo& event : schema.events) text += ";event " + event.name;
  for (const TimerInfo& timer : schema.timers)
    text += fmt::format(";timer {} {} {}", timer.name, timer.first, timer.period);
  return fmt::format("{:016x}", fnv1a(text));
}

// How the run ended, and what it cost.
void add_outcome(Manifest& manifest, const RunResult& result) {
  manifest.set("status", std::string(to_string(result.status.reason)));
  manifest.set("status_message", result.status.message);
  manifest.set("time_reached", fmt::format("{}", result.status.time));
  manifest.set("steps", fmt::format("{}", result.statistics.steps));
  manifest.set("rejected", fmt::format("{}", result.statistics.rejected));
  manifest.set("rhs", fmt::format("{}", result.statistics.rhs));
  manifest.set("jac", fmt::format("{}", result.statistics.jacobians));
  manifest.set("events", fmt::format("{}", result.events));
  if (!result.activity.empty()) {
    double activity = 0, crossings = 0;
    for (const StateActivity& each : result.activity) {
      activity += each.activity;
      crossings += each.crossings;
    }
    manifest.set("activity", fmt::format("{}", activity));
    manifest.set("quantum_crossings", fmt::format("{:.0f}", crossings));
  }
  manifest.set("wall_s", fmt::format("{:.6g}", result.wall_s));
}

}  // namespace

Manifest make_manifest(const HybridSystem& model, const RunOptions& options,
                       const RunRequest& request, const Context& initial, const RunResult& result) {
  const Schema& schema = model.schema();
  Manifest manifest;
  manifest.set("arges_version", std::string(kVersion));
  manifest.set("model", schema.name);
  manifest.set("model_hash", model_hash(model));
  manifest.set("solver", result.solver);
  if (!result.solver_reason.empty()) manifest.set("solver_reason", result.solver_reason);
  manifest.set("rtol", fmt::format("{}", options.numerics.rtol));
  manifest.set("atol", fmt::format("{}", options.numerics.effective_atol()));
  if (options.numerics.step > 0) manifest.set("step", fmt::format("{}", options.numerics.step));
  if (std::isfinite(options.numerics.max_step))
    manifest.set("max_step", fmt::format("{}", options.numerics.max_step));
  if (options.interval != 0) {
    manifest.set("interval", options.interval > 0 ? fmt::format("{}", options.interval)
                                                  : std::string("every step"));
  }
  constexpr const char* kLinear[] = {"auto", "dense", "banded", "klu"};
  if (options.numerics.linear_algebra != LinearAlgebra::kAuto)
    manifest.set("linear_solver", kLinear[static_cast<int>(options.numerics.linear_algebra)]);
  if (options.on_zeno != ZenoPolicy::kStop)
    manifest.set("on_zeno", options.on_zeno == ZenoPolicy::kStick ? "stick" : "go");
  if (options.numerics.newton_steps >= 0)
    manifest.set("newton_steps", fmt::format("{}", options.numerics.newton_steps));
  if (options.numerics.projection_steps > 0)
    manifest.set("projection_steps", fmt::format("{}", options.numerics.projection_steps));
  if (options.numerics.jacobian_every != 1)
    manifest.set("jacobian_every", fmt::format("{}", options.numerics.jacobian_every));
  if (options.numerics.newton_tolerance > 0)
    manifest.set("newton_tolerance", fmt::format("{}", options.numerics.newton_tolerance));
  if (options.numerics.jacobian_background)
    manifest.set("jacobian_background", fmt::format("{}", options.numerics.background_lag));
  if (!options.numerics.fast.empty()) {
    manifest.set("fast", fmt::format("{}", fmt::join(options.numerics.fast, ", ")));
    manifest.set("frame_ratio", fmt::format("{}", options.numerics.frame_ratio));
  }
  if (options.real_time > 0) {
    manifest.set("real_time", fmt::format("{}", options.real_time));
    manifest.set("overruns", fmt::format("{}", result.real_time.overruns));
  }
  manifest.set("start_time", fmt::format("{}", options.start_time));
  manifest.set("stop_time", fmt::format("{}", options.stop_time));
  manifest.set("seed", "none");
  // Their names differ: looking each up among all before it would take n^2 steps.
  for (std::size_t i = 0; i < schema.parameters.size(); ++i) {
    manifest.entries.emplace_back("parameter." + schema.parameters[i].name,
                                  fmt::format("{}", initial.p[i]));
  }
  for (const auto& [name, value] : request.values) {
    const bool is_parameter =
        std::any_of(schema.parameters.begin(), schema.parameters.end(),
                    [&name = name](const VariableInfo& p) { return p.name == name; });
    if (!is_parameter) manifest.set("start." + name, fmt::format("{}", value));
  }
  add_outcome(manifest, result);
  return manifest;
}

Manifest make_manifest(const DiscreteModel& model, const RunOptions& options,
                       const ParameterValues& values, const DiscreteResult& run) {
  Manifest manifest;
  manifest.set("arges_version", std::string(kVersion));
  manifest.set("model", model.info().name);
  std::string text = model.info().name;
  for (const VariableInfo& p : model.info().parameters) {
    text += fmt::format(";{}={}", p.name, p.start);
  }
  manifest.set("model_hash", fmt::format("{:016x}", fnv1a(text)));
  manifest.set("solver", run.result.solver);
  if (model.has_continuous_parts()) {
    manifest.set("rtol", fmt::format("{}", options.numerics.rtol));
    manifest.set("atol", fmt::format("{}", options.numerics.effective_atol()));
  }
  if (options.interval > 0) manifest.set("interval", fmt::format("{}", options.interval));
  manifest.set("start_time", fmt::format("{}", options.start_time));
  manifest.set("stop_time", fmt::format("{}", options.stop_time));
  std::string seed = "none";
  for (const VariableInfo& p : values.parameters()) {
    if (p.name == "seed") seed = fmt::format("{}", p.start);
  }
  manifest.set("seed", seed);
  for (const VariableInfo& p : values.parameters()) {
    manifest.set("parameter." + p.name, fmt::format("{}", p.start));
  }
  for (const NamedValue& value : run.summary) {
    manifest.set("result." + value.name, fmt::format("{}", value.value));
  }
  add_outcome(manifest, run.result);
  return manifest;
}

}  // namespace arges
