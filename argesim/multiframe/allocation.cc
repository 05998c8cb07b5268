#include "argesim/multiframe/allocation.h"

#include <cmath>

namespace arges::argesim::multiframe {

namespace {

double slow_share(int m, double fast_load, double slow_load) {
  return m * slow_load / (fast_load + slow_load);
}

}  // namespace

Allocation allocate(int m, double fast_load, double slow_load) {
  const double share = slow_share(m, fast_load, slow_load);
  if (share < 1) return {m - 1, 1};
  if (share > m - 1) return {1, m - 1};
  const int slow = static_cast<int>(std::floor(share + 0.5));
  return {m - slow, slow};
}

double lost_capacity(int m, double fast_load, double slow_load) {
  const int slow = allocate(m, fast_load, slow_load).slow;
  return std::abs(slow - slow_share(m, fast_load, slow_load));
}

double communication_ratio(int m) { return 2.0 * (m - 1) / (m - 2); }

}  // namespace arges::argesim::multiframe
