#pragma once
// The automaton of test_automaton.h as an atomic model.

#include <cmath>
#include <cstdint>
#include <vector>

#include "arges/devs/atomic.h"
#include "arges/devs/test_automaton.h"

namespace arges::devs::testing {

inline double in_time(long ticks) {
  return ticks == kNever ? kInfinity : static_cast<double>(ticks) * kTick;
}
inline long in_ticks(double time) { return std::lround(time / kTick); }

class RandomAtomic : public Atomic<RandomAtomic> {
 public:
  using State = Automaton;
  In<int> in0{this, "in0"}, in1{this, "in1"};
  Out<int> out0{this, "out0"}, out1{this, "out1"};

  explicit RandomAtomic(std::uint64_t seed) : seed_(seed) {}
  State initial() const { return {seed_}; }
  double time_advance(const State& s) const { return in_time(s.time_advance()); }
  void output(const State& s, Output& y) const {
    for (const AutomatonMessage& m : s.output()) y.send(m.port == 0 ? out0 : out1, m.value);
  }
  void internal(State& s) const { s.internal(); }
  void external(State& s, double e, const Bag& x) const { s.external(in_ticks(e), bag(x)); }
  void confluent(State& s, const Bag& x) const { s.confluent(bag(x)); }

 private:
  std::vector<AutomatonMessage> bag(const Bag& x) const {
    std::vector<AutomatonMessage> all;
    for (const int value : x.on(in0)) all.push_back({0, value});
    for (const int value : x.on(in1)) all.push_back({1, value});
    return all;
  }
  std::uint64_t seed_;
};

}  // namespace arges::devs::testing
