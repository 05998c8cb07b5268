#pragma once
// Models put together from basic models, as Modelica text.

#include <map>
#include <string>
#include <vector>

#include "arges/variants/prune.h"

namespace arges::variants {

// The name of the class of a variant.
std::string class_name(const PrunedEntity& root);

// A piece of the text, and what of the structure it comes from.
struct TextOrigin {
  std::size_t begin, end;
  PlacedText place;
};

// A class for the pruned structure: each entity with parts becomes a class of
// its own, with the parts as components (in arrays where replicas are alike), attributes as
// modifiers, couplings as connections. `numbers` are those of numbers_of(). Throws UserError with
// the place for couplings that name no part.
struct ModelicaText {
  std::string text{};
  std::vector<TextOrigin> origins{};  // of models, attributes, couplings, in the order of the text
};
ModelicaText modelica_text(const EntityStructure& structure, const Variant& variant,
                           const std::map<std::string, double>& numbers);

// What the couplings of a decomposition come to with n parts: pairs of connectors. Throws UserError
// with the place.
struct Connection {
  std::string from, to;
  PlacedText place;  // of the coupling
};
std::vector<Connection> expand_couplings(const EntityStructure& structure,
                                         const PrunedEntity& entity);

// The names in that class of a number of the structure: of "Row.Cell.k", in a row of two cells that
// are alike, "Row.Cell[1].k" and "Row.Cell[2].k"; none when the variant does not have it.
std::vector<std::string> names_in_model(const Variant& variant, const std::string& number);

}  // namespace arges::variants
