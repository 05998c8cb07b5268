#pragma once
// What is wrong with a document.

#include <vector>

#include "arges/diag/diagnostic.h"
#include "arges/lsp/workspace.h"

namespace arges::lsp {

// Looks as deep as the text allows:
//
//   syntax
//   no errors: the names of types, base classes and imports of every class
//   no errors: every model that is not partial, flattened (types, modifiers, connections, units)
//   no errors: of those that can run alone (without connectors and inputs outside) the structure of
//              their equations
//
// What is wrong in another file is told at the name of the class in this one that leads there.
std::vector<diag::Diagnostic> check(Project& project);

}  // namespace arges::lsp
