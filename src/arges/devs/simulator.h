#pragma once
// The simulator of Parallel (and classic) DEVS.

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <typeinfo>
#include <vector>

#include "arges/base/run_status.h"
#include "arges/devs/arena.h"
#include "arges/devs/clock.h"
#include "arges/devs/event_queue.h"
#include "arges/devs/large_pages.h"
#include "arges/devs/network.h"
#include "arges/devs/observer.h"
#include "arges/devs/router.h"

namespace arges::devs {

enum class Semantics { kParallel, kClassic };

struct SimulatorOptions {
  double start_time = 0;
  Semantics semantics = Semantics::kParallel;
  QueueKind queue = QueueKind::kAdaptive;
  double coincidence_ulps = 4;  // due times that close are one instant; 0: only equal ones
  std::int64_t max_steps_per_instant = 1'000'000;
  // Set from outside to end the run with kCancelled.
  const std::atomic<bool>* cancel = nullptr;
};

struct SimulatorStatistics {
  std::int64_t steps = 0;
  std::int64_t internal = 0, external = 0, confluent = 0;  // transitions
  std::int64_t state = 0;                                  // transitions by state events
  std::int64_t messages = 0;                               // delivered
  std::int64_t structure_changes = 0;
};

// Runs one model. The algorithm (docs/guide/discrete-events.md has the semantics):
//
//   for each component: s = initial(), last = start, due = start + time_advance(s)
//   repeat
//     t = earliest due time;  imminent = those due within the coincidence of t, in order
//     for each imminent: output(s), messages go along flat routes into bags
//     for each imminent, then each other receiver: internal, confluent or external transition
//     for each executive concerned: the same, which may change the structure; routes are patched
//     for each of these: last = t, due = t + time_advance(s)
//   until t is after the end
//
// Due times of zero advance are a list of their own; others are in an EventQueue. In the steady
// state a step takes no memory.
//
// The model outlives the simulator. A run that failed cannot be continued.
class Simulator {
 public:
  explicit Simulator(const Model& model, const SimulatorOptions& options = {});
  ~Simulator();
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;

  enum class Boundary { kIncluded, kExcluded };
  // All that is due up to `end`; then the clock stands at `end`. kExcluded leaves what is due at
  // `end` itself: so a message injected then meets it in one step.
  RunStatus run_until(double end, Boundary boundary = Boundary::kIncluded);
  // One step; false when nothing is due any more.
  bool step();
  // A message into an input port of the root (or of a root that is atomic); it arrives in the next
  // step, at the present time.
  template <class T>
  void inject(const In<T>& port, const std::type_identity_t<T>& value) {
    MessageWord word;
    if constexpr (kFitsWord<T>) {
      std::memcpy(word.bytes, &value, sizeof value);
    } else {
      const T* kept = router_.payloads().keep(value);
      std::memcpy(word.bytes, &kept, sizeof kept);
    }
    inject_word(port, word);
  }

  double time() const { return clock_.t; }
  std::int64_t iteration() const { return iteration_; }  // n of (t, n)
  double next_time();                                    // of the next step; infinity
  const RunStatus& status() const { return status_; }
  SimulatorStatistics statistics() const;

  // The state of a component. Throws ApiError when it is not part of the model (any more).
  template <class M>
  const typename M::State& state(const M& model) const {
    return *static_cast<const typename M::State*>(state_of(model));
  }
  // The state of a component by its number, for Behaviour::record.
  const void* state_memory(std::uint32_t component) const { return components_[component].state; }
  bool contains(const Model& model) const { return network_.node_of(model) != kNone; }
  std::string path(std::uint32_t component) const { return network_.component_path(component); }
  const Network& network() const { return network_; }
  // All components that exist, in order.
  std::vector<std::uint32_t> components() const;

