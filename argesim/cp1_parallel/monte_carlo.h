#pragma once
// TE-1 of CP1, and C1 of CP2: an oscillator with random damping.

#include <cstdint>
#include <vector>

#include "arges/hybrid/system.h"
#include "arges/random/statistics.h"

namespace arges::argesim {

// x(t) of many runs at 200 intervals of [0, 2]; d is uniform on [800, 1200].
struct MeanCurve {
  std::vector<double> times;
  std::vector<random::Tally> positions;  // one a time
  double wall_s = 0;
};
MeanCurve mean_curve(const HybridSystem& oscillator, std::int64_t runs, int threads);

}  // namespace arges::argesim
