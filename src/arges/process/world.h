#pragma once
// The world of processes: clock, schedule, and who waits for what.

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "arges/base/run_status.h"
#include "arges/devs/adaptive_queue.h"
#include "arges/devs/arena.h"
#include "arges/devs/clock.h"
#include "arges/process/observer.h"
#include "arges/process/process.h"

namespace arges::process {

// Something a process can wait for. A *waiter* is (process, index): the index tells which of
// several things a process waits for at once has come.
struct Waiter {
  std::uint32_t slot;
  std::uint32_t index;
  double amount;
};

class ManyAwaiter;  // any_all.h

class Waitable {
 public:
  explicit Waitable(World& world, std::string name) : world_(world), name_(std::move(name)) {}
  Waitable(const Waitable&) = delete;
  Waitable& operator=(const Waitable&) = delete;
  virtual ~Waitable() = default;

  virtual const std::string& name() const { return name_; }
  World& world() const { return world_; }

  // Throws ApiError unless so much can be asked for.
  virtual void check_amount(double /*amount*/) const {}
  // True: it is there at once. False: the waiter is enlisted, and World::grant will be called.
  // Throws as check_amount.
  virtual bool take_or_enlist(const Waiter& waiter, int priority) = 0;
  // The waiter (process, index) no longer waits here. Hands nothing to anybody: those behind it,
  // who may go on now, are told of by World::serve_later.
  virtual void withdraw(std::uint32_t slot, std::uint32_t index) = 0;
  // Hands over what there is to those who wait.
  virtual void serve_line() {}
  // For things that are there and are not taken by waiting (World::call): the waiter has its turn.
  // True: it is still there, and the waiter has been struck off the list.
  virtual bool is_still_there(std::uint32_t, std::uint32_t) { return true; }

 protected:
  World& world_;

 private:
  std::string name_;
};

// One alternative of any_of and all_of: a time span, or something to wait for.
struct WaitFor {
  explicit WaitFor(Waitable& thing) : what(&thing) {}
  WaitFor(Waitable& thing, double amount_wanted) : what(&thing), amount(amount_wanted) {}
  explicit WaitFor(double span) : delay(span) {}
  Waitable* what = nullptr;
  double amount = 1;
  double delay = 0;
};
inline WaitFor after(double span) { return WaitFor(span); }

// A callback at a time; its owner moves it and it is gone with its owner. One that is moved or
// cancelled at its time, before its turn, does nothing then.
class Timer {
 public:
  Timer(World& world, std::function<void()> action);
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;
  void set_after(double span);
  void cancel();

 private:
  World& world_;
  std::uint32_t slot_;
};

// Runs processes. At one time t, in this order:
//
//   due = the processes whose delay ends at t (within 4 units in the last place, as in
//         docs/guide/discrete-events.md), by (priority, order in which the delays began)
//   ready = due      (a delay in any_of or all_of counts when its turn has come: not, if something
//                     else has woken the process before, at the same time)
//   while ready is not empty
//     run the first of ready, until it waits again or ends; what it wakes or starts is put into
//       ready behind all of the same or a smaller priority number
//     look at the conditions that processes wait for (when), by (priority, order of waiting): those
//       who see theirs hold are put into ready likewise; when their turn comes, it is looked at
//       again, and who does not see it hold any more goes on waiting (so with a store or a conveyor
//       that is waited for, when another has taken the thing)
//
// A process that does not have to wait (a free resource) goes on at once. One that waits no more
// (it has come by another thing, its time is up, it is interrupted) leaves all lines first, and
// then these are served, in the order in which they were left: nothing is handed to who is on the
// way out. Names and addresses play no part in the order. In the steady state nothing takes memory
// but what processes take themselves.
//
// A process that waits for something that cannot wake it (another library's awaitable), and more
// than `max_activations` at one time, end the run with the name of a process.
class World {
 public:
  explicit World(double start_time = 0, std::int64_t max_activations = 10'000'000);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  double now() const { return clock_.t; }

