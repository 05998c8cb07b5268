#pragma once
// The models that a program knows by name.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

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

  // In alphabetical order.
  const std::vector<ModelEntry>& entries() const { return entries_; }
  // Throws UserError with the near names when there is none.
  std::unique_ptr<HybridSystem> make(std::string_view name) const;

 private:
  std::vector<ModelEntry> entries_;
};

}  // namespace arges
