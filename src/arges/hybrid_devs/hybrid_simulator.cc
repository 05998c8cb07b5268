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
  x_arrived_.clear();
  needs_start_ = true;
  if (part_->entries().empty() || !states_are_finite()) return;
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
      if (needs_start_) {
        part_->read(x_);
        states_are_finite();
      }
    }
  } catch (const AlgebraicLoop& loop) {
    fail(RunReason::kEvaluationFailed, fmt::format("t = {:.17g}: {}", t_, loop.what()),
         loop.component);
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
  part_->forget_non_finite();
  equations_->rhs(t_, x_.data(), xdot.data());
  if (part_->non_finite().entry != nullptr) return fail_non_finite();
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
        const EventId event{static_cast<int>(e.first_g) + f.condition};
        // Transitions may have thrown it back to where it came from: then it is there.
        const double g = monitor_->value(event);
        const bool is_back = g != f.g && (g < 0) == f.rising && monitor_->is_off_root(event);
        if (!is_back) monitor_->mark_fired({event, f.rising});
      }
    }
    const auto again = monitor_->restart(*equations_, t_, x_.data(), xdot.data());
    now.insert(now.end(), again.begin(), again.end());
  }
  if (now.empty()) {
    check_zeno();
  } else if (++turns_ > kMostTurns) {
    const ContinuousPart::Entry& entry = part_->entries()[part_->owner(now.front().event).first];
    fail(
        RunReason::kEventsDidNotSettle,
        fmt::format("{} state events one after the other at t = {:.17g}: a state transition undoes "
                    "what another did, or a condition stays true after it",
                    kMostTurns, t_),
        part_->path(entry));
  } else {
    fire(now);
  }
}

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
  if (part_->non_finite().entry != nullptr && !is_finite_at_end()) {
    stay_at(from);
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
  part_->conditions(equations_->point(t_, x_.data()), Conditions(g_.data()));
  std::vector<StateEvent> events;
  for (std::size_t i = 0; i < all.size();) {
    const ContinuousPart::Entry& entry = part_->entries()[all[i].first];
    events.clear();
    for (const std::size_t first = all[i].first; i < all.size() && all[i].first == first; ++i) {
      events.push_back(all[i].second);
      fired_.push_back({entry.component, entry.model, all[i].second.condition, all[i].second.rising,
                        g_[entry.first_g + all[i].second.condition]});
    }
    if (++statistics_.state_events > options_.max_events) {
      return fail(RunReason::kZeno,
                  fmt::format("more than {} state events by t = {:.17g}; raise --max-events if "
                              "they are meant",
                              options_.max_events, t_),
                  part_->path(entry));
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
  states_are_finite();  // also when nothing comes after it
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
