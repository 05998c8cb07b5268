// Localisation: the part of the EventMonitor that finds when a crossing happened.

#include <algorithm>
#include <cmath>
#include <limits>

#include "arges/base/float_spacing.h"
#include "arges/hybrid/event_monitor.h"
#include "arges/hybrid/event_side.h"

namespace arges {

double EventMonitor::resolution(double t) const { return std::max(spacing(t), least_distance_); }

namespace {

// The root in (0, h) of the parabola through (0, g0), (h, g1) and (s, g), or that of the straight
// line through the first two when the parabola has none there. g0 and g1 have opposite signs.
double root_of_parabola(double g0, double h, double g1, double s, double g) {
  const double slope = (g1 - g0) / h;
  const double line = -g0 / slope;
  const double bend = ((g - g0) / s - slope) / (s - h);
  const double first = slope - bend * h;  // g0 + first * r + bend * r^2
  const double discriminant = first * first - 4 * bend * g0;
  if (!(discriminant >= 0)) return line;
  const double sum = -0.5 * (first + std::copysign(std::sqrt(discriminant), first));
  const double near = g0 / sum, far = sum / bend;
  if (near > 0 && near < h) return near;
  return far > 0 && far < h ? far : line;
}

}  // namespace

// A crossing happened between node-1 and node. Bracket it to the last digits, on the conditions
// that have crossed at the upper end: by parabolas through both ends and the last place that was
// one, drawn to whichever side has not moved.
void EventMonitor::localise(Stepper& stepper, int node) {
  double lo = node_t_[node - 1], hi = node_t_[node];
  std::copy_n(node_values(node - 1), event_count_, g_lo_.data());
  std::copy_n(node_values(node), event_count_, g_hi_.data());
  const int other = node + 1 < node_count_ ? node + 1 : node - 2;
  double outside = other >= 0 ? node_t_[other] : hi;
  std::vector<double>& g_outside = dense_g_;  // which is written at the end
  std::copy_n(node_values(std::max(other, 0)), event_count_, g_outside.data());
  // Towards t = 0 doubles come closer and closer; not below the rounding of rounding.
  least_distance_ = std::numeric_limits<double>::epsilon() * unit(stepper);
  int lead = active_.front();
  int same_side_moves = 0;  // > 0: the upper end moved that often in a row; < 0: the lower
  for (int iteration = 0; iteration < 200; ++iteration) {
    double estimate = hi;
    for (const int k : active_) {
      if (!crosses(k, g_hi_[k])) continue;
      const double slope = g_hi_[k] - g_lo_[k];
      double root = slope != 0 ? hi - g_hi_[k] * (hi - lo) / slope : lo;
      if (g_lo_[k] * g_hi_[k] < 0 && outside != hi)
        root = lo + root_of_parabola(g_lo_[k], hi - lo, g_hi_[k], outside - lo, g_outside[k]);
      if (root <= estimate) {
        estimate = root;
        lead = k;
      }
    }
    const double ulp = resolution(hi);
    if (hi - lo <= 1.5 * ulp) break;
    if (iteration >= 12 && iteration % 2 == 0) {
      estimate = lo + 0.5 * (hi - lo);
    } else if (same_side_moves >= 1) {
      estimate -= std::max(2 * ulp, 4 * std::abs(hi - estimate) * (same_side_moves - 1));
    } else if (same_side_moves <= -1) {
      estimate += std::max(2 * ulp, 4 * std::abs(estimate - lo) * (-same_side_moves - 1));
    }
    if (!(estimate >= lo + ulp)) estimate = lo + ulp;
    if (!(estimate <= hi - ulp)) estimate = hi - ulp;
    if (!(estimate > lo && estimate < hi)) break;
    evaluate_inside(stepper, estimate, g_try_.data());
    if (any_crossing(g_try_.data())) {
      outside = hi;
      hi = estimate;
      g_outside.swap(g_hi_);
      g_hi_.swap(g_try_);
      same_side_moves = same_side_moves > 0 ? same_side_moves + 1 : 1;
    } else {
      outside = lo;
      lo = estimate;
      g_outside.swap(g_lo_);
      g_lo_.swap(g_try_);
      same_side_moves = same_side_moves < 0 ? same_side_moves - 1 : -1;
    }
  }
  dense_time_ = hi;
  for (const int k : active_) dense_noise_[k] = std::max(std::abs(g_lo_[k]), std::abs(g_hi_[k]));
  std::copy(g_hi_.begin(), g_hi_.end(), dense_g_.begin());
  std::copy(side_.begin(), side_.end(), side_before_.begin());
  std::copy(fresh_.begin(), fresh_.end(), fresh_before_.begin());
  event_time_ = hi;
  const bool retaken = retake(stepper, node_t_[node - 1], hi, lead);
  if (!retaken) {
    event_time_ = std::max(hi, earliest_);
    stepper.interpolate(event_time_, event_state_.data());
  }
  collect(stepper, lead, retaken);
}

// The dense output is less accurate than the step itself. Newton's iteration on steps that end at
// the event, from the estimate `hi`; the slope comes from the dense output and is then corrected by
// secants.
bool EventMonitor::retake(Stepper& stepper, double lo, double hi, int lead) {
  // Never back before an event inside this step, nor further than the dense output can be wrong.
  const double first = std::max({node_t_[0], lo - (hi - lo), earliest_}), last = stepper.t();
  double s = hi;
  if (!(s > first) || !stepper.retake(s, event_state_.data())) return false;
  evaluate(s, event_state_.data(), g_try_.data());
  double g = g_try_[lead];

  // A stretch long enough for a slope that rounding does not spoil.
  const double back = std::max(lo, hi - 1e-3 * (last - first));
  evaluate_inside(stepper, back, g_lo_.data());
  evaluate_inside(stepper, hi, g_hi_.data());
  double slope = (g_hi_[lead] - g_lo_[lead]) / (hi - back);
  const int old_side = side_[lead];
  if (!(slope * old_side < 0)) return false;

  for (int iteration = 0; iteration < 8 && g != 0; ++iteration) {
    const double correction = -g / slope;
    const double next = std::min(s + correction, last);
    if (!(next > first)) return false;
    if (std::abs(next - s) < resolution(s)) break;
    if (!stepper.retake(next, event_state_.data())) return false;
    evaluate(next, event_state_.data(), g_try_.data());
    const double g_next = g_try_[lead];
    if (std::abs(g_next) > 0.5 * std::abs(g) && std::abs(next - s) > 64 * resolution(s)) {
      // No root of a smooth function: a condition that jumps. The bracket has found where.
      if (!stepper.retake(hi, event_state_.data())) return false;
      evaluate(hi, event_state_.data(), g_try_.data());
      event_time_ = hi;
      return leaves(old_side, g_try_[lead]);
    }
    const double secant = (g_next - g) / (next - s);
    if (std::abs(next - s) > 1e4 * resolution(s) && secant * slope > 0) slope = secant;
    s = next;
    g = g_next;
  }
  event_time_ = s;
  return stepper.retake(s, event_state_.data());
}

}  // namespace arges
