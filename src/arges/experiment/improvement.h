#pragma once
// The local part of a search that looks everywhere.

#include <cstdint>
#include <vector>

#include "arges/experiment/ledger.h"
#include "arges/experiment/optimise.h"

namespace arges {

struct Polish {
  std::int64_t evaluations = 0;
  std::vector<std::vector<double>> structures{};  // all of them, when they are so few
};

Polish plan_polish(const OptimiseRequest& request);

// Local searches from the best points of structures: of `all` of them, where they are so few that
// each can have its share.
SearchStatus improve_structures(Ledger& ledger, const OptimiseRequest& request,
                                const std::vector<std::vector<double>>& all);

}  // namespace arges