  // For the continuous parts of hybrid components (hybrid_devs::HybridSimulator).
  //
  // The clock goes on to `t`; nothing may be due before. What is due at `t` stays due.
  void advance_to(double t);
  // A transition at the present time that is neither internal nor external: `change` changes the
  // state and returns the time advance. A step of its own; false when it failed.
  bool state_transition(std::uint32_t component,
                        const std::function<double(const Model&, void*)>& change);
  const Model& model(std::uint32_t component) const { return *components_[component].model; }
  void* mutable_state(std::uint32_t component) { return components_[component].state; }
  Clock last_transition(std::uint32_t component) const { return components_[component].last; }
  std::span<const Route> routes(std::uint32_t component, std::uint16_t port) const {
    return router_.routes(components_[component].first_list + port);
  }

  // Told of steps, transitions, messages and changes of structure from now on; null: nobody.
  void set_observer(Observer* observer);

 private:
  friend class Structure;

  enum Flag : std::uint8_t { kImminent = 1, kQueued = 2, kNow = 4, kExecutive = 8, kSilent = 16 };
  static constexpr std::uint8_t kKind = kExecutive | kSilent;  // kSilent: has no output ports
  struct alignas(64) Component {
    const Behaviour* behaviour = nullptr;
    const Model* model = nullptr;  // null: the number is free
    void* state = nullptr;
    Clock last;  // of the last transition
    Clock due;   // while kQueued
    std::uint32_t first_list = 0;
    std::uint8_t flags = 0;
  };
  class MessageTrace;

  void inject_word(const Port& port, const MessageWord& word);
  const void* state_of(const Model& model) const;
  void create_all();  // of created_
  double create_state(std::uint32_t id);
  void take_back_created() noexcept;
  void destroy(std::uint32_t id) noexcept;
  bool gather(double end);
  void stand_at(double t);
  bool take_step(double end);
  void prefetch(std::span<const std::uint32_t> ids, std::size_t at) const;
  template <bool kObserved>
  void parallel_step();
  bool is_lonely(const Component& c) const;
  void lonely_step(std::uint32_t id);
  void classic_step();
  void receive_one_by_one(std::uint32_t id);
  void classic_transition(std::uint32_t id, const Bag* x);
  void tell_queue_of_components();
  void run_executives();
  void sort_executives();  // inner models first
  template <class F>
  bool guard(RunReason reason, const F& f);
  double coincidence_of(double t) const {
    return end_of_coincidence(t, options_.coincidence_ulps, options_.start_time);
  }
  void schedule(std::uint32_t id, double advance);
  void schedule_unqueued(Component& c, std::uint32_t id, double advance);
  void unschedule(std::uint32_t id);
  double due_time(const Component& c) const {
    return c.flags & kQueued ? c.due.t : c.flags & kNow ? clock_.t : kInfinity;
  }
  void sort_by_order(std::vector<std::uint32_t>& ids) const;
  void sort_many(std::vector<std::uint32_t>& ids) const;
  void count_iteration(double t);
  [[noreturn]] void bad_time_advance(std::uint32_t id, double advance);
  RunStatus failure(RunReason reason, const std::string& what) const;
  void report(std::uint32_t id, Transition kind, double elapsed);

  SimulatorOptions options_;
  Router router_;
  std::vector<std::uint32_t> created_;
  std::vector<double> advances_;  // of create_all()
  Network network_;
  Arena states_;
  std::vector<Component, LargePageAllocator<Component>> components_;
  std::unique_ptr<EventQueue> queue_;
  Clock clock_;
  std::int64_t iteration_ = -1;
  double iteration_time_ = 0;
  std::vector<std::uint32_t> imminent_, now_, executives_;
  mutable std::vector<std::uint64_t> marks_;  // of sort_many()
  std::uint32_t active_ = kNone;              // for messages about failures
  std::exception_ptr failed_by_;              // what the component threw that was last taken back,
  std::string failed_component_;              // and its path
  SimulatorStatistics statistics_;
  RunStatus status_;
  bool failed_ = false;
  bool structure_changed_ = false;
  Observer* observer_ = nullptr;
  std::unique_ptr<MessageTrace> message_trace_;
};

}  // namespace arges::devs
