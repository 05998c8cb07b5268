#include "arges/devs/simulator.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/devs/cache.h"
#include "arges/devs/run_failure_internal.h"
#include "arges/devs/structure.h"

namespace arges::devs {

const char* to_string(Transition kind) {
  switch (kind) {
    case Transition::kInitial:
      return "initial";
    case Transition::kInternal:
      return "internal";
    case Transition::kExternal:
      return "external";
    case Transition::kConfluent:
      return "confluent";
    case Transition::kState:
      return "state";
  }
  return "";
}

// Passes messages on with the time.
class Simulator::MessageTrace final : public MessageListener {
 public:
  explicit MessageTrace(Simulator& simulator) : simulator_(simulator) {}
  void on_message(std::uint32_t from, std::uint16_t from_port, const Route& to,
                  const MessageWord& word) override {
    simulator_.observer_->on_message(simulator_, {simulator_.time(), simulator_.iteration_, from,
                                                  to.component, from_port, to.port, word});
  }

 private:
  Simulator& simulator_;
};

// What f() returns; false when the run has failed, which ends it.
template <class F>
bool Simulator::guard(RunReason reason, const F& f) {
  if (failed_) return false;
  try {
    return f();
  } catch (const RunFailure& end) {
    status_ = end.status;
  } catch (const std::exception& error) {
    status_ = failure(reason, error.what());
  } catch (...) {
    status_ = failure(reason, "an exception that is no std::exception");
  }
  failed_ = true;
  return false;
}

Simulator::Simulator(const Model& model, const SimulatorOptions& options)
    : options_(options),
      network_(model, router_, created_),
      queue_(make_event_queue(options.queue)),
      clock_{options.start_time, 0},
      iteration_time_(options.start_time) {
  if (!(std::isfinite(options.start_time))) throw ApiError("the start time must be finite");
  if (!(options.coincidence_ulps >= 0)) throw ApiError("coincidence_ulps must be 0 or more");
  components_.resize(network_.component_count());
  tell_queue_of_components();
  guard(RunReason::kInitialisationFailed, [&] {
    create_all();
    return true;
  });
  created_.clear();
}

Simulator::~Simulator() {
  for (std::uint32_t id = 0; id < components_.size(); ++id) destroy(id);
}

// All states first, which can fail, then their events.
void Simulator::create_all() {
  advances_.clear();
  for (const std::uint32_t id : created_) advances_.push_back(create_state(id));
  for (std::size_t i = 0; i < created_.size(); ++i) {
    schedule(created_[i], advances_[i]);
    if (observer_ != nullptr) report(created_[i], Transition::kInitial, 0);
  }
}

double Simulator::create_state(std::uint32_t id) {
  if (id >= components_.size()) {
    components_.resize(network_.component_count());
    tell_queue_of_components();
  }
  const Network::ComponentInfo& info = network_.component(id);
  const Model& model = network_.model(info.node);
  const Behaviour& behaviour = *model.behaviour();
  active_ = id;
  void* state = states_.allocate(behaviour.state_size, behaviour.state_alignment);
  try {
    behaviour.create(model, state);
  } catch (...) {
    states_.release(state, behaviour.state_size, behaviour.state_alignment);
    throw;
  }
  Component& c = components_[id];
  c = {};
  c.behaviour = &behaviour;
  c.model = &model;
  c.state = state;
  c.first_list = info.first_list;
  const bool executive = model.as_coupled() != nullptr;
  if (executive) c.flags |= kExecutive;
  if (model.ports(executive ? PortSide::kExecutiveOut : PortSide::kOut).empty()) c.flags |= kSilent;
  const double advance = behaviour.time_advance(model, state);
  if (!(advance >= 0)) bad_time_advance(id, advance);
  return advance;
}

// Those of created_, of which some have a state.
void Simulator::take_back_created() noexcept {
  failed_component_ = active_ == kNone ? "" : path(active_);
  failed_by_ = std::current_exception();
  for (const std::uint32_t id : created_) {
    if (id >= components_.size() || components_[id].model == nullptr) continue;
    unschedule(id);
    destroy(id);
  }
  created_.clear();
}

void Simulator::tell_queue_of_components() {
  queue_->set_objects({reinterpret_cast<const std::byte*>(components_.data()), sizeof(Component),
                       offsetof(Component, state)});
}

void Simulator::destroy(std::uint32_t id) noexcept {
  Component& c = components_[id];
  if (c.model == nullptr) return;
  c.behaviour->destroy(c.state);
  states_.release(c.state, c.behaviour->state_size, c.behaviour->state_alignment);
  c = {};
}

// For a component that is neither in the queue nor in the list.
inline void Simulator::schedule_unqueued(Component& c, std::uint32_t id, double advance) {
  c.last = clock_;
  if (advance == 0) {
    c.flags |= kNow;
    now_.push_back(id);
  } else if (advance > 0) {
    const Clock due = clock_ + advance;
    if (!(due.t < kInfinity)) return;
    c.due = due;
    c.flags |= kQueued;
    queue_->insert(id, due.t);
  } else {
    bad_time_advance(id, advance);
  }
}

void Simulator::schedule(std::uint32_t id, double advance) {
  Component& c = components_[id];
  if (c.flags & kQueued) {
    if (advance > 0 && advance < kInfinity) {  // moved, not taken out and put in
      const Clock due = clock_ + advance;
      if (due.t < kInfinity) {
        queue_->move(id, c.due.t, due.t);
        c.last = clock_;
        c.due = due;
        return;
      }
    }
    queue_->erase(id, c.due.t);
    c.flags = static_cast<std::uint8_t>(c.flags & ~kQueued);
  }
  schedule_unqueued(c, id, advance);
}

void Simulator::unschedule(std::uint32_t id) {
  Component& c = components_[id];
  if (c.flags & kQueued) queue_->erase(id, c.due.t);
  if (c.flags & kNow) now_.erase(std::find(now_.begin(), now_.end(), id));
  c.flags = static_cast<std::uint8_t>(c.flags & ~(kQueued | kNow));
}

void Simulator::bad_time_advance(std::uint32_t id, double advance) {
  active_ = id;
  const std::string what =
      fmt::format("the time advance is {}; it must be 0, positive or infinite", advance);
  throw RunFailure(
      failure(std::isnan(advance) ? RunReason::kNonFinite : RunReason::kEvaluationFailed, what),
      what);
}

RunStatus Simulator::failure(RunReason reason, const std::string& what) const {
  RunStatus status;
  status.reason = reason;
  status.time = clock_.t;
  if (failed_by_ != nullptr && failed_by_ == std::current_exception()) {
    status.component = failed_component_;
  } else if (active_ != kNone && network_.component(active_).node != kNone) {
    status.component = path(active_);
  }
  status.message =
      fmt::format("{}, t = {:.17g}: {}", status.component.empty() ? "the model" : status.component,
                  clock_.t, what);
  return status;
}

// Numbers that are all different, and not few of all there are: a bit for each, read in order.
void Simulator::sort_many(std::vector<std::uint32_t>& ids) const {
  marks_.resize(components_.size() / 64 + 1);  // all zero
  for (const std::uint32_t id : ids) marks_[id / 64] |= std::uint64_t{1} << (id % 64);
  std::size_t sorted = 0;
  for (std::size_t word = 0; sorted < ids.size(); ++word) {
    for (std::uint64_t bits = std::exchange(marks_[word], 0); bits != 0; bits &= bits - 1)
      ids[sorted++] = static_cast<std::uint32_t>(64 * word) + std::countr_zero(bits);
  }
}

void Simulator::sort_by_order(std::vector<std::uint32_t>& ids) const {
  if (network_.ordered_by_number()) {
    if (std::is_sorted(ids.begin(), ids.end())) return;
    if (ids.size() > components_.size() / 64) return sort_many(ids);
    return std::sort(ids.begin(), ids.end());
  }
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    return network_.component(a).order < network_.component(b).order;
  };
  if (!std::is_sorted(ids.begin(), ids.end(), before)) std::sort(ids.begin(), ids.end(), before);
}