  struct Options {
    int priority = 0;     // smaller goes first
    bool daemon = false;  // may wait for ever
  };
  // The process begins at the present time, after the one that starts it has come to wait.
  ProcessRef start(Process process, std::string_view name = "process") {
    return start(std::move(process), name, Options{});
  }
  ProcessRef start(Process process, std::string_view name, Options options);
  bool is_alive(ProcessRef process) const;
  // Throws Interrupted out of its co_await, at the present time. False when it has ended or does
  // not wait.
  bool interrupt(ProcessRef process, std::string cause);
  // From now on, also for the conditions it waits for; a place in a line stays as it is.
  void set_priority(ProcessRef process, int priority);
  ProcessRef current() const;
  std::size_t alive() const { return alive_; }

  // All that happens up to `end`; then the clock stands there. When nothing is left to happen at
  // all, processes that still wait are reported as by run(), unless one waits for a condition,
  // which may be changed from outside. After that the world may go on: somebody may wake them.
  RunStatus run_until(double end);
  // Until nothing is left to happen. Processes that still wait then, and are no daemons, are an
  // error: evaluation_failed, with the names of the processes and of what they wait for.
  RunStatus run();
  std::int64_t resumptions() const { return resumptions_; }
  double next_time();  // of the next thing that happens; infinity

  // Told of each activation from now on; null: nobody.
  void set_observer(Observer* observer) { observer_ = observer; }

  // For awaiters and things to wait for.
  void grant(std::uint32_t slot, std::uint32_t index);
  // It is there, for all who wait: the process has a turn, in which is_still_there() is asked.
  void call(std::uint32_t slot, std::uint32_t index) { enqueue(slot, Turn::kLook, index); }
  // As interrupt(); the process has lost what it held of a thing. The lines it leaves are served by
  // the next serve_lines_left().
  void take_away(ProcessRef process, std::string cause, const Waitable& thing);
  // The line of that thing has changed: it is served at the next serve_lines_left().
  void serve_later(Waitable& thing) { left_.push_back(&thing); }
  // Serves the lines that were left, and those left by whom that serves. Not while a process asks
  // for several things: then they wait until it has asked for all.
  void serve_lines_left() {
    if (!left_.empty() && !deferring_) [[unlikely]]
      serve_all_left();
  }
  // The line of that thing, and those left by whom that serves.
  template <class Thing>
  void serve(Thing& thing) {
    if (deferring_) [[unlikely]]
      return serve_later(thing);
    thing.serve_line();
    serve_lines_left();
  }
  void wait_for(std::uint32_t slot, Waitable& thing) {
    begin_wait(slot);
    slots_[slot].source = &thing;
  }
  void end_wait_of(std::uint32_t slot) { end_wait(slot); }  // throws Interrupted
  // Throws ApiError unless a process of this world may wait for that thing.
  void check_own(const Waitable& thing) const { check_same(thing.world(), thing.name()); }
  bool is_waiting(ProcessRef process) const {
    return is_alive(process) && slots_[process.slot].state == State::kWaiting;
  }
  int priority_of(std::uint32_t slot) const { return slots_[slot].priority; }
  ProcessRef reference(std::uint32_t slot) const { return {slot, slots_[slot].generation}; }
  std::string describe(std::uint32_t slot) const;  // its name and number

 private:
  friend class Timer;
  friend struct DelayAwaiter;
  friend struct WaitAwaiter;
  friend class ManyAwaiter;
  friend struct JoinAwaiter;
  friend struct WhenAwaiter;
  friend devs::Arena& frame_memory::arena_of(World& world);

  enum class State : std::uint8_t { kFree, kReady, kRunning, kWaiting, kTimer };
  static constexpr std::uint32_t kNoIndex = 0xffffffff;
  struct Joiner {
    std::uint32_t slot, index;
    friend bool operator==(const Joiner&, const Joiner&) = default;
  };
  struct Slot {  // what every wait touches stands first
    Process::Handle handle = nullptr;
    devs::Clock due;
    std::uint64_t sequence = 0;
    Waitable* source = nullptr;  // when it waits for one thing
    double waiting_since = 0;
    std::uint32_t generation = 0;
    int priority = 0;
    std::uint32_t waits = 0;  // how often it has begun to wait; of a timer: was set or cancelled
    State state = State::kFree;
    bool queued = false, daemon = false, interrupted = false, checks_condition = false;
    std::uint32_t name = 0;
    ManyAwaiter* many = nullptr;    // when it waits for several
    ProcessRef joined;              // whose end it waits for
    std::vector<Joiner> joiners;    // who wait for its end
    std::vector<std::size_t> came;  // of several, when it was interrupted
    std::string cause;
    double remaining = 0;
    std::function<void()> action;  // of a timer
  };
  // kTime: a delay among several things has ended; kCondition: one held; kLook: something is there.
  enum class Turn : std::uint8_t { kRun, kTime, kCondition, kLook };
  struct Ready {
    int priority;
    std::uint32_t slot, generation, waits;
    std::uint32_t index;  // of the condition, or of what to look at
    Turn turn;
  };
  struct Condition {
    std::uint32_t slot, index;
    std::uint64_t order;  // in which they came
    const std::function<bool()>* holds;
    bool called;  // has a turn
  };

