#include "arges/experiment/contest.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/experiment/jumps.h"
#include "arges/hybrid/simulator.h"

namespace arges {
namespace {

// x' = -x: x = exp(-t).
class Decay : public HybridSystem {
 public:
  Decay() : HybridSystem("Decay") { x_ = declare_state("x", 1); }
  void derivatives(const Point& at, Rates rates) const override { rates[x_] = -at[x_]; }

 private:
  StateId x_;
};

// x' = x from 1 to e, where it goes back to 1: at t = 1, 2, 3, ...
class Sawtooth : public HybridSystem {
 public:
  Sawtooth() : HybridSystem("Sawtooth") {
    x_ = declare_state("x", 1);
    full_ = declare_event("full", Direction::kRising);
  }
  void derivatives(const Point& at, Rates rates) const override { rates[x_] = at[x_]; }
  void conditions(const Point& at, Conditions g) const override {
    g[full_] = at[x_] - std::numbers::e;
  }
  void on_event(EventId, Update& now) const override { now[x_] = 1; }

 private:
  StateId x_;
  EventId full_;
};

RunOptions run_to(double stop, double rtol) {
  RunOptions options;
  options.stop_time = stop;
  options.numerics.rtol = rtol;
  return options;
}

TEST(Contest, TighterTolerancesAreMoreAccurate) {
  const Decay model;
  ContestRequest request;
  request.solvers = {"dopri5", "cvode-bdf", "rk4"};
  request.rtols = {1e-4, 1e-6, 1e-8};
  RunOptions options = run_to(2, 1e-6);
  options.numerics.step = 0.1;
  const ContestResult result = compare_solvers(model, make_context(model), options, request);
  EXPECT_LT(result.reference_error, 1e-11);
  ASSERT_EQ(result.rows.size(), 7u);  // fixed steps know no tolerance
  for (const std::size_t k : {0u, 1u, 3u, 4u}) {
    EXPECT_LT(result.rows[k + 1].error, result.rows[k].error);
    EXPECT_GT(result.rows[k + 1].statistics.steps, result.rows[k].statistics.steps);
  }
  // Largest where t exp(-t) is: the global error of rk4 is h^4/120 t exp(-t).
  EXPECT_NEAR(result.rows[6].error, 1e-4 / 120 * std::exp(-1), 1e-7);
  EXPECT_TRUE(std::isnan(result.rows[6].rtol));
  request.solvers = {"dopri6"};
  EXPECT_THROW(compare_solvers(model, make_context(model), options, request), UserError);
}

TEST(Contest, ASampleAtAnEventDoesNotCount) {
  // Samples are at each 0.02: at each event, and at the last one, which may come before the end or
  // not.
  const Sawtooth model;
  ContestRequest request;
  request.solvers = {"dopri5", "rodas5p", "cvode-bdf"};
  request.rtols = {1e-4, 1e-6};
  const ContestResult result =
      compare_solvers(model, make_context(model), run_to(4, 1e-6), request);
  EXPECT_LT(result.reference_error, 1e-8);
  ASSERT_EQ(result.rows.size(), 6u);
  for (const ContestRow& row : result.rows) EXPECT_LT(row.error, 100 * row.rtol) << row.solver;
}

TEST(Contest, AnEventThatIsFarTooLateIsAnError) {
  const Sawtooth model;
  ContestRequest request;
  request.solvers = {"euler"};
  request.rtols = {1e-6};
  RunOptions options = run_to(4, 1e-6);
  options.numerics.step = 0.1;  // full at t = 1.05 instead of 1
  const ContestResult result = compare_solvers(model, make_context(model), options, request);
  EXPECT_GT(result.rows[0].error, 0.5);
}

// x = sin(t) exceeds 1 - 1e-5 for 9 ms in each period: some solvers step over that. Nothing but a
// count knows of it.
class Counter : public HybridSystem {
 public:
  Counter() : HybridSystem("Counter") {
    x_ = declare_state("x", 0);
    v_ = declare_state("v", 1);
    n_ = declare_discrete("n", 0);
    top_ = declare_event("top", Direction::kRising);
  }
  void derivatives(const Point& at, Rates rates) const override {
    rates[x_] = at[v_];
    rates[v_] = -at[x_];
  }
  void conditions(const Point& at, Conditions g) const override { g[top_] = at[x_] - (1 - 1e-5); }
  void on_event(EventId, Update& now) const override { now[n_] = now[n_] + 1; }

