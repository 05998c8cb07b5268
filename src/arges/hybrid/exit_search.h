#pragma once
// When a motion leaves the surfaces on which it is held.

#include "arges/hybrid/sliding.h"
#include "arges/solvers/stepper.h"

namespace arges {

// The first time in the last step of the solver at which a surface is left, where a margin becomes
// negative; infinity: none. Margins depend on time itself, too, while the states stand still and
// steps are long, so that they are looked at in every `window`, and more often where they come near
// zero.
double find_exit(const Sliding& sliding, const Stepper& stepper, double window);

}  // namespace arges
