#pragma once
// DEVStone: synthetic coupled models whose numbers of events are known in closed form (Glinsky and
// Wainer 2005; HOmod: Risco-Martin et al. 2017). Width w, depth d, zero time advance, one input
// event.

#include <cstdint>
#include <memory>
#include <string>

#include "arges/devs/atomic.h"
#include "arges/devs/coupled.h"

namespace arges::bench {

enum class DevstoneKind { kLI, kHI, kHO, kHOmod };

const char* to_string(DevstoneKind kind);

// Receives, waits no time, sends.
class Stone : public devs::Atomic<Stone> {
 public:
  struct State {
    double sigma = devs::kInfinity;
    std::uint32_t received = 0, internals = 0, externals = 0;
  };
  devs::In<int> in{this, "in"};
  devs::Out<int> out{this, "out"};

  double time_advance(const State& s) const { return s.sigma; }
  void output(const State& s, devs::Output& y) const { y.send(out, static_cast<int>(s.received)); }
  void internal(State& s) const {
    ++s.internals;
    s.sigma = devs::kInfinity;
  }
  void external(State& s, double, const devs::Bag& x) const {
    ++s.externals;
    s.received += static_cast<std::uint32_t>(x.on(in).size());
    s.sigma = 0;
  }
};

class DevstoneLevel : public devs::Coupled {
 public:
  devs::In<int> in{this, "in"}, in2{this, "in2"};
  devs::Out<int> out{this, "out"}, out2{this, "out2"};

  DevstoneLevel(DevstoneKind kind, int width, int depth);

 private:
  void add_chain(DevstoneKind kind, int width);
  void add_triangle(const DevstoneLevel& inner, int width);
};

struct DevstoneCounts {
  std::int64_t atomics = 0, internal = 0, external = 0;
};

// The closed formulas.
DevstoneCounts devstone_formula(DevstoneKind kind, int width, int depth);

}  // namespace arges::bench
