#pragma once
// The residual of an equation, lhs - rhs, and what it does with one of its variables.

#include "arges/causalize/causal_model.h"

namespace arges {

// d(lhs - rhs)/dv, all other variables held. Throws UserError when a function has no derivative.
ExprId residual_derivative(FlatModel& flat, const CausalEquation& equation, VarId v);

// Its value at the start, as far as that is known (see value_at_start); zero when there is none.
double factor_at_start(FlatModel& flat, const CausalEquation& equation, VarId v);

}  // namespace arges
