#include "arges/hybrid/event_monitor.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "arges/base/float_spacing.h"

namespace arges {

namespace {

int sign(double value) { return (value > 0) - (value < 0); }

bool matches(Direction direction, bool rising) {
  return direction == Direction::kBoth || (direction == Direction::kRising) == rising;
}

// The condition has left `side`; reaching zero counts.
bool leaves(int side, double g) { return (side < 0 && g >= 0) || (side > 0 && g <= 0); }

}  // namespace

EventMonitor::EventMonitor(const HybridSystem& system, int largest_dimension)
    : system_(system),
      events_(system.schema().events),
      event_count_(static_cast<int>(events_.size())) {
  const std::size_t n = events_.size();
  active_.reserve(n);
  crossings_.reserve(n);
  is_active_.resize(n);
  suppressed_.resize(n);
  side_.resize(n);
  fresh_.resize(n);
  fired_.resize(n);
  turned_back_.resize(n);
  g_.resize(n);
  rate_.resize(n);
  node_g_.resize(n * kMaxNodes);
  g_lo_.resize(n);
  g_hi_.resize(n);
  g_try_.resize(n);
  x_try_.resize(largest_dimension);
  event_state_.resize(largest_dimension);
}

void EventMonitor::reset() {
  mode_ = ModeId{};
  active_.clear();
  std::fill(is_active_.begin(), is_active_.end(), 0);
  std::fill(suppressed_.begin(), suppressed_.end(), 0);
  std::fill(side_.begin(), side_.end(), 0);
  std::fill(fresh_.begin(), fresh_.end(), 0);
  std::fill(fired_.begin(), fired_.end(), 0);
  last_h_ = 0;
}

// Events that were not active before get side 0: not known.
void EventMonitor::activate(ModeId mode) {
  if (mode == mode_) return;
  mode_ = mode;
  active_.clear();
  for (int k = 0; k < event_count_; ++k) {
    const bool active =
        suppressed_[k] == 0 && (!events_[k].mode.valid() || events_[k].mode == mode);
    if (active) active_.push_back(k);
    if (!active || !is_active_[k]) {
      side_[k] = 0;
      fired_[k] = 0;
    }
    is_active_[k] = active;
  }
}

void EventMonitor::suppress(EventId event, bool on) {
  suppressed_[event.index] = on;
  const ModeId mode = mode_;
  mode_ = ModeId{};
  activate(mode);
}

void EventMonitor::evaluate(double t, const double* x, double* g) const {
  system_.conditions(equations_->point(t, x), Conditions(g));
}

void EventMonitor::evaluate_inside(const Stepper& stepper, double t, double* g) {
  stepper.interpolate(t, x_try_.data());
  evaluate(t, x_try_.data(), g);
}

// The direction in which a condition leaves its root: from g a little further along the motion, or
// further still when that is too little to be seen.
struct EventMonitor::Heading {
  EventMonitor& monitor;
  double t;
  const double* x;
  const double* xdot;  // may be null
  double seen = 0;     // monitor.g_try_ holds g so far ahead

  int of(int k) {
    const double by_motion = motion_distance();
    double ahead = std::max(std::min(by_motion, step_distance()), 64 * spacing(t));
    const double farthest = std::max(1e6 * by_motion, ahead);
    for (; ahead <= farthest * (1 + 1e-9) && ahead <= 1e300; ahead *= 1000) {
      if (ahead != seen) extrapolate(ahead);
      const double change = monitor.g_try_[k] - monitor.g_[k];
      if (std::abs(change) > noise()) return sign(change);
    }
    return 0;
  }

  // What rounding of the states may do to a condition; a smaller change is none: the condition
  // rests on its root.
  double noise() const {
    double largest = 0;
    for (int i = 0; i < monitor.equations_->size(); ++i)
      largest = std::max(largest, std::abs(x[i]));
    return 4 * std::numeric_limits<double>::epsilon() * largest;
  }

  // In this time the states change by about 1e-7 of their size.
  double motion_distance() const {
    const Equations& equations = *monitor.equations_;
    double distance = std::numeric_limits<double>::infinity();
    for (int i = 0; xdot != nullptr && i < equations.size(); ++i) {
      const double scale = std::max(std::abs(x[i]), equations.nominal()[i] * 1e-3);
      if (xdot[i] != 0) distance = std::min(distance, 1e-7 * scale / std::abs(xdot[i]));
    }
    if (!std::isfinite(distance)) distance = 1e-7 * std::max(std::abs(t), 1e-3);
    return std::max(distance, 64 * spacing(t));
  }

