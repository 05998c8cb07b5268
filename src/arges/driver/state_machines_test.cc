// State machines in model text, from the text to the results.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "testing/text_run.h"

namespace arges {
namespace {

using testing::report_of;
using testing::run_text;
using testing::TextRun;

// The parts of the rotating pendulum of ARGESIM C21.
const char* const kFlight = R"(
  block Flight
    outer parameter Real m, l, k, g;
    outer output Real x, y;
    Real vx, vy;
  equation
    der(x) = vx;
    der(y) = vy;
    m * der(vx) = -k * vx;
    m * der(vy) = -m * g - k * vy;
  end Flight;)";

std::string pendulum_with_angle(const std::string& immediate = "true") {
  return std::string(R"(model Model
  inner parameter Real m = 1.5, l = 1, k = 0.9, g = 9.81;
  inner Real x, y;
  block Taut
    outer parameter Real m, l, k, g;
    outer output Real x, y;
    Real phi(start = 0.78539816339744831, fixed = true), w(start = 15, fixed = true);
    Real F = -g * m * cos(phi) + m * l * w ^ 2;
  equation
    der(phi) = w;
    der(w) = -k / m * w + g / l * sin(phi);
    x = l * sin(phi);
    y = l * cos(phi);
  end Taut;)") +
         kFlight + R"(
  Taut taut;
  Flight flight;
equation
  initialState(taut);
  transition(taut, flight, taut.F < 0, immediate = )" +
         immediate + R"()
    annotation(__Arges_handOver(flight(vx = l * taut.w * cos(taut.phi),
                                       vy = -l * taut.w * sin(taut.phi))));
  transition(flight, taut, x ^ 2 + y ^ 2 > l ^ 2, immediate = )" +
         immediate + R"()
    annotation(__Arges_handOver(taut.phi = atan2(x, y),
                                taut.w = (y * flight.vx - x * flight.vy) / l ^ 2));
end Model;)";
}

// The same with the length of the string as a constraint: index 3.
std::string pendulum_with_constraint() {
  return std::string(R"(model Model
  inner parameter Real m = 1.5, l = 1, k = 0.9, g = 9.81;
  parameter Real phi0 = 0.78539816339744831;
  inner Real x(start = l * sin(phi0)), y(start = l * cos(phi0));
  block Taut
    outer parameter Real m, l, k, g;
    outer output Real x, y;
    Real vx(start = 15 * cos(0.78539816339744831));
    Real vy(start = -15 * sin(0.78539816339744831));
    Real lambda;
    Real F = -g * m * y / l + m / l * (vx ^ 2 + vy ^ 2);
  equation
    der(x) = vx;
    der(y) = vy;
    m * der(vx) = -k * vx - lambda * x;
    m * der(vy) = -m * g - k * vy - lambda * y;
    x ^ 2 + y ^ 2 = l ^ 2;
  end Taut;)") +
         kFlight + R"(
  Taut taut;
  Flight flight;
equation
  initialState(taut);
  transition(taut, flight, taut.F < 0, immediate = false)
    annotation(__Arges_handOver(flight(vx = taut.vx, vy = taut.vy)));
  transition(flight, taut, x ^ 2 + y ^ 2 > l ^ 2, immediate = false)
    annotation(__Arges_handOver(taut(vx = y * (y * flight.vx - x * flight.vy) / l ^ 2,
                                     vy = -x * (y * flight.vx - x * flight.vy) / l ^ 2)));
  annotation(experiment(StopTime = 3));
end Model;)";
}

// By integration with 22 digits.
constexpr double kStartsFalling = 1.921999019786355, kStartsSwinging = 2.661498894058365;

TEST(StateMachines, ThePendulumFallsAndSwingsAtTheRightTimesWithFourSolvers) {
  for (const char* immediate : {"true", "false"}) {
    for (const char* solver : {"dopri5", "rodas5p", "dop853", "cvode-adams", "tsit5"}) {
      const TextRun run = run_text(pendulum_with_angle(immediate), 3, solver, 1e-12);
      ASSERT_EQ(run.result.status.reason, RunReason::kFinished) << run.result.status.message;
      const auto switches = run.switches();
      ASSERT_EQ(switches.size(), 2u) << solver;
      EXPECT_NEAR(switches[0].time, kStartsFalling, 1e-8) << solver;
      EXPECT_NEAR(switches[1].time, kStartsSwinging, 1e-8) << solver;
      EXPECT_EQ(switches[0].kind, "SE-S");
    }
  }
}

