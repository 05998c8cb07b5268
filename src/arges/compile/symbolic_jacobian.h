#pragma once
// The Jacobian of the rates, as expressions.

#include <optional>
#include <vector>

#include "arges/causalize/causal_model.h"

namespace arges {

// d rate[row] / d state[column], with what the rates are computed from taken into account; column =
// number of states: the partial derivative with respect to time. Zero entries are left out.
struct RateDerivative {
  int row, column;
  ExprId value;
};

// Forward accumulation through the sorted blocks, for all states at once, with sparse rows:
//
//   for each block v := e in order:
//     the columns of v are those of the variables of e
//     for each column j:  dv/dj = sum over variables w of e:  (de/dw) (dw/dj)
//   for each loop r(v) = 0 with one or two unknowns v that the others are computed from:
//     for each column j:  dv/dj = -(dr/dv)^-1 dr/dj
//
// Common parts are made once, since expressions are. Adds expressions (and derivatives of
// functions) to the model. Nothing when a larger loop depends on a state, when a function has
// no derivative, or when the entries become more than a sparse Jacobian is good for: then
// differences are used.
std::optional<std::vector<RateDerivative>> differentiate_rates(CausalModel& model,
                                                               const std::vector<char>& needed);

}  // namespace arges
