#pragma once
// Derivatives of user functions.

#include "arges/expr/differentiate.h"
#include "arges/flat/flat_model.h"

namespace arges {

// How a Differentiator derives calls in this model: by annotation(derivative), else by a function
// that is made from the statements (forward mode) and added to the model once. Throws UserError
// for a function that has none. The model must outlive the result.
//
// A derivative with noDerivative says what the rate of a function is along a solution, not how
// it changes with its inputs: position({q, qd, qdd}, time) has the rate qd, whatever q is. So a
// function with statements has its declared derivative by time only.
enum class DerivativeBy : std::uint8_t { kTime, kVariable };
Differentiator::Call call_derivative(FlatModel& model, DerivativeBy by);

// Whether only a declared derivative says the rate of a function with statements.
bool follows_declaration(const FlatFunction& f);

}  // namespace arges