TEST(StateMachines, ThePendulumWithAConstraintFallsAndSwingsAtTheSameTimes) {
  for (const char* solver : {"dopri5", "rodas5p", "dop853", "ida"}) {
    const TextRun run = run_text(pendulum_with_constraint(), 3, solver, 1e-12);
    ASSERT_EQ(run.result.status.reason, RunReason::kFinished) << run.result.status.message;
    const auto switches = run.switches();
    ASSERT_EQ(switches.size(), 2u) << solver;
    EXPECT_NEAR(switches[0].time, kStartsFalling, 1e-8) << solver;
    EXPECT_NEAR(switches[1].time, kStartsSwinging, 1e-8) << solver;
  }
}

TEST(StateMachines, SharedVariablesAreOneTrajectoryAndAbsentOnesAreNaN) {
  const TextRun run = run_text(pendulum_with_angle(), 3);
  const Trajectory& t = run.trajectory;
  const auto x = t.values_of("x"), y = t.values_of("y"), phi = t.values_of("taut.phi"),
             vx = t.values_of("flight.vx");
  bool flew = false;
  for (std::size_t i = 0; i < t.rows(); ++i) {
    ASSERT_TRUE(std::isfinite(x[i]) && std::isfinite(y[i]));
    EXPECT_NE(std::isnan(phi[i]), std::isnan(vx[i]));
    EXPECT_NEAR(x[i], x[i > 0 ? i - 1 : 0], 0.2);
    flew = flew || std::isnan(phi[i]);
  }
  EXPECT_TRUE(flew);
}

TEST(StateMachines, TheEventLogTellsWhatChangesNotWhichModeKeepsIt) {
  const TextRun run = run_text(R"(model Model
  discrete Integer n(start = 3, fixed = true);
  block A Real x(start = 0, fixed = true); discrete Integer k(start = 7, fixed = true);
  equation der(x) = 1; when x > 0.5 then k = pre(k) + 1; end when; end A;
  block B Real y(start = 0, fixed = true); equation der(y) = 1; end B;
  A a;
  B b;
equation
  when sample(10, 1) then n = pre(n) + 1; end when;
  initialState(a);
  transition(a, b, a.x > 1);
end Model;)",
                               2);
  const std::vector<EventRecord> switches = run.switches();
  ASSERT_EQ(switches.size(), 1u);
  for (const EventChange& change : switches[0].changes) {
    EXPECT_NE(change.name, "n");  // it is 3 before and after
    if (change.name == "a.k") {
      EXPECT_EQ(change.before, 8);
      EXPECT_TRUE(std::isnan(change.after));
    }
  }
}

TEST(StateMachines, AValueThatIsNotFiniteIsTracedToItsEquationInItsBlock) {
  const TextRun run = run_text(R"(model Model
  block A Real x(start = 0, fixed = true); equation der(x) = 1; end A;
  block B Real y(start = 1, fixed = true), root;
  equation der(y) = -1 - 0 * root; root = sqrt(y - 0.5); end B;
  A a; B b;
equation
  initialState(a); transition(a, b, a.x > 1);
end Model;)",
                               4);
  EXPECT_NE(run.result.status.reason, RunReason::kFinished);
  EXPECT_NE(run.result.status.message.find("b.root"), std::string::npos)
      << run.result.status.message;
  EXPECT_NE(run.result.status.message.find("sqrt(b.y - 0.5)"), std::string::npos)
      << run.result.status.message;
}

