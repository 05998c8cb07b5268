#include "arges/solvers/stepper.h"

namespace arges {

bool Stepper::retake(double, double*) { return false; }

}  // namespace arges
