#include "arges/variants/entity_structure.h"

#include <algorithm>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/nearest.h"
#include "arges/base/parse_number.h"

namespace arges::variants {

bool is_same_range(const SearchVariable& a, const SearchVariable& b) {
  return a.low == b.low && a.high == b.high && a.scale == b.scale;
}

double Decision::value(std::size_t option) const {
  if (kind == Kind::kNumber) return parse_number(options[option]).value_or(0);
  return static_cast<double>(option + 1);
}

const Entity& EntityStructure::entity(const std::string& name) const {
  const auto found =
      std::ranges::find(entities, name, [](const Entity& each) { return each.name.text; });
  if (found == entities.end()) throw ApiError(fmt::format("there is no entity '{}'", name));
  return *found;
}

std::size_t EntityStructure::find_decision(const std::string& name) const {
  std::vector<std::string> names, ends;
  std::size_t found = decisions.size();
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    const std::string& each = decisions[i].name;
    if (each == name) return i;
    names.push_back(each);
    if (!each.ends_with("." + name)) continue;
    ends.push_back(each);
    found = i;
  }
  if (ends.size() == 1) return found;
  if (ends.size() > 1)
    throw UserError(fmt::format("'{}' may be any of {}", name, fmt::join(ends, ", ")));
  throw UserError(fmt::format("there is no decision '{}'{}", name, did_you_mean(name, names)));
}

}  // namespace arges::variants
