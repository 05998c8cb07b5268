#pragma once
// Steps of read_structure, after the file has been read.

#include "arges/variants/entity_structure.h"

namespace arges::variants {

// The axioms. Throws UserError with the place.
void check_axioms(const EntityStructure& structure);

// Fills in decisions, numbers and ranges: of all entities that can be in a variant, breadth first.
void find_decisions(EntityStructure& structure);

// All that formulas name is there. Throws UserError with the place.
void check_formulas(const EntityStructure& structure);

// "a = x and b >= 2 => c = y|z" or without "=>": then it holds always. Throws UserError with the
// place.
Rule parse_rule(const EntityStructure& structure, const PlacedText& text);
// "a = x and b >= 2". Throws likewise.
std::vector<RuleTest> parse_tests(const EntityStructure& structure, const PlacedText& text);

}  // namespace arges::variants
