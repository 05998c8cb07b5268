#include "arges/hybrid/event_monitor.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "arges/base/error.h"
#include "arges/base/float_spacing.h"
#include "arges/hybrid/event_side.h"

namespace arges {

EventMonitor::EventMonitor(const HybridSystem& system, int largest_dimension)
    : system_(system),
      events_(system.schema().events),
      event_count_(static_cast<int>(events_.size())) {
  const std::size_t n = events_.size();
  active_.reserve(n);
  crossings_.reserve(n);
  passed_.reserve(n);
  is_active_.resize(n);
  suppressed_.resize(n);
  side_.resize(n);
  fresh_.resize(n);
  fresh_from_.resize(n);
  moved_away_.resize(n);
  arrival_.resize(n);
  too_long_.resize(n);
  agreed_g_.resize(n, std::numeric_limits<double>::quiet_NaN());
  sank_.resize(n);
  hardly_left_.resize(n);
  located_.resize(n);
  thrown_back_.resize(n);
  set_out_.resize(n);
  side_at_begin_.resize(n);
  fresh_at_begin_.resize(n);
  fired_.resize(n);
  turned_back_.resize(n);
  waits_.resize(n);
  was_moved_.resize(n);
  undecided_.reserve(n);
  rounding_.resize(n);
  start_rounding_.resize(n);
  error_.resize(n);
  slack_.resize(n);
  peak_.resize(n, std::numeric_limits<double>::infinity());
  seen_at_.resize(n);
  g_.resize(n);
  rate_.resize(n);
  node_g_.resize(n * kMaxNodes);
  g_lo_.resize(n);
  g_hi_.resize(n);
  g_try_.resize(n);
  g_end_.resize(n);
  blur_.resize(n);
  slope_.resize(n);
  is_tied_.resize(n);
  dense_g_.resize(n);
  dense_noise_.resize(n);
  side_before_.resize(n);
  fresh_before_.resize(n);
  x_try_.resize(largest_dimension);
  x_size_.resize(largest_dimension);
  xdot_try_.resize(largest_dimension);
  event_state_.resize(largest_dimension);
}

void EventMonitor::reset(double window, double rtol, double atol) {
  window_ = window;
  rtol_ = rtol;
  atol_ = atol;
  mode_ = ModeId{};
  active_.clear();
  std::fill(is_active_.begin(), is_active_.end(), 0);
  std::fill(suppressed_.begin(), suppressed_.end(), 0);
  std::fill(side_.begin(), side_.end(), 0);
  std::fill(fresh_.begin(), fresh_.end(), 0);
  std::fill(fired_.begin(), fired_.end(), 0);
  std::fill(waits_.begin(), waits_.end(), 0);
  std::fill(located_.begin(), located_.end(), 0);
  std::fill(thrown_back_.begin(), thrown_back_.end(), 0);
  std::fill(peak_.begin(), peak_.end(), std::numeric_limits<double>::infinity());
  young_steps_ = 0;
  last_h_ = 0;
}

double EventMonitor::unit(const Stepper& stepper) {
  return spacing(std::max(std::abs(stepper.anchor()), std::abs(stepper.t())));
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
      waits_[k] = 0;
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

void EventMonitor::depart(EventId event, int side, bool fresh, double t, const double* x) {
  const int k = event.index;
  if (!is_active_[k]) return;
  evaluate(t, x, g_try_.data());
  g_[k] = g_try_[k];
  has_rate_ = false;
  side_[k] = static_cast<std::int8_t>(side != 0 ? side : sign(g_[k]));
  waits_[k] = 0;
  set_fresh(k, g_[k]);
  fresh_[k] = fresh && side_[k] * g_[k] <= rounding_[k];
}

void EventMonitor::set_fresh(int k, double from) {
  fresh_[k] = 1;
  fresh_from_[k] = from;
  slack_[k] = rounding_[k];
  // A relation that has crossed is taken as it is, unless it was thrown back.
  const bool crossed = events_[k].direction == Direction::kBoth && thrown_back_[k] == 0;
  seen_at_[k] = crossed ? 0 : rounding_[k];
  too_long_[k] = 0;
}

// A root that is left in high order is left so slowly that the errors of the solver are felt.
void EventMonitor::set_tolerant(int k) {
  set_fresh(k, g_[k]);
  slack_[k] = seen_at_[k] = std::max(rounding_[k], error_[k]);
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
    // Shorter first: g may turn round before the states have moved by as much.
    constexpr double kShorter[] = {1e-6, 1e-3};
    const double by_motion = motion_distance(), shortest = 64 * spacing(t);
    double ahead = std::max(std::min(by_motion, step_distance()), shortest);
    for (const double part : kShorter) {
      if (part * ahead <= shortest) continue;
      constexpr double kClearly = 8;
      if (const int found = look(k, part * ahead, kClearly); found != 0) return found;
    }
    const double farthest = std::max(1e6 * by_motion, ahead);
    for (; ahead <= farthest * (1 + 1e-9) && ahead <= 1e300; ahead *= 1000) {
      if (const int found = look(k, ahead, 1); found != 0) return found;
    }
    return 0;
  }

  // Where g is so far ahead, when that is more than so many roundings away.
  int look(int k, double ahead, double roundings) {
    if (ahead != seen) extrapolate(ahead);
    const double change = monitor.g_try_[k] - monitor.g_[k];
    return std::abs(change) > roundings * monitor.rounding_[k] ? sign(change) : 0;
  }

  // The same, also of a motion that is slower than the states between them can show.
  int of_any_size(int k) {
    if (const int found = of(k); found != 0) return found;
    for (double ahead = 1000 * seen; ahead <= std::max(1.0, std::abs(t)); ahead *= 1000) {
      if (const int found = look(k, ahead, 1); found != 0) return found;
    }
    return 0;
  }

  // Of g, as far as of() has looked.
  double rate(int k) const { return (monitor.g_try_[k] - monitor.g_[k]) / seen; }

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
  young_steps_ = 0;
  if (active_.empty()) return {};
  evaluate(t, x, g_.data());

  watches_peaks_ = false;
  undecided_.clear();
  measure_rounding(t, x);
  measure_start(t, x);
  Heading heading{*this, t, x, xdot};
  // Since the event that was found last, if this is its instant.
  const bool jumped = equations.form() == EquationForm::kExplicit &&
                      !std::equal(x, x + equations.size(), event_state_.begin());
  for (const int k : active_) {
    const Direction direction = events_[k].direction;
    const double g = g_[k];
    const bool crossed = fired_[k] != 0 && located_[k] != 0;
    if (direction != Direction::kBoth) peak_[k] = std::numeric_limits<double>::infinity();
    if (direction == Direction::kBoth) peak_[k] = fired_[k] ? 0 : std::max(peak_[k], side_[k] * g);
    watches_peaks_ = watches_peaks_ || std::isfinite(peak_[k]);
    const bool never_left = fresh_[k] && side_[k] * g <= seen_at_[k];
    fresh_[k] = 0;
    if (fired_[k]) {
      if (direction != Direction::kBoth) {
        // A relation (both directions) stays on the side it was switched to; a one-way event may be
        // armed at once.
        // So is one whose condition rests.
        const int armed = direction == Direction::kRising ? -1 : 1;
        const int ahead = heading.of(k);
        if (ahead == 0) {
          undecided_.push_back({.event = EventId{k}, .fired = true, .turns = was_moved_[k] != 0});
          side_[k] = static_cast<std::int8_t>(armed);
          set_fresh(k, g);
          peak_[k] = 0;
          watches_peaks_ = true;
        } else if (ahead == armed) {
          side_[k] = static_cast<std::int8_t>(armed);
          set_fresh(k, g);
          peak_[k] = 0;
          watches_peaks_ = true;
        } else if (turned_back_[k] ||
                   (moved_away_[k] && located_[k] && std::abs(g) <= 4096 * rounding_[k])) {
          // Its own action stopped the motion or turned it back, and a later one undid that: it
          // crosses again. So does one that rounding took across while it moved the other way, and
          // whose action turned that motion round (a ball on the floor, thrown down).
          crossings_.push_back({EventId{k}, armed < 0});
          side_[k] = static_cast<std::int8_t>(armed);
        } else {
          // It may have crossed along the dense output only.
          side_[k] = static_cast<std::int8_t>(-armed);
          if (leaves(side_[k], g)) set_fresh(k, g);
        }
      } else if (crossed && jumped && is_thrown_back(k, heading)) {
        crossings_.push_back({EventId{k}, side_[k] < 0});
        thrown_back_[k] = 1;
      } else if (side_[k] * g <= rounding_[k]) {
        const int ahead = heading.of(k);
        // It has crossed along the dense output, and the equations move it back: the one or the
        // other is off, within the tolerances.
        const bool contradicts = ahead == -side_[k] && moved_away_[k] && crossed && !jumped;
        if (ahead == 0 && jumped && crossed) sank_[k] = 1;  // what is left is below rounding
        if (ahead == 0 || contradicts)
          undecided_.push_back({.event = EventId{k}, .fired = true, .turns = thrown_back_[k] != 0});
        // The dense output may see it on the old side for a few more digits.
        if (ahead != -side_[k]) set_fresh(k, g);
      }
    } else if (never_left) {
      // It still stands on the root of an earlier instant. When the actions of this one turned the
      // motion round, it crosses now; else it goes on leaving.
      if (heading.of(k) != -side_[k]) {
        fresh_[k] = 1;
      } else if (side_[k] * g <= 0) {
        crossings_.push_back({EventId{k}, side_[k] < 0});
      }
    } else if (g == agreed_g_[k]) {
      if (side_[k] * g <= 0 && heading.of(k) == side_[k]) set_fresh(k, g);
    } else if (side_[k] == 0 &&
               (std::abs(g) <= start_rounding_[k] || (waits_[k] && !is_seen(k, g)))) {
      const int ahead = heading.of(k);
      if (ahead != 0) {
        take_leave(k, ahead);
      } else if (!waits_[k]) {
        undecided_.push_back({.event = EventId{k}, .fired = false});
        waits_[k] = 1;
      }
    } else if (g != 0) {
      side_[k] = static_cast<std::int8_t>(sign(g));
      waits_[k] = 0;
    }
    fired_[k] = 0;
    agreed_g_[k] = std::numeric_limits<double>::quiet_NaN();
    set_out_[k] = fresh_[k] != 0 ? kByMotion : crossed && !jumped ? kAcross : 0;
    if (set_out_[k] != 0) young_steps_ = kYoungSteps;
  }
  if (!undecided_.empty()) {
    measure_tolerance(t, x);
    // What no state moves will not be seen to move. Where an action has set it (a counter that has
    // reached its limit) it has crossed.
    std::erase_if(undecided_, [&](const Undecided& each) {
      const int k = each.event.index;
      if (error_[k] != 0) return false;
      if (each.fired && !each.turns && events_[k].direction != Direction::kBoth) {
        side_[k] = static_cast<std::int8_t>(events_[k].direction == Direction::kRising ? 1 : -1);
        set_fresh(k, g_[k]);
      }
      return true;
    });
  }
  if (crossings_.empty()) {
    std::fill(located_.begin(), located_.end(), 0);
    std::fill(thrown_back_.begin(), thrown_back_.end(), 0);
  }
  return crossings_;
}

// A condition without a side leaves its root to one.
void EventMonitor::take_leave(int k, int side) {
  waits_[k] = 0;
  if (matches(events_[k].direction, side > 0)) {
    crossings_.push_back({EventId{k}, side > 0});
    side_[k] = static_cast<std::int8_t>(-side);
  } else {
    side_[k] = static_cast<std::int8_t>(side);
    set_fresh(k, g_[k]);
  }
}

double EventMonitor::look_ahead(const Stepper& stepper) {
  constexpr int kPoints = 4;
  const double from = stepper.smooth_from();
  for (int j = 1; j <= kPoints; ++j) {
    const double t = j == kPoints ? stepper.t() : from + (stepper.t() - from) * j / kPoints;
    evaluate_inside(stepper, t, g_try_.data());
    bool any = false;
    for (Undecided& each : undecided_) {
      const int k = each.event.index;
      const double g = g_try_[k];
      if (each.side != 0 || !is_seen(k, g) || std::abs(g) <= error_[k]) continue;
      each.side = sign(g);
      any = true;
    }
    if (any) return t;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

std::span<const Crossing> EventMonitor::decide() {
  crossings_.clear();
  for (const Undecided& each : undecided_) {
    const int k = each.event.index;
    if (each.side == 0) continue;  // it rests: it waits, or is armed
    if (!each.fired) {
      take_leave(k, each.side);
      if (fresh_[k]) set_tolerant(k);
    } else if (each.side == side_[k]) {
      set_tolerant(k);
    } else if (events_[k].direction == Direction::kBoth) {
      if (!each.turns) fresh_[k] = 0;  // it will cross back
    } else if (!each.turns) {
      side_[k] = static_cast<std::int8_t>(each.side);
      set_tolerant(k);
    }
  }
  undecided_.clear();
  return crossings_;
}

int EventMonitor::heading(const ModeEquations& equations, double t, const double* x,
                          const double* xdot, EventId event, double* speed) {
  const ModeEquations* const before = equations_;
  equations_ = &equations;
  std::copy(g_.begin(), g_.end(), g_hi_.begin());
  evaluate(t, x, g_.data());
  Heading heading{*this, t, x, xdot};
  const int result = heading.of(event.index);
  if (speed != nullptr) *speed = std::abs(heading.rate(event.index));
  g_.swap(g_hi_);
  equations_ = before;
  return result;
}

void EventMonitor::note_motion(const ModeEquations& equations, double t, const double* x,
                               const double* xdot, Crossing crossing) {
  const int k = crossing.event.index;
  const int moves = heading(equations, t, x, xdot, crossing.event, &arrival_[k]);
  was_moved_[k] = moves != 0;
  moved_away_[k] = moves == (crossing.rising ? -1 : 1);
}

// The relation k has crossed, and the actions of this instant, which set a state, turned the motion
// round on its root: it goes back at once, as an event in one direction is armed at once. (Waiting
// until it is seen back loses what is lower than rounding.)
bool EventMonitor::is_thrown_back(int k, Heading& heading) {
  if (heading.of_any_size(k) != -side_[k]) return false;
  // What is slower than that against the arrival is rounding: the action stopped the motion.
  constexpr double kStopped = 1e-6;
  if (std::abs(heading.rate(k)) <= kStopped * arrival_[k]) return false;
  // An action that has set the condition itself has not thrown it. (Where it goes against the
  // motion, it has crossed by that action, however little it was moved.)
  evaluate(heading.t, event_state_.data(), g_end_.data());
  if (std::abs(g_[k] - g_end_[k]) > (moved_away_[k] != 0 ? 0 : rounding_[k])) return false;
  // Nor has one that set other states only: the motion was the same without that.
  equations_->rhs(heading.t, event_state_.data(), xdot_try_.data());
  Heading without{*this, heading.t, event_state_.data(), xdot_try_.data()};
  return without.of_any_size(k) != -side_[k];
}

void EventMonitor::note_turn(const ModeEquations& equations, double t, const double* x,
                             const double* xdot, Crossing crossing) {
  const int k = crossing.event.index;
  if (events_[k].direction == Direction::kBoth) return;
  turned_back_[k] = heading(equations, t, x, xdot, crossing.event) != (crossing.rising ? 1 : -1);
}

bool EventMonitor::any_rests(double t, const double* x, const double* xdot) {
  Heading heading{*this, t, x, xdot};
  for (const int k : active_) {
    if (fired_[k] && events_[k].direction != Direction::kBoth && heading.of(k) == 0) return true;
  }
  return false;
}

void EventMonitor::mark_fired(Crossing crossing) {
  const int k = crossing.event.index;
  fired_[k] = 1;
  turned_back_[k] = 0;
  side_[k] = crossing.rising ? 1 : -1;
  waits_[k] = 0;
}

std::span<const Crossing> EventMonitor::chained(const ModeEquations& equations, double t,
                                                const double* x) {
  crossings_.clear();
  equations_ = &equations;
  activate(equations.point(t, x).mode);
  if (active_.empty()) return {};
  g_.swap(g_try_);
  evaluate(t, x, g_.data());
  // Algebraic variables were solved for anew: they were those of the solver, within its tolerance.
  const bool solved = equations.form() != EquationForm::kExplicit;
  if (solved) measure_tolerance(t, x);
  for (const int k : active_) {
    // A relation of a compiled model has been settled with the others: where it is left is where it
    // is, though it may have sunk there by rounding, and not by the actions.
    const bool switched = events_[k].needs_effect && leaves(side_[k], g_[k]);
    if (g_[k] == g_try_[k] && !switched) continue;  // untouched by the actions
    if (switched && fresh_[k] != 0 && fired_[k] == 0) located_[k] = sank_[k] = 1;
    // It stays where its own event has put it; its hysteresis alone moves its condition.
    if (events_[k].needs_effect && fired_[k] && !switched) continue;
    constexpr double kOfTolerance = 10;
    const bool moved_by_solution = solved && std::abs(g_[k]) <= kOfTolerance * error_[k];
    if (moved_by_solution || !is_seen(k, g_[k])) {
      // Put onto the root that it has crossed.
      const bool stays =
          moved_by_solution || g_[k] == 0 || events_[k].direction != Direction::kBoth;
      if (fired_[k] && stays && !events_[k].needs_effect) continue;
      if (waits_[k] && !is_seen(k, g_[k])) continue;
    }
    fired_[k] = 0;
    const bool waits = waits_[k] != 0;
    if (waits || leaves(side_[k], g_[k])) {
      const bool rising = waits ? g_[k] > 0 : side_[k] < 0;
      if (matches(events_[k].direction, rising)) {
        crossings_.push_back({EventId{k}, rising});
        continue;
      }
    }
    if (g_[k] != 0) {
      side_[k] = static_cast<std::int8_t>(sign(g_[k]));
      waits_[k] = 0;
    }
  }
  return crossings_;
}

}  // namespace arges
