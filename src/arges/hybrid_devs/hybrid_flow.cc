// Continuous phases: steps of the solver until something happens.

#include <algorithm>

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

void HybridSimulator::begin_instant() {
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
  part_->write(x_.data());
  discrete_.advance_to(t);
  if (sampler_) sampler_(t);
}

void HybridSimulator::flow_to(double limit) {
  refresh();
  if (failed_) return;
  if (part_->entries().empty()) {
    begin_instant();
    t_ = limit;
    discrete_.advance_to(limit);
    if (sampler_) sampler_(limit);
    return;
  }
  if (needs_start_) {
    start();
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

// One step of the solver; whether another one follows before anything happens.
bool HybridSimulator::flow_on(double limit) {
  part_->forget_non_finite();
  stepper_->end_at_each_move(monitor_->any_leaves());
  const StepStatus status = stepper_->step(end_of_step(limit));
  if (status != StepStatus::kOk) {
    step_failed(status);
    return false;
  }
  first_step_end_ = devs::kInfinity;
  const double from = stepper_->smooth_from();
  auto finding = monitor_->inspect(*stepper_);
  if (finding == EventMonitor::Finding::kNothing && stepper_->t() == limit) {
    finding = monitor_->inspect_end(*stepper_);
  }
  // A condition may be NaN well beyond its event, which a shorter step will find.
  const bool may_be_before = finding == EventMonitor::Finding::kNotANumber &&
                             !stepper_->makes_moves() &&
                             stepper_->t() - from > 64 * EventMonitor::unit(*stepper_);
  if (finding == EventMonitor::Finding::kStepTooLong || may_be_before) {
    if (options_.interval > 0) sample_until(from);
    const double h = (stepper_->t() - from) / 8;
    first_step_end_ = from + h;
    stepper_->interpolate(from, x_sample_.data());
    stepper_->start(from, x_sample_.data(), nullptr, h);
    return true;
  }
  if (finding == EventMonitor::Finding::kNotANumber) {
    const auto [entry, condition] = part_->owner(monitor_->broken());
    const std::string& path = part_->path(part_->entries()[entry]);
    const double t = stepper_->t();
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
    fire(monitor_->crossings());
    return false;
  }
  if (part_->non_finite().entry != nullptr && !is_finite_at(stepper_->t(), stepper_->x())) {
    const double last = last_finite_time(from);
    if (options_.interval > 0) sample_until(last);
    stay_at(last);
    fail_non_finite();
    return false;
  }
  if (stepper_->t() >= limit) {
    if (options_.interval > 0) sample_until(limit);
    arrive(limit, stepper_->x());
    return false;
  }
  sample_until(stepper_->t());
  if (statistics().solver.steps >= options_.max_steps) {
    arrive(stepper_->t(), stepper_->x());
    fail(RunReason::kTooManySteps,
         fmt::format("{} steps until t = {}: raise --max-steps, or loosen the tolerance",
                     options_.max_steps, t_),
         fastest());
  } else if (options_.cancel != nullptr && *options_.cancel) {
    arrive(stepper_->t(), stepper_->x());
    fail(RunReason::kCancelled, fmt::format("cancelled at t = {}", t_));
  }
  return true;
}

}  // namespace arges::hybrid_devs