 private:
  StateId x_, v_;
  DiscreteId n_;
  EventId top_;
};

TEST(Contest, AMissedEventThatOnlyCountsIsAnError) {
  const Counter model;
  ContestRequest request;
  request.solvers = {"euler", "dopri5"};
  request.rtols = {1e-9};
  RunOptions options = run_to(20, 1e-9);
  options.numerics.step = 1e-5;  // its amplitude grows: the events are found, but early
  const ContestResult found = compare_solvers(model, make_context(model), options, request);
  EXPECT_EQ(found.reference_events, 3);
  EXPECT_EQ(found.rows[1].events, 3);
  EXPECT_FALSE(found.rows[1].lone_event);
  EXPECT_LT(found.rows[1].error, 1e-6);
  EXPECT_FALSE(found.rows[0].lone_event);

  request.solvers = {"rk4"};
  options.numerics.step = 0.5;  // its amplitude falls below the condition at once
  const ContestResult missed = compare_solvers(model, make_context(model), options, request);
  EXPECT_LT(missed.rows[0].events, 3);
  ASSERT_TRUE(missed.rows[0].lone_event);
  EXPECT_EQ(missed.rows[0].lone_event->name, "top");
  EXPECT_FALSE(missed.rows[0].lone_event->in_first);
  EXPECT_GE(missed.rows[0].error, 0.25);
}

TEST(Jumps, EventsThatOneRunHasAlone) {
  const auto alone = [](const std::vector<double>& a, const std::vector<double>& b) -> std::string {
    const auto found = first_lone_event({{"e", a}}, {{"e", b}}, 10, 0.5);
    return found ? fmt::format("{} {}", found->time, found->in_first ? "a" : "b") : "";
  };
  EXPECT_EQ(alone({1, 2, 3}, {1.01, 2.01, 3.02}), "");
  EXPECT_EQ(alone({1, 3}, {1, 2, 3}), "2 b");
  EXPECT_EQ(alone({1, 2}, {1, 2, 3}), "3 b");
  EXPECT_EQ(alone({1, 2, 3}, {}), "1 a");
  EXPECT_EQ(alone({1, 9.999}, {1}), "");                         // the other run ended before it
  EXPECT_EQ(alone({1, 9.9}, {1.02}), "");                        // likewise: it is late
  EXPECT_EQ(alone({1, 9.9}, {1}), "9.9 a");                      // it is not
  EXPECT_EQ(alone({1, 1.2, 1.4, 1.6}, {1, 1.4, 1.6}), "1.2 a");  // nearer than the limit
  // Events that accumulate, a little later in one of the runs.
  EXPECT_EQ(alone({5, 7.5, 8.75, 9.999, 9.9995, 9.9999}, {5, 7.501, 8.751, 9.9995, 9.99991}), "");
}

// A condition that an event puts to zero crosses or not by rounding.
TEST(Jumps, WhatFollowsAtTheSameInstantAndChangesNothingIsNoEvent) {
  JumpRecorder recorder({});
  recorder.begin({});
  const auto occur = [&](double time, int iteration, const std::string& kind) {
    EventRecord record;
    record.time = time;
    record.iteration = iteration;
    record.kind = kind;
    record.component = kind;
    recorder.event(record);
  };
  occur(1, 0, "SE-X");
  occur(1, 1, "SE-O");
  occur(1, 2, "SE-P");
  occur(2, 0, "SE-O");
  EXPECT_EQ(recorder.events(), (EventTimes{{"SE-X", {1}}, {"SE-P", {1}}, {"SE-O", {2}}}));
}

// A swing that ends its run when it comes back with all its speed: it does not when a solver takes
// some of it.
class Ending : public HybridSystem {
 public:
  Ending() : HybridSystem("Ending") {
    x_ = declare_state("x", 1);
    v_ = declare_state("v", 0);
    back_ = declare_event("back", Direction::kRising);
  }
  void derivatives(const Point& at, Rates rates) const override {
    rates[x_] = at[v_];
    rates[v_] = -at[x_];
  }
  void conditions(const Point& at, Conditions g) const override { g[back_] = at[x_]; }
  void on_event(EventId, Update& now) const override {
    if (now[v_] > 0.9999) now.terminate("back");
  }

 private:
  StateId x_, v_;
  EventId back_;
};

TEST(Contest, ARunThatEndsAtAnotherTimeIsTold) {
  const Ending model;
  ContestRequest request;
  request.solvers = {"rk4", "dopri5"};
  request.rtols = {1e-8};
  RunOptions options = run_to(20, 1e-8);
  options.numerics.step = 0.5;  // it loses energy
  const ContestResult result = compare_solvers(model, make_context(model), options, request);
  ASSERT_EQ(result.rows.size(), 2u);
  ASSERT_TRUE(result.rows[0].ends_later);
  EXPECT_GT(*result.rows[0].ends_later, 6);
  EXPECT_FALSE(result.rows[0].events_match());
  EXPECT_TRUE(std::isfinite(result.rows[0].error));
  EXPECT_TRUE(result.rows[1].events_match());
  EXPECT_LT(result.rows[1].error, 1e-6);
}

TEST(Jumps, OnlySamplesBetweenTheTwoTimesAreLeftOut) {
  const std::vector<double> samples{0, 1, 2, 3, 4};
  const auto between = [&](const std::vector<double>& a, const std::vector<double>& b) {
    std::string text;
    for (const bool each : samples_between_jumps(samples, a, b, 0.5)) text += each ? 'x' : '.';
    return text;
  };
  EXPECT_EQ(between({1.9}, {2.1}), "..x..");
  EXPECT_EQ(between({2}, {2.1}), "..x..");
  EXPECT_EQ(between({2}, {2}), ".....");                    // both have the value behind it
  EXPECT_EQ(between({1.7}, {1.9}), ".....");                // no sample is there
  EXPECT_EQ(between({1.7}, {2.3}), ".....");                // too far: an error
  EXPECT_EQ(between({1.9, 3.9}, {2}), "..x.x");             // the other run ended before its jump
  EXPECT_EQ(between({3.998}, {}), "....x");                 // likewise
  EXPECT_EQ(between({4}, {}), "....x");                     // likewise, at the end itself
  EXPECT_EQ(between({3.7}, {}), ".....");                   // the other run has missed it
  EXPECT_EQ(between({2, 3.9}, {2}), ".....");               // likewise: its events are not late
  EXPECT_EQ(between({0.9, 1.9, 2.9}, {1, 2, 3}), ".....");  // nothing would be left to compare
}

}  // namespace
}  // namespace arges