TEST(StateMachines, FrictionSticksAndSlipsWithoutChattering) {
  // A block on a belt, pulled by a spring: sticks until the spring is stronger than static
  // friction.
  const char* text = R"(model Model
  inner parameter Real c = 1, m = 1, slides = 0.6, holds = 1, belt = 0.2;
  inner Real x(start = 0, fixed = true), v;
  block Stick
    outer parameter Real belt;
    outer output Real x, v;
  equation
    v = belt;
    der(x) = v;
  end Stick;
  block Slip
    parameter Real sign = 1;
    outer parameter Real c, m, slides;
    outer output Real x, v;
  equation
    der(x) = v;
    m * der(v) = -c * x + sign * slides;
  end Slip;
  Stick stick;
  Slip backward(sign = 1), forward(sign = -1);
equation
  initialState(stick);
  transition(stick, backward, c * x > holds);
  transition(stick, forward, c * x < -holds);
  transition(backward, stick, v > belt, immediate = false);
  transition(forward, stick, v < belt, immediate = false);
end Model;)";
  const TextRun run = run_text(text, 40, "dopri5", 1e-10);
  ASSERT_EQ(run.result.status.reason, RunReason::kFinished) << run.result.status.message;
  const auto switches = run.switches();
  // It slips from x = holds / c with v = belt: x - s = (1 - s) cos t + belt sin t, until v = belt
  // again: t = 2 pi - 2 atan((1 - s) / belt), at x = 2 s - 1; then it sticks for (2 - 2 s) / belt.
  const double slip = 2 * std::acos(-1.0) - 2 * std::atan(0.4 / 0.2), stick = 0.8 / 0.2;
  ASSERT_GE(switches.size(), 4u);
  EXPECT_NEAR(switches[0].time, 1 / 0.2, 1e-8);
  for (std::size_t i = 1; i < switches.size(); ++i)
    EXPECT_NEAR(switches[i].time - switches[i - 1].time, i % 2 == 1 ? slip : stick, 1e-7) << i;
  EXPECT_EQ(switches.size(), 1 + static_cast<std::size_t>((40 - 5) / (slip + stick)) * 2 +
                                 (std::fmod(40 - 5, slip + stick) > slip ? 1 : 0));
}

TEST(StateMachines, MachinesRunInParallelAndInsideOfBlocks) {
  const char* text = R"(model Model
  model Blink
    block Grow outer output Real u; equation der(u) = 1; end Grow;
    block Fall outer output Real u; equation der(u) = -2; end Fall;
    inner Real u(start = 0, fixed = true);
    Grow grow;
    Fall fall;
  equation
    initialState(grow);
    transition(grow, fall, u > 1);
    transition(fall, grow, u < 0);
  end Blink;
  block Idle end Idle;
  Blink lamp;
  Idle off;
  block Fast Real z(start = 5, fixed = true); equation der(z) = -z; end Fast;
  Fast fast;
equation
  initialState(lamp);
  transition(lamp, off, time > 4, immediate = false);
  transition(off, lamp, timeInState() > 1);
  initialState(fast);
  transition(fast, fast, fast.z < 1);
end Model;)";
  const TextRun run = run_text(text, 6.25);
  ASSERT_EQ(run.result.status.reason, RunReason::kFinished) << run.result.status.message;
  const Trajectory& t = run.trajectory;
  const auto u = t.values_of("lamp.u"), z = t.values_of("fast.z"),
             off = t.values_of("activeState(off)"), grow = t.values_of("activeState(lamp.grow)");
  for (std::size_t i = 0; i < t.rows(); ++i) {
    const double time = t.times[i];
    if (i > 0 && t.times[i - 1] == time) continue;
    if (i + 1 < t.rows() && t.times[i + 1] == time) continue;
    // It grows for 1 s and falls for 0.5 s; it is left at 4 s, entered at 5 s anew.
    const bool is_off = time > 4 && time < 5;
    EXPECT_EQ(off[i] != 0, is_off) << time;
    EXPECT_EQ(std::isnan(u[i]), is_off) << time;
    const double phase = std::fmod(time < 4 ? time : time - 5, 1.5);
    const bool switches = std::abs(phase - 1) < 1e-6 || std::min(phase, 1.5 - phase) < 1e-6;
    if (!is_off && !switches) {
      EXPECT_NEAR(u[i], phase < 1 ? phase : 1 - 2 * (phase - 1), 1e-6) << time;
      EXPECT_EQ(grow[i] != 0, phase < 1) << time;
    }
    EXPECT_NEAR(z[i], 5 * std::exp(-std::fmod(time, std::log(5.0))), 1e-6) << time;
  }
}

