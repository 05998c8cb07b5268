#pragma once
// Atomic models.

#include "arges/devs/model.h"
#include "arges/devs/router.h"

namespace arges::devs {

// An atomic model <X, Y, S, internal, external, confluent, output, time_advance>. The class derived
// from it, `D`, has a type `State` and defines the functions that it needs; all are const, and the
// state is theirs by reference:
//
//   class Processor : public Atomic<Processor> {
//    public:
//     struct State { bool busy = false; double left = kInfinity; Job job; };
//     In<Job> in{this, "in"};
//     Out<Job> out{this, "out"};
//
//     double time_advance(const State& s) const { return s.left; }
//     void output(const State& s, Output& y) const { y.send(out, s.job); }
//     void internal(State& s) const { s = {}; }
//     void external(State& s, double elapsed, const Bag& x) const {
//       s.left -= elapsed;
//       if (!s.busy) s = {true, 2.0, x.on(in).front()};
//     }
//   };
//
// What is not defined: initial() is State{}, time_advance infinity, output nothing, internal and
// external no change, confluent is internal followed by external with elapsed = 0. Beside these,
// `void record(const State&, StateRecorder&) const` names what results show (recorder.h).
// When each is called: docs/guide/discrete-events.md.
template <class D>
class Atomic : public Model {
 public:
  auto initial() const { return typename D::State{}; }
  template <class S>
  double time_advance(const S&) const {
    return kInfinity;
  }
  template <class S>
  void output(const S&, Output&) const {}
  template <class S>
  void internal(S&) const {}
  template <class S>
  void external(S&, double, const Bag&) const {}
  template <class S>
  void confluent(S& s, const Bag& x) const {
    self().internal(s);
    self().external(s, 0.0, x);
  }
  template <class S>
  void record(const S&, StateRecorder&) const {}

  bool has_behaviour() const final { return true; }
  StateLayout state_layout() const final {
    using State = typename D::State;
    return {sizeof(State), alignof(State), &typeid(State)};
  }
  void create_state(void* memory) const final {
    using State = typename D::State;
    ::new (memory) State(self().initial());
  }
  void destroy_state(void* state) const noexcept final {
    using State = typename D::State;
    static_cast<State*>(state)->~State();
  }
  double do_time_advance(const void* state) const final {
    return self().time_advance(*static_cast<const typename D::State*>(state));
  }
  void do_output(const void* state, Output& y) const final {
    self().output(*static_cast<const typename D::State*>(state), y);
  }
  double do_internal(void* state, Structure*) const final {
    auto& s = *static_cast<typename D::State*>(state);
    self().internal(s);
    return self().time_advance(std::as_const(s));
  }
  double do_external(void* state, double elapsed, const Bag& x, Structure*) const final {
    auto& s = *static_cast<typename D::State*>(state);
    self().external(s, elapsed, x);
    return self().time_advance(std::as_const(s));
  }
  double do_confluent(void* state, const Bag& x, Structure*) const final {
    auto& s = *static_cast<typename D::State*>(state);
    self().confluent(s, x);
    return self().time_advance(std::as_const(s));
  }
  void do_record(const void* state, StateRecorder& recorder) const final {
    self().record(*static_cast<const typename D::State*>(state), recorder);
  }

 protected:
  Atomic() = default;

 private:
  const D& self() const { return static_cast<const D&>(*this); }
};

}  // namespace arges::devs
