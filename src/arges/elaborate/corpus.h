#pragma once
// Looks up all names of whole libraries: the measure of the class tree.

#include <string>
#include <vector>

namespace arges::lang {

// Loads the libraries `names` from the folders `roots` and walks all their classes. Each base
// class, each type of a component and each import is looked up. Prints what is not found and at the
// end counts and time. Returns 0 when all was found, else 1.
int lookup_corpus(const std::vector<std::string>& roots, const std::vector<std::string>& names);

}  // namespace arges::lang
