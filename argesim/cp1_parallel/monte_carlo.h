#pragma once
// TE-1 of CP1, and C1 of CP2: an oscillator with random damping.

#include <cstdint>
#include <vector>

#include "arges/driver/benchmark.h"
#include "arges/hybrid/system.h"
#include "arges/random/statistics.h"

namespace arges::argesim {

// x(t) of many runs at 200 intervals of [0, 2]; d is uniform on [800, 1200].
struct MeanCurve {
  std::vector<double> times;
  std::vector<random::Tally> positions;  // one a time
  double wall_s = 0;

  std::vector<double> means() const;
};
MeanCurve mean_curve(const HybridSystem& oscillator, std::int64_t runs, int threads);

// Rows for the exact mean at some times, within three standard errors.
void compare_with_exact_mean(const MeanCurve& curve, BenchmarkReport& report);
plot::Figure band_figure(const MeanCurve& curve);

}  // namespace arges::argesim
