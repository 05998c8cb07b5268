#pragma once
// Points that satisfy constraints.

#include <vector>

#include "arges/experiment/ledger.h"
#include "arges/experiment/optimise.h"

namespace arges {

// Makes the violations small, in units of their own, by least squares from a point, whatever the
// objective; variables that a local method leaves alone stay. Whether it was of use the ledger
// tells. Returns whether it came to its end: evaluations may be used up before. Throws SearchEnded
// when the user has interrupted it.
bool approach_constraints(Ledger& ledger, const OptimiseRequest& request,
                          const std::vector<double>& start);

// From the best point, then from others all over the range, until one satisfies the constraints or
// the part of the evaluations that is for this is used up. Throws as above.
void find_feasible(Ledger& ledger, const OptimiseRequest& request, std::int64_t evaluations);

// For whole numbers: steps of 1, 2, 4, ... along each of them, and of 1 along two in opposite ways,
// as long as one leads to a point that is better, or violates less. Throws SearchEnded.
void step_along_whole_numbers(Ledger& ledger, const OptimiseRequest& request);

// The k-th of points that fill the unit cube evenly: those of the additive recurrence with the
// powers of 1/r, r^(n+1) = r + 1.
std::vector<double> spread_point(std::size_t dimensions, std::int64_t k);

}  // namespace arges
