// delay() in models with state machines.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "testing/text_run.h"

namespace arges {
namespace {

using testing::report_of;
using testing::run_text;
using testing::TextRun;

TEST(MachineDelays, ThePastOfABlockBeginsWhenItIsEntered) {
  // d is x half a second ago, and x at the beginning while there is no past.
  const TextRun run = run_text(R"(model Model
  block Ramp
    Real x(start = 1, fixed = true);
    Real d = delay(x, 0.5);
  equation
    der(x) = 2;
  end Ramp;
  Ramp ramp;
equation
  initialState(ramp);
  transition(ramp, ramp, timeInState() > 2);
end Model;)",
                               5);
  ASSERT_EQ(run.result.status.reason, RunReason::kFinished) << run.result.status.message;
  const auto& times = run.trajectory.times;
  const auto d = run.trajectory.values_of("ramp.d");
  int seen = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double since = std::fmod(times[i], 2);
    if (std::min(since, 2 - since) < 1e-9) continue;
    EXPECT_NEAR(d[i], 1 + 2 * std::max(0.0, since - 0.5), 1e-9) << times[i];
    ++seen;
  }
  EXPECT_GT(seen, 100);
}

TEST(MachineDelays, ThePastAroundAMachineGoesOnThroughItsTransitions) {
  // The slope of x changes at each transition; d follows it one second later.
  const TextRun run = run_text(R"(model Model
  inner Real x(start = 0, fixed = true);
  Real d = delay(x, 0.75);
  block Up outer output Real x; equation der(x) = 1; end Up;
  block Down outer output Real x; equation der(x) = -1; end Down;
  Up up;
  Down down;
equation
  initialState(up);
  transition(up, down, timeInState() > 1);
  transition(down, up, timeInState() > 1);
end Model;)",
                               6);
  ASSERT_EQ(run.result.status.reason, RunReason::kFinished) << run.result.status.message;
  const auto& times = run.trajectory.times;
  const auto d = run.trajectory.values_of("d");
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double phase = std::fmod(std::max(0.0, times[i] - 0.75), 2);
    EXPECT_NEAR(d[i], phase < 1 ? phase : 2 - phase, 2e-3) << times[i];  // a kink is smoothed
    const double kink = std::abs(phase - std::round(phase));
    if (kink > 0.1) {
      EXPECT_NEAR(d[i], phase < 1 ? phase : 2 - phase, 1e-9) << times[i];
    }
  }
}

TEST(MachineDelays, AJumpAtATransitionComesThroughLaterAsAnEvent) {
  const TextRun run = run_text(R"(model Model
  inner Real u;
  Real d = delay(u, 0.3);
  Real s(start = 0, fixed = true);
  block Low outer output Real u; equation u = 0; end Low;
  block High outer output Real u; equation u = 1; end High;
  Low low;
  High high;
equation
  der(s) = d;
  initialState(low);
  transition(low, high, timeInState() > 1);
  transition(high, low, timeInState() > 0.5);
end Model;)",
                               3);
  ASSERT_EQ(run.result.status.reason, RunReason::kFinished) << run.result.status.message;
  // High from 1 to 1.5 and from 2.5 to 3; late by 0.3.
  EXPECT_NEAR(run.trajectory.final_value("s"), 0.5 + 0.2, 1e-12);
}

TEST(MachineDelays, AMachineBesideDoesNotDisturbThePast) {
  const TextRun run = run_text(R"(model Model
  block Wave Real x = sin(time); Real d = delay(x, 0.5); end Wave;
  block Rest end Rest;
  block A end A;
  Wave wave;
  Rest rest;
  A a, b;
equation
  initialState(wave);
  transition(wave, rest, timeInState() > 100);
  initialState(a);
  transition(a, b, timeInState() > 0.35);
  transition(b, a, timeInState() > 0.35);
end Model;)",
                               4);
  ASSERT_EQ(run.result.status.reason, RunReason::kFinished) << run.result.status.message;
  EXPECT_EQ(run.switches().size(), 11u);
  const auto& times = run.trajectory.times;
  const auto d = run.trajectory.values_of("wave.d");
  for (std::size_t i = 0; i < times.size(); ++i)
    EXPECT_NEAR(d[i], std::sin(std::max(0.0, times[i] - 0.5)), 1e-5) << times[i];
}

TEST(MachineDelays, ABlockThatGoesOnHasItsPastAndRestedMeanwhile) {
  // x counts while the block is active: from 0 to 1, from 2 to 3.
  const TextRun run = run_text(R"(model Model
  block Count
    Real x(start = 0, fixed = true);
    Real d = delay(x, 0.5);
  equation
    der(x) = 1;
  end Count;
  block Pause end Pause;
  Count count;
  Pause pause;
equation
  initialState(count);
  transition(count, pause, timeInState() > 1);
  transition(pause, count, timeInState() > 1, reset = false);
end Model;)",
                               2.9);
  ASSERT_EQ(run.result.status.reason, RunReason::kFinished) << run.result.status.message;
  const auto& times = run.trajectory.times;
  const auto d = run.trajectory.values_of("count.d");
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double t = times[i];
    if (t > 1 + 1e-9 && t < 2 - 1e-9) {
      EXPECT_TRUE(std::isnan(d[i])) << t;
    } else if (t > 2.01) {
      EXPECT_NEAR(d[i], t < 2.5 ? 1 : 1 + (t - 2.5), std::abs(t - 2.5) < 0.1 ? 2e-3 : 1e-9) << t;
    }
  }
  EXPECT_NEAR(run.trajectory.final_value("count.d"), 1.4, 1e-9);
}

TEST(MachineDelays, WhatThereIsNotIsRefusedByName) {
  const auto with = [](const char* body) {
    return std::string(R"(model Model
  block A Real x; Real y; )") +
           body + R"( end A;
  A a;
equation
  initialState(a);
  transition(a, a, time > 1, immediate = false);
end Model;)";
  };
  const std::string algorithm = report_of(with("equation x = time; algorithm y := delay(x, 1);"));
  EXPECT_NE(algorithm.find("delay() in an algorithm"), std::string::npos) << algorithm;
  const std::string transport =
      report_of(with("equation (x, y) = spatialDistribution(1, 0, time, true, {0, 1}, {0, 0});"));
  EXPECT_NE(transport.find("spatialDistribution()"), std::string::npos) << transport;
}

}  // namespace
}  // namespace arges
