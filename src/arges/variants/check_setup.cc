#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/nearest.h"
#include "arges/driver/model_text.h"
#include "arges/variants/variant_search.h"

namespace arges::variants {

namespace {

// Of how many variants it is asked what they have.
constexpr int kMostLookedAt = 1000;

// A choice has the model and the parts of what it specialises.
bool inherits_model(const EntityStructure& structure, const Entity& entity) {
  return std::ranges::any_of(structure.entities, [&](const Entity& parent) {
    const bool is_parent = std::ranges::any_of(parent.specialisations, [&](const auto& each) {
      return std::ranges::find(each.choices, entity.name.text, &PlacedText::text) !=
             each.choices.end();
    });
    return is_parent && (!parent.model.text.empty() || !parent.decompositions.empty() ||
                         inherits_model(structure, parent));
  });
}

// The class of a basic model, or the interface of one with parts; null when there is none.
const PlacedText* class_of(const EntityStructure& structure, const Entity& entity) {
  if (!entity.model.text.empty()) return &entity.model;
  const bool is_basic = entity.decompositions.empty() && entity.specialisations.empty();
  return is_basic && !inherits_model(structure, entity) ? &entity.name : nullptr;
}

// Also those of variants that come later: each class that some variant may be made of.
void check_models(const EntityStructure& structure) {
  if (!structure.base.model.text.empty()) return;
  std::vector<std::string> names, files;
  for (const PlacedText& file : structure.base.files) files.push_back(file.text);
  for (const Entity& each : structure.entities) {
    if (const PlacedText* needed = class_of(structure, each)) names.push_back(needed->text);
  }
  const std::vector<std::string> missing = missing_classes(names, files);
  for (const Entity& each : structure.entities) {
    const PlacedText* needed = class_of(structure, each);
    if (needed != nullptr && std::ranges::find(missing, needed->text) != missing.end())
      throw UserError(structure.file.at(
          *needed, fmt::format("there is no class '{}' in the files of the base, nor on the "
                               "MODELICAPATH",
                               needed->text)));
  }
}

}  // namespace

void check_setup(const EntityStructure& structure, const Selection& selection,
                 const VariantSetup& setup) {
  check_models(structure);
  std::vector<std::string> problems;  // of the first variant: observables, then names
  bool any = false;
  int looked_at = 0;
  for_each_variant(structure, selection, [&](const Variant& variant) {
    const VariantRun run(structure, variant, setup);
    std::vector<std::string> here = run.missing();
    for (std::size_t i = 0; i < setup.varied.size(); ++i) {
      // Ranges of the structure are those of some variant.
      const Varied& varied = setup.varied[i];
      here.push_back(run.has_varied()[i] || varied.range
                         ? ""
                         : fmt::format("no variant has '{}' to vary{}", varied.name,
                                       did_you_mean(varied.name, structure.numbers)));
    }
    if (!any) problems = here;
    any = true;
    for (std::size_t i = 0; i < here.size(); ++i) {
      if (here[i].empty()) problems[i].clear();
    }
    // Usually the first one has all.
    return !std::ranges::all_of(problems, &std::string::empty) && ++looked_at < kMostLookedAt;
  });
  if (!any) throw UserError("no variant is left by the rules and the selection", {"select"});
  for (const std::string& problem : problems) {
    if (!problem.empty()) throw UserError(problem);
  }
}

}  // namespace arges::variants
