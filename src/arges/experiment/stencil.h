#pragma once
// Slopes by differences on the unit cube.

#include <vector>

namespace arges {

// The points beside a place, as parts of the range, and their weights.
struct Stencil {
  std::vector<double> offsets, weights;
  std::vector<double> curvature{};  // weights of the second derivative; of exact ones only
};

constexpr double kStencilStep = 1e-3;

// Within the range, around the place as far as that is possible. Two points are the cheapest; with
// five the noise of runs is divided by a distance a thousand times as long.
Stencil cheap_stencil_at(double place);
Stencil exact_stencil_at(double place);

}  // namespace arges
