#pragma once
// Looks up all names of whole libraries: the measure of the class tree.

#include <cstddef>
#include <string>
#include <vector>

namespace arges::lang {

class ClassNode;
class ClassTree;

struct LookupCounts {
  std::size_t classes = 0;
  std::size_t names = 0;
};

// Looks up each base class, type of a component, constraint and import of a class and of all
// classes inside it. What is not found goes to the diagnostics of the tree.
LookupCounts lookup_all(ClassTree& tree, ClassNode& node);

// The same for the class alone.
void lookup_class(ClassTree& tree, ClassNode& node);

// lookup_all for the libraries `names` in the folders `roots`. Prints what is not found and at the
// end counts and time. Returns 0 when all was found, else 1.
int lookup_corpus(const std::vector<std::string>& roots, const std::vector<std::string>& names);

}  // namespace arges::lang
