#pragma once
// Runs that end when something happens which the model itself does not watch.

#include <memory>
#include <string>

#include "arges/hybrid/system.h"

namespace arges {

// The model, with one more event that ends the run (as terminate does) at the time at which a
// condition like "omega >= 0" becomes true: when it is so at the start already, only after it has
// been false. Its two sides are formulas of time, states, outputs, discrete variables, inputs and
// parameters. Throws UserError with the place. The model must live as long.
std::unique_ptr<HybridSystem> stop_when(const HybridSystem& model, const std::string& condition);

}  // namespace arges
