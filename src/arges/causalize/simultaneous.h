#pragma once
// When-clauses that set Reals from what these Reals determine at the same instant.

#include "arges/causalize/sorter.h"

namespace arges {

// when c then y = 7 - 2*x; end when; x + y = 5: at the instant of the event two equations for x and
// y. Between events y is known. The part of y in such a loop is taken by an algebraic variable,
//
//   $now = if fires then 7 - 2*x else pre(y),   x + $now = 5,   y = if fires then $now else pre(y)
//
// so that the loop is one of continuous variables, solved like any other. True: equations have been
// changed, and are to be sorted anew.
bool solve_simultaneously(CausalModel& model, const SystemSorter& sorter,
                          const structure::Matching& matching);

}  // namespace arges
