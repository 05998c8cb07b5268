#pragma once
// Counts of many trials, by transformed rejection.

#include <cstdint>

#include "arges/random/stream.h"

namespace arges::random {

// mean >= 10
std::int64_t poisson_by_rejection(Stream& stream, double mean);
// n p >= 10, p <= 1/2
std::int64_t binomial_by_rejection(Stream& stream, double n, double p);

}  // namespace arges::random
