#pragma once
// Whether a point is a minimum, by looking around it.

#include <optional>
#include <vector>

#include "arges/experiment/ledger.h"
#include "arges/experiment/optimise.h"

namespace arges {

// Methods end for reasons of their own: at a saddle, where slopes are zero; at a kink, which slopes
// do not see; where a model of theirs has become bad. This looks at the best point of the ledger
// without any of them, in the variables that a local method may change:
//   along each of them, both ways, by 1e-6, 1e-3 and 1e-1 of the range
//   along the steepest descent that the active constraints and the bounds allow
//   both ways along the directions in which active constraints do not change, and along the one of
//   them in which the objective is curved downwards most; points are led back to the constraints by
//   Broyden's method with the slopes at the best point
//   further along a short step that was better, by the golden section
// Returns the best point that satisfies the constraints and is better by more than the noise of
// runs (1e-9 of the value and of its change around; 1e-7 of the latter with constraints, which
// points may use up differently), or nothing; then the best point of the ledger is what it was.
// Throws SearchEnded.
std::optional<std::vector<double>> better_nearby(Ledger& ledger, const OptimiseRequest& request);

}  // namespace arges
