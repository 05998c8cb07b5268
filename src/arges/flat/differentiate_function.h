#pragma once
// Derivatives of user functions.

#include "arges/expr/differentiate.h"
#include "arges/flat/flat_model.h"

namespace arges {

// How a Differentiator derives calls in this model: by annotation(derivative), else by a function
// that is made from the statements (forward mode) and added to the model once. The model must
// outlive the result.
Differentiator::Call call_derivative(FlatModel& model);

}  // namespace arges
