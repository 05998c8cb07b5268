#pragma once
// The values of one run. The model is const; everything that changes is here, so that runs can be
// copied, compared, restarted, and done in parallel on one model.

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "arges/base/ids.h"

namespace arges {

class Interrupt;

struct TimerState {
  double due = std::numeric_limits<double>::infinity();
  double first = 0;  // of the periodic series: due = first + count * period
  std::int64_t count = 0;
};

struct Context {
  double t = 0;
  ModeId mode{0};
  std::vector<double> x;  // of the mode: schema().modes[mode].states
  std::vector<double> p, u, z;
  std::vector<TimerState> timers;
  // Of each event, while the policy `stick` is at work: its condition is held on its root. Else
  // empty.
  std::vector<std::uint8_t> held;
  std::string solver;                    // the one that integrates now (SE-A changes it)
  const Interrupt* interrupt = nullptr;  // of the run that is on
};

// Where a model function is evaluated: a trial point of the solver, with the values that only
// events change. Indexing with a typed id makes a right-hand side read like its mathematics: at[y2]
// + at[c2] - at[y1].
struct Point {
  double t;
  const double* x;
  const double* p;
  const double* u;
  const double* z;
  ModeId mode;
  const Interrupt* interrupt = nullptr;  // for what may take long within one evaluation

  double operator[](StateId i) const { return x[i.index]; }
  double operator[](ParameterId i) const { return p[i.index]; }
  double operator[](InputId i) const { return u[i.index]; }
  double operator[](DiscreteId i) const { return z[i.index]; }
};

inline Point point_at(const Context& c) {
  return {c.t, c.x.data(), c.p.data(), c.u.data(), c.z.data(), c.mode, c.interrupt};
}

// Where a model function writes: rates[x] for derivatives, g[event] for conditions, y[output] for
// outputs.
template <class IdType>
class Slots {
 public:
  explicit Slots(double* values) : values_(values) {}
  double& operator[](IdType i) const { return values_[i.index]; }
  double* data() const { return values_; }

 private:
  double* values_;
};
using Rates = Slots<StateId>;
using Conditions = Slots<EventId>;
using Outputs = Slots<OutputId>;

}  // namespace arges
