// Every way in which a run can end.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "arges/base/error.h"
#include "testing/battery_models.h"
#include "testing/every_solver.h"

namespace arges {
namespace {

using testing::Collector;
using testing::Ramp;

class RunEnds : public ::testing::TestWithParam<std::string> {
 protected:
  RunOptions options(double stop = 1) const {
    RunOptions options;
    options.stop_time = stop;
    options.solver = GetParam();
    if (!find_solver(GetParam()).adaptive) options.numerics.step = 0.01;
    return options;
  }
  Collector log_;
};

// x' = 1 until t = 0.5, then whatever `beyond` gives.
class Breaks : public HybridSystem {
 public:
  explicit Breaks(std::function<double()> beyond)
      : HybridSystem("breaks"), beyond_(std::move(beyond)) {
    x = declare_state("x", 0);
  }
  void derivatives(const Point& at, Rates xdot) const override {
    xdot[x] = at.t <= 0.5 ? 1 : beyond_();
  }
  StateId x;

 private:
  std::function<double()> beyond_;
};

TEST_P(RunEnds, FinishedAtTheStopTime) {
  const RunResult result = simulate(Ramp(), options(), &log_);
  EXPECT_EQ(result.status.reason, RunReason::kFinished);
  EXPECT_EQ(result.status.time, 1);
  EXPECT_EQ(log_.times.back(), 1);
  EXPECT_NEAR(result.final.x[0], 1, 1e-12);
}

TEST_P(RunEnds, LimitsHoldWhenEveryStepEndsInAnEvent) {
  Ramp model;
  model.add_timer("tick", 0.001, 0.001, [&](Update& now) { now[model.z] = 3 - now[model.z]; });
  RunOptions limited = options(1000);
  limited.max_steps = 100;
  EXPECT_EQ(simulate(model, limited).status.reason, RunReason::kTooManySteps);
  limited = options(1000);
  const std::atomic<bool> cancel = true;
  limited.cancel = &cancel;
  const RunResult cancelled = simulate(model, limited);
  EXPECT_EQ(cancelled.status.reason, RunReason::kCancelled);
  EXPECT_LT(cancelled.status.time, 0.01);
  limited = options(1000);
  limited.time_limit = 1e-9;
  EXPECT_EQ(simulate(model, limited).status.reason, RunReason::kTimeLimit);
}

// x' = 1 with a condition and an output that cannot be evaluated after t = 0.5.
class Blind : public HybridSystem {
 public:
  enum class In { kCondition, kOutput, kRates };
  explicit Blind(In where) : HybridSystem("blind"), where_(where) {
    x = declare_state("x", 0);
    declare_output("y");
    if (where == In::kCondition) declare_event("far", Direction::kRising);
  }
  void derivatives(const Point& at, Rates xdot) const override {
    if (where_ == In::kRates && at.t > 0.5) throw std::runtime_error("too far");
    xdot[x] = 1;
  }
  void outputs(const Point& at, Outputs y) const override {
    y.data()[0] = where_ == In::kOutput ? checked(at) : 0;
  }
  void conditions(const Point& at, Conditions g) const override { g.data()[0] = checked(at) - 2; }
  StateId x;

