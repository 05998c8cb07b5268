#pragma once
// From an entity structure to its variants.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "arges/variants/entity_structure.h"

namespace arges::variants {

// An entity in which nothing is left to decide.
struct PrunedEntity {
  std::string name;                // of the part: of its parent, unique
  std::string path;                // below the root, by names of parts; "" of the root
  std::vector<std::string> kinds;  // the entity, and what specialisations made of it
  PlacedText model{};              // in the model base; "": the entity has parts, and no interface
  std::vector<const Attribute*> attributes{};
  const Decomposition* decomposition = nullptr;
  int count = 1;                      // of a multi-aspect: how many parts
  std::vector<PrunedEntity> parts{};  // of a multi-aspect whose parts are alike: one for all
};

// The choice at one decision.
struct Choice {
  std::size_t decision;  // of the structure
  std::size_t option;
};

// A pruned structure. Points into the structure, which has to live as long.
struct Variant {
  std::vector<Choice> choices;  // in the order in which they came, from the root downwards
  PrunedEntity root;
};

// Says which of the options of a decision is taken. `available` are those that there are here:
// fewer than all when the choice of a specialisation brought its own decompositions.
using Chooser =
    std::function<std::size_t(std::size_t decision, const std::vector<std::size_t>& available)>;

// Pruning, from the root: at an entity
//   1. each specialisation is decided; the choice inherits: its attributes and its model come
//      first, its decompositions are added, its own specialisations are decided in turn
//   2. one decomposition is decided, the number of a multi-aspect, then the parts one by one
// Whether the rules hold is not looked at.
Variant prune(const EntityStructure& structure, const Chooser& choose);

bool satisfies_rules(const EntityStructure& structure, const Variant& variant);

// Options that a user fixed, by the index of the decision. It leaves the variants that have all of
// them.
using Selection = std::map<std::size_t, std::size_t>;
bool is_selected(const Variant& variant, const Selection& selection);
// From "NAME=OPTION". Throws UserError with the near names.
Selection parse_selection(const EntityStructure& structure, const std::vector<std::string>& texts);

// All variants that the selection leaves and that satisfy the rules, the last decision changing
// fastest, until `visit` says that it is enough. Throws UserError after 100,000 combinations.
void for_each_variant(const EntityStructure& structure, const Selection& selection,
                      const std::function<bool(const Variant&)>& visit);

// Numbers by name: of decisions (Decision::value), and of attributes ("Source.period"). Attributes
// that `values` names have that value; in formulas, what the variant does not have counts as 0.
// Throws UserError with the place for a formula that needs its own value.
std::map<std::string, double> numbers_of(const EntityStructure& structure, const Variant& variant,
                                         const std::map<std::string, double>& values = {});

// The attribute of that path ("Source.period") as this variant has it; null when it has none.
const Attribute* attribute_at(const Variant& variant, const std::string& path);

// "a.b", or "b" below the root.
std::string path_of(const std::string& path, const std::string& name);
// Of a part whose replicas are decided one by one: "Cell_2".
std::string replica_name(const std::string& part, int number);

}  // namespace arges::variants
