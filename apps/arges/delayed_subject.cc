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
  std::vector<std::string> delays;
  for (const VariableInfo& each : schema.inputs) {
    if (!each.name.starts_with(kPastOf)) continue;
    delays.push_back(each.name.substr(kPastOf.size()));
    values[each.name] = values[delays.back()];  // at rest
  }
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
      if (!is_made_by_arges(each.name)) all.inputs->push_back(each.name);
    }
  }
  if (!all.outputs) {
    all.outputs.emplace();
    const bool are_many = resting.schema().outputs.size() > LineariseRequest::kManyOutputs;
    for (const VariableInfo& each : schema.outputs) {
      if (!are_many && !is_made_by_arges(each.name)) all.outputs->push_back(each.name);
    }
  }
  const std::map<std::string, double> now = values_by_name(system, point);
  DelayedModel model;
  for (const std::string& each : delays) {
    all.inputs->push_back(fmt::format("{}{}", kPastOf, each));
    all.outputs->push_back(each);
    const double time = now.at(fmt::format("{}{}", kTimeOf, each));
    if (!(time >= 0))
      throw EvaluationError(fmt::format("delay() by {}: the delay is negative", time), false);
    model.times.push_back(time);
  }
  model.open = linearise(system, point, all);
  return model;
}

DelayedStability stability_of(const ModelRegistry& models, const SubjectOptions& options,
                              const HybridSystem& resting, const Context& at) {
  DelayedModel model;
  try {
    model = linearise_delayed(models, options, resting, at, {.inputs = {{}}, .outputs = {{}}});
  } catch (const EvaluationError& error) {  // as at the edge of what the model is defined for
    return {false, error.what(), {}};
  }
  std::string why;
  const std::optional<UnstableRoots> roots = count_unstable_roots(model, &why);
  return roots ? DelayedStability{true, {}, *roots} : DelayedStability{false, why, {}};
}

}  // namespace arges::app