bool Simulator::gather(double end) {
  const double first = queue_->min_time();
  imminent_.clear();
  if (!now_.empty() && clock_.t > end && router_.receivers().empty()) return false;
  if (!now_.empty() || !router_.receivers().empty()) {
    imminent_.swap(now_);
    const double last = coincidence_of(clock_.t);
    if (first <= last) queue_->pop_until(last, imminent_);
    // Flags stay until the transition, which knows that the component is due.
  } else {
    if (!(first <= end)) return false;
    queue_->pop_until(coincidence_of(first), imminent_);
    Clock earliest = components_[imminent_.front()].due;
    for (const std::uint32_t id : imminent_) {
      if (components_[id].due < earliest) earliest = components_[id].due;
    }
    if (clock_ < earliest) clock_ = earliest;  // it may have been moved to within the coincidence
  }
  if (imminent_.size() > 1) sort_by_order(imminent_);
  return true;
}

void Simulator::count_iteration(double t) {
  if (t != iteration_time_) {
    iteration_time_ = t;
    iteration_ = 0;
    return;
  }
  if (++iteration_ < options_.max_steps_per_instant) return;
  active_ = imminent_.empty() ? kNone : imminent_.front();
  throw RunFailure{failure(
      RunReason::kEventsDidNotSettle,
      fmt::format(
          "{} steps without progress of time. The model is not legitimate: look for a cycle "
          "of components with zero time advance (max_steps_per_instant is the limit)",
          iteration_))};
}

