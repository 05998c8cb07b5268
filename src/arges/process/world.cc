#include "arges/process/world.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <stdexcept>

#include <fmt/format.h>

#include "arges/base/error.h"

namespace arges::process {

namespace {
constexpr double kCoincidence = 4;  // units in the last place
constexpr std::int64_t kMostAtAnInstant = 10'000'000;
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

World::World(double start_time)
    : queue_(devs::make_event_queue(devs::QueueKind::kAdaptive)), clock_{start_time, 0} {}

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
  // Names are few: the last ones are looked at first.
  slot.name = static_cast<std::uint32_t>(names_.size());
  for (std::size_t i = names_.size(); i-- > 0;) {
    if (names_[i] == name) {
      slot.name = static_cast<std::uint32_t>(i);
      break;
    }
  }
  if (slot.name == names_.size()) names_.emplace_back(name);
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

// Behind all of the same or a smaller number.
void World::make_ready(std::uint32_t id) {
  slots_[id].state = State::kReady;
  enqueue(id);
}

void World::enqueue(std::uint32_t id) {
  const Slot& slot = slots_[id];
  const Ready entry{slot.priority, id, slot.generation, slot.waits, slot.state};
  ready_.push_back(entry);
  std::size_t at = ready_.size() - 1;
  if (at == ready_begin_) return;
  for (; at > ready_begin_ && ready_[at - 1].priority > entry.priority; --at) {
    ready_[at] = ready_[at - 1];
  }
  ready_[at] = entry;
}

void World::schedule(std::uint32_t id, double span) {
  if (!(span >= 0)) {
    throw ApiError(
        fmt::format("a process cannot wait for a time of {}: it must be 0 or more", span));
  }
  Slot& slot = slots_[id];
  slot.sequence = sequence_++;
  if (span == devs::kInfinity) return;
  const devs::Clock due = clock_ + span;
  if (slot.queued) {
    queue_->move(id, slot.due.t, due.t);
  } else {
    queue_->insert(id, due.t);
  }
  slot.due = due;
  slot.queued = true;
}

void World::unschedule(std::uint32_t id) {
  if (!slots_[id].queued) return;
  queue_->erase(id, slots_[id].due.t);
  slots_[id].queued = false;
}

void World::begin_wait(std::uint32_t id) {
  Slot& slot = slots_[id];
  slot.state = State::kWaiting;
  ++slot.waits;
  slot.waiting_since = clock_.t;
  slot.result = 0;
}

void World::end_wait(std::uint32_t id) {
  Slot& slot = slots_[id];
  if (!slot.interrupted) return;
  slot.interrupted = false;
  throw Interrupted(std::move(slot.cause), slot.remaining);
}

// Out of all lists.
void World::stop_waiting(std::uint32_t id) {
  unschedule(id);
  Slot& slot = slots_[id];
  if (slot.source != nullptr) std::exchange(slot.source, nullptr)->withdraw(id);
  for (Waitable* source : slot.sources) {
    if (source != nullptr) source->withdraw(id);
  }
  slot.sources.clear();
  if (slot.joined) {
    for (Slot& other : slots_) std::erase(other.joiners, id);
    slot.joined = false;
  }
  if (slot.checks_condition) {
    std::erase(conditions_, id);
    slot.checks_condition = false;
  }
}

void World::grant(std::uint32_t id, std::uint32_t index) {
  Slot& slot = slots_[id];
  if (slot.state != State::kWaiting) return;  // something else has come at the same time
  if (slot.source != nullptr) {
    slot.source = nullptr;
  } else {
    if (index < slot.sources.size()) slot.sources[index] = nullptr;
    if (slot.missing > 1) {
      --slot.missing;
      return;
    }
    stop_waiting(id);
  }
  slot.result = index;
  make_ready(id);
}

bool World::interrupt(ProcessRef process, std::string cause) {
  if (!is_alive(process) || process.slot == current_) return false;
  Slot& slot = slots_[process.slot];
  if (slot.state != State::kWaiting) return false;
  slot.remaining = slot.queued ? slot.due - clock_ : 0;
  stop_waiting(process.slot);
  slot.interrupted = true;
  slot.cause = std::move(cause);
  make_ready(process.slot);
  return true;
}

inline bool World::advance(double end) {
  const double first = queue_->min_time();
  if (!(first <= end) || first == devs::kInfinity) return false;
  due_.clear();
  queue_->pop_until(devs::end_of_coincidence(first, kCoincidence), due_);
  if (due_.size() == 1) {
    Slot& slot = slots_[due_.front()];
    slot.queued = false;
    if (clock_.t != slot.due.t) resumptions_at_instant_ = 0;
    clock_ = slot.due;
    if (slot.state == State::kWaiting && slot.sources.empty()) {  // nobody else is ready
      ++resumptions_at_instant_;
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
  if (clock_.t != earliest.t) resumptions_at_instant_ = 0;
  clock_ = earliest;
  std::sort(due_.begin(), due_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return slots_[a].sequence < slots_[b].sequence;
  });
  for (const std::uint32_t id : due_) end_delay(id);
  return true;
}

inline void World::end_delay(std::uint32_t id) {
  const Slot& slot = slots_[id];
  if (slot.state != State::kTimer && slot.sources.empty()) {
    make_ready(id);
  } else {
    enqueue(id);  // a timer; or one of several things, which counts when its turn has come
  }
}

void World::run_ready() {
  while (ready_begin_ < ready_.size()) {
    const Ready next = ready_[ready_begin_++];
    if (ready_begin_ == ready_.size()) {
      ready_.clear();
      ready_begin_ = 0;
    }
    const Slot& slot = slots_[next.slot];
    if (slot.generation != next.generation) continue;
    if (++resumptions_at_instant_ > kMostAtAnInstant) {
      throw std::runtime_error("too many processes run without progress of time");
    }
    if (next.state == State::kWaiting) {
      if (slot.state == State::kWaiting && slot.waits == next.waits) {
        grant(next.slot, slot.timer_index);
      }
    } else if (slot.state == State::kTimer) {
      const std::function<void()> action = slot.action;  // it may end its own timer
      action();
    } else {
      resume(next.slot);
    }
    if (!conditions_.empty()) check_conditions();
  }
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
  if (ended) finish(id);
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

double World::next_time() { return ready_.empty() ? queue_->min_time() : clock_.t; }

void World::finish(std::uint32_t id) {
  Slot& slot = slots_[id];
  const Process::Handle handle = std::exchange(slot.handle, nullptr);
  const std::exception_ptr error = handle.promise().error;
  handle.destroy();
  --alive_;
  if (!slot.joiners.empty()) wake_joiners(id);
  if (error != nullptr) std::rethrow_exception(error);
  free_slot(id);
}

void World::wake_joiners(std::uint32_t id) {
  for (const std::uint32_t other : slots_[id].joiners) {
    slots_[other].joined = false;
    make_ready(other);
  }
  slots_[id].joiners.clear();
}

void World::check_conditions() {
  for (std::size_t i = 0; i < conditions_.size();) {
    const std::uint32_t id = conditions_[i];
    if ((*slots_[id].condition)()) {
      conditions_.erase(conditions_.begin() + static_cast<std::ptrdiff_t>(i));
      slots_[id].checks_condition = false;
      make_ready(id);
    } else {
      ++i;
    }
  }
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
    do {
      run_ready();
    } while (advance(end));
  } catch (const std::exception& error) {
    const std::string who = current_ == kNoIndex ? "" : describe(current_);
    current_ = kNoIndex;
    failed_ = true;
    return status_ = failure(RunReason::kEvaluationFailed, who, error.what());
  }
  status_ = {};
  status_.time = clock_.t;
  return status_;
}

RunStatus World::run_until(double end) {
  if (std::isnan(end) || end < clock_.t) {
    throw ApiError(fmt::format("run_until({}): the clock is at {} already", end, clock_.t));
  }
  RunStatus status = run_events(devs::end_of_coincidence(end, kCoincidence));
  if (status.ok() && clock_.t < end && end < devs::kInfinity) {
    clock_ = {end, 0};
    status.time = end;
  }
  return status;
}

RunStatus World::run() {
  RunStatus status = run_events(devs::kInfinity);
  if (!status.ok()) return status;
  std::string waiting, first;
  int count = 0;
  for (std::uint32_t id = 0; id < slots_.size(); ++id) {
    const Slot& slot = slots_[id];
    if (slot.state != State::kWaiting || slot.daemon) continue;
    if (++count > 5) continue;
    std::string what = slot.source != nullptr  ? slot.source->name()
                       : slot.checks_condition ? "a condition"
                       : slot.joined           ? "the end of a process"
                       : !slot.sources.empty() ? "one of several things"
                                               : "ever";
    if (first.empty()) first = describe(id);
    waiting += fmt::format("{}{} waits for {} since t = {}", count > 1 ? "; " : "", describe(id),
                           what, slot.waiting_since);
  }
  if (count == 0) return status;
  if (count > 5) waiting += fmt::format("; and {} more", count - 5);
  failed_ = true;
  return status_ = failure(RunReason::kEvaluationFailed, first,
                           "no event is left, and " + waiting +
                               ". Processes that may wait for ever are started as daemons");
}

bool WaitAwaiter::await_suspend(Process::Handle handle) {
  World& world = thing.world();
  if (handle.promise().world != &world) {
    throw ApiError("a process waits for " + thing.name() + ", which belongs to another world");
  }
  slot = handle.promise().slot;
  const int own = use_own_priority ? world.priority_of(slot) : priority;
  if (thing.take_or_enlist({slot, 0, amount}, own)) return false;
  waited = true;
  world.begin_wait(slot);
  world.slots_[slot].source = &thing;
  return true;
}

WaitAwaiter operator co_await(Waitable& thing) { return {thing, 1, 0, true}; }

bool ManyAwaiter::await_suspend(Process::Handle handle) {
  world = handle.promise().world;
  slot = handle.promise().slot;
  World::Slot& own = world->slots_[slot];
  own.sources.assign(things.size(), nullptr);
  own.missing = 0;
  world->begin_wait(slot);
  double span = all ? -1 : devs::kInfinity;
  std::uint32_t timer = World::kNoIndex;
  for (std::size_t i = 0; i < things.size(); ++i) {
    const WaitFor& thing = things[i];
    if (thing.what == nullptr) {
      if (!(thing.delay >= 0)) throw ApiError("a process cannot wait for a negative time");
      if (all ? thing.delay > span : thing.delay < span) {
        span = thing.delay;
        timer = static_cast<std::uint32_t>(i);
      }
      continue;
    }
    if (thing.what->take_or_enlist({slot, static_cast<std::uint32_t>(i), thing.amount},
                                   own.priority)) {
      if (all) continue;
      world->stop_waiting(slot);
      own.state = World::State::kRunning;
      at_once = i;
      return false;
    }
    own.sources[i] = thing.what;
    ++own.missing;
  }
  if (timer != World::kNoIndex) ++own.missing;
  if (own.missing == 0) {
    own.sources.clear();
    own.state = World::State::kRunning;
    return false;
  }
  waited = true;
  if (!all) own.missing = 1;
  if (timer != World::kNoIndex) {
    own.timer_index = timer;
    world->schedule(slot, span);
  }
  return true;
}

std::size_t ManyAwaiter::await_resume() {
  if (!waited) return at_once;
  world->end_wait(slot);
  return world->slots_[slot].result;
}

void JoinAwaiter::await_suspend(Process::Handle handle) {
  slot = handle.promise().slot;
  if (other.slot == slot) throw ApiError("a process cannot wait for its own end");
  waited = true;
  world.begin_wait(slot);
  world.slots_[slot].joined = true;
  world.slots_[other.slot].joiners.push_back(slot);
}

void WhenAwaiter::await_suspend(Process::Handle handle) {
  world = handle.promise().world;
  slot = handle.promise().slot;
  world->begin_wait(slot);
  World::Slot& own = world->slots_[slot];
  own.condition = &condition;
  own.checks_condition = true;
  const auto behind =
      std::find_if(world->conditions_.begin(), world->conditions_.end(),
                   [&](std::uint32_t id) { return world->slots_[id].priority > own.priority; });
  world->conditions_.insert(behind, slot);
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

void Event::withdraw(std::uint32_t slot) {
  std::erase_if(waiters_, [&](const Waiter& waiter) { return waiter.slot == slot; });
}

}  // namespace arges::process
