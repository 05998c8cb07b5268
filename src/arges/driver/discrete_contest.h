#pragma once
// Solvers beside each other, on a discrete-event model with continuous parts.

#include "arges/driver/discrete_model.h"
#include "arges/experiment/contest.h"

namespace arges {

// What is compared is everything real that the model records. The arguments must live as long.
// Throws UserError when the model has nothing to integrate.
ContestModel contest_model(const DiscreteModel& model, const ParameterValues& values,
                           const RunOptions& options);

}  // namespace arges
