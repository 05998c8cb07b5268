#include "arges/experiment/run_function.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "arges/base/error.h"
#include "arges/experiment/specification.h"

namespace arges {

namespace {

Observer observer_of(const HybridSystem& model, const Context& start, const RunOptions& options,
                     const std::vector<Observable>& observables) {
  std::vector<std::string> events;
  for (const EventInfo& each : model.schema().events) events.push_back(each.name);
  for (const TimerInfo& each : model.schema().timers) events.push_back(each.name);
  return {observables, Simulator(model, options).layout(start), options, Observer::Rows::kCurves,
          &events};
}

}  // namespace

std::string reason_of(RunStatus status) {
  return status.ok() ? std::string() : std::move(status.message);
}

// The values of runs are looked at when they are set: this one must be within any limits.
void check_varied_name(const HybridSystem& model, Context start, const std::string& name) {
  const Schema& schema = model.schema();
  double value = 0;
  for (const auto* list : {&schema.modes[start.mode.index].states, &schema.discretes,
                           &schema.inputs, &schema.parameters}) {
    const auto found = std::ranges::find(*list, name, &VariableInfo::name);
    if (found == list->end()) continue;
    value = found->min > 0 ? std::ceil(found->min) : 0;
    if (value > found->max || value < found->min) value = found->max;
  }
  set_value(model, start, name, value);
}

RunFunction::RunFunction(const HybridSystem& model, Context start, const RunOptions& options,
                         std::vector<std::string> names, const std::vector<Observable>& observables)
    : model_(model),
      start_(std::move(start)),
      names_(std::move(names)),
      observer_(observer_of(model, start_, options, observables)),
      simulator_(model, observer_.adapt(options)) {
  for (const std::string& name : names_) check_varied_name(model_, start_, name);
}

RunFunction::Result RunFunction::operator()(std::span<const double> values) {
  Context start = start_;
  for (std::size_t i = 0; i < names_.size(); ++i) set_value(model_, start, names_[i], values[i]);
  observer_.start_run();
  RunResult result = simulator_.run(start, observer_.needs_rows() ? &observer_ : nullptr);
  return {observer_.values(result), result.status.reason, reason_of(std::move(result.status))};
}

Formula parse_noted(const std::string& text) {
  std::optional<Formula> formula;
  try {
    formula = Formula::parse(text, Formula::Leaves::kRun);
  } catch (const UserError&) {
    // It may still be the name of a column, which can be almost anything.
    constexpr std::string_view kOperators = "+-*/^=<>";
    if (!text.empty() && (kOperators.find(text.front()) != std::string_view::npos ||
                          kOperators.find(text.back()) != std::string_view::npos))
      throw;
  }
  if (!formula || formula->leaves() == std::vector<std::string>{text}) {
    parse_observable(text);
    return Formula::leaf(text);
  }
  if (formula->leaves().empty())
    throw UserError(complaint("there is nothing of a run in this", text, 0));
  return *formula;
}

bool RunFormulas::are_observables() const {
  if (formulas_.size() != observables_.size()) return false;
  for (std::size_t i = 0; i < formulas_.size(); ++i) {
    if (formulas_[i].text() != observables_[i].text) return false;
  }
  return true;
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

namespace {

class FormulasOfRuns final : public ModelFunction {
 public:
  FormulasOfRuns(std::unique_ptr<ModelFunction> run, const RunFormulas& formulas,
                 const std::vector<std::string>& names)
      : run_(std::move(run)), formulas_(formulas) {
    for (const std::string& name : formulas.names())
      given_.push_back(static_cast<std::size_t>(std::ranges::find(names, name) - names.begin()));
  }

  Result operator()(std::span<const double> values) override {
    Result result = (*run_)(values);
    std::vector<double> given, all;
    for (const std::size_t i : given_) given.push_back(values[i]);
    for (std::size_t i = 0; i < formulas_.size(); ++i)
      all.push_back(formulas_.value(i, given, result.observables));
    const auto beyond = static_cast<std::ptrdiff_t>(formulas_.observables().size());
    all.insert(all.end(), result.observables.begin() + beyond, result.observables.end());
    result.observables = std::move(all);
    return result;
  }

 private:
  std::unique_ptr<ModelFunction> run_;
  const RunFormulas& formulas_;
  std::vector<std::size_t> given_;  // where the names of the formulas are
};

}  // namespace

ModelFunctions with_formulas(ModelFunctions make, const RunFormulas& formulas,
                             const std::vector<std::string>& names) {
  if (formulas.are_observables()) return make;
  return [make = std::move(make), &formulas, names] {
    return std::make_unique<FormulasOfRuns>(make(), formulas, names);
  };
}

}  // namespace arges
