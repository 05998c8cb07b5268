#include "arges/solvers/stepper.h"

namespace arges {

bool Stepper::interpolate_rates(double, double*) const { return false; }

bool Stepper::retake(double, double*) { return false; }

}  // namespace arges
