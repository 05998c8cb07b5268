#include "arges/driver/model_registry.h"

#include <algorithm>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/nearest.h"

namespace arges {

void ModelRegistry::add(ModelEntry entry) {
  const auto at =
      std::lower_bound(entries_.begin(), entries_.end(), entry.name,
                       [](const ModelEntry& a, const std::string& name) { return a.name < name; });
  if (at != entries_.end() && at->name == entry.name) {
    throw ApiError(fmt::format("a model '{}' is registered already", entry.name));
  }
  entries_.insert(at, std::move(entry));
}

std::unique_ptr<HybridSystem> ModelRegistry::make(std::string_view name) const {
  std::vector<std::string> names;
  for (const ModelEntry& entry : entries_) {
    if (entry.name == name) return entry.make();
    names.push_back(entry.name);
  }
  throw UserError(fmt::format("there is no model '{}'{} ('arges list' shows all)", name,
                              did_you_mean(name, names)));
}

}  // namespace arges
