#pragma once
// The whole numbers of an optimisation: structures, each with a problem of its own in the rest.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "arges/experiment/optimise.h"

namespace arges {

std::size_t count_whole_numbers(const OptimiseRequest& request);

// Those variables that a local method leaves as they are at a point of the unit cube: whole
// numbers, and what does not count beside them.
std::vector<bool> fixed_variables(const OptimiseRequest& request, std::span<const double> unit);

// Equal for points of one structure; "" for what is none (OptimiseRequest::structure).
std::string structure_at(const OptimiseRequest& request, std::span<const double> x);

// All structures, as points of the unit cube with everything else at its first guess. Nothing when
// there are more than `most`, or too many combinations to look at.
std::optional<std::vector<std::vector<double>>> all_structures(const OptimiseRequest& request,
                                                               std::int64_t most);

}  // namespace arges
