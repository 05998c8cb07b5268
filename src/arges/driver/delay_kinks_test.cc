// delay() of signals whose slope jumps, and how exactly the past is read.

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "testing/text_run.h"

namespace arges {
namespace {

using testing::run_text;
using testing::TextRun;

constexpr const char* kAdaptive[] = {"dopri5",  "tsit5",      "dop853",
                                     "rodas5p", "cvode-bdf",  "cvode-adams",
                                     "ida",     "arkode-erk", "arkode-dirk"};

// The largest error of a column.
double error_of(const TextRun& run, const char* name, const std::function<double(double)>& exact) {
  const auto values = run.trajectory.values_of(name);
  double worst = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    worst = std::max(worst, std::abs(values[i] - exact(run.trajectory.times[i])));
  return worst;
}

double triangle(double t) {
  const double phase = std::fmod(std::max(0.0, t), 2);
  return phase < 1 ? phase : 2 - phase;
}

// Its integral from 0.
double area(double t) {
  const double periods = std::floor(std::max(0.0, t) / 2), phase = std::max(0.0, t) - 2 * periods;
  const double rest = phase < 1 ? phase * phase / 2 : 1 - (2 - phase) * (2 - phase) / 2;
  return periods + rest;
}

TEST(DelayKinks, ATriangleWaveKeepsItsCornersWithAllSolvers) {
  for (const char* solver : kAdaptive) {
    const TextRun run = run_text(R"(model Model
  Real x(start = 0, fixed = true);
  Real z(start = 0, fixed = true);
  discrete Real slope(start = 1, fixed = true);
  Real d = delay(x, 0.75);
equation
  der(x) = slope;
  der(z) = d;
  when sample(1, 1) then
    slope = -pre(slope);
  end when;
end Model;)",
                                 6.3, solver);
    ASSERT_EQ(run.result.status.reason, RunReason::kFinished) << run.result.status.message;
    EXPECT_LT(error_of(run, "d", [](double t) { return triangle(t - 0.75); }), 1e-8) << solver;
    EXPECT_LT(error_of(run, "z", [](double t) { return area(t - 0.75); }), 1e-7) << solver;
    EXPECT_LT(run.result.statistics.steps, 1000) << solver;
  }
}

TEST(DelayKinks, AnAlgebraicTriangleThroughAChainOfDelays) {
  for (const char* solver : {"dopri5", "rodas5p", "cvode-bdf"}) {
    const TextRun run = run_text(R"(model Model
  Real x = if c then 2 - phase else phase;
  Real phase = time - 2*floor(time/2);
  Boolean c = phase > 1;
  Real d = delay(x, 0.3);
  Real e = delay(d, 0.35);
  Real z(start = 0, fixed = true);
equation
  der(z) = e;
end Model;)",
                                 6.3, solver);
    ASSERT_EQ(run.result.status.reason, RunReason::kFinished) << run.result.status.message;
    EXPECT_LT(error_of(run, "e", [](double t) { return triangle(t - 0.65); }), 1e-8) << solver;
    EXPECT_LT(error_of(run, "z", [](double t) { return area(t - 0.65); }), 1e-7) << solver;
    EXPECT_LT(run.result.statistics.steps, 1000) << solver;
  }
}

TEST(DelayKinks, ACornerComesThroughADelayThatChanges) {
  // s = |time - 1|, with an event; t - d = 0.9 t - 0.5.
  const TextRun run = run_text(R"(model Model
  Real s = if time > 1 then time - 1 else 1 - time;
  Real d = 0.5 + 0.1*time;
  Real y = delay(s, d, 2);
  Real z(start = 0, fixed = true);
equation
  der(z) = y;
end Model;)",
                               4);
  ASSERT_EQ(run.result.status.reason, RunReason::kFinished) << run.result.status.message;
  const auto exact = [](double t) { return std::abs(std::max(0.0, 0.9 * t - 0.5) - 1); };
  EXPECT_LT(error_of(run, "y", exact), 1e-8);
  // From 0 to 5/9 it is 1, to 5/3 it falls to 0, to 4 it rises to 2.1.
  const double z = 5.0 / 9 + (5.0 / 3 - 5.0 / 9) / 2 + (4 - 5.0 / 3) * 2.1 / 2;
  EXPECT_NEAR(run.trajectory.final_value("z"), z, 1e-8);
  EXPECT_LT(run.result.statistics.steps, 200);
}

