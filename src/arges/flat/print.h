#pragma once
// The flat model as text, in the manner of Base Modelica.

#include <string>

#include "arges/expr/print.h"
#include "arges/flat/flat_model.h"

namespace arges {

// Names of variables and functions; of locals when a function is given. The model must outlive
// them.
ExprNames names_of(const FlatModel& model, const FlatFunction* function = nullptr);

// `'a.b[3]'` where a name is not an identifier, as Base Modelica quotes it.
std::string base_modelica_name(const std::string& name);

std::string to_text(const FlatModel& model);

}  // namespace arges
