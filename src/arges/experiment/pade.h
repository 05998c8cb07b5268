#pragma once
// Delays as rational functions.

#include "arges/experiment/delayed_model.h"

namespace arges {

// A linear model with finitely many states instead of one with delays: each exp(-s T) becomes the
// diagonal Padé approximant of this order, 1 to 10, that is N more states named after what
// goes into the delay ("delay(x, 1).pade[1]"); a delay of zero is none. Let x = s T / 2. Then
//
//   exp(-2 x) = (1 - tanh x) / (1 + tanh x),   tanh x = 1/(1/x + 1/(3/x + 1/(5/x + ...)))
//
// and the approximant is the same with the first N terms of the continued fraction. As a ladder of
// N integrators this is, with P the numbers from 1 to N that are even or odd as N is,
//
//   T/2 q_k' = (2 k - 1) (z - sum of all q_j in P - sum of all q_j not in P, j < k)    k in P
//   T/2 q_k' = (2 k - 1) (sum of all q_j in P, j > k)                                  k not in P
//   w = (-1)^N (z - 2 sum of all q_j in P)
//
// whose numbers are of one size, as those of the polynomials of order 10 are not. The approximant
// is an all-pass, and right to the order 2 N in s T. Inputs and outputs are those of the model
// without the ends of its delays. Throws EvaluationError when delays in a loop without states can
// not be approximated by this order.
LinearModel with_pade(const DelayedModel& model, int order);

}  // namespace arges
