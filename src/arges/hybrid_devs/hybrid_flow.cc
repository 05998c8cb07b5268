// Continuous phases: steps of the solver until something happens.

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/hybrid_devs/hybrid_simulator.h"

namespace arges::hybrid_devs {

// Methods that make many moves in a step have no dense output for all of it.
double HybridSimulator::end_of_step(double limit) const {
  const double end = std::min(limit, first_step_end_);
  if (!sampler_ || !(options_.interval > 0) || !stepper_->makes_moves()) return end;
  for (std::int64_t k = samples_;; ++k) {
    const double sample = options_.start_time + static_cast<double>(k) * options_.interval;
    if (sample > stepper_->t()) return std::min(end, sample);
  }
}

void HybridSimulator::sample_until(double until) {
  if (!sampler_) return;
  if (options_.interval > 0) {
    for (;; ++samples_) {
      const double at = options_.start_time + static_cast<double>(samples_) * options_.interval;
      if (!(at < until)) return;
      if (at < stepper_->t_old()) continue;
      stepper_->interpolate(at, x_sample_.data());
      part_->write(x_sample_.data());
      sampler_(at);
    }
  }
  if (until == stepper_->t()) {
    part_->write(stepper_->x());
    sampler_(until);
  }
}

// The same while there is no hybrid component, from t_ on.
void HybridSimulator::sample_without_flow(double until) {
  if (!sampler_ || !(options_.interval > 0)) return;
  for (;; ++samples_) {
    const double at = options_.start_time + static_cast<double>(samples_) * options_.interval;
    if (!(at < until)) return;
    if (at >= t_) sampler_(at);
  }
}

void HybridSimulator::begin_instant() {
  sides_.forget();
  fired_.clear();
  watched_ = 0;
  turns_ = 0;
}

// The clock, the states, and what looks at them.
void HybridSimulator::arrive(double t, const double* x) {
  if (x != x_.data()) std::copy_n(x, x_.size(), x_.begin());
  if (t > t_) {
    begin_instant();
    x_arrived_ = x_;
  }
  t_ = t;
  part_->set_motion(ContinuousPart::Motion::kNone);
  part_->write(x_.data());
  discrete_.advance_to(t);
  if (sampler_) sampler_(t);
}

void HybridSimulator::flow_to(double limit) {
  refresh();
  if (failed_) return;
  if (part_->entries().empty()) {
    sample_without_flow(limit);
    begin_instant();
    t_ = limit;
    discrete_.advance_to(limit);
    if (sampler_) sampler_(limit);
    return;
  }
  if (needs_start_) {
    start(limit);
    if (failed_ || needs_start_ || discrete_.next_time() <= t_) return;
  }
  try {
    while (!failed_ && flow_on(limit)) {
    }
  } catch (const EvaluationError& error) {  // of a condition: the solver knows nothing of them
    stay_at(stepper_->smooth_from());
    fail(RunReason::kEvaluationFailed, fmt::format("t = {:.17g}: {}", t_, error.what()));
  }
}

// Rounding apart, t is `limit`, and something happens there: what is not finite from there on may
// be finite after it.
bool HybridSimulator::is_due_at(double limit, double t) {
  return discrete_.next_time() <= limit &&
         limit - t <= EventMonitor::kSimultaneous * EventMonitor::unit(*stepper_);
}

// Towards t = 0 doubles come closer and closer; what is searched for does not.
double HybridSimulator::shortest_search() const {
  const double span = options_.stop_time - options_.start_time;
  return 64 * std::max(EventMonitor::unit(*stepper_),
                       std::numeric_limits<double>::epsilon() * 1e-3 * span);
}

// The condition at a time of the last step.
bool HybridSimulator::is_nan_at(double t, EventId condition) {
  std::vector<double> g(part_->condition_count());
  stepper_->interpolate(t, x_sample_.data());
  part_->conditions(equations_->point(t, x_sample_.data()), Conditions(g.data()));
  return std::isnan(g[static_cast<std::size_t>(condition.index)]);
}

// One step of the solver; whether another one follows before anything happens.
bool HybridSimulator::flow_on(double limit) {
  part_->forget_non_finite();
  part_->set_motion(stepper_->makes_moves() ? ContinuousPart::Motion::kMoves
                                            : ContinuousPart::Motion::kSteps);
  stepper_->end_at_each_move(monitor_->any_leaves());
  const StepStatus status = stepper_->step(end_of_step(limit));
  if (status != StepStatus::kOk) {
    if (is_due_at(limit, stepper_->t())) {
      arrive(limit, stepper_->x());
    } else {
      step_failed(status);
    }
    return false;
  }
  first_step_end_ = devs::kInfinity;
  const double from = stepper_->smooth_from();
  auto finding = monitor_->inspect(*stepper_);
  if (finding == EventMonitor::Finding::kNothing && stepper_->t() == limit) {
    finding = monitor_->inspect_end(*stepper_);
  }
  const bool is_nan = finding == EventMonitor::Finding::kNotANumber;
  const bool was_nan = is_nan && is_nan_at(from, monitor_->broken());
  // A condition may be NaN well beyond its event, which a shorter step will find.
  const bool may_be_before =
      is_nan && !was_nan && !stepper_->makes_moves() && stepper_->t() - from > shortest_search();
  if (finding == EventMonitor::Finding::kStepTooLong || may_be_before) {
    if (options_.interval > 0) sample_until(from);
    const double h = (stepper_->t() - from) / 8;
    first_step_end_ = from + h;
    stepper_->interpolate(from, x_sample_.data());
    stepper_->start(from, x_sample_.data(), nullptr, h);
    return true;
  }
  const double exit = exit_time();
  if (exit <= (finding == EventMonitor::Finding::kEvent ? monitor_->event_time() : stepper_->t())) {
    if (options_.interval > 0) sample_until(exit);
    std::vector<double> x(x_.size());
    if (!(exit > stepper_->t_old()) || !stepper_->retake(exit, x.data()))
      stepper_->interpolate(exit, x.data());
    arrive(exit, x.data());
    leave_rests(true);
    return false;
  }
  if (is_nan) {
    const auto [entry, condition] = part_->owner(monitor_->broken());
    const std::string& path = part_->path(part_->entries()[entry]);
    const double t = was_nan ? from : stepper_->t();
    stay_at(from);
    fail(RunReason::kNonFinite,
         fmt::format("{}: condition {} is NaN at t = {:.17g}", path, condition + 1, t), path);
    return false;
  }
  if (finding == EventMonitor::Finding::kEvent) {
    double event = monitor_->event_time();
    const double* x = monitor_->event_state();
    if (stepper_->t() == limit && monitor_->event_is_at(limit)) {
      event = limit;  // rounding apart, it is at the time of what is due then
      x = stepper_->x();
    }
    if (options_.interval > 0) sample_until(event);
    arrive(event, x);
    const auto crossings = monitor_->crossings();
    fire({crossings.begin(), crossings.end()}, true);
    return false;
  }
  part_->look_at_unread(equations_->point(stepper_->t(), stepper_->x()));
  if (part_->non_finite().entry != nullptr && !is_finite_at(stepper_->t(), stepper_->x())) {
    const double last = last_finite_time(from);
    if (!(stepper_->t() == limit && is_due_at(limit, last))) {
      if (options_.interval > 0) sample_until(last);
      stay_at(last);
      fail_non_finite();
      return false;
    }
  }
  if (stepper_->t() >= limit) {
    if (options_.interval > 0) sample_until(limit);
    arrive(limit, stepper_->x());
    return false;
  }
  part_->follow(equations_->point(stepper_->t(), stepper_->x()));
  sample_until(stepper_->t());
  if (statistics().solver.steps >= options_.max_steps) {
    arrive(stepper_->t(), stepper_->x());
    fail(RunReason::kTooManySteps,
         fmt::format("{} steps until t = {}: {}", options_.max_steps, t_,
                     suspects_stiffness() ? way_out_of_stiffness()
                                          : "raise --max-steps, or loosen the tolerance"),
         fastest());
  } else if (options_.cancel != nullptr && *options_.cancel) {
    arrive(stepper_->t(), stepper_->x());
    fail(RunReason::kCancelled, fmt::format("cancelled at t = {}", t_));
  }
  return true;
}

}  // namespace arges::hybrid_devs
