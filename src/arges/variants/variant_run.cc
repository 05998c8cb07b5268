#include "arges/variants/variant_run.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/driver/discrete_study.h"
#include "arges/driver/model_text.h"
#include "arges/variants/modelica_text.h"

namespace arges::variants {

namespace {

bool is_number_of(const EntityStructure& structure, const std::string& name) {
  return std::ranges::find(structure.numbers, name) != structure.numbers.end();
}

// What of the structure an error in the text of a variant is about; null when it is in a file.
const PlacedText* origin_of(const ModelicaText& made, const ModelTextError& error,
                            const std::string& name) {
  for (const ModelTextError::Place& place : error.places) {
    if (place.file != name) continue;
    for (const TextOrigin& origin : made.origins) {
      if (origin.begin <= place.offset && place.offset < origin.end) return &origin.place;
    }
  }
  return nullptr;
}

}  // namespace

bool is_there(const EntityStructure& structure, const Variant& variant, const Varied& varied) {
  if (!is_number_of(structure, varied.name)) return true;
  if (names_in_model(variant, varied.name).empty()) return false;
  if (!varied.range) return true;
  const Attribute* attribute = attribute_at(variant, varied.name);
  return attribute != nullptr && attribute->range &&
         is_same_range(*attribute->range, *varied.range);
}

std::string describe(const EntityStructure& structure, const Variant& variant) {
  std::vector<std::string> choices;
  for (const Choice& each : variant.choices) {
    const Decision& decision = structure.decisions[each.decision];
    choices.push_back(fmt::format("{} = {}", decision.name, decision.options[each.option]));
  }
  return fmt::format("{}", fmt::join(choices, ", "));
}

// Whatever runs the model.
class VariantRun::Engine {
 public:
  virtual ~Engine() = default;
  // Throws UserError when the model has no such value, or nothing like this to note.
  virtual void try_name(const std::string& name) = 0;
  virtual void try_observable(const Observable& observable) = 0;
  // After all names and observables are known.
  virtual void prepare(const std::vector<std::string>& names,
                       const std::vector<Observable>& observables) = 0;
  virtual Result run(const std::vector<double>& values) = 0;
};

class VariantRun::HybridEngine final : public Engine {
 public:
  HybridEngine(ModelCache::Model model, const RunRequest& request)
      : model_(std::move(model)), start_(make_context(*model_)) {
    options_ = run_options(request, model_->schema().experiment);
    options_.cancel = request.cancel;
  }

  void set(const std::string& name, double value) { set_value(*model_, start_, name, value); }
  void try_name(const std::string& name) override { check_varied_name(*model_, start_, name); }
  void try_observable(const Observable& observable) override {
    const Observer probe({observable}, Simulator(*model_, options_).layout(start_), options_);
  }
  void prepare(const std::vector<std::string>& names,
               const std::vector<Observable>& observables) override {
    run_ = std::make_unique<RunFunction>(*model_, start_, options_, names, observables);
  }
  Result run(const std::vector<double>& values) override { return (*run_)(values); }

 private:
  ModelCache::Model model_;
  Context start_;
  RunOptions options_;
  std::unique_ptr<RunFunction> run_;
};

class VariantRun::DiscreteEngine final : public Engine {
 public:
  DiscreteEngine(const DiscreteModel& model, const RunRequest& request)
      : plan_{
            model, ParameterValues(model.info().parameters), study_options(model, request), {}, {},
            {}} {
    plan_.options.cancel = request.cancel;
  }

  void set(const std::string& name, double value) { plan_.start.set(name, value); }
  void try_name(const std::string& name) override { check({name}, {}); }
  void try_observable(const Observable& observable) override { check({}, {observable}); }
  void prepare(const std::vector<std::string>& names,
               const std::vector<Observable>& observables) override {
    plan_.names = names;
    plan_.observables = observables;
    run_ = model_functions(plan_)();
  }
  Result run(const std::vector<double>& values) override { return (*run_)(values); }

 private:
  void check(std::vector<std::string> names, std::vector<Observable> observables) const {
    DiscreteStudyPlan probe = plan_;
    probe.names = std::move(names);
    probe.observables = std::move(observables);
    model_functions(probe);
  }

