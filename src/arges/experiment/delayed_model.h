#pragma once
// A linear model whose signals are delayed inside.

#include <complex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "arges/experiment/linearise.h"

namespace arges {

// The last inputs w and outputs z of a linear model are the ends of delays: w_k(t) = z_k(t - T_k),
// one for each of `times`.
//
//   x' = A x + B u + Bw w,   y = C x + D u + Dw w,   z = Cz x + Dz u + Dzw w
//
// With E(s) = diag(exp(-s T_k)) it is no longer rational, but as easy to evaluate.
struct DelayedModel {
  LinearModel open;
  std::vector<double> times;  // >= 0
};

// G(i w) of one of the other inputs and outputs. Infinite where i w is a root of the model.
std::vector<std::complex<double>> frequency_response(const DelayedModel& model, int input,
                                                     int output, std::span<const double> omega);

// The roots of the characteristic function
//
//   det [s I - A, -Bw E(s); -Cz, I - Dzw E(s)] = 0
//
// with Re s > 0, counted by how often the function turns around zero along the edge of a half disc
// that has them all: |s| <= |A| + |Bw| (I - |Dzw|)^-1 |Cz|. `neutral`: there is one on the
// imaginary axis, to rounding. Nothing when it cannot be told, and `why` then: delays in a loop
// without states that does not lessen what goes around (|Dzw| has an eigenvalue of 1 or more), or
// frequencies that are very high against the delays.
struct UnstableRoots {
  int count = 0;
  bool neutral = false;
};
std::optional<UnstableRoots> count_unstable_roots(const DelayedModel& model,
                                                  std::string* why = nullptr);

}  // namespace arges
