#pragma once
// Quick operations for the vectors of the SUNDIALS steppers. Included by .cc files only.

#include <sundials/sundials_nvector.h>

namespace arges {

// Gives a serial vector operations of its own in place of those that the integrators call most: the
// clones that an integrator makes of it have them too. SUNDIALS asks at each sum which of nine
// special cases it is, and passes it on; with a few variables that costs more than the sum, and
// half the time of a step. Here one loop serves all cases, and sums over several vectors are one
// call.
void use_quick_operations(N_Vector serial);

}  // namespace arges
