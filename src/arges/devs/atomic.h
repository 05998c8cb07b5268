#pragma once
// Atomic models.

#include "arges/devs/behaviour.h"
#include "arges/devs/state_recorder.h"

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
// `void record(const State&, StateRecorder&) const` names what results show (state_recorder.h).
// When each is called: docs/guide/discrete-events.md.
template <class D>
class Atomic : public Behaving<D, Model> {
 protected:
  Atomic() = default;
};

}  // namespace arges::devs