  std::uint32_t new_slot();
  void free_slot(std::uint32_t slot);
  // Behind all of the same or a smaller number.
  void make_ready(std::uint32_t id) {
    slots_[id].state = State::kReady;
    enqueue(id);
  }
  void enqueue(std::uint32_t id, Turn turn = Turn::kRun, std::uint32_t index = 0) {
    const Slot& slot = slots_[id];
    ready_.push_back({slot.priority, id, slot.generation, slot.waits, index, turn});
    const std::size_t last = ready_.size() - 1;
    if (last > ready_begin_ && ready_[last - 1].priority > slot.priority) move_forward(last);
  }
  void move_forward(std::size_t at);
  static void check_span(double span) {
    if (!(span >= 0)) bad_span(span);
  }
  [[noreturn]] static void bad_span(double span);
  void check_same(const World& other, const std::string& thing) const {
    if (&other != this) [[unlikely]]
      another_world(thing);
  }
  [[noreturn]] static void another_world(const std::string& thing);
  void schedule(std::uint32_t id, double span) {
    const devs::Clock due = clock_ + span;
    if (!(due.t < devs::kInfinity)) return;  // never
    Slot& slot = slots_[id];
    slot.sequence = sequence_++;
    slot.due = due;
    slot.queued = true;
    queue_.insert(id, due.t);
  }
  void schedule_at(std::uint32_t slot, devs::Clock due, std::uint64_t sequence);
  void unschedule(std::uint32_t slot);
  void stop_waiting(std::uint32_t slot);
  void serve_all_left();
  double remaining_delay(std::uint32_t slot) const;
  void begin_wait(std::uint32_t id) {
    Slot& slot = slots_[id];
    slot.state = State::kWaiting;
    ++slot.waits;
    slot.waiting_since = clock_.t;
  }
  void end_wait(std::uint32_t id) {
    if (slots_[id].interrupted) [[unlikely]]
      throw_interrupted(id);
  }
  [[noreturn]] void throw_interrupted(std::uint32_t id);
  // The process waits for several things, and need not.
  void go_on_running(std::uint32_t slot);
  void add_condition(std::uint32_t slot, std::uint32_t index, const std::function<bool()>& holds);
  void remove_condition(std::uint32_t slot, std::uint32_t index);
  void sort_conditions();
  // Throws ApiError when it is the process itself, whose end it would wait for.
  void check_other(ProcessRef process, std::uint32_t slot) const;
  // False when the process has ended.
  bool add_joiner(ProcessRef process, std::uint32_t slot, std::uint32_t index);
  void remove_joiner(ProcessRef process, std::uint32_t slot, std::uint32_t index);
  void take_other_turn(const Ready& turn);
  bool sees_it_hold(const Ready& turn);
  bool finds_it(const Ready& turn);
  bool advance(double end);
  void count_activation(std::uint32_t slot) {
    if (++activations_at_instant_ > max_activations_) [[unlikely]]
      too_many_activations(slot);
  }
  [[noreturn]] void too_many_activations(std::uint32_t slot) const;
  bool ends_now(std::uint32_t slot) const;  // its delay in the schedule
  void end_delay(std::uint32_t slot);
  void wake_joiners(std::uint32_t slot);
  void run_ready();
  void resume(std::uint32_t slot);
  ActivationEvent::Kind kind_of_activation(std::uint32_t slot) const;
  void report(std::uint32_t slot, ActivationEvent::Kind kind, bool ended);
  void finish(std::uint32_t slot);
  void check_conditions();
  RunStatus run_events(double end);
  RunStatus failure(RunReason reason, const std::string& component, const std::string& what) const;
  RunStatus those_who_wait() const;
  std::string what_it_waits_for(std::uint32_t slot) const;
  bool interrupt(ProcessRef process, std::string cause, const Waitable* lost);

