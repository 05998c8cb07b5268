#include "arges/driver/model_registry.h"

#include <algorithm>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/nearest.h"

namespace arges {

void ModelRegistry::check_new(std::string_view name) const {
  const bool taken = find_discrete(name) != nullptr ||
                     std::any_of(entries_.begin(), entries_.end(),
                                 [&](const ModelEntry& entry) { return entry.name == name; });
  if (taken) throw ApiError(fmt::format("a model '{}' is registered already", name));
}

void ModelRegistry::add(ModelEntry entry) {
  check_new(entry.name);
  const auto at =
      std::lower_bound(entries_.begin(), entries_.end(), entry.name,
                       [](const ModelEntry& a, const std::string& name) { return a.name < name; });
  entries_.insert(at, std::move(entry));
}

void ModelRegistry::add(std::unique_ptr<DiscreteModel> model) {
  check_new(model->info().name);
  const auto at = std::lower_bound(
      discrete_.begin(), discrete_.end(), model,
      [](const auto& a, const auto& b) { return a->info().name < b->info().name; });
  discrete_.insert(at, std::move(model));
}

const DiscreteModel* ModelRegistry::find_discrete(std::string_view name) const {
  for (const auto& model : discrete_) {
    if (model->info().name == name) return model.get();
  }
  return nullptr;
}

std::vector<std::pair<std::string, std::string>> ModelRegistry::summary() const {
  std::vector<std::pair<std::string, std::string>> all;
  for (const ModelEntry& entry : entries_) all.emplace_back(entry.name, entry.description);
  for (const auto& model : discrete_) {
    all.emplace_back(model->info().name, model->info().description);
  }
  std::sort(all.begin(), all.end());
  return all;
}

std::unique_ptr<HybridSystem> ModelRegistry::make(std::string_view name) const {
  std::vector<std::string> names;
  for (const ModelEntry& entry : entries_) {
    if (entry.name == name) return entry.make();
    names.push_back(entry.name);
  }
  for (const auto& model : discrete_) names.push_back(model->info().name);
  if (find_discrete(name) != nullptr) {
    throw UserError(
        fmt::format("'{}' is a discrete-event model, and this works on continuous ones only", name),
        {"model"});
  }
  throw UserError(fmt::format("there is no model '{}'{} ('arges list' shows all)", name,
                              did_you_mean(name, names)),
                  {"model"});
}

}  // namespace arges
