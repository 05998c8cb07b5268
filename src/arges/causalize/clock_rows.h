#pragma once
// How the equations of one clock are solved at its ticks.

#include <functional>
#include <vector>

#include "arges/causalize/clock_partitions.h"
#include "arges/causalize/solve_for.h"

namespace arges {

// Which variable an equation gives. Where it does not stay, it has the form variable = expression.
struct TickingRow {
  VarId target;        // invalid: none is known, the equations do not fit the variables
  bool stays = false;  // an equation to be solved with others, or by iteration
};

// Gives each equation a variable by a matching that prefers those for which it can be solved, and
// rewrites it as variable = expression where that is possible and not part of an algebraic loop.
// `belongs` tells the unknowns. The Real unknowns of equations that stay become algebraic.
// Throws ModelError where another one would have to be found by iteration.
std::vector<TickingRow> solve_ticking_rows(FlatModel& flat, std::vector<ClockedRow>& rows,
                                           const std::function<bool(VarId)>& belongs);

}  // namespace arges
