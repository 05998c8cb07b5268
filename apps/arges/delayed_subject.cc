#include "delayed_subject.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "arges/base/error.h"

namespace arges::app {

namespace {

bool remembers(const AnyModel& model) {
  return model.subject() && model.subject()->model->schema().has_memory;
}

// All values at a point, by name.
std::map<std::string, double> values_by_name(const HybridSystem& system, const Context& at) {
  const Schema& schema = system.schema();
  std::map<std::string, double> values;
  const auto add = [&](const std::vector<VariableInfo>& list, const std::vector<double>& numbers) {
    for (std::size_t i = 0; i < list.size(); ++i) values[list[i].name] = numbers[i];
  };
  std::vector<double> outputs(schema.outputs.size());
  system.outputs(point_at(at), Outputs(outputs.data()));
  add(schema.outputs, outputs);
  add(schema.modes[at.mode.index].states, at.x);
  add(schema.parameters, at.p);
  add(schema.discretes, at.z);
  add(schema.inputs, at.u);
  return values;
}

}  // namespace

RestingSubject::RestingSubject(const ModelRegistry& models, const SubjectOptions& options) {
  model.emplace(models, options);
  if (!remembers(*model)) return;
  SubjectOptions resting = options;
  resting.delays = DelayUse::kAtRest;
  model.emplace(models, resting);
  has_delays = !remembers(*model);  // what is left is refused by whoever needs a point
}

DelayedModel linearise_delayed(const ModelRegistry& models, const SubjectOptions& options,
                               const HybridSystem& resting, const Context& at,
                               const LineariseRequest& request) {
  SubjectOptions opened = options;
  opened.delays = DelayUse::kOpened;
  const Subject subject(models, opened);
  const HybridSystem& system = *subject.model;
  const Schema& schema = system.schema();
  std::map<std::string, double> values = values_by_name(resting, at);
  std::size_t delays = 0;
  for (; values.contains(fmt::format("$sent{}", delays + 1)); ++delays)
    values[fmt::format("$past{}", delays + 1)] = values[fmt::format("$sent{}", delays + 1)];
  Context point = subject.start();
  point.t = at.t;
  const auto take = [&](const std::vector<VariableInfo>& list, std::vector<double>& numbers) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (const auto known = values.find(list[i].name); known != values.end())
        numbers[i] = known->second;
    }
  };
  take(schema.modes[point.mode.index].states, point.x);
  take(schema.parameters, point.p);
  take(schema.discretes, point.z);
  take(schema.inputs, point.u);

  LineariseRequest all = request;
  if (!all.inputs) {
    all.inputs.emplace();
    for (const VariableInfo& each : schema.inputs) {
      if (!each.name.starts_with('$')) all.inputs->push_back(each.name);
    }
  }
  if (!all.outputs) {
    all.outputs.emplace();
    const bool are_many = resting.schema().outputs.size() > LineariseRequest::kManyOutputs;
    for (const VariableInfo& each : schema.outputs) {
      if (!are_many && !each.name.starts_with('$')) all.outputs->push_back(each.name);
    }
  }
  const std::map<std::string, double> now = values_by_name(system, point);
  DelayedModel model;
  for (std::size_t k = 1; k <= delays; ++k) {
    all.inputs->push_back(fmt::format("$past{}", k));
    all.outputs->push_back(fmt::format("$sent{}", k));
    const double time = now.at(fmt::format("$after{}", k));
    if (!(time >= 0))
      throw EvaluationError(fmt::format("delay() by {}: the delay is negative", time), false);
    model.times.push_back(time);
  }
  model.open = linearise(system, point, all);
  return model;
}

DelayedStability stability_of(const ModelRegistry& models, const SubjectOptions& options,
                              const HybridSystem& resting, const Context& at) {
  const DelayedModel model =
      linearise_delayed(models, options, resting, at, {.inputs = {{}}, .outputs = {{}}});
  std::string why;
  const std::optional<UnstableRoots> roots = count_unstable_roots(model, &why);
  return roots ? DelayedStability{true, {}, *roots} : DelayedStability{false, why, {}};
}

}  // namespace arges::app