TEST(DelayKinks, ASwitchThatFollowsADelayedSwitch) {
  // x rises until the delayed x has reached 1, then falls until it has reached 0, and so on: each
  // turn is half a second late.
  const TextRun run = run_text(R"(model Model
  Real x(start = 0, fixed = true);
  Boolean up(start = true, fixed = true);
  Real d = delay(x, 0.5);
equation
  der(x) = if up then 1 else -1;
  when d > 1 then
    up = false;
  elsewhen d < 0 then
    up = true;
  end when;
end Model;)",
                               9.9);
  ASSERT_EQ(run.result.status.reason, RunReason::kFinished) << run.result.status.message;
  // Up to 1.5 at t = 1.5, down to -0.5 at t = 3.5, up to 1.5 at t = 5.5 ...
  const auto x = [](double t) {
    const double phase = std::fmod(t + 0.5, 4);
    return phase < 2 ? phase - 0.5 : 3.5 - phase;
  };
  EXPECT_LT(error_of(run, "x", x), 1e-8);
  EXPECT_LT(error_of(run, "d", [&](double t) { return t < 0.5 ? 0 : x(t - 0.5); }), 1e-8);
  EXPECT_LT(run.result.statistics.steps, 500);
}

TEST(DelayKinks, AnEquationWithItsOwnPastFollowsTheMethodOfSteps) {
  // y' = -y(t - 1), y = 1 before: y = sum over k of (-1)^k (t - k + 1)^k / k! while t >= k - 1.
  const auto exact = [](double t) {
    double sum = 0, factor = 1;
    for (int k = 0; k == 0 || t >= k - 1; ++k) {
      sum += (k % 2 == 0 ? 1 : -1) * std::pow(t - k + 1, k) / factor;
      factor *= k + 1;
    }
    return sum;
  };
  for (const char* solver : kAdaptive) {
    const TextRun run = run_text(R"(model Model
  Real y(start = 1, fixed = true);
equation
  der(y) = -delay(y, 1);
end Model;)",
                                 6, solver);
    ASSERT_EQ(run.result.status.reason, RunReason::kFinished) << run.result.status.message;
    EXPECT_LT(error_of(run, "y", exact), 1e-7) << solver;
    EXPECT_LT(run.result.statistics.steps, 600) << solver;
  }
}

TEST(DelayKinks, ThePastOfAnAlgebraicSignalIsAsExactAsTheTolerance) {
  for (const char* solver : {"dopri5", "rodas5p", "cvode-bdf", "dop853"}) {
    for (const double rtol : {1e-6, 1e-9, 1e-11}) {
      const TextRun run = run_text(R"(model Model
  Real d = delay(sin(7*time)*exp(-0.1*time), 0.5);
end Model;)",
                                   6, solver, rtol);
      ASSERT_EQ(run.result.status.reason, RunReason::kFinished) << run.result.status.message;
      const auto exact = [](double t) {
        const double s = std::max(0.0, t - 0.5);
        return std::sin(7 * s) * std::exp(-0.1 * s);
      };
      EXPECT_LT(error_of(run, "d", exact), rtol) << solver;
    }
  }
}

TEST(DelayKinks, ASmoothSignalHasNoBreaksAfterItsBeginning) {
  // Events of something else come out nowhere.
  const TextRun run = run_text(R"(model Model
  Real d = delay(sin(time), 0.5);
  Boolean b = sin(9*time) > 0;
end Model;)",
                               6);
  ASSERT_EQ(run.result.status.reason, RunReason::kFinished) << run.result.status.message;
  int delayed = 0;
  for (const EventRecord& e : run.trajectory.events) delayed += e.component.starts_with("delay(");
  EXPECT_EQ(delayed, 1);
  EXPECT_LT(error_of(run, "d", [](double t) { return std::sin(std::max(0.0, t - 0.5)); }), 1e-9);
}

}  // namespace
}  // namespace arges
