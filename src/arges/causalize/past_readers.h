#pragma once
// Functions that read the past of a run.

#include <initializer_list>

#include "arges/flat/flat_model.h"

namespace arges {

// An external function that reads what is kept of the past; the last name is its result.
FunctionId add_reader(FlatModel& flat, const char* function, const char* external,
                      std::initializer_list<const char*> names);

}  // namespace arges