 private:
  static double checked(const Point& at) {
    if (at.t > 0.5) throw EvaluationError("too far");
    return at.t;
  }
  In where_;
};

TEST_P(RunEnds, WhereTheModelThrowsNothingIsLostAndTimeDoesNotGoBack) {
  for (const Blind::In where : {Blind::In::kCondition, Blind::In::kOutput, Blind::In::kRates}) {
    Collector log;
    RunOptions fine = options();
    fine.numerics.max_step = 0.1;
    const RunResult result = simulate(Blind(where), fine, &log);
    EXPECT_EQ(result.status.reason, RunReason::kEvaluationFailed) << static_cast<int>(where);
    EXPECT_NE(result.status.message.find("too far"), std::string::npos) << result.status.message;
    EXPECT_GT(result.status.time, 0.3) << static_cast<int>(where);
    EXPECT_LE(result.status.time, 0.61) << static_cast<int>(where);
    EXPECT_TRUE(std::is_sorted(log.times.begin(), log.times.end())) << static_cast<int>(where);
    // A quantised solver stops in the middle of a move.
    const bool quantised = GetParam().find("qss") != std::string::npos;
    EXPECT_NEAR(result.final.x[0], result.status.time, quantised ? 0.01 : 1e-9);
  }
}

TEST_P(RunEnds, AnOutputThatFailsIsNoticedWithoutRows) {
  EXPECT_EQ(simulate(Blind(Blind::In::kOutput), options()).status.reason,
            RunReason::kEvaluationFailed);
}

TEST_P(RunEnds, ManyRowsInOneStepDoNotDelayTheLimits) {
  RunOptions limited = options();
  limited.interval = 1e-8;
  limited.time_limit = 1e-9;
  const RunResult result = simulate(Ramp(), limited, &log_);
  EXPECT_EQ(result.status.reason, RunReason::kTimeLimit);
  EXPECT_LT(log_.times.size(), 10'000u);
  limited.interval = 1e-300;
  EXPECT_THROW(simulate(Ramp(), limited, &log_), UserError);
}

TEST(RunEndsFixedStep, AStepThatIsTooLongToBeStableIsNoted) {
  class Decay : public HybridSystem {
   public:
    Decay() : HybridSystem("decay") {
      declare_state("x", 1);
      declare_state("y", 1);
    }
    void derivatives(const Point& at, Rates xdot) const override {
      xdot.data()[0] = -50 * at.x[0];
      xdot.data()[1] = -at.x[1];
    }
  };
  for (const auto& [solver, limit] : {std::pair("euler", 2.0), std::pair("heun", 2.0),
                                      std::pair("rk4", 2.785), std::pair("ab3", 6.0 / 11)}) {
    RunOptions options;
    options.solver = solver;
    options.numerics.step = 1.2 * limit / 50;
    const RunResult unstable = simulate(Decay(), options);
    ASSERT_EQ(unstable.notes.size(), 1u) << solver;
    EXPECT_NE(unstable.notes[0].find("too long"), std::string::npos) << unstable.notes[0];
    options.numerics.step = 0.8 * limit / 50;
    EXPECT_TRUE(simulate(Decay(), options).notes.empty()) << solver;
  }
}

TEST_P(RunEnds, ATimerThatIsNotDeclaredIsAnError) {
  Ramp model;
  model.add_timer("tick", 0.5, 0, [&](Update& now) { now.schedule(TimerId{}, 0.7); });
  EXPECT_THROW(simulate(model, options()), ApiError);
}

TEST_P(RunEnds, ConditionThatIsNotANumberIsNamed) {
  Ramp model(1, -1);
  model.add("square root", Direction::kFalling,
            [](const Point& at) { return std::sqrt(at.x[0] - 0.5); });
  const RunResult result = simulate(model, options(), &log_);
  EXPECT_EQ(result.status.reason, RunReason::kNonFinite);
  EXPECT_NE(result.status.message.find("'square root'"), std::string::npos)
      << result.status.message;
  EXPECT_LT(result.status.time, 1);
}

TEST_P(RunEnds, ActionThatSetsAStateToNanIsNamed) {
  Ramp model;
  model.add(
      "break", Direction::kRising, [](const Point& at) { return at.x[0] - 0.25; },
      [&](Update& now) { now[model.x] = std::numeric_limits<double>::quiet_NaN(); });
  const RunResult result = simulate(model, options(), &log_);
  EXPECT_EQ(result.status.reason, RunReason::kNonFinite);
  EXPECT_NE(result.status.message.find("event 'break' sets 'x' to nan"), std::string::npos)
      << result.status.message;
}

TEST_P(RunEnds, LargeTimesAreReached) {
  Ramp model(0, 1e-12);
  model.add(
      "reset", Direction::kRising, [](const Point& at) { return at.x[0] - 0.5; },
      [&](Update& now) { now[model.x] = 0; });
  RunOptions large = options(2.25e12);
  if (large.numerics.step > 0) large.numerics.step = 1e10;
  const RunResult result = simulate(model, large, &log_);
  EXPECT_EQ(result.status.reason, RunReason::kFinished) << result.status.message;
  EXPECT_EQ(result.events, 4);
  EXPECT_NEAR(result.final.x[0], 0.25, 1e-9);
}

TEST_P(RunEnds, StoppedByTheModel) {
  Ramp model;
  model.add(
      "enough", Direction::kRising, [](const Point& at) { return at.x[0] - 0.25; },
      [](Update& now) { now.terminate("enough is enough"); });
  const RunResult result = simulate(model, options(), &log_);
  EXPECT_EQ(result.status.reason, RunReason::kStopped);
  EXPECT_TRUE(result.status.ok());
  EXPECT_EQ(result.status.message, "enough is enough");
  EXPECT_NEAR(result.status.time, 0.25, 1e-12);
  EXPECT_NEAR(log_.times.back(), 0.25, 1e-12);
}

TEST_P(RunEnds, NonFiniteValueNamesTheVariableAndKeepsWhatWasComputed) {
  const Breaks model([] { return std::numeric_limits<double>::quiet_NaN(); });
  const RunResult result = simulate(model, options(), &log_);
  EXPECT_EQ(result.status.reason, RunReason::kNonFinite) << result.status.message;
  EXPECT_NE(result.status.message.find("'x'"), std::string::npos) << result.status.message;
  // Quantised states look again at a rate that has not changed for long only after as long.
  EXPECT_NEAR(result.status.time, 0.5, find_solver(GetParam()).quantised ? 0.05 : 0.011);
  EXPECT_GT(log_.rows.size(), 200u);
}

TEST_P(RunEnds, EvaluationErrorBringsTheModelsOwnWords) {
  const Breaks model([]() -> double { throw EvaluationError("the tank is empty"); });
  const RunResult result = simulate(model, options(), &log_);
  EXPECT_EQ(result.status.reason, RunReason::kEvaluationFailed) << result.status.message;
  EXPECT_NE(result.status.message.find("the tank is empty"), std::string::npos)
      << result.status.message;
  // Quantised states look again at a rate that has not changed for long only after as long.
  EXPECT_NEAR(result.status.time, 0.5, find_solver(GetParam()).quantised ? 0.05 : 0.011);
}

// x' = 1 + w, where 0 = w - sqrt(1 - x): there is nothing beyond x = 1, at t = 2 (1 - ln 2).
class Root : public HybridSystem {
 public:
  explicit Root(bool explicit_form) : HybridSystem("root"), explicit_form_(explicit_form) {
    x = declare_state("x", 0);
    if (!explicit_form) w = declare_algebraic("w", 1);
  }
  void derivatives(const Point& at, Rates rates) const override {
    const double root = std::sqrt(1 - at[x]);
    rates[x] = 1 + (explicit_form_ ? root : at[w]);
    if (!explicit_form_) rates[w] = at[w] - root;
  }

  StateId x, w;

 private:
  bool explicit_form_;
};

TEST_P(RunEnds, RootThatLeavesItsDomainEndsTheRunSoon) {
  if (find_solver(GetParam()).quantised) return;  // they stay where the rate is known
  for (const bool explicit_form : {true, false}) {
    if (!explicit_form && !find_solver(GetParam()).semi_explicit_dae) continue;
    for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
      RunOptions patient = options();
      patient.numerics.rtol = rtol;
      patient.max_steps = 30'000;
      const RunResult result = simulate(Root(explicit_form), patient, &log_);
      EXPECT_TRUE(result.status.reason == RunReason::kNonFinite ||
                  result.status.reason == RunReason::kStepTooSmall ||
                  result.status.reason == RunReason::kNewtonFailed)
          << rtol << ' ' << result.status.message;
      EXPECT_NEAR(result.status.time, 2 * (1 - std::log(2)), 0.02) << rtol;
    }
  }
}

TEST_P(RunEnds, AnyOtherExceptionOfTheModelEndsTheRunToo) {
  const Breaks model([]() -> double { throw std::out_of_range("no such row in the table"); });
  const RunResult result = simulate(model, options(), &log_);
  EXPECT_EQ(result.status.reason, RunReason::kEvaluationFailed) << result.status.message;
  EXPECT_NE(result.status.message.find("no such row in the table"), std::string::npos);
  EXPECT_GT(log_.rows.size(), 0u);
}

TEST_P(RunEnds, TooManySteps) {
  RunOptions few = options();
  few.max_steps = 10;
  few.numerics.max_step = 0.01;
  const RunResult result = simulate(Ramp(), few, &log_);
  EXPECT_EQ(result.status.reason, RunReason::kTooManySteps);
  EXPECT_NE(result.status.message.find("--max-steps"), std::string::npos);
  EXPECT_GT(result.status.time, 0);
  EXPECT_EQ(log_.times.back(), result.status.time);
}

TEST_P(RunEnds, Cancelled) {
  std::atomic<bool> cancel{false};
  Ramp model;
  model.add(
      "wish", Direction::kRising, [](const Point& at) { return at.x[0] - 0.25; },
      [&](Update&) { cancel = true; });
  RunOptions cancellable = options();
  cancellable.cancel = &cancel;
  cancellable.numerics.max_step = 0.01;
  const RunResult result = simulate(model, cancellable, &log_);
  EXPECT_EQ(result.status.reason, RunReason::kCancelled);
  EXPECT_NEAR(result.status.time, 0.25, 0.03);
}

TEST_P(RunEnds, TimeLimit) {
  RunOptions limited = options();
  limited.time_limit = 0;
  limited.numerics.max_step = 1e-4;
  if (limited.numerics.step > 0) limited.numerics.step = 1e-4;
  const RunResult result = simulate(Ramp(), limited, &log_);
  EXPECT_EQ(result.status.reason, RunReason::kTimeLimit);
  EXPECT_LT(result.status.time, 1);
}

INSTANTIATE_TEST_SUITE_P(EverySolver, RunEnds,
                         ::testing::ValuesIn(test::solvers_that(test::is_not_qss1)),
                         test::name_of_test);

TEST(RunSetup, WrongOptionsAreRefusedBeforeAnythingRuns) {
  const auto message = [](const std::function<void(RunOptions&)>& spoil) -> std::string {
    RunOptions options;
    options.solver = "rodas5p";
    spoil(options);
    try {
      simulate(Ramp(), options);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message([](RunOptions& o) { o.numerics.rtol = -1; }).find("tolerance"),
            std::string::npos);
  EXPECT_NE(message([](RunOptions& o) { o.numerics.rtol = NAN; }).find("tolerance"),
            std::string::npos);
  EXPECT_NE(message([](RunOptions& o) { o.numerics.rtol = 0; }).find("tolerance"),
            std::string::npos);
  EXPECT_NE(message([](RunOptions& o) { o.stop_time = -1; }).find("stop time"), std::string::npos);
  EXPECT_NE(message([](RunOptions& o) { o.stop_time = INFINITY; }).find("stop time"),
            std::string::npos);
  EXPECT_NE(message([](RunOptions& o) { o.interval = -3; }).find("interval"), std::string::npos);
  EXPECT_NE(message([](RunOptions& o) { o.solver = "rodas"; }).find("rodas5p"), std::string::npos);
  EXPECT_NE(message([](RunOptions& o) { o.solver = "euler"; }).find("--step"), std::string::npos);
}

TEST(RunSetup, UnknownValueIsRefusedWithTheNearNames) {
  Ramp model;
  Context context = make_context(model);
  try {
    set_value(model, context, "zz", 1);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("'z'"), std::string::npos) << error.what();
  }
}

TEST(RunSetup, TwoVariablesOfOneNameAreRefused) {
  class Twice : public Ramp {
   public:
    Twice() { declare_parameter("x", 1); }
  };
  Collector log;
  EXPECT_THROW(simulate(Twice(), {.stop_time = 1}, &log), ApiError);
}

TEST(RunSetup, StopTimeEqualToStartGivesTheInitialInstantOnly) {
  RunOptions options;
  options.solver = "dopri5";
  options.start_time = options.stop_time = 2;
  Collector log;
  const RunResult result = simulate(Ramp(3), options, &log);
  EXPECT_TRUE(result.status.ok());
  EXPECT_EQ(result.status.time, 2);
  ASSERT_EQ(log.times.size(), 1u);
  EXPECT_EQ(log.rows[0][0], 3);
}

}  // namespace
}  // namespace arges