bool Simulator::take_step(double end) {
  if (!gather(end)) return false;
  count_iteration(clock_.t);
  ++statistics_.steps;
  if (imminent_.size() == 1 && is_lonely(components_[imminent_.front()])) {
    lonely_step(imminent_.front());
    return true;
  }
  if (options_.semantics == Semantics::kParallel) {
    if (observer_ == nullptr) {
      parallel_step<false>();
    } else {
      parallel_step<true>();
    }
  } else {
    classic_step();
  }
  router_.clear();
  if (structure_changed_) {
    network_.update_routes();
    network_.release_removed();
    structure_changed_ = false;
  }
  return true;
}

// Many components at a step are many cache misses, and it is known which come next.
inline void Simulator::prefetch(std::span<const std::uint32_t> ids, std::size_t at) const {
  if (at + 12 < ids.size()) fetch_into_cache(&components_[ids[at + 12]]);
  if (at + 6 < ids.size()) {
    const Component& c = components_[ids[at + 6]];
    fetch_into_cache(c.model);
    fetch_into_cache(c.state);
  }
}

template <bool kObserved>
void Simulator::parallel_step() {
  for (std::size_t i = 0; i < imminent_.size(); ++i) {
    prefetch(imminent_, i);
    const std::uint32_t id = imminent_[i];
    const Component& c = components_[id];
    if (c.flags & kSilent) continue;
    active_ = id;
    Output y(router_, *c.model, id, c.first_list);
    c.behaviour->output(*c.model, c.state, y);
  }
  std::int64_t internal = 0, confluent = 0, external = 0;
  for (std::size_t i = 0; i < imminent_.size(); ++i) {
    prefetch(imminent_, i);
    const std::uint32_t id = imminent_[i];
    Component& c = components_[id];
    if (c.flags & kExecutive) {
      c.flags = static_cast<std::uint8_t>((c.flags & kKind) | kImminent);
      executives_.push_back(id);
      continue;
    }
    c.flags &= kKind;
    active_ = id;
    const double elapsed = kObserved ? clock_ - c.last : 0;
    if (router_.has_bag(id)) {
      const Bag x = router_.take_bag(id, *c.model);
      schedule_unqueued(c, id, c.behaviour->confluent(*c.model, c.state, x, nullptr));
      ++confluent;
      if constexpr (kObserved) report(id, Transition::kConfluent, elapsed);
    } else {
      schedule_unqueued(c, id, c.behaviour->internal(*c.model, c.state, nullptr));
      ++internal;
      if constexpr (kObserved) report(id, Transition::kInternal, elapsed);
    }
  }
  const std::span<const std::uint32_t> receivers = router_.receivers();
  for (std::size_t i = 0; i < receivers.size(); ++i) {
    const std::uint32_t id = receivers[i];
    if (!router_.has_bag(id)) continue;  // it was imminent
    prefetch(receivers, i);
    const Component& c = components_[id];
    if (c.flags & kExecutive) {
      if (!(c.flags & kImminent)) executives_.push_back(id);
      continue;
    }
    active_ = id;
    const double elapsed = clock_ - c.last;
    const Bag x = router_.take_bag(id, *c.model);
    schedule(id, c.behaviour->external(*c.model, c.state, elapsed, x, nullptr));
    ++external;
    if constexpr (kObserved) report(id, Transition::kExternal, elapsed);
  }
  statistics_.internal += internal;
  statistics_.confluent += confluent;
  statistics_.external += external;
  if (!executives_.empty()) run_executives();
}

