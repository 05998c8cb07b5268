#pragma once
// delay() in a model with state machines.

#include <vector>

#include "arges/flat/flat_model.h"

namespace arges {

// Numbers the delays of a whole model, so that modes that are made of it know which past is whose:
// delay(e, T) becomes delay(e, T, T, number). The same expression in two blocks has two pasts.
// Returns the state that each belongs to, by number (-1: none); that of a transition's condition is
// the one it leaves. Throws ModeError for a delay in an algorithm.
std::vector<std::int32_t> number_delays(FlatModel& whole);

}  // namespace arges
