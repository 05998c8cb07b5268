#include "arges/driver/discrete_study.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/nearest.h"
#include "arges/experiment/specification.h"
#include "arges/results/tee_sink.h"

namespace arges {

namespace {

using Kind = Observable::Kind;

// Final values and statistics, by name.
std::vector<NamedValue> final_values(const DiscreteResult& run) {
  std::vector<NamedValue> all = run.final;
  all.insert(all.end(), run.summary.begin(), run.summary.end());
  return all;
}

double find_value(const std::vector<NamedValue>& all, const std::string& name) {
  const auto found = std::ranges::find(all, name, &NamedValue::name);
  return found == all.end() ? std::numeric_limits<double>::quiet_NaN() : found->value;
}

class DiscreteWorker final : public Worker {
 public:
  explicit DiscreteWorker(const DiscreteStudyPlan& plan) : plan_(plan) {}

  StudyRow run(std::int64_t index) override {
    StudyRow row{index, plan_.values(index), {}, RunReason::kFinished};
    ParameterValues values = plan_.start;
    for (std::size_t i = 0; i < plan_.names.size(); ++i)
      values.set(plan_.names[i], row.parameters[i]);
    TeeSink nowhere;
    const DiscreteResult run = plan_.model.run({plan_.options, values, nowhere, false, false});
    row.status = run.result.status.reason;
    const std::vector<NamedValue> all = final_values(run);
    for (const Observable& each : plan_.observables) {
      if (each.kind == Kind::kTime) {
        row.observables.push_back(run.result.status.time);
      } else if (each.kind == Kind::kEvents) {
        row.observables.push_back(static_cast<double>(run.result.events));
      } else {
        std::vector<double> leaves;
        for (const std::string& leaf : each.formula.leaves())
          leaves.push_back(find_value(all, leaf));
        row.observables.push_back(each.formula.value(leaves));
      }
    }
    return row;
  }

 private:
  const DiscreteStudyPlan& plan_;
};

}  // namespace

RunOptions study_options(const DiscreteModel& model, const RunRequest& request) {
  if (!model.has_continuous_parts() &&
      (request.solver || request.rtol || request.atol || request.step))
    throw UserError(
        fmt::format("'{}' is a discrete-event model: it has no equations, and no options of "
                    "solvers",
                    model.info().name));
  RunOptions options = run_options(request, model.info().experiment);
  options.interval = std::max(options.interval, 0.0);
  options.max_events = std::numeric_limits<std::int64_t>::max();
  return options;
}

std::vector<std::string> final_names(const DiscreteModel& model, const ParameterValues& values,
                                     RunOptions options) {
  options.stop_time = options.start_time;
  TeeSink nowhere;
  std::vector<std::string> names;
  for (const NamedValue& each : final_values(model.run({options, values, nowhere, false, false})))
    names.push_back(each.name);
  return names;
}

std::function<std::unique_ptr<Worker>()> study_workers(const DiscreteStudyPlan& plan) {
  ParameterValues probe = plan.start;
  for (const std::string& name : plan.names) {
    const auto& known = probe.parameters();
    const auto found = std::ranges::find(known, name, &VariableInfo::name);
    probe.set(name, found == known.end() ? 0 : found->start);  // throws when there is none
  }
  const std::vector<std::string> names = final_names(plan.model, plan.start, plan.options);
  for (const Observable& each : plan.observables) {
    if (each.needs_rows() || each.kind == Kind::kSteps) {
      throw UserError(complaint(
          "of a discrete-event model the values at the end can be noted, its statistics among them",
          each.text, 0));
    }
    for (const std::string& leaf : each.formula.leaves()) {
      if (std::ranges::find(names, leaf) != names.end()) continue;
      throw UserError(complaint(
          fmt::format("the model has no variable '{}'{}", leaf, did_you_mean(leaf, names)),
          each.text, each.text.find(leaf)));
    }
  }
  return [&plan] { return std::make_unique<DiscreteWorker>(plan); };
}

}  // namespace arges