// A component without output ports, the only one that is due, without messages: the step is its
// internal transition.
inline bool Simulator::is_lonely(const Component& c) const {
  return (c.flags & kKind) == kSilent && observer_ == nullptr && router_.receivers().empty();
}

inline void Simulator::lonely_step(std::uint32_t id) {
  Component& c = components_[id];
  c.flags = kSilent;
  active_ = id;
  ++statistics_.internal;
  schedule_unqueued(c, id, c.behaviour->internal(*c.model, c.state, nullptr));
}

void Simulator::sort_executives() {
  std::sort(executives_.begin(), executives_.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Network::ComponentInfo &first = network_.component(a), &second = network_.component(b);
    const int depth_a = network_.depth(first.node), depth_b = network_.depth(second.node);
    return depth_a != depth_b ? depth_a > depth_b : first.order < second.order;
  });
}

void Simulator::run_executives() {
  sort_executives();
  for (const std::uint32_t id : executives_) {
    // A transition may add components and so move `components_`.
    const Component before = components_[id];
    active_ = id;
    const double elapsed = clock_ - before.last;
    Structure structure(*this, network_.component(id).node, id);
    const bool due = before.flags & kImminent, has_bag = router_.has_bag(id);
    components_[id].flags = static_cast<std::uint8_t>(before.flags & ~kImminent);
    double advance;
    Transition kind;
    if (due && !has_bag) {
      kind = Transition::kInternal;
      advance = before.behaviour->internal(*before.model, before.state, &structure);
      ++statistics_.internal;
    } else {
      const Bag x = router_.take_bag(id, *before.model);
      kind = due ? Transition::kConfluent : Transition::kExternal;
      if (due) {
        advance = before.behaviour->confluent(*before.model, before.state, x, &structure);
        ++statistics_.confluent;
      } else {
        advance = before.behaviour->external(*before.model, before.state, elapsed, x, &structure);
        ++statistics_.external;
      }
    }
    active_ = id;
    schedule(id, advance);
    if (observer_ != nullptr) report(id, kind, elapsed);
  }
  executives_.clear();
}

bool Simulator::step() {
  return guard(RunReason::kEvaluationFailed, [&] { return take_step(kInfinity); });
}

RunStatus Simulator::run_until(double end, Boundary boundary) {
  // The clock may stand where something was due that is simultaneous with `end`.
  if (!(coincidence_of(end) >= clock_.t)) {
    throw ApiError(fmt::format("run_until({}): the clock is at {} already", end, clock_.t));
  }
  if (failed_) return status_;
  const double width = coincidence_of(end) - end;
  const double last = boundary == Boundary::kIncluded || end == kInfinity
                          ? coincidence_of(end)
                          : std::nextafter(end - width, -kInfinity);
  const bool done = guard(RunReason::kEvaluationFailed, [&] {
    for (int count = 0; take_step(last); ++count) {
      if ((count & 0xff) == 0 && options_.cancel != nullptr && *options_.cancel) {
        active_ = kNone;
        status_ = failure(RunReason::kCancelled, "cancelled");
        return false;
      }
    }
    return true;
  });
  if (!done) return status_;
  if (clock_.t < end && end < kInfinity) stand_at(end);
  status_ = {};
  status_.time = clock_.t;
  return status_;
}