  // Short against a step, for conditions that move with time while the states hardly do.
  double step_distance() const {
    return monitor.last_h_ > 0 ? 1e-3 * monitor.last_h_ : 1e-7 * std::max(std::abs(t), 1e-3);
  }

  void extrapolate(double ahead) {
    const int n = monitor.equations_->size();
    for (int i = 0; i < n; ++i) monitor.x_try_[i] = xdot != nullptr ? x[i] + ahead * xdot[i] : x[i];
    monitor.evaluate(t + ahead, monitor.x_try_.data(), monitor.g_try_.data());
    seen = ahead;
  }
};

std::span<const Crossing> EventMonitor::restart(const ModeEquations& equations, double t,
                                                const double* x, const double* xdot) {
  crossings_.clear();
  equations_ = &equations;
  activate(equations.point(t, x).mode);
  has_rate_ = false;
  if (active_.empty()) return {};
  evaluate(t, x, g_.data());

  Heading heading{*this, t, x, xdot};
  rounding_ = heading.noise();
  for (const int k : active_) {
    const Direction direction = events_[k].direction;
    const double g = g_[k];
    const bool never_left = fresh_[k] && side_[k] * g <= 0;
    fresh_[k] = 0;
    if (fired_[k]) {
      if (direction != Direction::kBoth) {
        // A relation (both directions) stays on the side it was switched to; a one-way event may be
        // armed at once.
        // So is one whose condition rests.
        const int armed = direction == Direction::kRising ? -1 : 1;
        if (heading.of(k) != -armed) {
          side_[k] = static_cast<std::int8_t>(armed);
          fresh_[k] = 1;
        } else if (turned_back_[k]) {
          // Its own action stopped the motion or turned it back, and a later one undid that: it
          // crosses again.
          crossings_.push_back({EventId{k}, armed < 0});
          side_[k] = static_cast<std::int8_t>(armed);
        } else {
          side_[k] = static_cast<std::int8_t>(-armed);
        }
      } else if (side_[k] * g <= rounding_ && heading.of(k) == side_[k]) {
        fresh_[k] = 1;  // the dense output may see it on the old side for a few more digits
      }
    } else if (never_left) {
      // It still stands on the root of an earlier instant. When the actions of this one turned the
      // motion round, it crosses now; else it goes on leaving.
      if (heading.of(k) == -side_[k]) {
        crossings_.push_back({EventId{k}, side_[k] < 0});
      } else {
        fresh_[k] = 1;
      }
    } else if (g != 0) {
      side_[k] = static_cast<std::int8_t>(sign(g));
    } else if (side_[k] == 0) {
      const int ahead = heading.of(k);
      if (ahead != 0 && matches(direction, ahead > 0)) {
        crossings_.push_back({EventId{k}, ahead > 0});
        side_[k] = static_cast<std::int8_t>(-ahead);
      } else if (direction != Direction::kBoth) {
        side_[k] = direction == Direction::kRising ? -1 : 1;
        fresh_[k] = 1;
      }
    }
    fired_[k] = 0;
  }
  return crossings_;
}

void EventMonitor::note_turn(const ModeEquations& equations, double t, const double* x,
                             const double* xdot, Crossing crossing) {
  const int k = crossing.event.index;
  if (events_[k].direction == Direction::kBoth) return;
  const ModeEquations* const before = equations_;
  equations_ = &equations;
  std::copy(g_.begin(), g_.end(), g_lo_.begin());
  evaluate(t, x, g_.data());
  Heading heading{*this, t, x, xdot};
  turned_back_[k] = heading.of(k) != (crossing.rising ? 1 : -1);
  g_.swap(g_lo_);
  equations_ = before;
}

void EventMonitor::mark_fired(Crossing crossing) {
  const int k = crossing.event.index;
  fired_[k] = 1;
  turned_back_[k] = 0;
  side_[k] = crossing.rising ? 1 : -1;
}

std::span<const Crossing> EventMonitor::chained(const ModeEquations& equations, double t,
                                                const double* x) {
  crossings_.clear();
  equations_ = &equations;
  activate(equations.point(t, x).mode);
  if (active_.empty()) return {};
  g_.swap(g_try_);
  evaluate(t, x, g_.data());
  for (const int k : active_) {
    if (g_[k] == g_try_[k]) continue;  // untouched by the actions
    fired_[k] = 0;
    if (leaves(side_[k], g_[k])) {
      const bool rising = side_[k] < 0;
      if (matches(events_[k].direction, rising)) {
        crossings_.push_back({EventId{k}, rising});
        continue;
      }
    }
    if (g_[k] != 0) side_[k] = static_cast<std::int8_t>(sign(g_[k]));
  }
  return crossings_;
}

// A fresh condition that has only come nearer to its side since the start of the step does not
// cross: a root is left as slowly as the variables behind it are rounded.
bool EventMonitor::crosses(int k, double g) const {
  return leaves(side_[k], g) && matches(events_[k].direction, side_[k] < 0) &&
         !(fresh_[k] && side_[k] * (g - g_[k]) >= -rounding_);
}

bool EventMonitor::any_crossing(const double* g) const {
  for (const int k : active_) {
    if (crosses(k, g[k])) return true;
  }
  return false;
}

// Takes over the sides of conditions that passed zero in a direction in which they do not fire.
void EventMonitor::follow(const double* g) {
  for (const int k : active_) {
    if (fresh_[k]) {
      fresh_[k] = sign(g[k]) != side_[k];
    } else if (g[k] != 0) {
      side_[k] = static_cast<std::int8_t>(sign(g[k]));
    }
  }
}

// No condition can have come to zero and back within a step of length h when both ends are many
// steps of motion away. node_values(0) holds g at the end of the step.
bool EventMonitor::far_from_all(double h) const {
  if (!has_rate_) return false;
  constexpr double kSafety = 8;
  const double* g1 = node_g_.data();
  for (const int k : active_) {
    const double travel = std::max(std::abs(g1[k] - g_[k]), std::abs(rate_[k]) * h);
    if (fresh_[k] || !(g1[k] * side_[k] > kSafety * travel && g_[k] * side_[k] > kSafety * travel))
      return false;
  }
  return true;
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

EventMonitor::Finding EventMonitor::inspect(Stepper& stepper, double from) {
  crossings_.clear();
  if (active_.empty()) return Finding::kNothing;
  const double to = stepper.t();
  const double h = to - from;
  evaluate(to, stepper.x(), node_values(0));

  const double* g1 = node_values(0);
  for (const int k : active_) {
    if (!std::isnan(g1[k])) continue;
    broken_ = EventId{k};
    return Finding::kNotANumber;
  }
  const bool nothing = far_from_all(h) || (stepper.is_multistep() && straight_and_quiet(h));
  for (const int k : active_) rate_[k] = (g1[k] - g_[k]) / h;
  has_rate_ = true;
  last_h_ = h;
  if (nothing) {
    for (const int k : active_) g_[k] = g1[k];
    return Finding::kNothing;
  }

  lay_nodes(stepper, from);
  if (node_count_ > 2) add_hidden_extrema(stepper);
  for (int j = 1; j < node_count_; ++j) {
    const double* g = node_values(j);
    if (any_crossing(g)) {
      for (const int k : active_) {
        if (fresh_[k] && crosses(k, g[k]) && h > 64 * spacing(to)) return Finding::kStepTooLong;
      }
      localise(stepper, j);
      return Finding::kEvent;
    }
    follow(g);
  }
  std::copy_n(node_values(node_count_ - 1), event_count_, g_.data());
  return Finding::kNothing;
}

void EventMonitor::lay_nodes(Stepper& stepper, double from) {
  const double to = stepper.t();
  // In a step of a few units in the last place of t there is nothing between its ends.
  const int last = to - from < 16 * spacing(to) ? 1 : kInteriorNodes + 1;
  std::copy_n(node_values(0), event_count_, node_values(last));
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
  double found_t[kMaxNodes];
  int found = 0;
  for (const int k : active_) {
    double g[5], slope[5];
    for (int j = 0; j < 5; ++j) g[j] = node_values(j)[k];
    for (int j = 0; j < 5; ++j) {
      slope[j] = 0;
      for (int i = 0; i < 5; ++i) slope[j] += kSlope[j][i] * g[i];
    }
    for (int j = 0; j < 4; ++j) {
      const int side = sign(g[j + 1]);
      const bool same_side = side != 0 && side * g[j] >= 0;
      if (!same_side || !(side * slope[j] < 0 && side * slope[j + 1] > 0)) continue;
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

// A crossing happened between node-1 and node. Bracket it to the last digits, by secant steps that
// are drawn to whichever side has not moved, on the conditions that have crossed at the upper end.
void EventMonitor::localise(Stepper& stepper, int node) {
  double lo = node_t_[node - 1], hi = node_t_[node];
  std::copy_n(node_values(node - 1), event_count_, g_lo_.data());
  std::copy_n(node_values(node), event_count_, g_hi_.data());
  int lead = active_.front();
  int same_side_moves = 0;  // > 0: the upper end moved that often in a row; < 0: the lower
  for (int iteration = 0; iteration < 200; ++iteration) {
    double estimate = hi;
    for (const int k : active_) {
      if (!crosses(k, g_hi_[k])) continue;
      const double slope = g_hi_[k] - g_lo_[k];
      const double root = slope != 0 ? hi - g_hi_[k] * (hi - lo) / slope : lo;
      if (root <= estimate) {
        estimate = root;
        lead = k;
      }
    }
    const double ulp = spacing(hi);
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
      hi = estimate;
      g_hi_.swap(g_try_);
      same_side_moves = same_side_moves > 0 ? same_side_moves + 1 : 1;
    } else {
      lo = estimate;
      g_lo_.swap(g_try_);
      same_side_moves = same_side_moves < 0 ? same_side_moves - 1 : -1;
    }
  }
  event_time_ = hi;
  const bool retaken = retake(stepper, node_t_[node - 1], hi, lead);
  if (!retaken) {
    event_time_ = hi;
    stepper.interpolate(hi, event_state_.data());
  }
  collect(stepper, lead, retaken);
}

// The dense output is less accurate than the step itself. Newton's iteration on steps that end at
// the event, from the estimate `hi`; the slope comes from the dense output and is then corrected by
// secants.
bool EventMonitor::retake(Stepper& stepper, double lo, double hi, int lead) {
  // Never back before an event inside this step, nor further than the dense output can be wrong.
  const double first = std::max(node_t_[0], lo - (hi - lo)), last = stepper.t();
  double s = hi;
  if (!stepper.retake(s, event_state_.data())) return false;
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
    if (std::abs(next - s) < spacing(s)) break;
    if (!stepper.retake(next, event_state_.data())) return false;
    evaluate(next, event_state_.data(), g_try_.data());
    const double g_next = g_try_[lead];
    if (std::abs(g_next) > 0.5 * std::abs(g) && std::abs(next - s) > 64 * spacing(s)) {
      // No root of a smooth function: a condition that jumps. The bracket has found where.
      if (!stepper.retake(hi, event_state_.data())) return false;
      evaluate(hi, event_state_.data(), g_try_.data());
      event_time_ = hi;
      return leaves(old_side, g_try_[lead]);
    }
    const double secant = (g_next - g) / (next - s);
    if (std::abs(next - s) > 1e4 * spacing(s) && secant * slope > 0) slope = secant;
    s = next;
    g = g_next;
  }
  // The instant at which the crossing has happened: a few more units in the last place, if need be.
  for (double ulps = 1; !leaves(old_side, g) && ulps <= 8; ulps *= 2) {
    const double next = std::min(s + ulps * spacing(s), last);
    if (!(next > s) || !stepper.retake(next, event_state_.data())) break;
    evaluate(next, event_state_.data(), g_try_.data());
    s = next;
    g = g_try_[lead];
  }
  event_time_ = s;
  return stepper.retake(s, event_state_.data());
}

// Everything that crosses at event_time_: the lead, what has left its side by then, and what will
// within rounding.
void EventMonitor::collect(Stepper& stepper, int lead, bool retaken) {
  evaluate(event_time_, event_state_.data(), g_.data());
  const double soon = std::min(event_time_ + 4 * spacing(event_time_), stepper.t());
  bool near_others = false;
  for (const int k : active_) {
    near_others |=
        k != lead && std::abs(g_[k]) <= 1e-9 * std::abs(rate_[k]) * (stepper.t() - stepper.t_old());
  }
  std::copy(g_.begin(), g_.end(), g_hi_.begin());
  if (near_others && soon > event_time_) {
    const bool ahead = retaken && stepper.retake(soon, x_try_.data());
    if (!ahead) stepper.interpolate(soon, x_try_.data());
    evaluate(soon, x_try_.data(), g_hi_.data());
  }
  for (const int k : active_) {
    const bool rising = side_[k] < 0;
    const bool leaving = fresh_[k] && side_[k] * (g_[k] - node_values(0)[k]) >= -rounding_;
    const bool crossed = !leaving && (leaves(side_[k], g_[k]) || leaves(side_[k], g_hi_[k]));
    if (k == lead || (crossed && matches(events_[k].direction, rising))) {
      crossings_.push_back({EventId{k}, rising});
    } else if (!leaving && g_[k] != 0) {
      side_[k] = static_cast<std::int8_t>(sign(g_[k]));
    }
  }
  // Sides of the crossed ones change in mark_fired(), when their action runs.
}

}  // namespace arges
