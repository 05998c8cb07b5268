#pragma once
// Parameters to which nothing gives a value.

#include <span>
#include <string>

#include "arges/elaborate/class_tree.h"
#include "arges/flat/flat_model.h"

namespace arges::lang {

// A sentence that names the parameters with neither a value nor `start`, for which the default of
// their type is taken, where they are declared, and the code (W0306); empty when there are none.
// Those `given` get a value when the model runs.
std::string missing_values(const FlatModel& model, std::span<const std::string> given = {});

// The same as diagnostics, one for each declaration.
void check_missing_values(const FlatModel& model, ClassTree& tree);

}  // namespace arges::lang
