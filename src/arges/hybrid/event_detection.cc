// Detection: the part of the EventMonitor that looks for a crossing inside a step.

#include <algorithm>
#include <cmath>
#include <limits>

#include "arges/base/error.h"
#include "arges/base/float_spacing.h"
#include "arges/hybrid/event_monitor.h"
#include "arges/hybrid/event_side.h"

namespace arges {

namespace {

// A condition that is further away than so many times what it moves will not be there.
constexpr double kSafety = 8;

// The four changes between five nodes differ so little that all slopes of the quartic through them
// have one sign.
bool is_nearly_straight(const double* change) {
  const double direction = change[0] > 0 ? 1 : -1;
  double least = direction * change[0], most = least;
  for (int j = 1; j < 4; ++j) {
    least = std::min(least, direction * change[j]);
    most = std::max(most, direction * change[j]);
  }
  return most <= 1.25 * least;
}

}  // namespace

// A fresh condition that has not sunk since it became fresh does not cross: a root is left as
// slowly as the variables behind it are rounded.
bool EventMonitor::still_leaves(int k, double g) const {
  return fresh_[k] != 0 && side_[k] * (g - fresh_from_[k]) >= -slack_[k];
}

// One that rests without a side has not been taken from its root.
bool EventMonitor::is_held(int k, double g) const {
  return is_at_rest(k, g) && std::abs(g) <= slack_[k];
}

bool EventMonitor::crosses(int k, double g) const {
  if (side_[k] == 0)
    return waits_[k] && is_seen(k, g) && !is_held(k, g) && matches(events_[k].direction, g > 0);
  return leaves(side_[k], g) && matches(events_[k].direction, side_[k] < 0) && !still_leaves(k, g);
}

bool EventMonitor::any_crossing(const double* g) const {
  for (const int k : active_) {
    if (side_[k] * g[k] > 0) continue;  // the most frequent case
    if (crosses(k, g[k])) return true;
  }
  return false;
}

// Takes over the sides of conditions that passed zero in a direction in which they do not fire; of
// a fresh one, when it has sunk by more than rounding.
void EventMonitor::follow(const double* g) {
  if (watches_peaks_) {
    for (const int k : active_) peak_[k] = std::max(peak_[k], side_[k] * g[k]);
  }
  forget_rest(g);
  for (const int k : active_) {
    if (!fresh_[k] && side_[k] * g[k] > 0) continue;
    if (still_leaves(k, g[k])) {
      fresh_[k] = !(side_[k] * g[k] > seen_at_[k]);
    } else if (g[k] != 0 && (!waits_[k] || (is_seen(k, g[k]) && !is_held(k, g[k])))) {
      side_[k] = static_cast<std::int8_t>(sign(g[k]));
      fresh_[k] = 0;
      waits_[k] = 0;
    }
  }
}

// What has been seen far from its root rests there no more.
void EventMonitor::forget_rest(const double* g) {
  if (!any_rests_) return;
  for (const int k : active_) {
    if (!is_at_rest(k, g[k])) rests_[k] = 0;
  }
}

bool EventMonitor::any_leaves() const {
  return std::ranges::any_of(
      active_, [&](int k) { return fresh_[k] != 0 ? g_[k] != 0 : leaves(side_[k], g_[k]); });
}

// No condition can have come to zero and back within a step of length h when both ends are many
// steps of motion away. node_values(0) holds g at the end of the step.
bool EventMonitor::far_from_all(double h) const {
  if (!has_rate_) return false;
  const double* g1 = node_g_.data();
  for (const int k : active_) {
    const double travel = std::max(std::abs(g1[k] - g_[k]), std::abs(rate_[k]) * h);
    if (fresh_[k] || !(g1[k] * side_[k] > kSafety * travel && g_[k] * side_[k] > kSafety * travel))
      return false;
  }
  return true;
}

// At both ends of the step, and seen there before.
bool EventMonitor::all_on_their_sides() const {
  if (!passed_.empty()) return false;
  const double* g1 = node_g_.data();
  return std::all_of(active_.begin(), active_.end(), [&](int k) {
    return !fresh_[k] && g1[k] * side_[k] > 0 && g_[k] * side_[k] > 0;
  });
}

// Every condition has moved nearly uniformly over this step and the one before, and is on its side:
// enough for multistep methods, whose steps are short against the changes of the solution.
bool EventMonitor::straight_and_quiet(double h) const {
  if (!has_rate_ || last_h_ < 0.5 * h) return false;
  const double* g1 = node_g_.data();
  for (const int k : active_) {
    const double rate = (g1[k] - g_[k]) / h;
    const double change = std::abs(rate - rate_[k]);
    if (fresh_[k] || !(g1[k] * side_[k] > 0 && g_[k] * side_[k] > 0) ||
        !(change <= 0.5 * std::min(std::abs(rate), std::abs(rate_[k])))) {
      return false;
    }
  }
  return true;
}

EventMonitor::Finding EventMonitor::inspect(Stepper& stepper) {
  earliest_ = stepper.smooth_from();
  passed_.clear();
  return inspect_from(stepper, stepper.smooth_from());
}

// Sides are those of the dense output where it has crossed, whatever the event's own state says. A
// condition that has fired there with another one, and is still on its old side along the dense
// output, leaves its root, like after a restart.
EventMonitor::Finding EventMonitor::inspect_rest(Stepper& stepper) {
  passed_.clear();
  has_rate_ = false;
  for (const int k : active_) {
    const double g = g_[k] = dense_g_[k];
    const bool fired = fired_[k] != 0;
    fired_[k] = 0;
    const int new_side = side_[k];
    side_[k] = side_before_[k];
    fresh_[k] = fresh_before_[k];
    if (fired) {
      side_[k] = static_cast<std::int8_t>(side_[k] != 0 ? -side_[k] : new_side);
      set_fresh(k, g);
      fresh_[k] = sign(g) == -side_[k];
    } else if (leaves(side_[k], g) && !still_leaves(k, g)) {
      side_[k] = static_cast<std::int8_t>(-side_[k]);
    }
    if (side_[k] != side_before_[k] && !fresh_[k]) passed_.push_back(k);
  }
  earliest_ = event_time_;
  if (!(dense_time_ < stepper.t())) {
    crossings_.clear();
    return Finding::kNothing;
  }
  return inspect_from(stepper, dense_time_);
}

void EventMonitor::stay_at_event() {
  evaluate(event_time_, event_state_.data(), g_.data());
  for (const int k : active_) fresh_from_[k] = g_[k];
}

EventMonitor::Finding EventMonitor::inspect_from(Stepper& stepper, double from) {
  crossings_.clear();
  if (active_.empty()) return Finding::kNothing;
  const double to = stepper.t();
  if (from == stepper.smooth_from() && from > stepper.t_old()) {
    // The stepper has seen to the moves before: no condition came near to zero.
    if (const double* seen = stepper.conditions_at_begin(); seen != nullptr) {
      std::copy_n(seen, event_count_, g_.data());
    } else {
      evaluate_inside(stepper, from, g_.data());
    }
    has_rate_ = false;
  }
  if (const double* seen = stepper.conditions_at_end(); seen != nullptr) {
    std::copy_n(seen, event_count_, node_values(0));
  } else {
    evaluate(to, stepper.x(), node_values(0));
  }

  const double* g1 = node_values(0);
  for (const int k : active_) {
    if (!std::isnan(g1[k])) continue;
    broken_ = EventId{k};
    return inspect_before_broken(stepper, from);
  }
  return inspect_known(stepper, from);
}

// With g at the end of the step in node_values(0).
EventMonitor::Finding EventMonitor::inspect_known(Stepper& stepper, double from) {
  const double to = stepper.t();
  const double h = to - from;
  const double* g1 = node_values(0);
  const double window = window_length(stepper, from, h);
  const bool nothing =
      window == 0 && (far_from_all(h) || (stepper.is_multistep() && straight_and_quiet(h)) ||
                      (stepper.keeps_clear_of_roots() && all_on_their_sides()));
  for (const int k : active_) rate_[k] = (g1[k] - g_[k]) / h;
  has_rate_ = true;
  last_h_ = h;
  if (nothing) {
    for (const int k : active_) {
      g_[k] = g1[k];
      peak_[k] = std::max(peak_[k], side_[k] * g1[k]);
    }
    forget_rest(g1);
    return Finding::kNothing;
  }
  std::copy_n(g1, event_count_, g_end_.data());
  if (window > 0) return inspect_windows(stepper, from, window);
  lay_nodes(stepper, from, to, true);
  return inspect_nodes(stepper);
}

// Along the nodes, at the first of which g is g_.
EventMonitor::Finding EventMonitor::inspect_nodes(Stepper& stepper) {
  const double from = node_t_[0], to = node_t_[node_count_ - 1];
  const bool young = young_steps_ > 0 && from == stepper.smooth_from();
  if (young) {
    std::copy(side_.begin(), side_.end(), side_at_begin_.begin());
    std::copy(fresh_.begin(), fresh_.end(), fresh_at_begin_.begin());
  }
  if (node_count_ > 2) add_hidden_extrema(stepper);
  if (!passed_.empty()) add_peaks(stepper);
  for (int j = 1; j < node_count_; ++j) {
    const double* g = node_values(j);
    if (any_rests_ && any_crossing(g)) hold_resting(stepper, j);
    if (any_crossing(g)) {
      for (const int k : active_) {
        if (fresh_[k] && crosses(k, g[k]) && to - from > shortest_step(to) &&
            ++too_long_[k] <= kMostTooLong)
          return Finding::kStepTooLong;
      }
      localise(stepper, j);
      if (!young) return Finding::kEvent;
      if (to - from <= 64 * spacing(to)) return refuse_sinking(stepper);
      return contradicts_motion(stepper, to - from) ? Finding::kStepTooLong : Finding::kEvent;
    }
    follow(g);
  }
  if (young_steps_ > 0) --young_steps_;
  std::copy_n(node_values(node_count_ - 1), event_count_, g_.data());
  return Finding::kNothing;
}

// What is taken again, shorter, because it hides the way off a root: towards t = 0 doubles come
// closer and closer, and steps must not.
double EventMonitor::shortest_step(double t) const {
  return 64 * std::max(spacing(t), std::numeric_limits<double>::epsilon() * window_);
}

// From `from`, where g is g_, to `to`; at the end of the step g is g_end_ there.
void EventMonitor::lay_nodes(Stepper& stepper, double from, double to, bool at_end) {
  // In a step of a few units in the last place of t there is nothing between its ends.
  const int last = to - from < 16 * spacing(to) ? 1 : kInteriorNodes + 1;
  if (at_end) {
    std::copy_n(g_end_.data(), event_count_, node_values(last));
  } else {
    evaluate_inside(stepper, to, node_values(last));
  }
  node_count_ = last + 1;
  node_t_[0] = from;
  node_t_[last] = to;
  std::copy_n(g_.data(), event_count_, node_values(0));
  for (int j = 1; j < last; ++j) {
    node_t_[j] = from + (to - from) * j / last;
    evaluate_inside(stepper, node_t_[j], node_values(j));
  }
}

void EventMonitor::insert_node(int position, double t, const double* g) {
  for (int j = node_count_; j > position; --j) {
    node_t_[j] = node_t_[j - 1];
    std::copy_n(node_values(j - 1), event_count_, node_values(j));
  }
  node_t_[position] = t;
  std::copy_n(g, event_count_, node_values(position));
  ++node_count_;
}

// Between two nodes on the same side, a condition may have been on the other. The quartic through
// the five nodes gives its slope at each; where it turns away from zero again, the extremum between
// is searched.
void EventMonitor::add_hidden_extrema(Stepper& stepper) {
  // Slopes (times the node distance) at the five nodes from the values there.
  static constexpr double kSlope[5][5] = {{-25. / 12, 4, -3, 4. / 3, -1. / 4},
                                          {-1. / 4, -5. / 6, 3. / 2, -1. / 2, 1. / 12},
                                          {1. / 12, -2. / 3, 0, 2. / 3, -1. / 12},
                                          {-1. / 12, 1. / 2, -3. / 2, 5. / 6, 1. / 4},
                                          {1. / 4, -4. / 3, 3, -4, 25. / 12}};
  constexpr double kLargestChange = 10. / 3;  // of slopes, when no second difference is above one
  double found_t[kMaxNodes];
  int found = 0;
  for (const int k : active_) {
    double g[5], slope[5];
    for (int j = 0; j < 5; ++j) g[j] = node_values(j)[k];
    const double ends = std::min(std::abs(g[0]), std::abs(g[4]));
    const double nearest = std::min({ends, std::abs(g[1]), std::abs(g[2]), std::abs(g[3])});
    const double change[4] = {g[1] - g[0], g[2] - g[1], g[3] - g[2], g[4] - g[3]};
    const double bend = std::max({std::abs(change[1] - change[0]), std::abs(change[2] - change[1]),
                                  std::abs(change[3] - change[2])});
    // Slopes of opposite sign at two nodes are no larger than their difference, which is no larger
    // than this bound: all are far.
    if (nearest > kSafety * kLargestChange * bend) continue;
    if (is_nearly_straight(change)) continue;
    for (int j = 0; j < 5; ++j) {
      slope[j] = 0;
      // Differences: of a constant the slope is zero, without rounding.
      for (int i = 0; i < 5; ++i) slope[j] += kSlope[j][i] * (g[i] - g[0]);
    }
    for (int j = 0; j < 4; ++j) {
      const int side = sign(g[j + 1]);
      const bool same_side = side != 0 && side * g[j] >= 0;
      if (!same_side || !(side * slope[j] < 0 && side * slope[j + 1] > 0)) continue;
      const double travel = std::max(std::abs(slope[j]), std::abs(slope[j + 1]));
      if (std::min(std::abs(g[j]), std::abs(g[j + 1])) > kSafety * travel) continue;
      double t_extremum = 0;
      if (found < kMaxNodes - 5 &&
          search_extremum(stepper, k, side, node_t_[j], node_t_[j + 1], &t_extremum)) {
        found_t[found++] = t_extremum;
      }
    }
  }
  std::sort(found_t, found_t + found);
  for (int i = 0; i < found; ++i) {
    int position = 1;
    while (node_t_[position] < found_t[i]) ++position;
    if (node_t_[position] == found_t[i]) continue;
    evaluate_inside(stepper, found_t[i], g_try_.data());
    insert_node(position, found_t[i], g_try_.data());
  }
}

// Rounding alone may have made g what it is, near the root that was crossed last.
bool EventMonitor::is_noise(int k, double g) const { return std::abs(g) <= 16 * dense_noise_[k]; }

// A condition stands on the root that it has just crossed, and is back again at the first node.
// When it was farther away than rounding in between, the next root is looked for from there on.
// When it is no more than rounding at the node either, it has not left its root yet.
void EventMonitor::add_peaks(Stepper& stepper) {
  for (const int k : passed_) {
    const double back = node_values(1)[k];
    if (!leaves(side_[k], back) || node_count_ == kMaxNodes) continue;
    const double t = farthest(stepper, k, node_t_[0], node_t_[1]);
    evaluate_inside(stepper, t, g_try_.data());
    if (t > node_t_[0] && t < node_t_[1] && side_[k] * g_try_[k] > 0 && !is_noise(k, g_try_[k])) {
      insert_node(1, t, g_try_.data());
    } else if (is_noise(k, back)) {
      set_fresh(k, -side_[k] * 16 * dense_noise_[k]);
    }
  }
  passed_.clear();
}

// Where in (a, b) a condition is farthest on its side, to 1e-6 of the distance: golden section.
double EventMonitor::farthest(Stepper& stepper, int event, double a, double b) {
  constexpr double kGolden = 0.3819660112501051;
  const auto value = [&](double t) {
    evaluate_inside(stepper, t, g_try_.data());
    return side_[event] * g_try_[event];
  };
  double left = a + kGolden * (b - a), right = b - kGolden * (b - a);
  double at_left = value(left), at_right = value(right);
  for (int iteration = 0; iteration < 30; ++iteration) {
    if (at_left >= at_right) {
      b = right;
      right = left;
      at_right = at_left;
      left = a + kGolden * (b - a);
      at_left = value(left);
    } else {
      a = left;
      left = right;
      at_left = at_right;
      right = b - kGolden * (b - a);
      at_right = value(right);
    }
  }
  return at_left >= at_right ? left : right;
}

// Golden-section search with parabolic steps for the least side*g in (a, b), until it is below zero
// (found) or clearly not.
bool EventMonitor::search_extremum(Stepper& stepper, int event, int side, double a, double b,
                                   double* t_found) {
  constexpr double kGolden = 0.3819660112501051;
  const auto value = [&](double t) {
    evaluate_inside(stepper, t, g_try_.data());
    return side * g_try_[event];
  };
  double m = a + kGolden * (b - a);
  double fm = value(m);
  double left = a, right = b;
  double f_left = value(a), f_right = value(b);
  for (int iteration = 0; iteration < 60; ++iteration) {
    if (fm < 0) {
      *t_found = m;
      return true;
    }
    // The parabola through (left, m, right): where is its vertex, and how low?
    const double p = (m - left) * (fm - f_right), q = (m - right) * (fm - f_left);
    const double denominator = 2 * (p - q);
    double next = denominator != 0 ? m - ((m - left) * p - (m - right) * q) / denominator : m;
    const bool golden = iteration % 3 == 2 || !(next > left && next < right);
    const double least_move = 1e-9 * (b - a);
    if (golden) next = m - left > right - m ? m - kGolden * (m - left) : m + kGolden * (right - m);
    if (std::abs(next - m) < least_move)
      next = m + (m - left > right - m ? -least_move : least_move);
    if (right - left < 4 * least_move) return false;
    const double f_next = value(next);
    if (f_next <= fm) {
      (next < m ? right : left) = m;
      (next < m ? f_right : f_left) = fm;
      const double gain = fm - f_next;
      m = next;
      fm = f_next;
      // The last parabolic step gained next to nothing against the height that is left: it stays on
      // this side.
      if (!golden && iteration > 2 && gain < 1e-3 * fm) return false;
    } else {
      (next < m ? left : right) = next;
      (next < m ? f_left : f_right) = f_next;
    }
  }
  return false;
}

}  // namespace arges
