// After an instant: to which side of its root each condition goes from there.

#include <algorithm>
#include <cmath>
#include <limits>

#include "arges/base/error.h"
#include "arges/base/float_spacing.h"
#include "arges/hybrid/event_monitor.h"
#include "arges/hybrid/event_side.h"

namespace arges {

// The direction in which a condition leaves its root: from g a little further along the motion, or
// further still when that is too little to be seen.
struct EventMonitor::Heading {
  EventMonitor& monitor;
  double t;
  const double* x;
  const double* xdot;               // may be null
  const Slopes* unasked = nullptr;  // it is had from there
  double seen = 0;                  // monitor.g_try_ holds g so far ahead

  int of(int k) {
    // Shorter first: g may turn round before the states have moved by as much.
    constexpr double kShorter[] = {1e-6, 1e-3};
    if (unasked != nullptr) xdot = (*unasked)();
    unasked = nullptr;
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
    const int n = xdot != nullptr ? monitor.equations_->size() : 0;
    const auto nominal = monitor.equations_->nominal();
    double fastest = 0, size = 1;  // the one with the largest rate against its size
    for (int i = 0; i < n; ++i) {
      const double scale = std::max(std::abs(x[i]), nominal[i] * 1e-3);
      if (std::abs(xdot[i]) * size > fastest * scale) {
        fastest = std::abs(xdot[i]);
        size = scale;
      }
    }
    double distance = 1e-7 * size / fastest;
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
                                                const double* x, const Slopes& slopes) {
  crossings_.clear();
  equations_ = &equations;
  activate(equations.point(t, x).mode);
  has_rate_ = false;
  young_steps_ = 0;
  long_steps_ = -1;
  if (active_.empty()) return {};
  influence_.bind(equations.sparsity(), equations.size());
  evaluate(t, x, g_.data());

  watches_peaks_ = false;
  undecided_.clear();
  measure_rounding(t, x);
  measure_start(t, x);
  Heading heading{*this, t, x, nullptr, &slopes};
  // Since the event that was found last, if this is its instant.
  const bool jumped = equations.form() == EquationForm::kExplicit &&
                      !std::equal(x, x + equations.size(), event_state_.begin());
  for (const int k : active_) {
    const bool is_relation = events_[k].direction == Direction::kBoth;
    const bool crossed = fired_[k] != 0 && located_[k] != 0;
    if (!is_relation) peak_[k] = std::numeric_limits<double>::infinity();
    if (is_relation) peak_[k] = fired_[k] ? 0 : std::max(peak_[k], side_[k] * g_[k]);
    watches_peaks_ = watches_peaks_ || std::isfinite(peak_[k]);
    const bool rests = any_rests_ && !is_relation && is_at_rest(k, g_[k]);
    if (!rests) rests_[k] = 0;
    const bool never_left =
        (fresh_[k] && side_[k] * g_[k] <= seen_at_[k]) || (rests && side_[k] != 0);
    fresh_[k] = 0;
    if (fired_[k] && is_relation) {
      leave_switched(k, heading, jumped);
    } else if (fired_[k]) {
      leave_fired(k, heading);
    } else {
      leave_quiet(k, heading, never_left);
    }
    fired_[k] = put_on_root_[k] = 0;
    agreed_g_[k] = std::numeric_limits<double>::quiet_NaN();
    set_out_[k] = fresh_[k] != 0 ? kByMotion : crossed && !jumped ? kAcross : 0;
    if (set_out_[k] != 0) young_steps_ = kYoungSteps;
  }
  if (!undecided_.empty()) forget_unmoved(t, x);
  if (any_rests_) review_rest(t, x);
  if (crossings_.empty()) {
    std::fill(located_.begin(), located_.end(), 0);
    std::fill(thrown_back_.begin(), thrown_back_.end(), 0);
  }
  return crossings_;
}

// An event in one direction has fired: it may be armed at once, when the motion leads back to where
// it came from. So is one whose condition rests.
void EventMonitor::leave_fired(int k, Heading& heading) {
  const int armed = events_[k].direction == Direction::kRising ? -1 : 1;
  const int ahead = heading.of(k);
  if (ahead == 0)
    undecided_.push_back({.event = EventId{k}, .fired = true, .turns = was_moved_[k] != 0});
  if (ahead == 0 || ahead == armed) {
    side_[k] = static_cast<std::int8_t>(armed);
    set_fresh(k, g_[k]);
    peak_[k] = 0;
    watches_peaks_ = true;
  } else if (turned_back_[k] ||
             (moved_away_[k] && located_[k] && std::abs(g_[k]) <= 4096 * rounding_[k])) {
    // Its own action stopped the motion or turned it back, and a later one undid that: it crosses
    // again. So does one that rounding took across while it moved the other way, and whose action
    // turned that motion round (a ball on the floor, thrown down).
    crossings_.push_back({EventId{k}, armed < 0});
    side_[k] = static_cast<std::int8_t>(armed);
  } else {
    // It may have crossed along the dense output only.
    side_[k] = static_cast<std::int8_t>(-armed);
    if (leaves(side_[k], g_[k])) set_fresh(k, g_[k]);
  }
}

// A relation has fired: it stays on the side it was switched to, unless it is thrown back.
void EventMonitor::leave_switched(int k, Heading& heading, bool jumped) {
  const bool crossed = located_[k] != 0;
  if (crossed && jumped && is_thrown_back(k, heading)) {
    crossings_.push_back({EventId{k}, side_[k] < 0});
    thrown_back_[k] = 1;
    return;
  }
  if (side_[k] * g_[k] > rounding_[k]) {
    if (crossed && jumped && heading.of(k) == 0) rests_[k] = 1;
    any_rests_ = any_rests_ || rests_[k] != 0;
    return;
  }
  const int ahead = heading.of(k);
  // It has crossed along the dense output, and the equations move it back: the one or the other is
  // off, within the tolerances.
  const bool contradicts = ahead == -side_[k] && moved_away_[k] && crossed && !jumped;
  if (ahead == 0 && jumped && crossed) sank_[k] = 1;  // what is left is below rounding
  if (ahead == 0 || contradicts)
    undecided_.push_back({.event = EventId{k}, .fired = true, .turns = thrown_back_[k] != 0});
  // The dense output may see it on the old side for a few more digits.
  if (ahead != -side_[k]) set_fresh(k, g_[k]);
}

// One that has not fired at this instant. `never_left`: it still stands on the root of an earlier
// one.
void EventMonitor::leave_quiet(int k, Heading& heading, bool never_left) {
  const double g = g_[k];
  if (never_left) {
    // When the actions of this instant turned the motion round, it crosses now; else it goes on
    // leaving.
    const int ahead = heading.of(k);
    if (rests_[k]) set_fresh(k, g);
    rests_[k] = ahead == 0;
    any_rests_ = any_rests_ || ahead == 0;
    if (ahead != -side_[k]) {
      fresh_[k] = 1;
    } else if (!matches(events_[k].direction, side_[k] < 0)) {
      side_[k] = static_cast<std::int8_t>(-side_[k]);
      set_fresh(k, g);
    } else {
      fresh_[k] = 0;
      if (side_[k] * g <= 0) crossings_.push_back({EventId{k}, side_[k] < 0});
    }
  } else if (g == agreed_g_[k]) {
    if (side_[k] * g <= 0 && heading.of(k) == side_[k]) set_fresh(k, g);
  } else if (side_[k] == 0 && (std::abs(g) <= start_rounding_[k] || put_on_root_[k] ||
                               (waits_[k] && (!is_seen(k, g) || is_at_rest(k, g))))) {
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
}

// Of the undecided: what no state moves will not be seen to move. Where an action has set it (a
// counter that has reached its limit) it has crossed.
void EventMonitor::forget_unmoved(double t, const double* x) {
  measure_tolerance(t, x);
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

// Of those that rested before: does that go on?
void EventMonitor::review_rest(double t, const double* x) {
  any_rests_ = std::ranges::any_of(active_, [&](int k) { return rests_[k] != 0; });
  if (!any_rests_) return;
  measure_tolerance(t, x);
  for (const int k : active_) rest_error_[k] = std::max(rounding_[k], error_[k]);
}

// A condition without a side leaves its root to one.
void EventMonitor::take_leave(int k, int side) {
  waits_[k] = rests_[k] = 0;
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

void EventMonitor::look_along(Stepper& ahead, double limit, const Turns& turns) {
  // Between the moves of a long step a condition can have gone far and come back: at first each of
  // them is looked at.
  constexpr int kSteps = 40, kMoves = 10'000;
  const auto all_seen = [&] {
    return std::ranges::all_of(undecided_, [](const auto& each) { return each.side != 0; });
  };
  const int moves = ahead.makes_moves() ? kMoves : 0;
  try {
    for (int i = 0; i < moves + kSteps && !all_seen() && ahead.t() < limit; ++i) {
      ahead.end_at_each_move(i < moves);
      if (ahead.step(limit) != StepStatus::kOk) break;
      for (double t = look_ahead(ahead); !std::isnan(t); t = look_ahead(ahead)) {
        for (Undecided& each : undecided_) {
          if (turns && each.fired && each.side != 0 && !each.turns) each.turns = turns(each, t);
        }
      }
    }
  } catch (const EvaluationError&) {
    // What cannot be computed there cannot be seen. The run will say so when it comes there.
  }
}

std::span<const Crossing> EventMonitor::decide() {
  crossings_.clear();
  for (const Undecided& each : undecided_) {
    const int k = each.event.index;
    if (each.side == 0) {  // it rests: it waits, or is armed
      rests_[k] = 1;
      if (side_[k] == 0) slack_[k] = 0;
      rest_error_[k] = std::max(rounding_[k], error_[k]);
      any_rests_ = true;
      continue;
    }
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
  heading.seen = 0;  // g_try_ is no longer what it has seen
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

}  // namespace arges
