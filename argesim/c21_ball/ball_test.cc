#include <algorithm>
#include <cmath>
#include <utility>

#include <gtest/gtest.h>

#include "argesim/c21_ball/bounce_times.h"
#include "argesim/c21_ball/model.h"
#include "argesim/c21_ball/reference.h"
#include "argesim/common/experiment.h"

namespace arges::argesim {
namespace {

std::vector<std::string> all_adaptive_solvers() {
  std::vector<std::string> all = implicit_solvers();
  const std::vector<std::string> others = explicit_adaptive_solvers();
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

// One-step methods integrate a parabola exactly. Multistep methods begin each flight with order
// one.
TEST(BouncingBall, TheFirst100BouncesAreWithin1e10OfTheClosedForm) {
  const BouncingBall model;
  for (const auto& [x0, mu] : {std::pair(10, 0.9), std::pair(1, 0.95), std::pair(100, 0.95)}) {
    const std::vector<double> exact = drag_free_bounces(x0, 9.81, mu, 100);
    const Settings settings = {{"beta", 0}, {"x0", x0}, {"mu", mu}};
    for (const std::string& solver : all_adaptive_solvers()) {
      const std::vector<double> times =
          try_run(model, options(solver, 1e-12, 200), settings).event_times("bounce");
      ASSERT_GE(times.size(), exact.size()) << solver;
      double worst = 0;
      for (std::size_t i = 0; i < exact.size(); ++i) {
        worst = std::max(worst, std::abs(times[i] - exact[i]));
      }
      EXPECT_LT(worst, 1e-10) << solver << ", x0 " << x0 << ", mu " << mu;
    }
  }
}

// Down to flights that rise less than the absolute tolerance.
TEST(BouncingBall, OtherBallsOnOtherPlanetsBounceWithin1e10OfTheClosedForm) {
  struct Ball {
    double x0, g, mu, v0;
  };
  const BouncingBall model;
  for (const auto& [x0, g, mu, v0] :
       {Ball{10, 9.81, 0.9, 0}, Ball{3, 1.62, 0.95, 4}, Ball{0.5, 25, 0.85, -2},
        Ball{10, 9.81, 0.8, 0}, Ball{7, 9.81, 0.99, 0}, Ball{2, 3.7, 0.7, 1},
        Ball{10, 9.81, 0.6, 0}}) {
    const Settings settings = {{"beta", 0}, {"x0", x0}, {"g", g}, {"mu", mu}, {"v0", v0}};
    double v = std::sqrt(v0 * v0 + 2 * g * x0), next = (v0 + v) / g;
    std::vector<double> exact;
    for (int i = 0; i < 100; ++i) {
      exact.push_back(next);
      v *= mu;
      next += 2 * v / g;
    }
    for (const std::string& solver : all_adaptive_solvers()) {
      RunOptions tight = options(solver, 1e-12, 1000);
      tight.numerics.atol = 1e-12;
      tight.max_events = 250;
      const std::vector<double> times = try_run(model, tight, settings).event_times("bounce");
      // The run ends where flights are as short as the resolution of time.
      const std::size_t count = std::min(times.size(), exact.size());
      ASSERT_GE(count, mu < 0.75 ? 40 : 100) << solver << ", mu " << mu;
      double worst = 0;
      for (std::size_t i = 0; i < count; ++i)
        worst = std::max(worst, std::abs(times[i] - exact[i]));
      EXPECT_LT(worst, 1e-10) << solver << ", x0 " << x0 << ", g " << g << ", mu " << mu;
    }
  }
}

// At order one the first steps of a flight would leave errors of the tolerance, and steps that grow
// too fast would enlarge them.
TEST(BouncingBall, SlowlyDyingBouncesAreWithin1e10AtLooserTolerances) {
  const BouncingBall model;
  for (const auto& [x0, mu] :
       {std::pair(0.5, 0.99), std::pair(7.0, 0.99), std::pair(100.0, 0.95)}) {
    const std::vector<double> exact = drag_free_bounces(x0, 9.81, mu, 100);
    const Settings settings = {{"beta", 0}, {"x0", x0}, {"mu", mu}};
    for (const std::string& solver : all_adaptive_solvers()) {
      for (const double rtol : {1e-8, 1e-9, 1e-10, 1e-11}) {
        const std::vector<double> times =
            try_run(model, options(solver, rtol, 300), settings).event_times("bounce");
        ASSERT_GE(times.size(), exact.size()) << solver;
        double worst = 0;
        for (std::size_t i = 0; i < exact.size(); ++i)
          worst = std::max(worst, std::abs(times[i] - exact[i]));
        EXPECT_LT(worst, 1e-10) << solver << ", x0 " << x0 << ", rtol " << rtol;
      }
    }
  }
}

TEST(BouncingBall, TheDefaultSolverIsOneOfTheExactOnes) {
  const BouncingBall model;
  const ExperimentInfo& usual = model.schema().experiment;
  const std::vector<double> exact = drag_free_bounces(10, 9.81, 0.9, 100);
  const std::vector<double> times =
      try_run(model, options(usual.solver, usual.rtol, usual.stop_time), {{"beta", 0}})
          .event_times("bounce");
  ASSERT_GE(times.size(), exact.size());
  for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(times[i], exact[i], 1e-10) << i;
}

TEST(BouncingBall, TheRunEndsByItselfAtTheLastBounceAndNeverFallsThrough) {
  const BouncingBall model;
  for (const std::string& solver : all_adaptive_solvers()) {
    for (const double beta : {0.0, 0.002}) {
      RunOptions every_step = options(solver, 1e-9, 60);
      every_step.interval = RunOptions::kEveryStep;
      const Recording result = try_run(model, every_step, {{"beta", beta}});
      EXPECT_EQ(result.result.status.reason, RunReason::kZeno)
          << solver << ": " << result.result.status.message;
      const double limit = beta == 0 ? c21::kFreeLimit : c21::kDragLimit;
      const bool multistep = solver.starts_with("cvode") || solver == "ida";
      EXPECT_NEAR(result.result.status.time, limit, multistep ? 1e-4 : 1e-6) << solver;
      const std::vector<double> x = result.trajectory.values_of("x");
      EXPECT_GT(*std::min_element(x.begin(), x.end()), -1e-12) << solver << ", beta " << beta;
    }
  }
}

TEST(BouncingBall, ALessSpringyBallComesToRestToo) {
  const BouncingBall model;
  for (const double mu : {0.1, 0.5, 0.99}) {
    const Recording result =
        try_run(model, options("dopri5", 1e-9, 1000), {{"beta", 0}, {"mu", mu}, {"x0", 1}});
    EXPECT_EQ(result.result.status.reason, RunReason::kZeno) << mu;
    EXPECT_NEAR(result.result.status.time, drag_free_limit(1, 9.81, mu), 1e-6) << mu;
  }
}

// After an impact that stops it the ball would fall at once. A dense output whose slope is off by
// the tolerance sees it rise first, so that the gaps between the impacts are far above the
// resolution of time; the motion in them is below the tolerances.
TEST(BouncingBall, AnImpactThatStopsTheBallEndsTheRunWhateverTheTolerance) {
  const BouncingBall model;
  for (const char* solver : {"rodas5p", "dopri5", "cvode-bdf", "ida"}) {
    for (const double rtol : {1e-3, 1e-4, 1e-6, 1e-9}) {
      for (const double beta : {0.0, 0.5, 0.95}) {
        for (const double mu : {0.0, 0.001}) {
          RunOptions loose = options(solver, rtol, 30);
          loose.numerics.atol = rtol;
          const Recording result = try_run(model, loose, {{"beta", beta}, {"mu", mu}});
          const RunResult& run = result.result;
          EXPECT_EQ(run.status.reason, RunReason::kZeno) << solver << ", beta " << beta;
          EXPECT_LT(run.events, 1000) << solver << ", " << rtol << ", " << beta << ", mu " << mu;
          EXPECT_GT(run.final.x[0], -10 * rtol) << solver << ", beta " << beta;
        }
      }
    }
  }
}

TEST(BouncingBall, HasTheKnownTimesAndHeightsWithDrag) {
  const BouncingBall model;
  const Recording result = try_run(model, options("dop853", 1e-12, 60));
  const std::vector<double> bounces = result.event_times("bounce");
  for (const c21::Bounce& bounce : c21::kDrag) {
    ASSERT_GE(bounces.size(), static_cast<std::size_t>(bounce.number));
    EXPECT_NEAR(bounces[static_cast<std::size_t>(bounce.number) - 1], bounce.t, 1e-10);
  }
  EXPECT_NEAR(accumulation_time(bounces), c21::kDragLimit, 1e-10);
}

}  // namespace
}  // namespace arges::argesim