TEST(StateMachines, WithoutResetABlockGoesOnWithWhatItHad) {
  const auto text = [](const char* reset) {
    return std::string(R"(model Model
  block Count Real n(start = 0, fixed = true); equation der(n) = 1; end Count;
  block Pause end Pause;
  Count count;
  Pause pause;
equation
  initialState(count);
  transition(count, pause, timeInState() > 2);
  transition(pause, count, timeInState() > 1, reset = )") +
           reset + ");\nend Model;";
  };
  EXPECT_NEAR(run_text(text("false"), 4).trajectory.final_value("count.n"), 3, 1e-9);
  EXPECT_NEAR(run_text(text("true"), 4).trajectory.final_value("count.n"), 1, 1e-9);
}

TEST(StateMachines, WhatIsNotHandedOverBeginsByInitialEquations) {
  const char* text = R"(model Model
  Real c(start = 2, fixed = true);
  block A Real x(start = 1, fixed = true); equation der(x) = 1; end A;
  block B
    parameter Real from = 7;
    Real p(start = 3), q, r(start = 4), s;
  initial equation
    p + q = from;
    s = 0.5;
  equation
    der(p) = 0; der(q) = 0; der(r) = 0; der(s) = 0;
  end B;
  A a;
  B b;
equation
  der(c) = 1;
  initialState(a);
  transition(a, b, a.x > 2) annotation(__Arges_handOver(b(q = 10 * a.x, s = 9)));
end Model;)";
  const Trajectory t = run_text(text, 3).trajectory;
  EXPECT_NEAR(t.final_value("b.q"), 20, 1e-8);
  EXPECT_NEAR(t.final_value("b.p"), -13, 1e-8);
  EXPECT_NEAR(t.final_value("b.r"), 4, 1e-12);
  EXPECT_NEAR(t.final_value("b.s"), 9, 1e-12);  // a hand-over counts more
  EXPECT_NEAR(t.final_value("c"), 5, 1e-8);
  EXPECT_TRUE(std::isnan(t.final_value("a.x")));
}

TEST(StateMachines, AnImpactIsATransitionToTheSameBlock) {
  // t_n of the bouncing ball: sqrt(2 h / g) (1 + 2 (e + e^2 + ... )).
  const char* text = R"(model Model
  block Fly
    Real h(start = 10, fixed = true), v(start = 0, fixed = true);
  equation
    der(h) = v;
    der(v) = -9.81;
  end Fly;
  Fly fly;
equation
  initialState(fly);
  transition(fly, fly, fly.h < 0) annotation(__Arges_handOver(fly(h = 0, v = -0.9 * fly.v)));
end Model;)";
  for (const char* solver : {"dopri5", "rodas5p", "cvode-bdf", "qss3"}) {
    const TextRun run = run_text(text, 12, solver, 1e-10);
    ASSERT_EQ(run.result.status.reason, RunReason::kFinished) << run.result.status.message;
    double t = std::sqrt(20 / 9.81), gap = 2 * t;
    std::size_t n = 0;
    for (const EventRecord& e : run.trajectory.events) {
      if (std::abs(e.time - t) > 1e-3) continue;  // h leaves its root again
      EXPECT_NEAR(e.time, t, 1e-6) << solver;
      t += gap *= 0.9;
      ++n;
    }
    EXPECT_EQ(n, 6u) << solver;
  }
}

TEST(StateMachines, SynchronizeWaitsForTheMachinesInside) {
  const char* text = R"(model Model
  model Work
    block Step Real x(start = 0, fixed = true); equation der(x) = 1; end Step;
    block Done end Done;
    Step step;
    Done done;
  equation
    initialState(step);
    transition(step, done, step.x > 3);
  end Work;
  block Rest Real r(start = 0, fixed = true); equation der(r) = 1; end Rest;
  Work work;
  Rest rest;
equation
  initialState(work);
  transition(work, rest, time > 1, synchronize = true);
end Model;)";
  EXPECT_NEAR(run_text(text, 5).trajectory.final_value("rest.r"), 2, 1e-8);
}

TEST(StateMachines, AVariableAroundIsKeptAlsoUnderAnotherName) {
  const char* text = R"(model Model
  inner Real x(start = 1, fixed = true);
  block A outer output Real x; equation der(x) = 1; end A;
  block B outer output Real x; Real minus; equation x = -minus; der(minus) = 2; end B;
  A a;
  B b;
equation
  initialState(a);
  transition(a, b, x > 2);
end Model;)";
  EXPECT_NEAR(run_text(text, 2).trajectory.final_value("x"), 0, 1e-8);
}

