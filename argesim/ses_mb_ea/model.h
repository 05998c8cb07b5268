#pragma once
// A job shop: source, queue, server, queue, and several servers side by side.

#include <memory>

#include "arges/driver/discrete_model.h"

namespace arges::argesim::ses {

// `arges run ses-mb-ea -p period=10 -p servers=7`. Everything is deterministic; the first job comes
// at t = 0. Statistics: jobs handled, mean lengths of both queues, mean number of idle servers.
std::unique_ptr<DiscreteModel> make_model();

}  // namespace arges::argesim::ses