  devs::Arena frames_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_slots_;
  devs::AdaptiveQueue queue_;
  double start_;
  devs::Clock clock_;
  std::uint64_t sequence_ = 0;
  std::vector<Ready> ready_;  // a queue from ready_begin_ on, sorted by priority
  std::size_t ready_begin_ = 0;
  std::vector<std::uint32_t> due_;
  std::vector<Condition> conditions_;  // by (priority, order in which they came)
  std::uint32_t current_ = kNoIndex;
  std::size_t alive_ = 0;
  std::int64_t resumptions_ = 0;
  std::int64_t activations_at_instant_ = 0, max_activations_;
  std::vector<std::string> names_;
  std::uint32_t last_name_ = 0;
  std::unordered_map<std::string, std::uint32_t> name_numbers_;  // looked up, never iterated
  Observer* observer_ = nullptr;
  double observed_time_ = 0;  // of the last activation that was reported
  std::int64_t observed_count_ = -1;
  std::vector<Waitable*> left_;  // lines to be served
  bool deferring_ = false;       // somebody is still asking, or they are being served
  bool failed_ = false;
  RunStatus status_;
};

// co_await delay(2.5): the process goes on that much later. A negative or NaN time is an ApiError.
struct DelayAwaiter {
  double span;
  World* world = nullptr;
  std::uint32_t slot = 0;
  bool await_ready() const noexcept { return false; }
  void await_suspend(Process::Handle handle) {
    world = handle.promise().world;
    slot = handle.promise().slot;
    World::check_span(span);
    world->begin_wait(slot);
    world->schedule(slot, span);
  }
  void await_resume() { world->end_wait(slot); }
};
inline DelayAwaiter delay(double span) { return {span}; }

struct WaitAwaiter {
  Waitable& thing;
  double amount;
  int priority;
  bool use_own_priority;
  std::uint32_t slot = 0;
  bool waited = false;
  bool await_ready() const noexcept { return false; }
  bool await_suspend(Process::Handle handle);
  void await_resume() {
    if (waited) thing.world().end_wait(slot);
  }
};
// co_await thing, for anything that can be waited for and does not say itself how.
template <std::derived_from<Waitable> Thing>
requires(!requires(Thing & thing) { thing.await_ready(); }) WaitAwaiter operator co_await(
    Thing& thing) {
  return {thing, 1, 0, true};
}

// co_await end_of(process)
struct JoinAwaiter {
  World& world;
  ProcessRef other;
  std::uint32_t slot = 0;
  bool waited = false;
  bool await_ready() const noexcept { return false; }
  bool await_suspend(Process::Handle handle);
  void await_resume() {
    if (waited) world.end_wait(slot);
  }
};
inline JoinAwaiter end_of(World& world, ProcessRef other) { return {world, other}; }

// co_await when([&] { return level > 3; }): goes on as soon as it holds, looked at after each
// process that runs (time alone makes nobody look). Holds it already, the process goes on at once.
struct WhenAwaiter {
  std::function<bool()> condition;
  World* world = nullptr;
  std::uint32_t slot = 0;
  bool await_ready() const { return condition(); }
  void await_suspend(Process::Handle handle);
  void await_resume() {
    if (world != nullptr) world->end_wait(slot);
  }
};
inline WhenAwaiter when(std::function<bool()> condition) { return {std::move(condition)}; }

// A signal: fire() wakes all who wait for it now, in the order (priority, arrival).
class Event : public Waitable {
 public:
  using Waitable::Waitable;
  void fire();
  std::size_t waiting() const { return waiters_.size(); }

  bool take_or_enlist(const Waiter& waiter, int priority) override;
  void withdraw(std::uint32_t slot, std::uint32_t index) override;

 private:
  std::vector<Waiter> waiters_, woken_;
};

}  // namespace arges::process
