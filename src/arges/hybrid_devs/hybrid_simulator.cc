#include "arges/hybrid_devs/hybrid_simulator.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/hybrid/event_side.h"

namespace arges::hybrid_devs {

namespace {

devs::SimulatorOptions discrete_options(const RunOptions& options) {
  devs::SimulatorOptions result;
  result.start_time = options.start_time;
  result.cancel = options.cancel;
  return result;
}

}  // namespace

HybridSimulator::HybridSimulator(const devs::Model& model, const RunOptions& options)
    : options_(options), discrete_(model, discrete_options(options)), t_(options.start_time) {
  if (options.solver != "auto") find_solver(options.solver);
  if (!discrete_.status().ok()) {
    status_ = discrete_.status();
    failed_ = true;
  }
}

HybridStatistics HybridSimulator::statistics() const {
  HybridStatistics result = statistics_;
  if (stepper_ != nullptr) result.solver += stepper_->statistics();
  return result;
}

void HybridSimulator::fail(RunReason reason, const std::string& message,
                           const std::string& component) {
  failed_ = true;
  status_.reason = reason;
  status_.time = t_;
  status_.component = component;
  if (component.empty() && reason == RunReason::kEvaluationFailed && part_ != nullptr) {
    status_.component = part_->broken();
  }
  status_.message = message;
}

RunStatus HybridSimulator::run_until(double end) {
  if (std::isnan(end) || end < t_ || end == devs::kInfinity) {
    throw ApiError(
        fmt::format("run_until({}): the clock is at {}, and the end is finite", end, t_));
  }
  try {
    go_on_until(end);
  } catch (const EvaluationError& error) {
    fail(RunReason::kEvaluationFailed, fmt::format("t = {:.17g}: {}", t_, error.what()));
  }
  if (!failed_) {
    status_ = {};
    status_.time = t_;
  }
  return status_;
}

void HybridSimulator::go_on_until(double end) {
  while (!failed_) {
    if (options_.cancel != nullptr && *options_.cancel) {
      fail(RunReason::kCancelled, fmt::format("cancelled at t = {}", t_));
    } else if (discrete_.next_time() <= t_) {
      step_discrete();
    } else if (t_ < end) {
      flow_to(std::min(discrete_.next_time(), end));
    } else {
      break;
    }
  }
}

bool HybridSimulator::step_discrete() {
  refresh();
  if (failed_) return false;
  const std::vector<Before> before = conditions_now();
  if (!discrete_.step()) {
    status_ = discrete_.status();
    failed_ = true;
    return false;
  }
  refresh();
  if (!failed_ && !before.empty()) fire_chained(before);
  return !failed_;
}

// The continuous parts as they are now; the old solver's work is counted.
void HybridSimulator::collect() {
  if (stepper_ != nullptr) statistics_.solver += stepper_->statistics();
  monitor_.reset();
  stepper_.reset();
  equations_.reset();
  part_ = std::make_unique<ContinuousPart>(discrete_);
  ++statistics_.collections;
  structure_changes_ = discrete_.statistics().structure_changes;
  part_->read(x_);
  needs_start_ = true;
  if (part_->entries().empty()) return;
  g_.resize(part_->condition_count());
  x_sample_.resize(x_.size());
  context_ = Context{};
  context_.t = t_;
  context_.x = x_;
  equations_ = std::make_unique<ModeEquations>(*part_, context_, context_.mode);
  monitor_ = std::make_unique<EventMonitor>(*part_, static_cast<int>(x_.size()));
}

// After transitions: whether the structure, or the state of a hybrid component, has changed.
void HybridSimulator::refresh() {
  try {
    if (structure_changes_ != discrete_.statistics().structure_changes || !part_->fits()) {
      collect();
    } else {
      for (std::size_t i = 0; !needs_start_ && i < part_->entries().size(); ++i) {
        needs_start_ = !(discrete_.last_transition(part_->entries()[i].component) == last_[i]);
      }
      if (needs_start_) part_->read(x_);
    }
  } catch (const UserError& error) {
    fail(RunReason::kEvaluationFailed, fmt::format("t = {:.17g}: {}", t_, error.what()));
  }
}

bool HybridSimulator::has_fired(std::uint32_t component, const devs::Model* model, int condition,
                                bool rising) const {
  return std::any_of(fired_.begin(), fired_.end(), [&](const Fired& f) {
    return f.component == component && f.model == model && f.condition == condition &&
           f.rising == rising;
  });
}

// The solver begins at (t_, x_). Conditions that fired at this time are on their new sides.
void HybridSimulator::start() {
  needs_start_ = false;
  last_.clear();
  for (const ContinuousPart::Entry& entry : part_->entries()) {
    last_.push_back(discrete_.last_transition(entry.component));
  }
  if (stepper_ == nullptr) {
    solver_ = options_.solver;
    if (solver_ == "auto") {
      solver_ = choose_solver(*equations_, options_.numerics, t_, x_.data(),
                              std::max(options_.stop_time - t_, 1e-6))
                    .name;
    }
    stepper_ = make_stepper(solver_, *equations_, options_.numerics);
    monitor_->reset(std::max(options_.stop_time - options_.start_time, 1e-6) / 500,
                    options_.numerics.rtol, options_.numerics.effective_atol());
  }
  ++statistics_.phases;
  std::vector<double> xdot(x_.size());
  equations_->rhs(t_, x_.data(), xdot.data());
  stepper_->start(t_, x_.data(), nullptr, 0);
  const auto standing = monitor_->restart(*equations_, t_, x_.data(), xdot.data());
  std::vector<Crossing> now;
  for (const Crossing& crossing : standing) {
    const auto [entry, condition] = part_->owner(crossing.event);
    const ContinuousPart::Entry& e = part_->entries()[entry];
    if (!has_fired(e.component, e.model, condition, crossing.rising)) now.push_back(crossing);
  }
  if (!fired_.empty()) {
    for (const Fired& f : fired_) {
      for (const ContinuousPart::Entry& e : part_->entries()) {
        if (e.component != f.component || e.model != f.model) continue;
        const auto event = static_cast<int>(e.first_g) + f.condition;
        monitor_->mark_fired({EventId{event}, f.rising});
      }
    }
    const auto again = monitor_->restart(*equations_, t_, x_.data(), xdot.data());
    now.insert(now.end(), again.begin(), again.end());
  }
  if (!now.empty()) fire(now);
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

// The clock, the states, and what looks at them.
void HybridSimulator::arrive(double t, const double* x) {
  if (x != x_.data()) std::copy_n(x, x_.size(), x_.begin());
  if (t > t_) fired_.clear();
  t_ = t;
  part_->write(x_.data());
  discrete_.advance_to(t);
  if (sampler_) sampler_(t);
}

void HybridSimulator::flow_to(double limit) {
  refresh();
  if (failed_) return;
  if (part_->entries().empty()) {
    fired_.clear();
    t_ = limit;
    discrete_.advance_to(limit);
    if (sampler_) sampler_(limit);
    return;
  }
  if (needs_start_) {
    start();
    if (failed_ || needs_start_ || discrete_.next_time() <= t_) return;
  }
  for (;;) {
    const StepStatus status = stepper_->step(std::min(limit, first_step_end_));
    if (status != StepStatus::kOk) {
      arrive(stepper_->t(), stepper_->x());
      return fail(status == StepStatus::kStepTooSmall   ? RunReason::kStepTooSmall
                  : status == StepStatus::kNewtonFailed ? RunReason::kNewtonFailed
                  : status == StepStatus::kNonFinite    ? RunReason::kNonFinite
                                                        : RunReason::kEvaluationFailed,
                  stepper_->message());
    }
    first_step_end_ = devs::kInfinity;
    const double from = stepper_->t_old();
    auto finding = monitor_->inspect(*stepper_);
    if (finding == EventMonitor::Finding::kNothing && stepper_->t() == limit) {
      finding = monitor_->inspect_end(*stepper_);
    }
    if (finding == EventMonitor::Finding::kNothing) {
      if (stepper_->t() < limit) {
        sample_until(stepper_->t());
        if (statistics().solver.steps >= options_.max_steps) {
          arrive(stepper_->t(), stepper_->x());
          return fail(RunReason::kTooManySteps,
                      fmt::format("{} steps until t = {}: raise --max-steps, or loosen the "
                                  "tolerance",
                                  options_.max_steps, t_));
        }
        continue;
      }
      if (options_.interval > 0) sample_until(limit);
      return arrive(limit, stepper_->x());
    }
    if (finding == EventMonitor::Finding::kStepTooLong) {
      const double h = (stepper_->t() - from) / 8;
      first_step_end_ = from + h;
      stepper_->interpolate(from, x_sample_.data());
      stepper_->start(from, x_sample_.data(), nullptr, h);
      continue;
    }
    if (finding == EventMonitor::Finding::kNotANumber) {
      const auto [entry, condition] = part_->owner(monitor_->broken());
      const std::string path = discrete_.path(part_->entries()[entry].component);
      return fail(
          RunReason::kNonFinite,
          fmt::format("{}: condition {} is NaN at t = {:.17g}", path, condition + 1, stepper_->t()),
          path);
    }
    double event = monitor_->event_time();
    const double* x = monitor_->event_state();
    if (stepper_->t() == limit && monitor_->event_is_at(limit)) {
      event = limit;  // rounding apart, it is at the time of what is due then
      x = stepper_->x();
    }
    if (options_.interval > 0) sample_until(event);
    arrive(event, x);
    return fire(monitor_->crossings());
  }
}

// The state transitions of the components concerned, each once, in their order.
void HybridSimulator::fire(std::span<const Crossing> crossings) {
  std::vector<std::pair<std::size_t, StateEvent>> all;
  for (const Crossing& crossing : crossings) {
    const auto [entry, condition] = part_->owner(crossing.event);
    all.push_back({entry, {condition, crossing.rising}});
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second.condition < b.second.condition;
  });
  needs_start_ = true;
  std::vector<StateEvent> events;
  for (std::size_t i = 0; i < all.size();) {
    const ContinuousPart::Entry& entry = part_->entries()[all[i].first];
    events.clear();
    for (const std::size_t first = all[i].first; i < all.size() && all[i].first == first; ++i) {
      events.push_back(all[i].second);
      fired_.push_back(
          {entry.component, entry.model, all[i].second.condition, all[i].second.rising});
    }
    if (++statistics_.state_events > options_.max_events) {
      return fail(RunReason::kTooManySteps,
                  fmt::format("{} state events until t = {}: raise --max-events, or look for "
                              "events that accumulate",
                              options_.max_events, t_),
                  discrete_.path(entry.component));
    }
    const bool ok =
        discrete_.state_transition(entry.component, [&](const devs::Model& model, void* state) {
          return entry.behaviour->state_event(model, state, events);
        });
    if (!ok) {
      status_ = discrete_.status();
      failed_ = true;
      return;
    }
  }
}

std::vector<HybridSimulator::Before> HybridSimulator::conditions_now() {
  std::vector<Before> all;
  if (part_->condition_count() == 0) return all;
  part_->conditions(equations_->point(t_, x_.data()), Conditions(g_.data()));
  for (const ContinuousPart::Entry& entry : part_->entries()) {
    for (std::size_t k = 0; k < entry.g_count; ++k) {
      all.push_back({entry.component, entry.model, static_cast<int>(k), g_[entry.first_g + k]});
    }
  }
  return all;
}

// A transition has let a condition jump over zero.
void HybridSimulator::fire_chained(const std::vector<Before>& before) {
  if (!needs_start_) return;
  const std::vector<Before> after = conditions_now();
  std::vector<Crossing> crossings;
  std::size_t at = 0;
  for (std::size_t k = 0; k < after.size(); ++k) {
    const Before& now = after[k];
    // Components keep their order; new ones come at the end, or with another model.
    std::size_t found = at;
    while (found < before.size() &&
           !(before[found].component == now.component && before[found].model == now.model &&
             before[found].condition == now.condition)) {
      ++found;
    }
    if (found == before.size()) continue;
    at = found + 1;
    const double was = before[found].g;
    if (was == now.g || was == 0 || !leaves(sign(was), now.g)) continue;
    const bool rising = was < 0;
    const auto [entry, condition] = part_->owner(EventId{static_cast<int>(k)});
    const Direction direction = part_->entries()[entry].behaviour->conditions_of[condition];
    if (!matches(direction, rising)) continue;
    // It has fired at this time: that it was on the old side is rounding.
    if (has_fired(now.component, now.model, now.condition, rising)) continue;
    crossings.push_back({EventId{static_cast<int>(k)}, rising});
  }
  if (!crossings.empty()) fire(crossings);
}

}  // namespace arges::hybrid_devs