void Simulator::advance_to(double t) {
  const double due = next_time();
  if (!(coincidence_of(t) >= clock_.t) || due < t - (coincidence_of(t) - t)) {
    throw ApiError(fmt::format("advance_to({}): the clock is at {}, and something is due at {}", t,
                               clock_.t, due));
  }
  if (t > clock_.t) stand_at(t);
}

// The clock goes on to a time at which nothing has happened yet. The time of what is due then is
// the exact one of which `t` is the nearest double: to forget the rest each time would add up.
void Simulator::stand_at(double t) {
  clock_ = {t, 0};
  if (!(queue_->min_time() <= t)) return;
  imminent_.clear();
  queue_->pop_until(coincidence_of(t), imminent_);
  Clock earliest = components_[imminent_.front()].due;
  for (const std::uint32_t id : imminent_) {
    Component& c = components_[id];
    if (c.due < earliest) earliest = c.due;
    c.flags = static_cast<std::uint8_t>((c.flags & ~kQueued) | kNow);
    now_.push_back(id);
  }
  imminent_.clear();
  if (earliest.t == t) clock_ = earliest;
}

bool Simulator::state_transition(std::uint32_t component,
                                 const std::function<double(const Model&, void*)>& change) {
  return guard(RunReason::kEvaluationFailed, [&] {
    imminent_.assign(1, component);
    count_iteration(clock_.t);
    ++statistics_.steps;
    ++statistics_.state;
    const Component& c = components_[component];
    active_ = component;
    const double elapsed = clock_ - c.last;
    const double advance = change(*c.model, c.state);
    if (c.flags & kNow) unschedule(component);
    schedule(component, advance);
    if (observer_ != nullptr) report(component, Transition::kState, elapsed);
    return true;
  });
}

void Simulator::inject_word(const Port& port, const MessageWord& word) {
  if (network_.node_of(port.owner()) != Network::kRoot || !is_input(port.side())) {
    throw ApiError(
        fmt::format("{} is not an input of the whole model: messages from outside enter "
                    "there",
                    port.path()));
  }
  std::vector<Route> routes;
  network_.routes_from_outside(port, routes);
  for (const Route& route : routes) router_.deliver(route, word);
}

double Simulator::next_time() {
  if (!now_.empty() || !router_.receivers().empty()) return clock_.t;
  return queue_->min_time();
}

SimulatorStatistics Simulator::statistics() const {
  SimulatorStatistics result = statistics_;
  result.messages = router_.messages();
  return result;
}

const void* Simulator::state_of(const Model& model) const {
  const Network::NodeId node = network_.node_of(model);
  if (node == kNone || network_.component_of(node) == kNone) {
    throw ApiError(fmt::format("{} is not a component of this simulation", model.name()));
  }
  return components_[network_.component_of(node)].state;
}

std::vector<std::uint32_t> Simulator::components() const {
  std::vector<std::uint32_t> ids;
  for (std::uint32_t id = 0; id < components_.size(); ++id) {
    if (components_[id].model != nullptr) ids.push_back(id);
  }
  sort_by_order(ids);
  return ids;
}

void Simulator::set_observer(Observer* observer) {
  observer_ = observer;
  if (observer != nullptr && message_trace_ == nullptr) {
    message_trace_ = std::make_unique<MessageTrace>(*this);
  }
  router_.set_listener(observer != nullptr ? message_trace_.get() : nullptr);
}

void Simulator::report(std::uint32_t id, Transition kind, double elapsed) {
  const Component& c = components_[id];
  observer_->on_transition(
      *this, {clock_.t, iteration_, id, *c.model, c.state, kind, elapsed, due_time(c)});
}

}  // namespace arges::devs
