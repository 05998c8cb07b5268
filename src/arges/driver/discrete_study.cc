#include "arges/driver/discrete_study.h"

#include <algorithm>
#include <iterator>
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

// The columns of a model, as it says them when a run begins.
class LayoutSink final : public ResultSink {
 public:
  void begin(const ResultLayout& columns) override { layout = columns; }
  void row(double, std::span<const double>) override {}
  void event(const EventRecord&) override {}
  void finish(const Manifest&) override {}

  ResultLayout layout;
};

// A run that ends where it begins.
DiscreteResult probe(const DiscreteModel& model, const ParameterValues& values, RunOptions options,
                     ResultSink& sink) {
  options.stop_time = options.start_time;
  return model.run({options, values, sink, false, false});
}

std::vector<Observable> with_rows(const std::vector<Observable>& all) {
  std::vector<Observable> some;
  std::ranges::copy_if(all, std::back_inserter(some), &Observable::needs_rows);
  return some;
}

class DiscreteFunction final : public ModelFunction {
 public:
  explicit DiscreteFunction(const DiscreteStudyPlan& plan)
      : plan_(plan),
        observer_(with_rows(plan.observables), columns_of(plan.model, plan.start, plan.options),
                  plan.options, Observer::Rows::kHeld) {
    options_ = plan_.options;
    options_.interval = 0;
    for (const Observable& each : plan_.observables) {
      if (each.kind == Kind::kAt) options_.rows_at.push_back(each.time);
      logs_ = logs_ || each.kind == Kind::kAtEvent;
    }
    std::ranges::sort(options_.rows_at);
  }

  Result operator()(std::span<const double> given) override {
    ParameterValues values = plan_.start;
    for (std::size_t i = 0; i < plan_.names.size(); ++i) values.set(plan_.names[i], given[i]);
    TeeSink nowhere;
    ResultSink& sink = observer_.needs_rows() ? static_cast<ResultSink&>(observer_) : nowhere;
    observer_.start_run();
    DiscreteResult run;
    try {
      run = plan_.model.run(
          {observer_.needs_rows() ? options_ : plan_.options, values, sink, logs_, false});
    } catch (const UserError& refusal) {
      // The model does not take these values: a row, not the end of all.
      return {
          std::vector<double>(plan_.observables.size(), std::numeric_limits<double>::quiet_NaN()),
          RunReason::kInitialisationFailed, refusal.what()};
    }
    const std::vector<double> over_time = observer_.values(run.result);
    const std::vector<NamedValue> all = final_values(run);
    std::size_t next = 0;
    Result result{{}, run.result.status.reason, reason_of(run.result.status)};
    for (const Observable& each : plan_.observables) {
      double number = 0;
      if (each.needs_rows()) {
        number = over_time[next++];
      } else if (each.kind == Kind::kTime) {
        number = run.result.status.time;
      } else if (each.kind == Kind::kEvents) {
        number = static_cast<double>(run.result.events);
      } else if (each.kind == Kind::kSteps) {
        number = static_cast<double>(run.result.statistics.steps);
      } else if (!result.ended()) {
        number = std::numeric_limits<double>::quiet_NaN();  // there is no value at the end
      } else {
        std::vector<double> leaves;
        for (const std::string& leaf : each.formula.leaves())
          leaves.push_back(find_value(all, leaf));
        number = each.formula.value(leaves);
      }
      result.observables.push_back(number);
    }
    return result;
  }

 private:
  const DiscreteStudyPlan& plan_;
  RunOptions options_;  // of runs whose rows are looked at
  Observer observer_;
  bool logs_ = false;
};

}  // namespace

RunOptions study_options(const DiscreteModel& model, const RunRequest& request) {
  if (!model.has_continuous_parts() &&
      (request.solver || request.rtol || request.atol || request.step))
    throw UserError(
        fmt::format("'{}' is a discrete-event model: it has no equations, and no options of "
                    "solvers",
                    model.info().name),
        {"solver", "rtol", "atol", "step"});
  RunOptions options = run_options(request, model.info().experiment);
  options.interval = std::max(options.interval, 0.0);
  if (!request.max_events) options.max_events = std::numeric_limits<std::int64_t>::max();
  return options;
}

std::vector<std::string> final_names(const DiscreteModel& model, const ParameterValues& values,
                                     RunOptions options) {
  TeeSink nowhere;
  std::vector<std::string> names;
  for (const NamedValue& each : final_values(probe(model, values, std::move(options), nowhere)))
    names.push_back(each.name);
  return names;
}

ResultLayout columns_of(const DiscreteModel& model, const ParameterValues& values,
                        RunOptions options) {
  LayoutSink sink;
  probe(model, values, std::move(options), sink);
  return std::move(sink.layout);
}

ModelFunctions model_functions(const DiscreteStudyPlan& plan) {
  ParameterValues values = plan.start;
  for (const std::string& name : plan.names) {
    const auto& known = values.parameters();
    const auto found = std::ranges::find(known, name, &VariableInfo::name);
    values.set(name, found == known.end() ? 0 : found->start);  // throws when there is none
  }
  const std::vector<std::string> names = final_names(plan.model, plan.start, plan.options);
  for (const Observable& each : plan.observables) {
    if (each.needs_rows()) continue;
    for (const std::string& leaf : each.formula.leaves()) {
      if (std::ranges::find(names, leaf) != names.end()) continue;
      throw UserError(complaint(
          fmt::format("the model has no variable '{}'{}", leaf, did_you_mean(leaf, names)),
          each.text, each.text.find(leaf)));
    }
  }
  const DiscreteFunction check(plan);  // throws for columns that are not there
  return [&plan] { return std::make_unique<DiscreteFunction>(plan); };
}

std::function<std::unique_ptr<Worker>()> study_workers(const DiscreteStudyPlan& plan) {
  return study_workers(model_functions(plan), plan.values);
}

}  // namespace arges
