#pragma once
// How variants of a structure are shown: as JSON, and as tables.

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "arges/variants/prune.h"

namespace arges::app {

// null where it is not finite.
nlohmann::ordered_json number_json(double value);
nlohmann::ordered_json decisions_json(const variants::EntityStructure& structure);
// What a variant has chosen, by the names of the decisions.
nlohmann::ordered_json choices_json(const variants::EntityStructure& structure,
                                    const variants::Variant& variant);

// A heading, and for each variant its number and what is decided; "-" where there is nothing to
// decide.
std::vector<std::vector<std::string>> choice_rows(const variants::EntityStructure& structure,
                                                  const std::vector<variants::Variant>& all);
// Columns as wide as what is in them; the first row is the heading.
void print_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace arges::app
