#pragma once
// ARGESIM C2, flexible assembly system: pallets as processes, places on belts as resources.

#include <cstdint>
#include <memory>

#include "arges/driver/discrete_model.h"

namespace arges::argesim::c02 {

struct Parameters {
  int pallets = 20;
  bool feed_included = false;    // whether the way into a station is part of the operation time
  bool has_a6 = true;            // false: A6 is a bypass only
  bool lengths_swapped = false;  // buffers and bypasses of the lengths as printed
  int link_cells = 1;            // between sub-systems, in pallets
  double warm_up = 7200, observed = 28800;
};

struct Outcome {
  int parts = 0;         // finished while observed
  double mean_time = 0;  // of these, from the end of loading to the end of unloading
  double longest_time = 0;
  double utilisation_a2 = 0;  // mean of the three, while observed: operating
  double time_reached = 0;
  std::int64_t activations = 0;
};

// Throws std::runtime_error when the system jams, with what waits for what.
Outcome simulate(const Parameters& parameters);

// For `arges run`.
std::unique_ptr<DiscreteModel> make_model();

}  // namespace arges::argesim::c02
