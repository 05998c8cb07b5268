#include "arges/experiment/contest.h"

#include <cmath>
#include <numbers>

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
  EXPECT_EQ(between({3.7}, {}), ".....");                   // the other run has missed it
  EXPECT_EQ(between({2, 3.9}, {2}), ".....");               // likewise: its events are not late
  EXPECT_EQ(between({0.9, 1.9, 2.9}, {1, 2, 3}), ".....");  // nothing would be left to compare
}

}  // namespace
}  // namespace arges
