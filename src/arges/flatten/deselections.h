#pragma once
// Selective model extension (specification, 7.4): extends B(break x, break connect(a, b)).

#include <span>

#include "arges/parse/tree.h"

namespace arges::lang {

// The arguments, if any of them leaves something out.
std::span<const Argument> deselections(const Modification* modification);

}  // namespace arges::lang
