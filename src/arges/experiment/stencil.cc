#include "arges/experiment/stencil.h"

#include <algorithm>

namespace arges {

namespace {

// The derivative at 0 of the polynomial through the points at the offsets.
Stencil stencil_of(const std::vector<double>& offsets) {
  Stencil stencil{offsets, std::vector<double>(offsets.size(), 0)};
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    // That of the Lagrange polynomial i: each factor is left out once.
    for (std::size_t left_out = 0; left_out < offsets.size(); ++left_out) {
      if (left_out == i) continue;
      double product = 1 / (offsets[i] - offsets[left_out]);
      for (std::size_t j = 0; j < offsets.size(); ++j) {
        if (j != i && j != left_out) product *= -offsets[j] / (offsets[i] - offsets[j]);
      }
      stencil.weights[i] += product;
    }
  }
  return stencil;
}

}  // namespace

Stencil cheap_stencil_at(double place) {
  constexpr double kNear = 1e-6;
  const double right = std::min(place + kNear, 1.0), left = std::max(place - kNear, 0.0);
  return stencil_of({right - place, left - place});
}

Stencil exact_stencil_at(double place) {
  const double middle = std::clamp(place, 2 * kStencilStep, 1 - 2 * kStencilStep);
  std::vector<double> offsets;
  for (int k = -2; k <= 2; ++k) offsets.push_back(middle + k * kStencilStep - place);
  Stencil stencil = stencil_of(offsets);
  for (const double weight : {-1.0, 16.0, -30.0, 16.0, -1.0})
    stencil.curvature.push_back(weight / (12 * kStencilStep * kStencilStep));
  return stencil;
}

}  // namespace arges
