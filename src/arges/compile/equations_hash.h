#pragma once

#include <cstdint>

#include "arges/hybrid/system.h"

namespace arges {

// A hash of the equations of a model that was compiled from text, of all its modes: the same for
// the same equations, other ones for others (the values of parameters do not matter). 0 for models
// in C++, whose equations cannot be seen.
std::uint64_t equations_hash(const HybridSystem& model);

}  // namespace arges
