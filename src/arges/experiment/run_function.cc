#include "arges/experiment/run_function.h"

#include <algorithm>

namespace arges {

namespace {

Observer observer_of(const HybridSystem& model, const Context& start, const RunOptions& options,
                     const std::vector<Observable>& observables) {
  std::vector<std::string> events;
  for (const EventInfo& each : model.schema().events) events.push_back(each.name);
  for (const TimerInfo& each : model.schema().timers) events.push_back(each.name);
  return {observables, Simulator(model, options).layout(start), options, Observer::Rows::kDense,
          &events};
}

}  // namespace

std::string reason_of(RunStatus status) {
  return status.ok() ? std::string() : std::move(status.message);
}

RunFunction::RunFunction(const HybridSystem& model, Context start, const RunOptions& options,
                         std::vector<std::string> names, const std::vector<Observable>& observables)
    : model_(model),
      start_(std::move(start)),
      names_(std::move(names)),
      observer_(observer_of(model, start_, options, observables)),
      simulator_(model, observer_.adapt(options)) {
  Context probe = start_;
  for (const std::string& name : names_) set_value(model_, probe, name, 0);
}

RunFunction::Result RunFunction::operator()(std::span<const double> values) {
  Context start = start_;
  for (std::size_t i = 0; i < names_.size(); ++i) set_value(model_, start, names_[i], values[i]);
  observer_.start_run();
  RunResult result = simulator_.run(start, observer_.needs_rows() ? &observer_ : nullptr);
  return {observer_.values(result), result.status.reason, reason_of(std::move(result.status))};
}

std::size_t RunFormulas::add(const Formula& formula) {
  std::vector<std::size_t> where;
  for (const std::string& leaf : formula.leaves()) {
    if (const auto name = std::ranges::find(names_, leaf); name != names_.end()) {
      where.push_back(static_cast<std::size_t>(name - names_.begin()));
      continue;
    }
    const auto known = std::ranges::find(observables_, leaf, &Observable::text);
    where.push_back(names_.size() + static_cast<std::size_t>(known - observables_.begin()));
    if (known == observables_.end()) observables_.push_back(parse_observable(leaf));
  }
  formulas_.push_back(formula);
  leaves_.push_back(std::move(where));
  return formulas_.size() - 1;
}

double RunFormulas::value(std::size_t number, std::span<const double> values,
                          std::span<const double> observables) const {
  std::vector<double> leaves;
  for (const std::size_t at : leaves_[number])
    leaves.push_back(at < names_.size() ? values[at] : observables[at - names_.size()]);
  return formulas_[number].value(leaves);
}

}  // namespace arges
