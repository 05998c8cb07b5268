#pragma once
// A model as text to the flat model: the way in for everybody who simulates.

#include <span>
#include <string>

#include "arges/diag/diagnostic.h"
#include "arges/elaborate/class_tree.h"
#include "arges/flat/flat_model.h"

namespace arges::lang {

struct Limits;

// Flattens a class of the tree. What is wrong is reported to the diagnostics of the tree; then the
// model is incomplete and must not be used.
FlatModel flatten_class(ClassTree& tree, ClassNode& node);
FlatModel flatten_class(ClassTree& tree, ClassNode& node, const Limits& limits);

// `what` is a file, a folder with package.mo, or the name of a class in a library. Of a file the
// class `name` is taken (a full name, or one relative to a class of the file), or else the last
// model that is not partial; in a package that is all in the file, the last inside it. Throws
// IoError when a file cannot be read; all else is reported. `modifications`, as in "n = 5" or
// "motor.R = 2", are those of a class that extends this one, and looked up there; "p[2] = 5" gives
// one element of an array of parameters its value. Places in them are of the file
// kModificationFile.
FlatModel load_model(ClassTree& tree, const std::string& what, const std::string& name = {},
                     std::span<const std::string> modifications = {});
inline constexpr const char* kModificationFile = "-p";
// The same for a text, as if it stood in the file `file`.
FlatModel load_model_text(ClassTree& tree, const std::string& file, const std::string& text,
                          const std::string& name = {});

// How many equations and unknowns a flat model has. What an algorithm assigns and what a
// when-clause sets count as that many equations; parameters, constants and inputs are no unknowns.
struct Balance {
  std::size_t equations = 0;
  std::size_t unknowns = 0;
  bool balanced() const { return equations == unknowns; }
};
Balance balance(const FlatModel& model);

}  // namespace arges::lang
