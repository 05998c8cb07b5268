// Ties: the part of the EventMonitor that says what happens at one instant.
//
// A condition is known as exactly as what it is computed from: to kSimultaneous units in the last
// place of t and of the states, each as large as it is in the step. That divided by its slope is
// how exactly the time of its root is known. What is closer together is simultaneous: two state
// events, and a state event and the time at which a step has to end (a timer, the end of the run).

#include <algorithm>
#include <cmath>
#include <limits>

#include "arges/base/error.h"
#include "arges/hybrid/event_monitor.h"
#include "arges/hybrid/event_side.h"
#include "arges/hybrid/pushes.h"

namespace arges {

void EventMonitor::choose_pushes(int largest_dimension) {
  for (int round = 0; round < kPushes; ++round) {
    for (int i = 0; i < largest_dimension; ++i) pushes_.push_back(push(round, i));
  }
}

template <class Error>
void EventMonitor::measure(double t, const double* x, std::vector<double>& effect,
                           const Error& error) {
  const int n = equations_->size();
  const auto largest = [&] {
    double push = 0;
    for (int i = 0; i < n; ++i) push = std::max(push, error(i));
    return push;
  };
  double* const aside = x_try_.data();
  double* const g_aside = g_end_.data();
  double* const result = effect.data();
  for (const int k : active_) result[k] = 0;
  try {
    for (const double* part : {pushes_.data(), pushes_.data() + pushes_.size() / 2}) {
      for (int i = 0; i < n; ++i) aside[i] = x[i] + part[i] * error(i);
      evaluate(t, aside, g_aside);
      const double* const g = g_.data();
      for (const int k : active_) {
        const double change = std::abs(g_aside[k] - g[k]);
        result[k] = std::max(result[k], std::isfinite(change) ? change : largest());
      }
    }
  } catch (const EvaluationError&) {  // the states are on the border of what the model can take
    for (const int k : active_) effect[k] = std::max(effect[k], error(0));
  }
}

// A few units in the last place of the largest state that has to do with each.
void EventMonitor::measure_rounding(double t, const double* x) {
  constexpr double kUnits = 4 * std::numeric_limits<double>::epsilon();
  influence_.measure(x, x_size_.data());
  measure(t, x, rounding_, [sizes = x_size_.data()](int i) { return kUnits * sizes[i]; });
}

// Of conditions that have no side yet. The values from which a run or a mode starts are rounded
// each by itself; a relation of a model in text knows its side.
void EventMonitor::measure_start(double t, const double* x) {
  const auto may_be_zero = [&](int k) {
    return side_[k] == 0 && events_[k].direction != Direction::kBoth && !is_seen(k, g_[k]);
  };
  std::fill(start_rounding_.begin(), start_rounding_.end(), 0);
  if (std::none_of(active_.begin(), active_.end(), may_be_zero)) return;
  constexpr double kUnits = 2 * std::numeric_limits<double>::epsilon();
  measure(t, x, start_rounding_, [x](int i) { return kUnits * std::abs(x[i]); });
  for (const int k : active_) {
    if (!may_be_zero(k)) start_rounding_[k] = 0;
  }
}

void EventMonitor::measure_tolerance(double t, const double* x) {
  const auto nominal = equations_->nominal();
  measure(t, x, error_, [&](int i) { return rtol_ * std::abs(x[i]) + atol_ * nominal[i]; });
}

// At (t, x) in or at the end of the step, where g_ holds the conditions.
void EventMonitor::measure_roots(const Stepper& stepper, double t, const double* x) {
  const double from = stepper.smooth_from(), last = unit(stepper);
  stepper.interpolate(from, x_size_.data());
  for (int i = 0; i < equations_->size(); ++i)
    x_size_[i] = std::max(std::abs(x_size_[i]), std::abs(x[i]));
  constexpr double kUnits = kSimultaneous * std::numeric_limits<double>::epsilon();
  measure(t, x, blur_, [&](int i) { return kUnits * x_size_[i]; });

  // A stretch long enough for a slope that rounding does not spoil.
  const double apart = std::min(t - from, std::max(1e-3 * (t - from), kSimultaneous * last));
  const bool is_long = apart > kSimultaneous / 2 * last;
  if (is_long) {
    evaluate_inside(stepper, t - apart, g_try_.data());
    evaluate_inside(stepper, t, g_end_.data());
  }
  for (const int k : active_) {
    slope_[k] = is_long ? (g_end_[k] - g_try_[k]) / apart : rate_[k];
    // A condition that hardly moves says nothing about time.
    const double longest = std::max(1e-6 * (stepper.t() - from), kSimultaneous * last);
    blur_[k] += kSimultaneous * last * std::abs(slope_[k]);
    blur_[k] = std::min(blur_[k], longest * std::abs(slope_[k]));
  }
}

// How exactly the time of a root is known.
double EventMonitor::root_accuracy(const Stepper& stepper, int k) const {
  return slope_[k] != 0 ? blur_[k] / std::abs(slope_[k]) : kSimultaneous * unit(stepper);
}

// What comes to its root within this time of the step is near it. (Its slope may be larger than the
// mean one in the step.)
double EventMonitor::nearness(const Stepper& stepper) {
  const double h = stepper.t() - stepper.smooth_from();
  return std::max(1e-6 * h, 1e3 * kSimultaneous * unit(stepper));
}

// Nowhere near its root, a condition need not be measured.
bool EventMonitor::is_near(int k, double time) const {
  return !has_rate_ || std::abs(g_[k]) <= time * std::abs(rate_[k]) + 1e3 * rounding_[k];
}

// A condition that is still on its side, g_, moves to its root, and may be there.
bool EventMonitor::is_due(int k) const {
  return slope_[k] * side_[k] < 0 && std::abs(g_[k]) <= blur_[k];
}

EventMonitor::Finding EventMonitor::inspect_end(Stepper& stepper) {
  crossings_.clear();
  const double to = stepper.t(), h = to - stepper.smooth_from();
  if (active_.empty() || !(h > kSimultaneous * unit(stepper))) return Finding::kNothing;
  const double near = nearness(stepper);
  const auto may_cross = [&](int k) {
    return side_[k] != 0 && !fresh_[k] && !is_at_rest(k, g_[k]) && !leaves(side_[k], g_[k]) &&
           matches(events_[k].direction, side_[k] < 0) && is_near(k, near);
  };
  if (std::none_of(active_.begin(), active_.end(), may_cross)) return Finding::kNothing;
  measure_roots(stepper, to, stepper.x());
  for (const int k : active_) {
    if (!may_cross(k) || !is_due(k)) continue;
    crossings_.push_back({EventId{k}, side_[k] < 0});
    located_[k] = 1;
    sank_[k] = 0;
  }
  if (crossings_.empty()) return Finding::kNothing;
  take_as_event(stepper, to);
  return Finding::kEvent;
}

bool EventMonitor::swings(EventId event, double t, const double* x) {
  const double swing = swing_[event.index];
  if (!std::isfinite(swing)) return false;
  // Above what a hysteresis against rounding may be.
  constexpr double kLittle = 1e-8;
  const auto nominal = equations_->nominal();
  std::vector<double> effect(g_.size());
  measure(t, x, effect, [&](int i) { return kLittle * (std::abs(x[i]) + nominal[i]); });
  return swing > std::max(kLittle, effect[event.index]);
}

// A whole excursion may lie inside the step, before the first place that was looked at: how far it
// went shows in its middle.
void EventMonitor::raise_peaks(const Stepper& stepper) {
  evaluate_inside(stepper, 0.5 * (stepper.t_old() + event_time_), g_try_.data());
  for (const int k : active_) peak_[k] = std::max(peak_[k], side_[k] * g_try_[k]);
}

// Finds what crosses with the leading condition: what has left its side by now, and what is about
// to. Returns whether all of them have left.
bool EventMonitor::have_left(const Stepper& stepper, int lead) {
  evaluate(event_time_, event_state_.data(), g_.data());
  const bool is_near_end =
      stepper.t() - event_time_ <=
      std::max(1e-6 * (stepper.t() - stepper.smooth_from()), kSimultaneous * unit(stepper));
  const double near = nearness(stepper);
  const auto may_tie = [&](int k) { return k != lead && is_near(k, near); };
  if (is_near_end || std::any_of(active_.begin(), active_.end(), may_tie)) {
    measure_roots(stepper, event_time_, event_state_.data());
  } else {
    std::fill(blur_.begin(), blur_.end(), 0.0);
    std::fill(slope_.begin(), slope_.end(), 0.0);
  }
  bool all = true;
  for (const int k : active_) {
    const double g = g_[k];
    const bool rests = side_[k] == 0;
    const bool leaving = still_leaves(k, g) || (rests && !is_seen(k, g));
    const bool left = leaves(side_[k], g);
    // The same expression, or its negative: it crosses with the leading one, whatever its last
    // digit.
    const bool same = !rests && g * side_[k] == g_[lead] * side_[lead];
    const bool crossed = (!leaving && (same || left || is_due(k) || crosses(k, g))) ||
                         (leaves(side_[k], dense_g_[k]) && !still_leaves(k, dense_g_[k]));
    const bool moves = rests || !is_at_rest(k, g);
    is_tied_[k] = k == lead ||
                  (crossed && moves && matches(events_[k].direction, rests ? g > 0 : side_[k] < 0));
    all = all && (!is_tied_[k] || rests || left);
  }
  return all;
}

// Rounding may have ended the localisation before all have crossed. What an action computes itself
// (`x > 0`, without the event) shall agree with what has happened: a few units later, if that
// helps, all have.
void EventMonitor::wait_for_ties(Stepper& stepper, int lead, bool retaken) {
  if (have_left(stepper, lead)) return;
  const double begin = event_time_;
  double first = leaves(side_[lead], g_[lead]) ? begin : std::numeric_limits<double>::quiet_NaN();
  const auto go_to = [&](double t) {
    event_time_ = t;
    if (!retaken || !stepper.retake(t, event_state_.data()))
      stepper.interpolate(t, event_state_.data());
    return have_left(stepper, lead);
  };
  for (double units = 1; units <= kSimultaneous; units *= 2) {
    const double t = std::min(begin + units * resolution(begin), stepper.t());
    if (!(t > event_time_)) continue;
    if (go_to(t)) return;
    if (std::isnan(first) && leaves(side_[lead], g_[lead])) first = t;
  }
  go_to(std::isnan(first) ? begin : first);
}

// Everything that crosses at event_time_.
void EventMonitor::collect(Stepper& stepper, int lead, bool retaken) {
  if (watches_peaks_) raise_peaks(stepper);
  wait_for_ties(stepper, lead, retaken);
  event_accuracy_ = root_accuracy(stepper, lead);
  const double lead_value = g_[lead] * side_[lead];
  for (const int k : active_) {
    const bool rests = side_[k] == 0;
    if (is_tied_[k]) {
      crossings_.push_back({EventId{k}, rests ? g_[k] > 0 : side_[k] < 0});
      located_[k] = 1;
      const double peak = watches_peaks_ ? peak_[k] : std::numeric_limits<double>::infinity();
      swing_[k] = std::max(peak, last_peak_[k]);
      last_peak_[k] = peak;
      constexpr double kHardlyAbove = 8;
      hardly_left_[k] = watches_peaks_ && peak_[k] <= kHardlyAbove * rounding_[k];
      sank_[k] = fresh_[k] || (hardly_left_[k] && events_[k].direction != Direction::kBoth);
    } else if (!still_leaves(k, g_[k]) && !(rests && !is_seen(k, g_[k])) && !is_at_rest(k, g_[k])) {
      // Zero belongs to the new side, for all events on one expression.
      const bool same = !rests && g_[k] * side_[k] == lead_value;
      const bool at_zero = g_[k] == 0 && leaves(side_[k], g_[k]);
      const int value_side = g_[k] != 0 ? sign(g_[k]) : side_[k];
      side_[k] = static_cast<std::int8_t>(same || at_zero ? -side_[k] : value_side);
      if (same || at_zero) agreed_g_[k] = g_[k];
      if (side_[k] != 0) waits_[k] = 0;
    }
  }
  // Sides of the crossed ones change in mark_fired(), when their action runs.
}

}  // namespace arges
