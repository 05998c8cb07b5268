// Conditions that vanish at one instant: rounding does not tear it apart.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "testing/battery_models.h"
#include "testing/every_solver.h"

namespace arges {
namespace {

using testing::Collector;
using testing::Ramp;

// Uniform motions at different rates, all of which are at zero at one time. `crossed` counts the
// events whose action finds its own condition on the new side.
class Meeting : public HybridSystem {
 public:
  explicit Meeting(double time) : HybridSystem("meeting") {
    for (const double rate : {1.0, -2.0, 3.0, -0.1}) {
      rates_.push_back(rate);
      states_.push_back(declare_state("x" + std::to_string(states_.size()), -rate * time));
      declare_event("zero" + std::to_string(states_.size() - 1),
                    rate > 0 ? Direction::kRising : Direction::kFalling);
    }
    crossed = declare_discrete("crossed", 0);
    declare_autonomous();
  }
  void derivatives(const Point&, Rates xdot) const override {
    for (std::size_t i = 0; i < states_.size(); ++i) xdot[states_[i]] = rates_[i];
  }
  void conditions(const Point& at, Conditions g) const override {
    for (std::size_t i = 0; i < states_.size(); ++i) g.data()[i] = at[states_[i]];
  }
  void on_event(EventId event, Update& now) const override {
    if (rates_[event.index] * now[states_[event.index]] >= 0) now[crossed] = now[crossed] + 1;
  }

  DiscreteId crossed;

 private:
  std::vector<double> rates_;
  std::vector<StateId> states_;
};

class EventTies : public ::testing::TestWithParam<std::string> {
 protected:
  RunOptions options(double stop_time, double rtol) const {
    RunOptions options;
    options.stop_time = stop_time;
    options.solver = GetParam();
    const bool quantised = find_solver(GetParam()).quantised;
    options.numerics.rtol = quantised ? 1e-4 : rtol;
    if (!find_solver(GetParam()).adaptive) options.numerics.step = stop_time / 7;
    return options;
  }
  Collector log_;
};

TEST_P(EventTies, ConditionsThatVanishTogetherAreOneInstantInTheirOrder) {
  for (const double time : {1.0, 0.7, 1 / 3.0, 2.9, 7.3, 6.613192082401988}) {
    for (const double rtol : {1e-5, 1e-8, 1e-11}) {
      SCOPED_TRACE(::testing::Message() << time << " rtol " << rtol);
      const Meeting model(time);
      log_ = {};
      const RunResult result = simulate(model, options(2 * time, rtol), &log_);
      ASSERT_TRUE(result.status.ok()) << result.status.message;
      ASSERT_EQ(log_.event_names(), (std::vector<std::string>{"zero0", "zero1", "zero2", "zero3"}));
      for (const EventRecord& event : log_.events) {
        EXPECT_EQ(event.time, log_.events[0].time);
        EXPECT_NEAR(event.time, time, 1e-14 * time);
      }
      EXPECT_EQ(result.final.z[model.crossed.index], 4);
    }
  }
}

TEST_P(EventTies, AStateEventAtTheTimeOfATimerIsItsInstant) {
  for (const double time : {0.7, 0.1, 2.9, 7.3, 6.613192082401988}) {
    for (const double rate : {1.0, 3.0, 0.1}) {
      for (const double rtol : {1e-5, 1e-8, 1e-11}) {
        SCOPED_TRACE(::testing::Message() << time << " rate " << rate << " rtol " << rtol);
        Ramp model(0, rate);
        model.add("there", Direction::kRising,
                  [&](const Point& at) { return at.x[0] - rate * time; });
        model.add_timer("due", time, 0, {});
        log_ = {};
        ASSERT_TRUE(simulate(model, options(10, rtol), &log_).status.ok());
        ASSERT_EQ(log_.event_names(), (std::vector<std::string>{"due", "there"}));
        EXPECT_EQ(log_.events[1].time, time);
      }
    }
  }
}

// Beside a state that is 1e12 times as large; small differences of small values are known.
TEST_P(EventTies, EventsOfSmallStatesAreAsFarApartAsTheyAre) {
  class Small : public HybridSystem {
   public:
    Small() : HybridSystem("small") {
      large = declare_state("large", 1);
      for (const double start : {-1e-12, -1.001e-12}) {
        states.push_back(declare_state("x" + std::to_string(states.size()), start));
        declare_event("zero" + std::to_string(states.size() - 1), Direction::kRising);
      }
    }
    void derivatives(const Point&, Rates xdot) const override {
      xdot[large] = 0;
      for (const StateId x : states) xdot[x] = 1e-12;
    }
    void conditions(const Point& at, Conditions g) const override {
      for (std::size_t i = 0; i < states.size(); ++i) g.data()[i] = at[states[i]];
    }
    StateId large;
    std::vector<StateId> states;
  };
  RunOptions small = options(2, 1e-8);
  if (find_solver(GetParam()).quantised) small.numerics.atol = 1e-14;
  ASSERT_TRUE(simulate(Small(), small, &log_).status.ok());
  ASSERT_EQ(log_.events.size(), 2u);
  EXPECT_NEAR(log_.events[0].time, 1, 1e-12);
  EXPECT_NEAR(log_.events[1].time, 1.001, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(EverySolver, EventTies,
                         ::testing::ValuesIn(test::solvers_that(test::is_not_qss1)),
                         test::name_of_test);

}  // namespace
}  // namespace arges
