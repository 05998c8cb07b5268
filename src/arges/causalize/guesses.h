#pragma once
// With what the iteration of a loop of the initial system begins.

#include <vector>

#include "arges/causalize/causal_model.h"

namespace arges {

// Of each block: start values of variables of a nonlinear loop that follow from those of others. An
// unknown without a start value of its own would begin at zero, where the properties of a fluid
// cannot be computed; but an equation of the loop may give it from unknowns that have one, and the
// next equation another one from that.
//
//   good := unknowns whose declarations give a start value
//   repeat while an equation has one unknown that is not good, and can be solved for it:
//     that unknown is guessed so, and is good; equations that say `unknown = ...` come first, then
//     those that divide by nothing but parameters, at last the others (which may divide by a
//     derivative that is still zero)
//   then the same with those whose types give a start value added to the good ones
//
// What stands before the loop is known. A value of a type is given up for one that follows.
void find_guesses(CausalModel& model, std::vector<Block>& blocks,
                  const std::vector<CausalEquation>& equations);

// Relations (equations `relation = what it compares`) that a loop depends on, and which depend on
// it, are known while it is solved, and looked at again afterwards. They begin with what the
// guesses of the last loop that they depend on say, not as false: the phase of a fluid, the valve
// that a flow opens. Assignments between that loop and the relation are put into it.
void guess_relations(CausalModel& model, std::vector<Block>& blocks,
                     const std::vector<CausalEquation>& relations);

}  // namespace arges
