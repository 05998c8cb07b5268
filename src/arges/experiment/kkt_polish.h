#pragma once
// The last digits of a constrained minimum.

#include <optional>
#include <vector>

#include "arges/experiment/ledger.h"
#include "arges/experiment/optimise.h"

namespace arges {

// A point at which the slopes of objective and active constraints balance.
struct KktPoint {
  std::vector<double> unit;
  double gain = 0;  // what the objective would gain by violating the constraints as far as they may
};

// Values near a constrained minimum hardly change along the constraints, so that comparing them
// gives half of the digits of the place. Newton's method on
//   slopes of f + sum of lambda c = 0 and c = 0, for the constraints that are active,
// with slopes and curvatures by differences, gives all of them; a curvature that the steps do not
// confirm is corrected. Begins near the minimum; variables
// at their bounds stay there, and so do whole numbers. Nothing when steps do not shrink, as at a
// kink, or evaluations are used up. Throws SearchEnded when the user has interrupted it.
std::optional<KktPoint> polish_constrained(Ledger& ledger, const OptimiseRequest& request,
                                           const std::vector<double>& start);

}  // namespace arges
