// Models as text where the other tools fail their users: stiffness with events at tight tolerances,
// events at the same instant, chattering.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "arges/driver/model_text.h"
#include "arges/hybrid/simulator.h"
#include "arges/results/memory_sink.h"

namespace arges {
namespace {

struct Outcome {
  RunResult result;
  Trajectory trajectory;

  // Times at which a variable changed.
  std::vector<double> times(const std::string& variable) const {
    std::vector<double> list;
    for (const EventRecord& event : trajectory.events) {
      for (const EventChange& change : event.changes) {
        if (change.name == variable) list.push_back(event.time);
      }
    }
    return list;
  }
};

Outcome run(const std::string& text, const std::string& solver, double rtol,
            ZenoPolicy on_zeno = ZenoPolicy::kStop) {
  const auto model = model_from_text("test.mo", text, "");
  RunOptions options;
  options.stop_time = model->schema().experiment.stop_time;
  options.solver = solver;
  options.numerics.rtol = rtol;
  options.on_zeno = on_zeno;
  options.max_steps = 3'000'000;
  MemorySink memory;
  Context context = make_context(*model);
  Outcome outcome{Simulator(*model, options).run(context, &memory), {}};
  memory.finish({});
  outcome.trajectory = memory.take();
  return outcome;
}

const char* const kTwoState = R"(
model TwoState
  parameter Real c1 = 2.7e6, c3 = 3.5651205;
  Real y1(start = 4.2, fixed = true), y2(start = 0.3, fixed = true);
  Boolean first(start = true, fixed = true);
  Real c2 = if first then 0.4 else -0.3;
  Real c4 = if first then 5.5 else 2.73;
equation
  der(y1) = c1*(y2 + c2 - y1);
  der(y2) = c3*(c4 - y2);
  when y1 >= 5.8 then
    first = false;
  elsewhen y1 <= 2.5 then
    first = true;
  end when;
  annotation(experiment(StopTime = 5));
end TwoState;
)";

// The largest error of the five switches, or infinity when there are not five.
double switch_error(const Outcome& outcome) {
  const double expected[] = {1.1083061677711312, 2.129685355154714, 3.0541529069957196,
                             4.0755320943793025, 4.999999646220308};
  const std::vector<double> times = outcome.times("first");
  if (times.size() != 5) return INFINITY;
  double error = 0;
  for (std::size_t i = 0; i < 5; ++i) error = std::max(error, std::abs(times[i] - expected[i]));
  return error;
}

TEST(HardEvents, TheTwoStateModelFinishesAtEveryTolerance) {
  for (const char* solver : {"rodas5p", "cvode-bdf", "ida"}) {
    for (const double rtol : {1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12}) {
      const Outcome outcome = run(kTwoState, solver, rtol);
      EXPECT_TRUE(outcome.result.status.ok()) << solver << ' ' << outcome.result.status.message;
      EXPECT_EQ(outcome.result.status.time, 5);
      // The fifth switch is 4e-7 before the end: it is there for those who are accurate enough.
      if (rtol <= 1e-9) {
        EXPECT_LT(switch_error(outcome), 2000 * rtol) << solver << ' ' << rtol;
      }
    }
  }
}

TEST(HardEvents, TheTwoStateModelSwitchesAsAccuratelyAsItsTwinInCpp) {
  EXPECT_LT(switch_error(run(kTwoState, "rodas5p", 1e-12)), 2e-11);
  EXPECT_LT(switch_error(run(kTwoState, "cvode-bdf", 1e-12)), 2e-9);
  EXPECT_LT(switch_error(run(kTwoState, "ida", 1e-12)), 2e-9);
}

// What lets a when fire again is no event: it changes nothing.
TEST(HardEvents, TheEventsOfATextAreThoseThatAUserWouldCount) {
  const Outcome two_state = run(kTwoState, "rodas5p", 1e-10);
  EXPECT_EQ(two_state.result.events, 5);
  ASSERT_EQ(two_state.trajectory.events.size(), 5U);
  for (const EventRecord& event : two_state.trajectory.events) {
    ASSERT_EQ(event.changes.size(), 1U);
    EXPECT_EQ(event.changes[0].name, "first");
  }

  // sin passes 0.5 upwards twice and downwards twice; the second clause reinits; the if is seen in
  // the equations, at all four.
  const std::string clauses = R"(
model Clauses
  Real y = sin(time);
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  when y > 0.5 then
    n = pre(n) + 1;
  end when;
  when y < -0.5 then
    reinit(x, 0);
  end when;
  annotation(experiment(StopTime = 12.5));
end Clauses;
)";
  std::string seen = clauses;
  seen.replace(seen.find("der(x) = 1"), 10, "der(x) = if y > 0.5 then 1 else 2");
  for (const char* solver : {"dopri5", "rodas5p", "cvode-bdf"}) {
    EXPECT_EQ(run(clauses, solver, 1e-8).result.events, 4) << solver;
    EXPECT_EQ(run(clauses, solver, 1e-8).trajectory.final_value("n"), 2) << solver;
    EXPECT_EQ(run(seen, solver, 1e-8).result.events, 6) << solver;
  }
}

