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
      event_count_(static_cast<int>(events_.size())),
      influence_(largest_dimension) {
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
  put_on_root_.resize(n);
  rests_.resize(n);
  rest_error_.resize(n);
  was_moved_.resize(n);
  undecided_.reserve(n);
  rounding_.resize(n);
  start_rounding_.resize(n);
  error_.resize(n);
  slack_.resize(n);
  for (auto* peaks : {&peak_, &last_peak_, &swing_})
    peaks->resize(n, std::numeric_limits<double>::infinity());
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
  x_begin_.resize(largest_dimension);
  x_size_.resize(largest_dimension);
  xdot_try_.resize(largest_dimension);
  event_state_.resize(largest_dimension);
  choose_pushes(largest_dimension);
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
  std::fill(rests_.begin(), rests_.end(), 0);
  any_rests_ = false;
  std::fill(located_.begin(), located_.end(), 0);
  std::fill(thrown_back_.begin(), thrown_back_.end(), 0);
  for (auto* peaks : {&peak_, &last_peak_, &swing_})
    std::fill(peaks->begin(), peaks->end(), std::numeric_limits<double>::infinity());
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
      rests_[k] = 0;
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
  waits_[k] = rests_[k] = 0;
  if (events_[k].direction == Direction::kBoth) peak_[k] = 0;  // another excursion begins
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
  if (keeps_broken_) keep_broken(t, g);
}

void EventMonitor::evaluate_inside(const Stepper& stepper, double t, double* g) {
  stepper.interpolate(t, x_try_.data());
  evaluate(t, x_try_.data(), g);
}

void EventMonitor::mark_fired(Crossing crossing) {
  const int k = crossing.event.index;
  fired_[k] = 1;
  turned_back_[k] = 0;
  side_[k] = crossing.rising ? 1 : -1;
  waits_[k] = rests_[k] = 0;
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
