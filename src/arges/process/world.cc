#include "arges/process/world.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/devs/run_failure_internal.h"
#include "arges/process/any_all.h"

namespace arges::process {

namespace {
constexpr double kCoincidence = 4;  // units in the last place
}  // namespace

World::World(double start_time, std::int64_t max_activations)
    : start_(start_time), clock_{start_time, 0}, max_activations_(max_activations) {
  if (!std::isfinite(start_time)) throw ApiError("the start time must be finite");
}

World::~World() {
  for (Slot& slot : slots_) {
    if (slot.handle) std::exchange(slot.handle, nullptr).destroy();
  }
}

std::uint32_t World::new_slot() {
  if (!free_slots_.empty()) {
    const std::uint32_t slot = free_slots_.back();
    free_slots_.pop_back();
    return slot;
  }
  slots_.emplace_back();
  return static_cast<std::uint32_t>(slots_.size() - 1);
}

void World::free_slot(std::uint32_t id) {
  Slot& slot = slots_[id];
  slot.state = State::kFree;
  ++slot.generation;
  slot.source = nullptr;
  slot.interrupted = false;
  free_slots_.push_back(id);
}

ProcessRef World::start(Process process, std::string_view name, Options options) {
  if (!process.handle()) {
    throw ApiError(fmt::format("{}: a process that was started already is started again", name));
  }
  if (const World* own = process.handle().promise().world; own != nullptr && own != this) {
    throw ApiError(fmt::format(
        "{} is started in another world than that of its parameters: it lives in the first", name));
  }
  const std::uint32_t id = new_slot();
  Slot& slot = slots_[id];
  slot.handle = process.release();
  slot.handle.promise().world = this;
  slot.handle.promise().slot = id;
  slot.priority = options.priority;
  slot.daemon = options.daemon;
  slot.waiting_since = clock_.t;
  slot.waits = 0;
  // Most are named as the one before.
  if (names_.empty() || names_[last_name_] != name) {
    const auto [at, is_new] =
        name_numbers_.try_emplace(std::string(name), static_cast<std::uint32_t>(names_.size()));
    if (is_new) names_.emplace_back(name);
    last_name_ = at->second;
  }
  slot.name = last_name_;
  ++alive_;
  make_ready(id);
  return reference(id);
}

bool World::is_alive(ProcessRef process) const {
  return process.slot < slots_.size() && slots_[process.slot].generation == process.generation &&
         slots_[process.slot].state != State::kFree;
}

ProcessRef World::current() const {
  if (current_ == kNoIndex) throw ApiError("no process is running");
  return reference(current_);
}

void World::set_priority(ProcessRef process, int priority) {
  if (!is_alive(process)) return;
  slots_[process.slot].priority = priority;
  if (slots_[process.slot].checks_condition) sort_conditions();
}

void World::move_forward(std::size_t at) {
  const Ready entry = ready_[at];
  for (; at > ready_begin_ && ready_[at - 1].priority > entry.priority; --at) {
    ready_[at] = ready_[at - 1];
  }
  ready_[at] = entry;
}

void World::bad_span(double span) {
  throw ApiError(fmt::format("a process cannot wait for a time of {}: it must be 0 or more", span));
}

void World::another_world(const std::string& thing) {
  throw ApiError("a process waits for " + thing + ", which belongs to another world");
}

void World::schedule_at(std::uint32_t id, devs::Clock due, std::uint64_t sequence) {
  Slot& slot = slots_[id];
  if (due < clock_) due = clock_;  // by units in the last place
  if (!(due.t < devs::kInfinity)) return;
  slot.sequence = sequence;
  if (slot.queued) {
    queue_.move(id, slot.due.t, due.t);
  } else {
    queue_.insert(id, due.t);
  }
  slot.due = due;
  slot.queued = true;
}

void World::unschedule(std::uint32_t id) {
  if (!slots_[id].queued) return;
  queue_.erase(id, slots_[id].due.t);
  slots_[id].queued = false;
}

void World::throw_interrupted(std::uint32_t id) {
  Slot& slot = slots_[id];
  slot.interrupted = false;
  throw Interrupted(std::move(slot.cause), slot.remaining, std::move(slot.came));
}

inline bool World::advance(double end) {
  const double first = queue_.min_time();
  if (!(first <= end) || first == devs::kInfinity) return false;
  due_.clear();
  queue_.pop_until(devs::end_of_coincidence(first, kCoincidence, start_), due_);
  if (due_.size() == 1) {
    Slot& slot = slots_[due_.front()];
    slot.queued = false;
    if (clock_.t != slot.due.t) activations_at_instant_ = 0;
    clock_ = slot.due;
    if (slot.state == State::kWaiting && slot.many == nullptr) {  // nobody else is ready
      count_activation(due_.front());
      resume(due_.front());
      if (!conditions_.empty()) check_conditions();
    } else {
      end_delay(due_.front());
    }
    return true;
  }
  devs::Clock earliest = slots_[due_.front()].due;
  for (const std::uint32_t id : due_) {
    slots_[id].queued = false;
    if (slots_[id].due < earliest) earliest = slots_[id].due;
  }
  if (clock_.t != earliest.t) activations_at_instant_ = 0;
  clock_ = earliest;
  std::sort(due_.begin(), due_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return slots_[a].sequence < slots_[b].sequence;
  });
  for (const std::uint32_t id : due_) end_delay(id);
  return true;
}

bool World::ends_now(std::uint32_t id) const {
  const Slot& slot = slots_[id];
  return slot.queued && slot.due.t <= devs::end_of_coincidence(clock_.t, kCoincidence, start_);
}

