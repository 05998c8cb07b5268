#pragma once
// A model of text, compiled for values that are part of its equations.

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "arges/driver/model_registry.h"
#include "arges/driver/model_text.h"
#include "arges/experiment/run_function.h"
#include "arges/hybrid/system.h"

namespace arges {

// One of them.
struct CompiledVariant {
  std::vector<std::string> modifications;   // "n = 4": those that tell it from the others
  std::unique_ptr<HybridSystem> model{};    // null when it cannot be compiled:
  std::string failure{};                    // why
  std::unique_ptr<HybridSystem> watched{};  // the model with a condition that ends its runs

  const HybridSystem& system() const { return watched ? *watched : *model; }
};

// Each is compiled when it is first asked for, and once for all threads. The thousand that were
// used last are kept.
class CompiledVariants {
 public:
  // `source` has the modifications that all of them share. The registry must live as long.
  CompiledVariants(const ModelRegistry& models, ModelSource source)
      : models_(models), source_(std::move(source)) {}
  // Runs of the variants end when this holds. Before the first is asked for.
  void stop_when(const std::string& condition) { condition_ = condition; }

  // From any thread.
  std::shared_ptr<const CompiledVariant> with(const std::vector<std::string>& modifications);

 private:
  std::shared_ptr<const CompiledVariant> compile(
      const std::vector<std::string>& modifications) const;

  const ModelRegistry& models_;
  ModelSource source_;
  std::string condition_;
  std::mutex mutex_;
  std::list<std::shared_ptr<const CompiledVariant>> kept_;  // the one used last comes first
};

// What the values of a run are: some choose a variant, the others are set in it.
struct VariedName {
  std::string name;
  bool is_structural = false;
  ValueType type = ValueType::kReal;
  std::vector<std::string> words{};  // not empty: a value is a position in these

  // "n = 4". Throws UserError for a position that is none.
  std::string modification(double value) const;
};

// What all runs share.
struct VariantRuns {
  std::shared_ptr<CompiledVariants> variants;
  std::vector<VariedName> names;
  std::vector<std::pair<std::string, double>> given;  // values that the user gave
  RunOptions options;
  std::vector<Observable> observables;

  std::vector<std::string> modifications(std::span<const double> values) const;
};

// Runs of whichever variant the values choose. A variant that cannot be compiled is a failed run;
// what is to be noted and does not exist in a variant is NaN there, and the message says so.
ModelFunctions variant_functions(std::shared_ptr<const VariantRuns> runs);

}  // namespace arges
