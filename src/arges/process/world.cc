#include "arges/process/world.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/devs/run_failure_internal.h"
#include "arges/process/any_all.h"

namespace arges::process {

namespace {
constexpr double kCoincidence = 4;  // units in the last place
}  // namespace

namespace frame_memory {

void* allocate(std::size_t size, devs::Arena* arena) {
  const std::size_t total = size + kHeader;
  void* block = arena != nullptr ? arena->allocate(total, kHeader) : ::operator new(total);
  std::memcpy(block, &arena, sizeof arena);
  return static_cast<std::byte*>(block) + kHeader;
}

void release(void* frame, std::size_t size) noexcept {
  void* block = static_cast<std::byte*>(frame) - kHeader;
  devs::Arena* arena;
  std::memcpy(&arena, block, sizeof arena);
  if (arena != nullptr) {
    arena->release(block, size + kHeader, kHeader);
  } else {
    ::operator delete(block);
  }
}

devs::Arena& arena_of(World& world) { return world.frames_; }

}  // namespace frame_memory

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
  if (is_alive(process)) slots_[process.slot].priority = priority;
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

void World::go_on_running(std::uint32_t id) {
  slots_[id].many = nullptr;
  slots_[id].state = State::kRunning;
}

void World::add_condition(std::uint32_t id, std::uint32_t index,
                          const std::function<bool()>& holds) {
  slots_[id].checks_condition = true;
  const auto behind = std::find_if(conditions_.begin(), conditions_.end(), [&](const Condition& c) {
    return slots_[c.slot].priority > slots_[id].priority;
  });
  conditions_.insert(behind, {id, index, &holds, false});
}

void World::remove_condition(std::uint32_t id, std::uint32_t index) {
  std::erase_if(conditions_, [&](const Condition& c) { return c.slot == id && c.index == index; });
}

bool World::add_joiner(ProcessRef process, std::uint32_t id, std::uint32_t index) {
  if (!is_alive(process)) return false;
  if (process.slot == id) throw ApiError("a process cannot wait for its own end");
  slots_[process.slot].joiners.push_back({id, index});
  return true;
}

void World::remove_joiner(ProcessRef process, std::uint32_t id, std::uint32_t index) {
  if (is_alive(process)) std::erase(slots_[process.slot].joiners, Joiner{id, index});
}

// Out of all lists.
void World::stop_waiting(std::uint32_t id) {
  Slot& slot = slots_[id];
  if (slot.many != nullptr) {
    std::exchange(slot.many, nullptr)->withdraw_all();
    slot.checks_condition = false;
    return;
  }
  unschedule(id);
  if (slot.source != nullptr) std::exchange(slot.source, nullptr)->withdraw(id, 0);
  remove_joiner(std::exchange(slot.joined, {}), id, 0);
  if (std::exchange(slot.checks_condition, false)) remove_condition(id, 0);
}

void World::grant(std::uint32_t id, std::uint32_t index) {
  Slot& slot = slots_[id];
  if (slot.state != State::kWaiting) return;  // something else has come at the same time
  if (slot.many != nullptr) {
    if (!slot.many->come(index) || slot.many->asking_) return;
    stop_waiting(id);
  }
  slot.source = nullptr;
  slot.joined = {};
  make_ready(id);
}

bool World::interrupt(ProcessRef process, std::string cause) {
  return interrupt(process, std::move(cause), nullptr);
}

void World::take_away(ProcessRef process, std::string cause, const Waitable& thing) {
  interrupt(process, std::move(cause), &thing);
}

bool World::interrupt(ProcessRef process, std::string cause, const Waitable* lost) {
  if (!is_alive(process) || process.slot == current_) return false;
  Slot& slot = slots_[process.slot];
  if (slot.state != State::kWaiting) return false;
  slot.remaining = slot.many != nullptr ? slot.many->remaining()
                   : slot.queued        ? slot.due - clock_
                                        : 0;
  slot.came.clear();
  if (slot.many != nullptr) slot.came = slot.many->have_come(lost);
  stop_waiting(process.slot);
  slot.interrupted = true;
  slot.cause = std::move(cause);
  make_ready(process.slot);
  return true;
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
  if (next.turn == Turn::kRun) {
    const std::function<void()> action = slot.action;  // it may end its own timer
    action();
    return;
  }
  if (slot.state != State::kWaiting || slot.waits != next.waits) return;
  if (next.turn == Turn::kTime) {
    if (slot.many->time_has_come()) {
      stop_waiting(next.slot);
      resume(next.slot);
    }
    return;
  }
  if (!(next.turn == Turn::kLook ? finds_it(next) : sees_it_hold(next))) return;
  if (slot.many != nullptr) {
    if (!slot.many->come(next.index)) return;
    stop_waiting(next.slot);
  }
  slot.checks_condition = false;
  slot.source = nullptr;
  resume(next.slot);
}

bool World::sees_it_hold(const Ready& turn) {
  const auto found = std::find_if(conditions_.begin(), conditions_.end(), [&](const Condition& c) {
    return c.slot == turn.slot && c.index == turn.index;
  });
  if (found == conditions_.end()) return false;
  found->called = false;
  current_ = turn.slot;
  const bool holds = (*found->holds)();
  current_ = kNoIndex;
  if (holds) conditions_.erase(found);
  return holds;
}

bool World::finds_it(const Ready& turn) {
  const Slot& slot = slots_[turn.slot];
  Waitable* thing = slot.many != nullptr ? slot.many->thing(turn.index) : slot.source;
  return thing != nullptr && thing->is_still_there(turn.slot, turn.index);
}

void World::too_many_activations(std::uint32_t id) const {
  throw devs::RunFailure{failure(
      RunReason::kEventsDidNotSettle, describe(id),
      fmt::format("{} activations of processes at one time: something goes on without waiting for "
                  "a time above 0",
                  max_activations_))};
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

void World::wake_joiners(std::uint32_t id) {
  const std::vector<Joiner> joiners = std::exchange(slots_[id].joiners, {});
  for (const Joiner& joiner : joiners) grant(joiner.slot, joiner.index);
}

void World::check_conditions() {
  for (Condition& condition : conditions_) {
    if (condition.called) continue;
    current_ = condition.slot;
    if ((*condition.holds)()) {
      condition.called = true;
      enqueue(condition.slot, Turn::kCondition, condition.index);
    }
  }
  current_ = kNoIndex;
}

std::string World::describe(std::uint32_t id) const {
  return fmt::format("{}#{}", names_[slots_[id].name], id);
}

RunStatus World::failure(RunReason reason, const std::string& component,
                         const std::string& what) const {
  RunStatus status;
  status.reason = reason;
  status.time = clock_.t;
  status.component = component;
  status.message = fmt::format("{}, t = {:.17g}: {}", component.empty() ? "the model" : component,
                               clock_.t, what);
  return status;
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
  if (std::isnan(end) || end < clock_.t) {
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

std::string World::what_it_waits_for(std::uint32_t id) const {
  const Slot& slot = slots_[id];
  if (slot.source != nullptr) return slot.source->name();
  if (slot.many != nullptr) return slot.many->describe_missing();
  if (slot.checks_condition) return "a condition";
  if (slot.joined != ProcessRef{}) return "the end of " + describe(slot.joined.slot);
  return "ever";
}

// Success, when there are none but daemons.
RunStatus World::those_who_wait() const {
  std::string waiting, first;
  int count = 0;
  for (std::uint32_t id = 0; id < slots_.size(); ++id) {
    const Slot& slot = slots_[id];
    if (slot.state != State::kWaiting || slot.daemon) continue;
    if (++count > 5) continue;
    if (first.empty()) first = describe(id);
    waiting += fmt::format("{}{} waits for {} since t = {}", count > 1 ? "; " : "", describe(id),
                           what_it_waits_for(id), slot.waiting_since);
  }
  RunStatus status;
  status.time = clock_.t;
  if (count == 0) return status;
  if (count > 5) waiting += fmt::format("; and {} more", count - 5);
  return failure(RunReason::kEvaluationFailed, first,
                 "no event is left, and " + waiting +
                     ". Processes that may wait for ever are started as daemons");
}

bool WaitAwaiter::await_suspend(Process::Handle handle) {
  World& world = thing.world();
  handle.promise().world->check_own(thing);
  slot = handle.promise().slot;
  const int own = use_own_priority ? world.priority_of(slot) : priority;
  if (thing.take_or_enlist({slot, 0, amount}, own)) return false;
  waited = true;
  world.begin_wait(slot);
  world.slots_[slot].source = &thing;
  return true;
}

WaitAwaiter operator co_await(Waitable& thing) { return {thing, 1, 0, true}; }

bool JoinAwaiter::await_suspend(Process::Handle handle) {
  slot = handle.promise().slot;
  if (!world.add_joiner(other, slot, 0)) return false;
  waited = true;
  world.begin_wait(slot);
  world.slots_[slot].joined = other;
  return true;
}

void WhenAwaiter::await_suspend(Process::Handle handle) {
  world = handle.promise().world;
  slot = handle.promise().slot;
  world->begin_wait(slot);
  world->add_condition(slot, 0, condition);
}

Timer::Timer(World& world, std::function<void()> action) : world_(world), slot_(world.new_slot()) {
  world_.slots_[slot_].state = World::State::kTimer;
  world_.slots_[slot_].priority = 0;
  world_.slots_[slot_].action = std::move(action);
}

Timer::~Timer() {
  world_.unschedule(slot_);
  world_.slots_[slot_].action = nullptr;
  world_.free_slot(slot_);
}

void Timer::set_after(double span) {
  world_.unschedule(slot_);
  World::check_span(span);
  world_.schedule(slot_, span);
}

void Timer::cancel() { world_.unschedule(slot_); }

void Event::fire() {
  woken_.swap(waiters_);
  for (const Waiter& waiter : woken_) world_.grant(waiter.slot, waiter.index);
  woken_.clear();
}

bool Event::take_or_enlist(const Waiter& waiter, int) {
  waiters_.push_back(waiter);
  return false;
}

void Event::withdraw(std::uint32_t slot, std::uint32_t index) {
  std::erase_if(waiters_,
                [&](const Waiter& waiter) { return waiter.slot == slot && waiter.index == index; });
}

}  // namespace arges::process
