#pragma once
// Small models for the tests.

#include <string>
#include <utility>
#include <vector>

#include "arges/devs/atomic.h"
#include "arges/devs/coupled.h"

namespace arges::devs::testing {

// Sends values at given times.
class Source : public Atomic<Source> {
 public:
  struct Event {
    double time, value;
  };
  struct State {
    std::size_t next = 0;
  };
  Out<double> out{this, "out"};

  explicit Source(std::vector<Event> events) : events_(std::move(events)) {}
  double time_advance(const State& s) const {
    if (s.next == events_.size()) return kInfinity;
    return events_[s.next].time - (s.next == 0 ? 0 : events_[s.next - 1].time);
  }
  void output(const State& s, Output& y) const { y.send(out, events_[s.next].value); }
  void internal(State& s) const { ++s.next; }

 private:
  std::vector<Event> events_;
};

// Sends its number of ticks every `period`.
class Clockwork : public Atomic<Clockwork> {
 public:
  struct State {
    int ticks = 0;
  };
  Out<int> out{this, "out"};

  explicit Clockwork(double period) : period_(period) {}
  double time_advance(const State&) const { return period_; }
  void output(const State& s, Output& y) const { y.send(out, s.ticks + 1); }
  void internal(State& s) const { ++s.ticks; }

 private:
  double period_;
};

// Keeps what comes, in the order in which it comes, and in how many bags.
class Sink : public Atomic<Sink> {
 public:
  struct State {
    std::vector<int> values;
    int bags = 0;
  };
  In<int> in{this, "in"};

  void external(State& s, double, const Bag& x) const {
    ++s.bags;
    for (const int value : x.on(in)) s.values.push_back(value);
  }
};

// Passes each bag on as its sum, after a delay.
class Relay : public Atomic<Relay> {
 public:
  struct State {
    int value = 0;
    double left = kInfinity;
  };
  In<int> in{this, "in"};
  Out<int> out{this, "out"};

  explicit Relay(double delay, int add = 0) : delay_(delay), add_(add) {}
  double time_advance(const State& s) const { return s.left; }
  void output(const State& s, Output& y) const { y.send(out, s.value); }
  void internal(State& s) const { s = {}; }
  void external(State& s, double, const Bag& x) const {
    s.value = add_;
    for (const int value : x.on(in)) s.value += value;
    s.left = delay_;
  }

 private:
  double delay_;
  int add_;
};

}  // namespace arges::devs::testing
