#include "arges/hybrid_devs/hybrid_simulator.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "arges/base/error.h"

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
  } catch (const ComponentError& error) {
    fail(RunReason::kEvaluationFailed, fmt::format("t = {:.17g}: {}", t_, error.what()),
         error.path());
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
  look_at_conditions();
  turns_ = 0;  // how many steps one time may have is for the discrete simulator to say
  if (!discrete_.step()) {
    status_ = discrete_.status();
    failed_ = true;
    return false;
  }
  refresh();
  if (!failed_) fire(passed_by_transitions(), false);
  return !failed_;
}

// The continuous parts as they are now; the old solver's work is counted.
void HybridSimulator::collect() {
  if (stepper_ != nullptr) statistics_.solver += stepper_->statistics();
  stepper_.reset();
  equations_.reset();
  // The old monitor is not asked for anything that it would have to evaluate.
  const std::unique_ptr<EventMonitor> monitor = std::move(monitor_);
  const std::unique_ptr<ContinuousPart> part = std::move(part_);
  part_ = std::make_unique<ContinuousPart>(discrete_);
  if (part != nullptr) part_->begin_loops_as(*part);
  ++statistics_.collections;
  structure_changes_ = discrete_.statistics().structure_changes;
  part_->read(x_);
  x_arrived_.clear();
  sides_.renumber();
  needs_start_ = true;
  resting_.reset();  // of the old part
  if (part_->entries().empty()) rests_.clear();
  if (part_->entries().empty() || !states_are_finite()) return;
  x_sample_.resize(x_.size());
  context_ = Context{};
  context_.t = t_;
  context_.x = x_;
  context_.z.assign(1, 0);  // part_->free()
  equations_ = std::make_unique<ModeEquations>(*part_, context_, context_.mode);
  monitor_ = std::make_unique<EventMonitor>(*part_, static_cast<int>(x_.size()));
  if (monitor != nullptr) {
    adopt(*monitor, *part);
    return hold_again();
  }
  monitor_->reset(std::max(options_.stop_time - options_.start_time, 1e-6) / 500,
                  options_.numerics.rtol, options_.numerics.effective_atol());
}

// What has been seen of the components that are still there.
void HybridSimulator::adopt(const EventMonitor& monitor, const ContinuousPart& part) {
  std::vector<int> event_of(part_->condition_count(), -1), state_of(x_.size(), -1);
  const auto pair = [](std::vector<int>& of, std::size_t first, std::size_t old,
                       std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) of[first + k] = static_cast<int>(old + k);
  };
  std::map<std::pair<std::uint32_t, const devs::Model*>, const ContinuousPart::Entry*> old;
  for (const ContinuousPart::Entry& entry : part.entries())
    old.insert({{entry.component, entry.model}, &entry});
  for (const ContinuousPart::Entry& entry : part_->entries()) {
    const auto found = old.find({entry.component, entry.model});
    if (found == old.end()) continue;
    const ContinuousPart::Entry& before = *found->second;
    pair(event_of, entry.first_g, before.first_g, entry.g_count);
    if (entry.x_count == before.x_count)
      pair(state_of, entry.first_x, before.first_x, entry.x_count);
  }
  monitor_->adopt(monitor, event_of, state_of, *equations_, t_, x_.data());
}

// After transitions: whether the structure, or the state of a hybrid component, has changed.
void HybridSimulator::refresh() {
  if (structure_changes_ != discrete_.statistics().structure_changes || !part_->fits())
    return collect();
  for (std::size_t i = 0; !needs_start_ && i < part_->entries().size(); ++i) {
    needs_start_ = !(discrete_.last_transition(part_->entries()[i].component) == last_[i]);
  }
  if (needs_start_) {
    part_->read(x_);
    states_are_finite();
  }
}

}  // namespace arges::hybrid_devs