inline void World::end_delay(std::uint32_t id) {
  const Slot& slot = slots_[id];
  if (slot.state == State::kTimer) {
    enqueue(id);
  } else if (slot.many != nullptr) {
    slot.many->call_timer();
    enqueue(id, Turn::kTime);  // one of several things, which counts when its turn has come
  } else {
    make_ready(id);
  }
}

void World::run_ready() {
  while (ready_begin_ < ready_.size()) {
    const Ready next = ready_[ready_begin_++];
    if (ready_begin_ == ready_.size()) {
      ready_.clear();
      ready_begin_ = 0;
    }
    if (slots_[next.slot].generation != next.generation) continue;
    count_activation(next.slot);
    if (next.turn == Turn::kRun && slots_[next.slot].state == State::kReady) {
      resume(next.slot);
    } else {
      take_other_turn(next);
    }
    if (!conditions_.empty()) check_conditions();
  }
}

// Of a timer, or of one of the things that a process waits for.
void World::take_other_turn(const Ready& next) {
  Slot& slot = slots_[next.slot];
  if (slot.waits != next.waits) return;  // it waits for something else by now
  if (next.turn == Turn::kRun) {
    const std::function<void()> action = slot.action;  // it may end its own timer
    action();
    return;
  }
  if (slot.state != State::kWaiting) return;
  if (next.turn == Turn::kTime) {
    const bool goes_on = slot.many->time_has_come();
    if (goes_on) stop_waiting(next.slot);
    serve_lines_left();
    if (goes_on) resume(next.slot);
    return;
  }
  if (!(next.turn == Turn::kLook ? finds_it(next) : sees_it_hold(next))) return;
  if (slot.many != nullptr) {
    const bool goes_on = slot.many->come(next.index);
    if (goes_on) stop_waiting(next.slot);
    serve_lines_left();
    if (!goes_on) return;
  }
  slot.checks_condition = false;
  slot.source = nullptr;
  resume(next.slot);
}

inline void World::resume(std::uint32_t id) {
  ++resumptions_;
  current_ = id;
  const bool watched = observer_ != nullptr;
  const auto kind = watched ? kind_of_activation(id) : ActivationEvent::Kind::kResumed;
  slots_[id].state = State::kRunning;
  const Process::Handle handle = slots_[id].handle;
  handle.resume();
  const bool ended = handle.done();
  if (watched) [[unlikely]]
    report(id, kind, ended);
  if (ended) {
    finish(id);
  } else if (slots_[id].state == State::kRunning) [[unlikely]] {
    throw ApiError(
        "it waits for something that is not part of the world of processes, and will never go on");
  }
  current_ = kNoIndex;
}

ActivationEvent::Kind World::kind_of_activation(std::uint32_t id) const {
  const Slot& slot = slots_[id];
  if (slot.interrupted) return ActivationEvent::Kind::kInterrupted;
  return slot.waits == 0 ? ActivationEvent::Kind::kStarted : ActivationEvent::Kind::kResumed;
}

void World::report(std::uint32_t id, ActivationEvent::Kind kind, bool ended) {
  observed_count_ = observed_time_ == clock_.t ? observed_count_ + 1 : 0;
  observed_time_ = clock_.t;
  observer_->on_activation({clock_.t, observed_count_, names_[slots_[id].name], id, kind, ended});
}

double World::next_time() { return ready_.empty() ? queue_.min_time() : clock_.t; }

void World::finish(std::uint32_t id) {
  Slot& slot = slots_[id];
  const Process::Handle handle = std::exchange(slot.handle, nullptr);
  std::exception_ptr error;
  if (handle.promise().error) [[unlikely]]
    error = handle.promise().error;
  handle.destroy();
  --alive_;
  if (!slots_[id].joiners.empty()) wake_joiners(id);
  if (error) [[unlikely]]
    std::rethrow_exception(error);
  free_slot(id);
}

RunStatus World::run_events(double end) {
  if (failed_) return status_;
  try {
    if (!conditions_.empty()) check_conditions();  // what they look at may have been changed
    do {
      run_ready();
    } while (advance(end));
  } catch (const devs::RunFailure& end_of_run) {
    current_ = kNoIndex;
    failed_ = true;
    return status_ = end_of_run.status;
  } catch (const std::exception& error) {
    const std::string who = current_ == kNoIndex ? "" : describe(current_);
    current_ = kNoIndex;
    failed_ = true;
    return status_ = failure(RunReason::kEvaluationFailed, who, error.what());
  } catch (...) {
    const std::string who = current_ == kNoIndex ? "" : describe(current_);
    current_ = kNoIndex;
    failed_ = true;
    return status_ =
               failure(RunReason::kEvaluationFailed, who, "an exception that is no std::exception");
  }
  status_ = {};
  status_.time = clock_.t;
  return status_;
}

RunStatus World::run_until(double end) {
  // The clock may stand where something happened that was simultaneous with `end`.
  if (!(devs::end_of_coincidence(end, kCoincidence, start_) >= clock_.t)) {
    throw ApiError(fmt::format("run_until({}): the clock is at {} already", end, clock_.t));
  }
  RunStatus status = run_events(devs::end_of_coincidence(end, kCoincidence, start_));
  if (status.ok() && clock_.t < end && end < devs::kInfinity) {
    clock_ = {end, 0};
    status.time = end;
  }
  if (status.ok() && conditions_.empty() && next_time() == devs::kInfinity) return those_who_wait();
  return status;
}

RunStatus World::run() {
  RunStatus status = run_events(devs::kInfinity);
  if (!status.ok()) return status;
  status = those_who_wait();
  if (!status.ok()) {
    failed_ = true;
    status_ = status;
  }
  return status;
}

}  // namespace arges::process
