#pragma once
// The flat model as a file of Base Modelica (MCP-0031) that can be read back.

#include <string>

#include "arges/flat/flat_model.h"

namespace arges {

// A package with the functions and the model. Every name is quoted, so that 'a.b[1]' is one name.
// What the flat model has and Base Modelica has not:
//   - enumerations are written as Integers, their literals as numbers from 1
//   - a block of a state machine is an empty component; its variables are known by their names,
//     its equations by an annotation, `x = y annotation(__Arges_block = "a")`
//   - a function whose results are used one by one gets a function for each of them, f.2
// Throws UserError for a model that cannot be written: one with external objects.
std::string to_base_modelica(const FlatModel& model);

}  // namespace arges
