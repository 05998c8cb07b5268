// Conditions that become NaN within a step: the part of the EventMonitor that looks for an event
// before that.

#include <algorithm>
#include <cmath>
#include <limits>

#include "arges/hybrid/event_monitor.h"

namespace arges {

// Another condition may have crossed on the way, behind which the first is something else (in
// `s = if z > 0 then sqrt(z) else 0` a relation s > 1 is NaN behind the root of z > 0, as long as z
// > 0 keeps its side). Until then it keeps its value. What was found counts if the first was not
// NaN before it; node_values(0) holds g at the end of the step.
EventMonitor::Finding EventMonitor::inspect_before_broken(Stepper& stepper, double from) {
  double* g1 = node_values(0);
  if (std::isnan(g_[broken_.index]) || !any_crossing(g1)) return Finding::kNotANumber;
  const std::vector<std::int8_t> sides = side_;
  const std::vector<std::uint8_t> fresh = fresh_;
  kept_g_ = g_;
  keeps_broken_ = true;
  broken_since_ = std::numeric_limits<double>::infinity();
  keep_broken(stepper.t(), g1);
  const Finding finding = inspect_known(stepper, from);
  keeps_broken_ = false;
  if (finding == Finding::kStepTooLong) return finding;
  constexpr double kRounding = 64;
  if (finding == Finding::kEvent && broken_since_ >= dense_time_ - kRounding * unit(stepper))
    return finding;
  side_ = sides;
  fresh_ = fresh;
  g_ = kept_g_;
  return Finding::kNotANumber;
}

void EventMonitor::keep_broken(double t, double* g) const {
  for (const int k : active_) {
    if (!std::isnan(g[k])) continue;
    g[k] = kept_g_[static_cast<std::size_t>(k)];
    broken_since_ = std::min(broken_since_, t);
  }
}

}  // namespace arges
