#pragma once
// The integrator of a piecewise constant rate, as a DEVS model (Table A.1 of Muzy et al.).

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "arges/devs/atomic.h"
#include "arges/devs/simulator.h"
#include "arges/driver/discrete_model.h"

namespace arges::argesim::a1 {

// Sends given values at given times.
class Schedule : public devs::Atomic<Schedule> {
 public:
  struct Entry {
    double time, value;
  };
  struct State {
    std::size_t next = 0;
    double sigma = devs::kInfinity;
  };
  devs::Out<double> out{this, "out"};

  explicit Schedule(std::vector<Entry> entries) : entries_(std::move(entries)) {}
  State initial() const { return {0, entries_.empty() ? devs::kInfinity : entries_[0].time}; }
  double time_advance(const State& s) const { return s.sigma; }
  void output(const State& s, devs::Output& y) const { y.send(out, entries_[s.next].value); }
  void internal(State& s) const {
    const double now = entries_[s.next].time;
    s.sigma = ++s.next < entries_.size() ? entries_[s.next].time - now : devs::kInfinity;
  }

 private:
  std::vector<Entry> entries_;
};

// q' = rate, told whenever q has moved by `resolution`:
//   internal  (q + s q', q', D/|q'|),  external  (q + e q', x, 0),  confluent  (q + s q', x, D/|x|)
class Integrator : public devs::Atomic<Integrator> {
 public:
  struct State {
    double q = 0, rate = 0, sigma = devs::kInfinity;
  };
  devs::In<double> rate{this, "rate"};
  devs::Out<double> out{this, "out"};

  explicit Integrator(double resolution) : resolution_(resolution) {}
  double time_advance(const State& s) const { return s.sigma; }
  void output(const State& s, devs::Output& y) const { y.send(out, s.q + s.sigma * s.rate); }
  void internal(State& s) const { s = {s.q + s.sigma * s.rate, s.rate, span(s.rate)}; }
  void external(State& s, double elapsed, const devs::Bag& x) const {
    s = {s.q + elapsed * s.rate, x.on(rate).front(), 0};
  }
  void confluent(State& s, const devs::Bag& x) const {
    const double next = x.on(rate).front();
    s = {s.q + s.sigma * s.rate, next, span(next)};
  }
  void record(const State& s, devs::StateRecorder& r) const {
    r.value("q", s.q, "", "integral of the rate");
    r.value("rate", s.rate);
    r.value("sigma", s.sigma, "s", "time until the next output");
  }

 private:
  double span(double of_rate) const {
    return of_rate == 0 ? devs::kInfinity : resolution_ / std::abs(of_rate);
  }
  double resolution_;
};

class Experiment : public devs::Coupled {
 public:
  explicit Experiment(double resolution = 1);
  const Integrator& integrator;
};

// The state of the integrator after a transition.
struct Row {
  double t, q, rate, sigma;
  devs::Transition kind;
};
// The fifteen rows of the paper; fractions that it prints rounded (0.17, 4.27) as they are: 1/6,
// 64/15.
std::vector<Row> table_a1();
// The initial state, and the transitions up to t = 4.3. Throws EvaluationError when the run fails.
std::vector<Row> transitions(const devs::SimulatorOptions& options);

// For `arges run`.
std::unique_ptr<DiscreteModel> make_model();

}  // namespace arges::argesim::a1
