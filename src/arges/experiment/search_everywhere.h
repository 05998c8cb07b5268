#pragma once
// Methods that look all over the range.

#include <vector>

#include "arges/experiment/ledger.h"
#include "arges/experiment/optimise.h"

namespace arges {

// A population that has become one point long before its evaluations are used up has found one
// valley: it begins `again`, with other random numbers. Throws SearchEnded.
void search_everywhere(const OptimiserInfo& info, Ledger& ledger, OptimiseRequest request,
                       const std::vector<double>& start, bool again);

}  // namespace arges
