#pragma once
// Atomic models.

#include <memory>
#include <new>
#include <utility>

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
    self(*this).internal(s);
    self(*this).external(s, 0.0, x);
  }
  template <class S>
  void record(const S&, StateRecorder&) const {}

  const Behaviour* behaviour() const final {
    static constexpr Behaviour kBehaviour = {sizeof(typename D::State),
                                             alignof(typename D::State),
                                             create,
                                             destroy,
                                             advance_of,
                                             output_of,
                                             internal_of,
                                             external_of,
                                             confluent_of,
                                             record_of};
    return &kBehaviour;
  }

 protected:
  Atomic() = default;

 private:
  static const D& self(const Model& model) { return static_cast<const D&>(model); }
  static auto& state(void* memory) { return *static_cast<typename D::State*>(memory); }
  static const auto& state(const void* memory) {
    return *static_cast<const typename D::State*>(memory);
  }
  static void create(const Model& model, void* memory) {
    ::new (memory) typename D::State(self(model).initial());
  }
  static void destroy(void* memory) noexcept { std::destroy_at(&state(memory)); }
  static double advance_of(const Model& model, const void* memory) {
    return self(model).time_advance(state(memory));
  }
  static void output_of(const Model& model, const void* memory, Output& y) {
    self(model).output(state(memory), y);
  }
  static double internal_of(const Model& model, void* memory, Structure*) {
    self(model).internal(state(memory));
    return self(model).time_advance(std::as_const(state(memory)));
  }
  static double external_of(const Model& model, void* memory, double elapsed, const Bag& x,
                            Structure*) {
    self(model).external(state(memory), elapsed, x);
    return self(model).time_advance(std::as_const(state(memory)));
  }
  static double confluent_of(const Model& model, void* memory, const Bag& x, Structure*) {
    self(model).confluent(state(memory), x);
    return self(model).time_advance(std::as_const(state(memory)));
  }
  static void record_of(const Model& model, const void* memory, StateRecorder& recorder) {
    self(model).record(state(memory), recorder);
  }
};

}  // namespace arges::devs
