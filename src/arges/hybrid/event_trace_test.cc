// Several events on one expression, with and without action: each crossing counts once.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "testing/battery_models.h"
#include "testing/every_solver.h"

namespace arges {
namespace {

using testing::Collector;
using testing::Ramp;

// x = sin(t - phase) comes to a height just below its top, up and down: events of both directions,
// and of each, on one expression. With an action they count themselves.
class Wave : public HybridSystem {
 public:
  Wave(double height, double phase, bool acts)
      : HybridSystem("wave"), height_(height), acts_(acts) {
    x = declare_state("x", std::sin(-phase));
    v = declare_state("v", std::cos(phase));
    count = declare_discrete("count", 0);
    up = declare_event("up", Direction::kRising);
    down = declare_event("down", Direction::kFalling);
    both = declare_event("both", Direction::kBoth);
  }
  void derivatives(const Point& at, Rates rates) const override {
    rates[x] = at[v];
    rates[v] = -at[x];
  }
  void conditions(const Point& at, Conditions g) const override {
    for (const EventId event : {up, down, both}) g[event] = at[x] - height_;
  }
  void on_event(EventId, Update& now) const override {
    if (acts_) now[count] = now[count] + 1;
  }

  StateId x, v;
  DiscreteId count;
  EventId up, down, both;

 private:
  double height_;
  bool acts_;
};

// x is the polynomial with these zeros, to its leading coefficient.
class Polynomial : public HybridSystem {
 public:
  explicit Polynomial(std::vector<double> zeros)
      : HybridSystem("polynomial"), zeros_(std::move(zeros)) {
    double start = 1;
    for (const double zero : zeros_) start *= -zero;
    x = declare_state("x", start);
    both = declare_event("both", Direction::kBoth);
    up = declare_event("up", Direction::kRising);
    down = declare_event("down", Direction::kFalling);
  }
  void derivatives(const Point& at, Rates rates) const override {
    rates[x] = 0;
    for (std::size_t i = 0; i < zeros_.size(); ++i) {
      double product = 1;
      for (std::size_t j = 0; j < zeros_.size(); ++j) product *= j == i ? 1 : at.t - zeros_[j];
      rates[x] += product;
    }
  }
  void conditions(const Point& at, Conditions g) const override {
    for (const EventId event : {up, down, both}) g[event] = at[x];
  }

  StateId x;
  EventId both, up, down;

 private:
  std::vector<double> zeros_;
};

class EventTrace : public ::testing::TestWithParam<std::string> {
 protected:
  RunOptions options(double stop, double rtol) const {
    RunOptions options;
    options.stop_time = options.interval = stop;
    options.solver = GetParam();
    options.numerics.rtol = rtol;
    if (!is_adaptive()) options.numerics.step = 0.01;
    return options;
  }
  bool is_adaptive() const { return find_solver(GetParam()).adaptive; }
  Collector log_;
};

TEST_P(EventTrace, OneCrossingIsOneCrossingForAllEventsOnAnExpression) {
  if (!is_adaptive()) return;  // of what accuracy is not theirs to choose
  const struct {
    double below_the_top, rtol;
  } cases[] = {{1e-2, 1e-10}, {1e-4, 1e-10}, {1e-6, 1e-10}, {1e-8, 1e-10},
               {1e-8, 1e-12}, {1e-6, 1e-8},  {1e-4, 1e-6}};
  for (const auto& [gap, rtol] : cases) {
    for (int i = 0; i < 40; ++i) {
      for (const bool acts : {false, true}) {
        log_ = {};
        ASSERT_TRUE(simulate(Wave(1 - gap, 0.02 * i, acts), options(3, rtol), &log_).status.ok());
        ASSERT_EQ(log_.event_names(), (std::vector<std::string>{"up", "both", "down", "both"}))
            << gap << ", rtol " << rtol << ", phase " << 0.02 * i << (acts ? ", acts" : "");
        // The same expression crosses at one instant, for all.
        EXPECT_EQ(log_.events[0].time, log_.events[1].time);
        EXPECT_EQ(log_.events[2].time, log_.events[3].time);
        EXPECT_LT(log_.events[0].time, log_.events[2].time);
      }
    }
  }
}

TEST_P(EventTrace, TracesOfAPolynomialShowEachOfItsZerosOnce) {
  const std::vector<std::vector<double>> polynomials = {
      {0.3, 0.5, 0.7}, {0.5, 0.5001, 0.9}, {0.2, 0.4, 0.6, 0.8}};
  for (const std::vector<double>& zeros : polynomials) {
    log_ = {};
    RunOptions fine = options(1, 1e-10);
    if (GetParam() == "euler") fine.numerics.step = 1e-4;
    if (GetParam() == "heun") fine.numerics.step = 1e-3;
    ASSERT_TRUE(simulate(Polynomial(zeros), fine, &log_).status.ok());
    ASSERT_EQ(log_.events.size(), 2 * zeros.size());
    const bool even = zeros.size() % 2 == 0;
    for (std::size_t i = 0; i < zeros.size(); ++i) {
      EXPECT_EQ(log_.events[2 * i].component, "both");
      EXPECT_EQ(log_.events[2 * i + 1].component, (i % 2 == 0) != even ? "up" : "down");
      EXPECT_EQ(log_.events[2 * i + 1].time, log_.events[2 * i].time);
      EXPECT_NEAR(log_.events[2 * i].time, zeros[i], GetParam() == "euler" ? 2e-2 : 1e-3);
    }
  }
}

// The steps of a ramp are long: the timer is due within the step that the event is in.
TEST_P(EventTrace, ActionThatOnlySetsATimerIsHeeded) {
  Ramp model;
  TimerId timer;
  model.add(
      "set", Direction::kRising, [](const Point& at) { return at.x[0] - 0.505; },
      [&](Update& now) { now.schedule(timer, now.t() + 0.25); });
  timer = model.add_timer("set off", INFINITY, 0, {});
  ASSERT_TRUE(simulate(model, options(1, 1e-8), &log_).status.ok());
  ASSERT_EQ(log_.event_names(), (std::vector<std::string>{"set", "set off"}));
  EXPECT_NEAR(log_.events[0].time, 0.505, 1e-13);
  EXPECT_EQ(log_.events[1].time, log_.events[0].time + 0.25);
}

INSTANTIATE_TEST_SUITE_P(EverySolver, EventTrace,
                         ::testing::ValuesIn(test::solvers_that(test::is_not_quantised)),
                         test::name_of_test);

}  // namespace
}  // namespace arges