TEST(StateMachines, ADiscreteVariableAroundTheMachineIsKept) {
  const char* text = R"(model Model
  discrete Integer n(start = 0, fixed = true);
  block A Real x(start = 0, fixed = true); equation der(x) = 1; end A;
  A a, b;
equation
  when sample(0.5, 1) then
    n = pre(n) + 1;
  end when;
  initialState(a);
  transition(a, b, a.x > 1.25);
  transition(b, a, b.x > 1.25);
end Model;)";
  const Trajectory t = run_text(text, 6.25).trajectory;
  EXPECT_EQ(t.final_value("n"), 6);
  const auto n = t.values_of("n");
  for (std::size_t i = 0; i < t.rows(); ++i) {
    if (std::abs(t.times[i] - std::round(t.times[i] - 0.5) - 0.5) < 1e-9) continue;
    EXPECT_EQ(n[i], std::floor(t.times[i] + 0.5)) << t.times[i];
  }
}

// A machine of blocks A, B and C around what `more` says.
std::string machine(const std::string& more) {
  return R"(model Model
  block A Real x(start = 0, fixed = true); equation der(x) = 1; end A;
  A a, b, c;
equation
)" + more +
         "\nend Model;";
}

TEST(StateMachines, WrongMachinesAreRefusedWithTheirNames) {
  const std::string two = "transition(a, b, a.x > 1); transition(b, a, b.x > 1);";
  const auto expect = [&](const std::string& more, const char* code, const char* words) {
    const std::string report = report_of(machine(more));
    EXPECT_NE(report.find(code), std::string::npos) << report;
    EXPECT_NE(report.find(words), std::string::npos) << report;
  };
  expect(two, "E0350", "`a`, `b`");
  expect(two + "initialState(a); initialState(b);", "E0351", "`a` and `b`");
  expect("initialState(a); transition(a, b, a.x > 1) annotation(__Arges_handOver(b(y = 1)));",
         "E0353", "`b` has no variable `y`");
  expect("initialState(a); transition(a, b, a.x > 1) annotation(__Arges_handOver(a(x = 1)));",
         "E0353", "`a.x` does not exist in `b`");
  expect("initialState(a); transition(a, b, a.x > 1) annotation(__Arges_handOver(b(x=1), b(x=2)));",
         "E0353", "`b.x` is handed over twice");
  expect("initialState(a); transition(a, b, a.x > 1); transition(a, c, a.x > 1);", "E0354", "`a`");
  expect("initialState(a); transition(a, b, a.x > 1); assert(b.x < 1, \"no\");", "E0355",
         "in mode 'a'");
  EXPECT_EQ(report_of(machine("initialState(a);" + two)), "accepted");
}

TEST(StateMachines, AParameterThatALaterBlockWouldDetermineIsRefusedAndAStateDoesIt) {
  const auto text = [](const char* p, const char* more) {
    return std::string(R"(model Model
  block A Real x(start = 0, fixed = true); equation der(x) = 1; end A;
  block B
    )") + p +
           R"(
    Real y(start = 1, fixed = true);
  initial equation der(y) = -3; equation der(y) = -p * y;)" +
           more + R"( end B;
  A a; B b;
equation
  initialState(a); transition(a, b, a.x > 1);
end Model;)";
  };
  const std::string report = report_of(text("parameter Real p(fixed = false, start = 2);", ""));
  EXPECT_NE(report.find("'b.p' has no value"), std::string::npos) << report;
  EXPECT_NE(report.find("block 'b'"), std::string::npos) << report;
  const TextRun run = run_text(text("Real p(start = 2);", " der(p) = 0;"), 2);
  ASSERT_EQ(run.result.status.reason, RunReason::kFinished) << run.result.status.message;
  EXPECT_NEAR(run.trajectory.final_value("b.p"), 3, 1e-9);
  EXPECT_NEAR(run.trajectory.final_value("b.y"), std::exp(-3.0), 1e-7);
}

TEST(StateMachines, ASingularModeIsNamedWithItsEquations) {
  const std::string report = report_of(R"(model Model
  inner Real y;
  block A outer output Real y; equation der(y) = 1; end A;
  block B Real z; equation der(z) = 1; end B;
  A a;
  B b;
equation
  initialState(a);
  transition(a, b, y > 1);
end Model;)");
  EXPECT_NE(report.find("E0355"), std::string::npos) << report;
  EXPECT_NE(report.find("in mode 'b'"), std::string::npos) << report;
  EXPECT_NE(report.find('y'), std::string::npos) << report;
}

