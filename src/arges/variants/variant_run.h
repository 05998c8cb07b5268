#pragma once
// Runs of variants.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "arges/driver/run_model.h"
#include "arges/experiment/run_function.h"
#include "arges/variants/model_cache.h"
#include "arges/variants/prune.h"

namespace arges::variants {

// What runs get their own values of: an attribute by its path, or a value of the models. With a
// range only of variants in which the attribute has just this one: in others it may have another,
// or be fixed.
struct Varied {
  std::string name;
  std::optional<SearchVariable> range{};
};

// What the runs of all variants share.
struct VariantSetup {
  const ModelRegistry& models;
  RunRequest request;  // its values: of attributes by their paths, or of the models
  std::vector<Varied> varied{};
  std::vector<Observable> observables{};
  std::shared_ptr<ModelCache> compiled = std::make_shared<ModelCache>();
};

// Whether a variant has what is varied, as far as the structure tells: values of the models are
// there.
bool is_there(const EntityStructure& structure, const Variant& variant, const Varied& varied);

// "C = two, Row.number = 3".
std::string describe(const EntityStructure& structure, const Variant& variant);

// A variant as a function: values go in, a run is done, observables come out (NaN for what the
// variant does not have). The model is put together and compiled unless the setup has it.
class VariantRun final : public ModelFunction {
 public:
  // Throws what open_model() throws, and UserError for options that are none. All arguments must
  // live as long.
  VariantRun(const EntityStructure& structure, Variant variant, const VariantSetup& setup);
  ~VariantRun() override;
  VariantRun(const VariantRun&) = delete;
  VariantRun& operator=(const VariantRun&) = delete;

  // `values` in the order of setup.varied; those that the variant does not have are not looked at.
  Result operator()(std::span<const double> values) override;

  const Variant& variant() const { return variant_; }
  // In the order of setup: whether this variant has it.
  const std::vector<bool>& has_varied() const { return has_varied_; }
  // Why this variant does not have an observable; "" when it has it.
  const std::vector<std::string>& missing() const { return missing_; }

 private:
  class Engine;
  class HybridEngine;
  class DiscreteEngine;
  // A value of the model, and where it comes from.
  struct Input {
    std::string name;
    const Formula* formula = nullptr;  // of numbers; or
    std::string number{};              // one of them; or
    std::size_t varied = 0;            // what the run is given
  };
  ModelCache::Model open(const std::string& one_model) const;
  void make_inputs();
  std::vector<double> input_values(std::span<const double> values) const;

  const EntityStructure& structure_;
  Variant variant_;
  const VariantSetup& setup_;
  std::map<std::string, double> given_;  // values of attributes that all runs share
  std::vector<std::size_t> attributes_;  // of what is varied
  std::vector<Input> inputs_;
  std::vector<bool> has_varied_;
  std::vector<std::string> missing_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace arges::variants
