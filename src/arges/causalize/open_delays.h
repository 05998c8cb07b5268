#pragma once
// A model without the pasts of its delays, for what looks at one point of it.

#include "arges/flat/flat_model.h"

namespace arges {

// What becomes of delay(e, T) in equations, when-clauses and asserts. Each e is the variable $sentK
// then, K = 1, 2, ...
enum class DelayUse : std::uint8_t {
  kKept,    // it stays: runs need it
  kAtRest,  // e: at a steady state nothing else comes out
  kOpened,  // an input $pastK, and T is the variable $afterK: how a model answers to its past
};

// Delays in algorithms, in modes of state machines, and spatialDistribution() stay.
void replace_delays(FlatModel& model, DelayUse use);

}  // namespace arges