TEST(StateMachines, ATransitionBetweenMachinesOfDifferentLevelsIsRefused) {
  const std::string report = report_of(R"(model Model
  model Outer
    block A Real x(start = 0, fixed = true); equation der(x) = 1; end A;
    A a, b;
  equation
    initialState(a);
    transition(a, b, a.x > 1);
  end Outer;
  Outer one, two;
equation
  transition(one.a, two.b, time > 1);
end Model;)");
  EXPECT_NE(report.find("E0352"), std::string::npos) << report;
}

TEST(StateMachines, TransitionsThatHoldTogetherNeedPriorities) {
  const auto run = [](const char* priority) {
    return run_text(machine(std::string("initialState(a); transition(a, b, a.x > 1);") +
                            "transition(a, c, a.x > 1 or a.x < -1" + priority + ");"),
                    2);
  };
  const TextRun equal = run("");
  EXPECT_EQ(equal.result.status.reason, RunReason::kEvaluationFailed);
  EXPECT_NE(equal.result.status.message.find("same priority"), std::string::npos)
      << equal.result.status.message;
  EXPECT_NE(equal.result.status.message.find("'b'"), std::string::npos);
  const TextRun later = run(", priority = 2");
  EXPECT_EQ(later.result.status.reason, RunReason::kFinished) << later.result.status.message;
  EXPECT_NEAR(later.trajectory.final_value("b.x"), 1, 1e-8);
}

TEST(StateMachines, TransitionsWithoutEndAtOneInstantEndTheRun) {
  const TextRun run = run_text(
      machine("initialState(a); transition(a, b, time > 1); transition(b, a, time > 1);"), 2);
  EXPECT_EQ(run.result.status.reason, RunReason::kEvaluationFailed);
  EXPECT_NE(run.result.status.message.find("without end"), std::string::npos)
      << run.result.status.message;
}

// 50 blocks in a circle; block i has i + 1 states, of which the first falls from 1 to 0.
std::string ring(int blocks) {
  std::string text = R"(model Model
  block B
    parameter Integer n;
    Real s[n](each start = 1, each fixed = true);
  equation
    der(s[1]) = -1;
    for i in 2:n loop der(s[i]) = s[i - 1] - s[i]; end for;
  end B;
)";
  std::string equations = "equation\n  initialState(b1);\n";
  for (int i = 1; i <= blocks; ++i) {
    const std::string me = "b" + std::to_string(i), next = "b" + std::to_string(i % blocks + 1);
    text += fmt::format("  B {}(n = {});\n", me, i);
    equations += fmt::format("  transition({}, {}, {}.s[1] < 0);\n", me, next, me);
  }
  return text + equations + "end Model;";
}

TEST(StateMachines, AThousandSwitchesAmongFiftyModes) {
  const auto model = model_from_text("Model.mo", ring(50));
  ASSERT_EQ(model->schema().modes.size(), 50u);
  RunOptions options;
  options.stop_time = 1000.5;
  options.solver = "dopri5";
  const RunResult run = Simulator(*model, options).run(make_context(*model), nullptr);
  ASSERT_EQ(run.status.reason, RunReason::kFinished) << run.status.message;
  EXPECT_EQ(run.events, 1000);
  EXPECT_EQ(run.final.mode.index, 0);
  EXPECT_NEAR(run.final.x[0], 0.5, 1e-6);
}

TEST(StateMachines, CheckTellsTheIndexOfEachMode) {
  const std::string path = ::testing::TempDir() + "machine_check_test.mo";
  FILE* file = std::fopen(path.c_str(), "w");
  ASSERT_NE(file, nullptr);
  std::fputs(pendulum_with_constraint().c_str(), file);
  std::fclose(file);
  const ModelCheck check = check_model({.what = path, .class_name = ""});
  std::remove(path.c_str());
  ASSERT_EQ(check.modes.size(), 2u);
  EXPECT_EQ(check.modes[0].name, "taut");
  EXPECT_EQ(check.modes[0].index, 3);
  EXPECT_EQ(check.modes[1].index, 0);
  EXPECT_EQ(check.modes[1].states.size(), 4u);
  EXPECT_EQ(check.modes[0].equations, check.modes[0].unknowns);
}

}  // namespace
}  // namespace arges
