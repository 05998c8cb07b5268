#pragma once
// Small models with known event times, for the tests of event handling. All of them move linearly
// or have conditions in t alone, so that every solver, Euler included, has the exact answer.

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "arges/hybrid/simulator.h"

namespace arges::testing {

// Keeps rows and events in memory.
class Collector : public ResultSink {
 public:
  void begin(const ResultLayout& the_layout) override { layout = the_layout; }
  void row(double time, std::span<const double> values) override {
    times.push_back(time);
    rows.emplace_back(values.begin(), values.end());
  }
  void event(const EventRecord& record) override { events.push_back(record); }
  void finish(const Manifest&) override {}

  int column(const std::string& name) const {
    for (std::size_t i = 0; i < layout.columns.size(); ++i) {
      if (layout.columns[i].name == name) return static_cast<int>(i);
    }
    return -1;
  }
  std::vector<double> event_times() const {
    std::vector<double> list;
    for (const EventRecord& event : events) list.push_back(event.time);
    return list;
  }
  std::vector<std::string> event_names() const {
    std::vector<std::string> list;
    for (const EventRecord& event : events) list.push_back(event.component);
    return list;
  }

  ResultLayout layout;
  std::vector<double> times;
  std::vector<std::vector<double>> rows;
  std::vector<EventRecord> events;
};

// A model put together from functions: x' = rate (one state "x", one discrete "z"), any number of
// events.
class Ramp : public HybridSystem {
 public:
  explicit Ramp(double x0 = 0, double rate = 1) : HybridSystem("ramp") {
    x = declare_state("x", x0);
    z = declare_discrete("z", rate);
    declare_autonomous();
  }
  using Condition = std::function<double(const Point&)>;
  using Action = std::function<void(Update&)>;
  EventId add(const std::string& name, Direction direction, Condition condition, Action action = {},
              int priority = 0) {
    conditions_.push_back(std::move(condition));
    actions_.push_back(std::move(action));
    return declare_event(name, direction, {}, priority);
  }
  TimerId add_timer(const std::string& name, double first, double period, Action action,
                    int priority = 0) {
    timer_actions_.push_back(std::move(action));
    return declare_timer(name, first, period, priority);
  }

  void derivatives(const Point& at, Rates xdot) const override { xdot[x] = at[z]; }
  void conditions(const Point& at, Conditions g) const override {
    for (std::size_t k = 0; k < conditions_.size(); ++k) g.data()[k] = conditions_[k](at);
  }
  void on_event(EventId event, Update& now) const override {
    if (actions_[event.index]) actions_[event.index](now);
  }
  void on_timer(TimerId timer, Update& now) const override {
    if (timer_actions_[timer.index]) timer_actions_[timer.index](now);
  }

  StateId x;
  DiscreteId z;

 private:
  std::vector<Condition> conditions_;
  std::vector<Action> actions_, timer_actions_;
};

// x'' = -g, bouncing with v := -mu v at x = 0.
class Ball : public HybridSystem {
 public:
  explicit Ball(double mu = 0.9) : HybridSystem("ball"), mu_(mu) {
    x = declare_state("x", 10);
    v = declare_state("v", 0);
    declare_autonomous();
    bounce = declare_event("bounce", Direction::kFalling);
  }
  void derivatives(const Point& at, Rates xdot) const override {
    xdot[x] = at[v];
    xdot[v] = -9.81;
  }
  void conditions(const Point& at, Conditions g) const override { g[bounce] = at[x]; }
  void on_event(EventId, Update& now) const override { now[v] = -mu_ * now[v]; }

  // The time of bounce m = 1, 2, ...
  double bounce_time(int m) const {
    double sum = 0, power = 1;
    for (int i = 0; i < m; ++i, power *= mu_) sum += power;
    return std::sqrt(20 / 9.81) * (2 * sum - 1);
  }
  double end_time() const { return std::sqrt(20 / 9.81) * (1 + mu_) / (1 - mu_); }

  StateId x, v;
  EventId bounce;

 private:
  double mu_;
};

}  // namespace arges::testing
