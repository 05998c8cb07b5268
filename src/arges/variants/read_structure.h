#pragma once
// Entity structures as TOML files.

#include <string>

#include "arges/variants/entity_structure.h"

namespace arges::variants {

// Reads and checks a structure (docs/guide/variants.md has the format). The axioms of system entity
// structures hold afterwards:
//   uniformity          an entity is declared once: it has the same attributes and the same tree
//                       below it wherever it stands
//   strict hierarchy    no entity is inside itself
//   alternating mode    parts and choices are entities; aspects and specialisations stand at
//                       entities
//   valid brothers      parts of one aspect, choices of one specialisation, and what stands at one
//                       entity have different names
//   attached variables  attributes of an entity have different names; two specialisations do not
//                       give the same one
//   inheritance         a choice has attributes, model and decompositions of what it specialises,
//                       its own attributes and model first (prune.h)
// Throws UserError with the place in the file, IoError.
EntityStructure read_structure(const std::string& path);
// The same for a text, as if it stood in the file `path`.
EntityStructure parse_structure(const std::string& path, const std::string& text);

}  // namespace arges::variants
