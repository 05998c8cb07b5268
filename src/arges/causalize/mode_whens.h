#pragma once
// when() around state machines.

#include "arges/flat/flat_model.h"

namespace arges {

// In one mode activeState(a) is a constant, and so may be what a `when` waits for. Yet it becomes
// true when another mode is left for this one. So that modes that are made of the whole model know
// what was before, the condition of each `when` becomes a variable, and it and each variable whose
// left limit the text asks for stay variables in every mode, whatever they are there. Algorithms
// become equations on the way.
void keep_left_limits(FlatModel& whole);

}  // namespace arges