// Two relations, a sample and a time event, all due at t = 0.5; what one changes the others see.
TEST(HardEvents, EventsAtTheSameInstantAllHappenOnce) {
  const std::string text = R"(
model Same
  Real x(start = 0, fixed = true), y(start = -0.5, fixed = true);
  Integer a(start = 0, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true);
  Integer d(start = 0, fixed = true), e(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = 2;
  when x >= 0.5 then
    a = pre(a) + 1;
  end when;
  when y >= 0.5 then
    b = pre(b) + 1;
  end when;
  when sample(0.5, 10) then
    c = pre(c) + 1;
  end when;
  when time >= 0.5 then
    d = pre(d) + 1;
  end when;
  when a + b + c + d >= 4 then
    e = pre(e) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end Same;
)";
  for (const char* solver : {"dopri5", "rodas5p", "cvode-bdf", "ida"}) {
    for (const double rtol : {1e-4, 1e-8, 1e-12}) {
      const Outcome outcome = run(text, solver, rtol);
      ASSERT_TRUE(outcome.result.status.ok()) << outcome.result.status.message;
      for (const char* name : {"a", "b", "c", "d", "e"}) {
        const std::vector<double> times = outcome.times(name);
        ASSERT_EQ(times.size(), 1U) << name << " with " << solver << ' ' << rtol;
        EXPECT_NEAR(times[0], 0.5, 1e-12) << name << " with " << solver << ' ' << rtol;
        EXPECT_EQ(outcome.trajectory.final_value(name), 1) << name << " with " << solver;
      }
      EXPECT_TRUE(std::is_sorted(outcome.trajectory.times.begin(), outcome.trajectory.times.end()));
    }
  }
}

// A relay holds x at zero, against a push that it can overcome: the switching never ends.
const char* const kRelay = R"(
model Relay
  Real x(start = 0.3, fixed = true);
equation
  der(x) = (if x > 0 then -1 else 1) + 0.5*cos(time);
  annotation(experiment(StopTime = 2));
end Relay;
)";

TEST(HardEvents, ChatteringEndsTheRunWithTheRelationThatDoesIt) {
  for (const char* solver : {"dopri5", "rodas5p", "cvode-bdf"}) {
    const Outcome outcome = run(kRelay, solver, 1e-8);
    EXPECT_EQ(outcome.result.status.reason, RunReason::kZeno) << solver;
    EXPECT_NE(outcome.result.status.message.find("x > 0"), std::string::npos)
        << outcome.result.status.message;
    // x falls with -1 + cos(t) / 2 from 0.3: t = 0.57945...
    const double t = outcome.result.status.time;
    EXPECT_NEAR(0.3 - t + 0.5 * std::sin(t), 0, 1e-3) << solver;
  }
}

TEST(HardEvents, AChatteringModelCanSlide) {
  const Outcome outcome = run(kRelay, "dopri5", 1e-8, ZenoPolicy::kStick);
  ASSERT_TRUE(outcome.result.status.ok()) << outcome.result.status.message;
  EXPECT_NEAR(outcome.result.final.x[0], 0, 1e-6);
}

}  // namespace
}  // namespace arges
