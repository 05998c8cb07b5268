#pragma once
// A model without the pasts of its delays, for what looks at one point of it.

#include <string_view>

#include "arges/flat/flat_model.h"

namespace arges {

// What becomes of delay(e, T) in equations, when-clauses and asserts. Each e is a variable then,
// named as the delay is written, "delay(e, T)"; the second of the same text is "delay(e, T)#2".
enum class DelayUse : std::uint8_t {
  kKept,    // it stays: runs need it
  kAtRest,  // e: at a steady state nothing else comes out
  kOpened,  // an input, and T is a variable: how a model answers to its past
};

// Before the name of the delay: what comes out of it, and T.
inline constexpr std::string_view kPastOf = "$past ", kTimeOf = "$time ";

// Delays in algorithms, in modes of state machines, and spatialDistribution() stay.
void replace_delays(FlatModel& model, DelayUse use);

}  // namespace arges