  DiscreteStudyPlan plan_;
  std::unique_ptr<ModelFunction> run_;
};

VariantRun::VariantRun(const EntityStructure& structure, Variant variant, const VariantSetup& setup)
    : structure_(structure), variant_(std::move(variant)), setup_(setup) {
  RunRequest request = setup.request;
  if (!request.stop_time) request.stop_time = structure.stop_time;
  std::vector<std::pair<std::string, double>> of_model;
  for (const auto& [name, value] : request.values) {
    if (is_number_of(structure, name)) {
      given_[name] = value;
    } else {
      of_model.emplace_back(name, value);
    }
  }
  for (std::size_t i = 0; i < setup.varied.size(); ++i) {
    if (is_number_of(structure, setup.varied[i].name) &&
        is_there(structure, variant_, setup.varied[i]))
      attributes_.push_back(i);
  }
  const auto set_all = [&](auto& engine) {
    for (const auto& [name, value] : of_model) engine.set(name, value);
  };
  const std::string& one_model = structure.base.model.text;
  if (const DiscreteModel* discrete = setup.models.find_discrete(one_model)) {
    auto engine = std::make_unique<DiscreteEngine>(*discrete, request);
    set_all(*engine);
    engine_ = std::move(engine);
  } else {
    auto engine = std::make_unique<HybridEngine>(open(one_model), request);
    set_all(*engine);
    engine_ = std::move(engine);
  }
  make_inputs();
  std::vector<std::string> names;
  for (const Input& each : inputs_) names.push_back(each.name);
  std::vector<Observable> present;
  for (const Observable& each : setup.observables) {
    missing_.emplace_back();
    try {
      engine_->try_observable(each);
      present.push_back(each);
    } catch (const UserError& error) {
      missing_.back() = error.what();
    }
  }
  engine_->prepare(names, present);
}

VariantRun::~VariantRun() = default;

ModelCache::Model VariantRun::open(const std::string& one_model) const {
  if (!one_model.empty()) {
    try {
      return setup_.compiled->get(one_model, [&] {
        return open_model(setup_.models, {one_model, {}});
      });
    } catch (const UserError& error) {
      throw UserError(structure_.file.at(structure_.base.model, error.what()));
    }
  }
  const ModelicaText made =
      modelica_text(structure_, variant_, numbers_of(structure_, variant_, given_));
  const std::string name =
      fmt::format("{} ({})", structure_.file.path, describe(structure_, variant_));
  try {
    return setup_.compiled->get(made.text, [&] {
      std::vector<std::string> files;
      for (const PlacedText& file : structure_.base.files) files.push_back(file.text);
      return model_from_text(name, made.text, class_name(variant_.root), files);
    });
  } catch (const ModelTextError& error) {
    const PlacedText* place = origin_of(made, error, name);
    if (place == nullptr) throw;
    throw ModelTextError(structure_.file.at(*place, "the model that is made of this is wrong:") +
                             "\n" + error.what(),
                         error.json);
  }
}

void VariantRun::make_inputs() {
  has_varied_.assign(setup_.varied.size(), false);
  for (const ModelBase::Parameter& each : structure_.base.parameters) {
    try {
      engine_->try_name(each.name.text);
    } catch (const UserError& error) {
      throw UserError(structure_.file.at(each.name, error.what()));
    }
    inputs_.push_back({each.name.text, &each.formula});
  }
  // Values that are part of the text, and of which some change from run to run: those that are
  // varied, and formulas, which may depend on them.
  std::vector<std::string> changing;
  for (const std::size_t i : attributes_) changing.push_back(setup_.varied[i].name);
  const auto add_formulas = [&](const auto& self, const PrunedEntity& entity) -> void {
    for (const Attribute* each : entity.attributes) {
      if (each->formula) changing.push_back(path_of(entity.path, each->name.text));
    }
    for (const PrunedEntity& part : entity.parts) self(self, part);
  };
  if (!changing.empty()) add_formulas(add_formulas, variant_.root);
  for (std::size_t k = 0; k < changing.size(); ++k) {
    const std::vector<std::string> names = names_in_model(variant_, changing[k]);
    if (k < attributes_.size()) has_varied_[attributes_[k]] = !names.empty();
    if (!structure_.base.model.text.empty()) continue;
    for (const std::string& name : names) {
      try {
        engine_->try_name(name);
      } catch (const UserError&) {
        if (k < attributes_.size()) throw;
        continue;  // a formula of decisions alone may be an array's size
      }
      inputs_.push_back({name, nullptr, changing[k]});
    }
  }
  for (std::size_t i = 0; i < setup_.varied.size(); ++i) {
    if (is_number_of(structure_, setup_.varied[i].name)) continue;
    try {
      engine_->try_name(setup_.varied[i].name);
    } catch (const UserError&) {
      continue;  // perhaps another variant has it
    }
    has_varied_[i] = true;
    inputs_.push_back({setup_.varied[i].name, nullptr, {}, i});
  }
}

std::vector<double> VariantRun::input_values(std::span<const double> values) const {
  std::map<std::string, double> given = given_;
  for (const std::size_t i : attributes_) given[setup_.varied[i].name] = values[i];
  const std::map<std::string, double> numbers = numbers_of(structure_, variant_, given);
  const auto number = [&](const std::string& name) {
    const auto found = numbers.find(name);
    return found == numbers.end() ? 0.0 : found->second;
  };
  std::vector<double> all;
  for (const Input& each : inputs_) {
    if (each.formula != nullptr) {
      std::vector<double> leaves;
      for (const std::string& leaf : each.formula->leaves()) leaves.push_back(number(leaf));
      all.push_back(each.formula->value(leaves));
    } else {
      all.push_back(each.number.empty() ? values[each.varied] : number(each.number));
    }
  }
  return all;
}

VariantRun::Result VariantRun::operator()(std::span<const double> values) {
  Result some = engine_->run(input_values(values));
  Result result{{}, some.status, std::move(some.message)};
  std::size_t next = 0;
  for (const std::string& problem : missing_) {
    result.observables.push_back(problem.empty() ? some.observables[next++]
                                                 : std::numeric_limits<double>::quiet_NaN());
  }
  return result;
}

}  // namespace arges::variants
