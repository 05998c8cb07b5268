#pragma once
// The models that a program knows by name.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arges/driver/discrete_model.h"
#include "arges/hybrid/system.h"

namespace arges {

struct ModelEntry {
  std::string name;
  std::string description;
  std::function<std::unique_ptr<HybridSystem>()> make;
};

class ModelRegistry {
 public:
  // Throws ApiError when the name is taken.
  void add(ModelEntry entry);
  // For models with a default constructor: the name and description are the model's own.
  template <class Model>
  void add() {
    const Schema schema = Model().schema();
    add({schema.name, schema.description, [] { return std::make_unique<Model>(); }});
  }

  // Discrete-event models have names of their own. Throws ApiError likewise.
  void add(std::unique_ptr<DiscreteModel> model);

  // In alphabetical order.
  const std::vector<ModelEntry>& entries() const { return entries_; }
  const std::vector<std::unique_ptr<DiscreteModel>>& discrete() const { return discrete_; }
  // Null when there is none of that name.
  const DiscreteModel* find_discrete(std::string_view name) const;
  // Name and description of all, in alphabetical order.
  std::vector<std::pair<std::string, std::string>> summary() const;
  // Throws UserError with the near names when there is none.
  std::unique_ptr<HybridSystem> make(std::string_view name) const;

 private:
  void check_new(std::string_view name) const;
  std::vector<ModelEntry> entries_;
  std::vector<std::unique_ptr<DiscreteModel>> discrete_;
};

}  // namespace arges
