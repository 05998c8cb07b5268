// Functions that leave their domain where a condition crosses zero.
//
// `der(h) = if h > 0 then -sqrt(h) - c else 0`: within a step the relation is held, and every trial
// point beyond the root fails. The solver comes as near as it can, and gives up. What it needs is
// the event, which is just ahead.

#include <algorithm>
#include <cmath>
#include <limits>

#include "arges/base/error.h"
#include "arges/base/float_spacing.h"
#include "arges/hybrid/event_side.h"
#include "arges/hybrid/mode_runtime.h"

namespace arges {

namespace {

bool all_are_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

}  // namespace

double EventMonitor::time_to_root(double t, const double* x, const double* slope, double back) {
  for (int i = 0; i < equations_->size(); ++i) x_try_[i] = x[i] - back * slope[i];
  evaluate(t, x, g_hi_.data());
  evaluate(t - back, x_try_.data(), g_lo_.data());
  double time = std::numeric_limits<double>::infinity();
  for (const int k : active_) {
    const double rate = (g_hi_[k] - g_lo_[k]) / back;
    if (side_[k] == 0 || !matches(events_[k].direction, side_[k] < 0)) continue;
    if (rate * side_[k] < 0) time = std::min(time, std::max(0.0, -g_hi_[k] / rate));
  }
  return time;
}

bool EventMonitor::take_event_between(double t, const double* x, double t_after,
                                      const double* x_after, double* x_before) {
  const auto place = [&](double share, double* state) {
    for (int i = 0; i < equations_->size(); ++i) state[i] = x[i] + share * (x_after[i] - x[i]);
    return t + share * (t_after - t);
  };
  const auto has_crossed = [&](double share) {
    evaluate(place(share, x_try_.data()), x_try_.data(), g_try_.data());
    return any_crossing(g_try_.data());
  };
  double before = 0, after = 1;
  if (!has_crossed(after)) return false;
  for (;;) {
    const double middle = before + (after - before) / 2;
    if (!(middle > before && middle < after)) break;
    (has_crossed(middle) ? after : before) = middle;
  }
  place(before, x_before);
  event_time_ = dense_time_ = place(after, event_state_.data());
  evaluate(event_time_, event_state_.data(), g_.data());
  std::copy(g_.begin(), g_.end(), dense_g_.begin());
  std::copy(side_.begin(), side_.end(), side_before_.begin());
  std::copy(fresh_.begin(), fresh_.end(), fresh_before_.begin());
  crossings_.clear();
  for (const int k : active_) {
    if (!crosses(k, g_[k])) continue;
    crossings_.push_back({EventId{k}, side_[k] < 0});
    located_[k] = 1;
    sank_[k] = 0;
  }
  return !crossings_.empty();
}

// The last step has failed; context_ is where it began. Along the direction of motion there, the
// first condition is on its root after the time `ahead`:
//
//   the motion is straight over that time, within a thousandth of the tolerance
//     -> the event is where the straight line crosses
//   else the solver begins anew, with a step to half of the way; it fails when it has not got a
//   quarter of the way: then the edge is not at the root
//
// Returns false when there is nothing to do about the failure.
bool Simulator::cross_domain_edge() {
  const ModeEquations& equations = runtime(context_.mode).equations;
  if (sliding_ || !monitor_.any_active() || equations.form() != EquationForm::kExplicit ||
      stepper_->makes_moves() || context_.t < edge_progress_)
    return false;
  const double t = context_.t;
  const std::size_t n = context_.x.size();
  std::vector<double> slope(n), later(n), state(n);
  const auto move = [&](double h, const std::vector<double>& direction) {
    for (std::size_t i = 0; i < n; ++i) state[i] = context_.x[i] + h * direction[i];
  };
  double ahead;
  bool straight = false;
  try {
    equations.rhs(t, context_.x.data(), slope.data());
    if (!all_are_finite(slope)) return false;
    const double span = options_.stop_time - options_.start_time;
    const double back = 1e-8 * std::max(std::abs(t), 1e-3 * span);
    ahead = monitor_.time_to_root(t, context_.x.data(), slope.data(), back);
    if (!(ahead < options_.stop_time - t)) return false;
    move(ahead / 2, slope);
    equations.rhs(t + ahead / 2, state.data(), later.data());
    const bool soon = ahead <= EventMonitor::kSimultaneous * spacing(t);
    if (soon && !all_are_finite(later)) later = slope;
    straight = soon;
    if (!soon && all_are_finite(later)) {
      const SolverOptions& numerics = options_.numerics;
      straight = true;
      for (std::size_t i = 0; i < n; ++i) {
        const double tolerance = numerics.rtol * std::abs(context_.x[i]) +
                                 numerics.effective_atol() * equations.nominal()[i];
        straight &= ahead * std::abs(later[i] - slope[i]) <= 1e-3 * tolerance;
      }
    }
  } catch (const EvaluationError&) {
    return false;
  }
  if (!straight) {
    edge_progress_ = t + ahead / 4;
    first_step_end_ = t + ahead / 2;
    restart_solver(ahead / 2);
    check_limits();
    return true;
  }
  move(2 * ahead, later);
  std::vector<double> before(n);
  if (!monitor_.take_event_between(t, context_.x.data(), t + 2 * ahead, state.data(),
                                   before.data()))
    return false;
  // The left limit is that of the last point inside.
  record_row(monitor_.event_time(), before.data(), nullptr);
  if (ended_) return true;
  has_left_row_ = true;
  context_.t = monitor_.event_time();
  std::copy_n(monitor_.event_state(), n, context_.x.data());
  immediate_.assign(monitor_.crossings().begin(), monitor_.crossings().end());
  instant(immediate_, false);
  has_left_row_ = false;
  if (!ended_) restart_needed_ = true;
  return true;
}

}  // namespace arges
