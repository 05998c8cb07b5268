// Events of models in text, with every solver, against closed forms.

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "arges/driver/model_text.h"
#include "arges/hybrid/simulator.h"
#include "arges/results/memory_sink.h"
#include "testing/every_solver.h"

namespace arges {
namespace {

class TextEvents : public ::testing::TestWithParam<std::string> {
 protected:
  RunOptions options(double stop_time, double rtol) const {
    RunOptions options;
    options.stop_time = options.interval = stop_time;
    options.solver = GetParam();
    options.numerics.rtol = rtol;
    if (!is_adaptive()) options.numerics.step = stop_time / 4000;
    options.max_events = 3000;
    return options;
  }
  bool is_multistep() const { return find_solver(GetParam()).family == "SUNDIALS multistep"; }
  bool is_adaptive() const { return find_solver(GetParam()).adaptive; }

  // In the log, the times at which a variable changed.
  std::vector<double> times_of_change(const std::string& name) const {
    std::vector<double> times;
    for (const EventRecord& event : trajectory_.events) {
      const auto changes = [&](const EventChange& change) { return change.name == name; };
      if (std::ranges::any_of(event.changes, changes)) times.push_back(event.time);
    }
    return times;
  }

  RunResult run(const HybridSystem& model, const RunOptions& options) {
    MemorySink sink;
    RunResult result = Simulator(model, options).run(make_context(model), &sink);
    sink.finish({});
    trajectory_ = sink.take();
    return result;
  }

  Trajectory trajectory_;
};

// A ball from height h0 with velocity v0, with the bounces that its closed form says.
struct Ball {
  static constexpr double kGravity = 9.81;
  double restitution, h0, v0;

  double first_bounce() const { return (v0 + impact()) / kGravity; }
  double impact() const { return std::sqrt(v0 * v0 + 2 * kGravity * h0); }
  double bounce(int i) const {
    const double q = restitution;
    return first_bounce() + 2 * impact() / kGravity * q * (1 - std::pow(q, i)) / (1 - q);
  }
  double end() const {
    return first_bounce() + 2 * impact() / kGravity * restitution / (1 - restitution);
  }
  // `floor`: the height of the floor, below everything.
  std::string text(const std::string& condition, const std::string& observer, double floor) const {
    return fmt::format(R"(model Ball
        Real h(start={}, fixed=true), v(start={}, fixed=true);
        Integer n(start=0, fixed=true); {}
      equation
        der(h) = v; der(v) = -{};
        when {} then reinit(v, -{}*pre(v)); n = pre(n) + 1; end when;
      end Ball;)",
                       h0 + floor, v0, observer, kGravity, condition, restitution);
  }
};

class TextBall : public TextEvents {
 protected:
  struct Form {
    const char* condition;
    const char* observer;
    double floor;
  };
  static constexpr Form kForms[] = {{"h <= 0", "", 0},
                                    {"h <= 0", "Boolean up = v > 0;", 0},
                                    {"h <= 0 and v < 0", "Boolean up = v > 0;", 0}};
  static constexpr double kTolerances[] = {1e-4, 1e-6, 1e-9, 1e-12};

  // Each tolerance with each restitution, from different starts.
  template <class Check>
  void for_each_ball(const Form& form, ZenoPolicy policy, Check&& check) {
    constexpr double kStarts[][2] = {{1, 0}, {10, 3}, {0.5, -2}, {0.02, 0}};
    int next = 0;
    for (const double rtol : kTolerances) {
      if (!is_adaptive() && rtol != kTolerances[0]) continue;
      for (const double restitution : {0.3, 0.5, 0.8, 0.9}) {
        const auto& start = kStarts[next++ * 3 % 4];
        const Ball ball{restitution, start[0], start[1]};
        const auto model =
            model_from_text("Ball.mo", ball.text(form.condition, form.observer, form.floor));
        RunOptions with = options(1.3 * ball.end(), rtol);
        with.on_zeno = policy;
        SCOPED_TRACE(fmt::format("{} '{}' '{}' rtol {} e {} h0 {} v0 {}", GetParam(),
                                 form.condition, form.observer, rtol, restitution, ball.h0,
                                 ball.v0));
        const RunResult result = run(*model, with);
        SCOPED_TRACE(result.status.message);
        EXPECT_GT(lowest(form.floor), -lowest_allowed(rtol, ball));
        check(ball, rtol, result);
      }
    }
  }
  double lowest(double floor) const { return std::ranges::min(trajectory_.values_of("h")) - floor; }
  // The errors of a solver are below its tolerance, but the bounces before have added them up.
  double lowest_allowed(double rtol, const Ball& ball) const {
    return (is_adaptive() ? 10 * rtol : 1e-6) * std::max(1.0, ball.h0);
  }
  // Explicit Euler puts energy into each flight: its ball does not come to rest.
  bool comes_to_rest() const { return GetParam() != "euler"; }
};

TEST_P(TextBall, StopsAtTheEndOfItsBounces) {
  for (const Form& form : kForms) {
    for_each_ball(form, ZenoPolicy::kStop, [&](const Ball& ball, double rtol, const RunResult& r) {
      if (!comes_to_rest()) return;
      EXPECT_EQ(r.status.reason, RunReason::kZeno);
      EXPECT_EQ(r.status.component.substr(0, 2), "h ");
      const double accuracy = (is_adaptive() ? 300 * rtol : 1e-2) * ball.end();
      // A multistep method begins anew after each bounce: flights below its tolerance take
      // sqrt(8 atol/g) and less.
      const double flights =
          is_multistep() ? 3 * std::sqrt(rtol / Ball::kGravity) / (1 - ball.restitution) : 0;
      const double limit = std::max(accuracy, 1e-7 * ball.end()) + flights;
      EXPECT_NEAR(r.status.time, ball.end(), limit);
      const std::vector<double> bounces = times_of_change("n");
      ASSERT_GE(bounces.size(), 10U);
      for (int i = 0; i < 6; ++i) EXPECT_NEAR(bounces[i], ball.bounce(i), accuracy) << i;
    });
  }
}

TEST_P(TextBall, RestsWhereItsBouncesEndWhenItMayStick) {
  for (const Form& form : kForms) {
    for_each_ball(form, ZenoPolicy::kStick, [&](const Ball& ball, double rtol, const RunResult& r) {
      EXPECT_TRUE(r.status.ok());
      if (!comes_to_rest()) return;
      EXPECT_NEAR(trajectory_.final_value("h"), form.floor, lowest_allowed(rtol, ball));
      EXPECT_NEAR(trajectory_.final_value("der(h)"), 0, 1e-12);
      EXPECT_EQ(trajectory_.final_value("der(v)"), 0);
    });
  }
}

TEST_P(TextBall, GoingOnNeverFallsThroughTheFloor) {
  for (const Form& form : kForms) {
    for_each_ball(form, ZenoPolicy::kGo, [&](const Ball& ball, double, const RunResult& r) {
      if (!comes_to_rest()) return;
      EXPECT_EQ(r.status.reason, RunReason::kZeno);
      EXPECT_EQ(r.status.component.substr(0, 2), "h ");
      EXPECT_NE(r.status.message.find("'" + r.status.component + "'"), std::string::npos);
      EXPECT_LT(r.status.time, 1.01 * ball.end());
    });
  }
}

// The action stops the ball; both relations stand on their roots then, to the last digit, and
// rounding may lift it off the floor again.
TEST_P(TextEvents, APlasticImpactEndsOnTheFloor) {
  for (const double floor : {-0.37, 0.1, 2.2, 325.7825055327545}) {
    const auto model = model_from_text(
        "Ball.mo", Ball{0, 1, 0}.text(fmt::format("h <= {} and v < 0", floor), "", floor));
    for (const double rtol : {1e-6, 1e-9, 1e-12}) {
      if (!is_adaptive() && rtol != 1e-6) continue;
      RunOptions with = options(2, rtol);
      const RunResult result = run(*model, with);
      SCOPED_TRACE(fmt::format("floor {} rtol {}: {}", floor, rtol, result.status.message));
      EXPECT_EQ(result.status.reason, RunReason::kZeno);
      EXPECT_EQ(result.status.message.find("more than"), std::string::npos);
      EXPECT_NEAR(trajectory_.values_of("h").back(), floor, is_adaptive() ? 1e-9 : 1e-5);
      if (!is_adaptive()) continue;
      with.on_zeno = ZenoPolicy::kStick;
      const RunResult resting = run(*model, with);
      EXPECT_EQ(resting.status.reason, RunReason::kFinished) << resting.status.message;
      EXPECT_NEAR(trajectory_.values_of("h").back(), floor, 1e-9);
    }
  }
}

// A few bounces, and the next is lower than the last digit of the height.
TEST_P(TextEvents, ABallWhoseBouncesEndInTheLastDigitDoesNotFallThrough) {
  if (!is_adaptive()) return;
  const Ball ball{0.05, 1, 0};
  for (const double floor : {-0.37, 0.1, 2.2, 325.7825055327545}) {
    for (const char* relation : {"<", "<="}) {
      const auto model =
          model_from_text("Ball.mo", ball.text(fmt::format("h {} {}", relation, floor), "", floor));
      for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
        const RunResult result = run(*model, options(2, rtol));
        SCOPED_TRACE(
            fmt::format("{} {} rtol {}: {}", relation, floor, rtol, result.status.message));
        EXPECT_EQ(result.status.reason, RunReason::kZeno);
        EXPECT_NEAR(result.status.time, ball.end(), 1e-5 + 300 * rtol * std::abs(floor));
      }
    }
  }
}

// x = t^(order + 2), from rest, as slowly as that.
// y comes out of the loop a little different each time that it is solved.
TEST_P(TextEvents, ARelationOnALoopDoesNotGoBackByItsLastDigits) {
  const auto model = model_from_text("Loop.mo", R"(model Loop
      Real x(start=0, fixed=true), y(start=0), s(start=1, fixed=true);
    equation
      der(x) = s;
      y^3 + y = x;
      when y <= 0.5 then s = -pre(s); end when;
    end Loop;)");
  for (const double rtol : {1e-4, 1e-6, 1e-8}) {
    if (!is_adaptive() && rtol != 1e-6) continue;
    const RunResult result = run(*model, options(3, rtol));
    ASSERT_TRUE(result.status.ok()) << result.status.message;
    EXPECT_NEAR(trajectory_.final_value("x"), 3, 1e-6) << rtol;
  }
}

TEST_P(TextEvents, ARootThatIsLeftInHighOrderCountsOnce) {
  if (!is_adaptive()) return;
  for (const char* push : {"1", "(time - 0.7592833173976498)", "(time - 0.7592833173976498)^2"}) {
    const auto model = model_from_text("Lift.mo", fmt::format(R"(model Lift
        Real x(start=0, fixed=true), v(start=0, fixed=true);
        Integer n(start=0, fixed=true);
      equation
        der(x) = v; der(v) = if time > 0.7592833173976498 then {} else 0;
        when x > 0 then n = pre(n) + 1; end when;
      end Lift;)",
                                                              push));
    for (const double rtol : {1e-3, 1e-4, 1e-6, 1e-8, 1e-12}) {
      RunOptions with = options(3.76, rtol);
      with.numerics.atol = rtol;
      run(*model, with);
      EXPECT_EQ(times_of_change("n").size(), 1U) << push << " rtol " << rtol;
    }
  }
}

// Rounding decides whether the state reaches its threshold a few units before or after that time.
TEST_P(TextEvents, AStateEventAtTheTimeOfATimerIsOneInstantWithIt) {
  if (!is_adaptive()) return;
  for (const double due : {0.75, 0.1, 1.2345678901234567, 0.9309581740000724, 1. / 3}) {
    const auto model = model_from_text("Tie.mo", fmt::format(R"(model Tie
        Real x(start=0, fixed=true);
        Integer n(start=0, fixed=true);
      equation
        der(x) = 1;
        when {{sample({0}, {0}), x >= {0}}} then n = pre(n) + 1; end when;
      end Tie;)",
                                                             due));
    for (const double rtol : {1e-3, 1e-6, 1e-9, 1e-12}) {
      run(*model, options(1.9 * due, rtol));
      SCOPED_TRACE(fmt::format("due {} rtol {}", due, rtol));
      ASSERT_EQ(times_of_change("n").size(), 1u);
      EXPECT_EQ(times_of_change("n")[0], due);
    }
  }
}

// x = sin t passes so slowly that the last digit of x stands for several of t.
TEST_P(TextEvents, TwoRelationsOnOneSurfaceCountEachCrossingOnce) {
  if (!is_adaptive()) return;
  for (const char* equal : {"", "="}) {
    for (const double threshold : {0.7, 0.999, 0.9997, 0.999997}) {
      const auto model = model_from_text("Wave.mo", fmt::format(R"(model Wave
          Real x(start=0, fixed=true), y(start=1, fixed=true);
          Integer up(start=0, fixed=true), down(start=0, fixed=true);
        equation
          der(x) = y; der(y) = -x;
          when x >{0} {1} then up = pre(up) + 1; end when;
          when x <{0} {1} then down = pre(down) + 1; end when;
        end Wave;)",
                                                                equal, threshold));
      for (const double rtol : {1e-8, 1e-10, 1e-12}) {
        if (1 - threshold < 1e4 * rtol) continue;  // the amplitude is not known so well
        RunOptions with = options(62, rtol);
        with.numerics.atol = rtol;
        run(*model, with);
        SCOPED_TRACE(fmt::format("x >{} {} rtol {}", equal, threshold, rtol));
        EXPECT_EQ(times_of_change("up").size(), 10u);
        EXPECT_EQ(times_of_change("down").size(), 10u);
      }
    }
  }
}

// der(T) = c - k (T - 273): exponentials between two thresholds that are relations of their own.
TEST_P(TextEvents, AThermostatSwitchesAtEachOfItsThresholds) {
  if (!is_adaptive()) return;  // of what accuracy is not theirs to choose
  constexpr double kRate = 5e-4, kCold = 273, kHot = 313, kStop = 14400;
  std::mt19937 random(4);
  std::uniform_real_distribution<double> upper(294, 300), width(0.5, 4);
  for (int i = 0; i < 12; ++i) {
    const bool round = i < 3;
    const double above = round ? 295 : upper(random), below = round ? 293 : above - width(random);
    const double start = (i % 3 == 0) ? 288 : (i % 3 == 1) ? 290 : 0.5 * (above + below);
    const auto model =
        model_from_text("Thermostat.mo", fmt::format(R"(model Thermostat
            Real T(start={}, fixed=true); Boolean on(start=true, fixed=true);
          equation
            der(T) = (if on then 0.02 else 0) - {}*(T - {});
            when T > {} then on = false; elsewhen T < {} then on = true; end when;
          end Thermostat;)",
                                                     start, kRate, kCold, above, below));
    std::vector<double> expected;
    double t = std::log((kHot - start) / (kHot - above)) / kRate;
    for (bool heats = false; t < kStop; heats = !heats) {
      expected.push_back(t);
      t += (heats ? std::log((kHot - below) / (kHot - above))
                  : std::log((above - kCold) / (below - kCold))) /
           kRate;
    }
    for (const double rtol : {1e-6, 1e-9}) {
      SCOPED_TRACE(
          fmt::format("{} rtol {} start {} [{}, {}]", GetParam(), rtol, start, below, above));
      const RunResult result = run(*model, options(kStop, rtol));
      EXPECT_TRUE(result.status.ok()) << result.status.message;
      const std::vector<double> times = times_of_change("on");
      ASSERT_EQ(times.size(), expected.size());
      // A degree takes 55 s and more, of 300; errors of the temperature add up over the run.
      constexpr double kErrors = 300;
      for (std::size_t k = 0; k < times.size(); ++k)
        EXPECT_NEAR(times[k], expected[k], 55 * 300 * kErrors * rtol) << k;
    }
  }
}

// Within `when`, a relation is what it is, without an event: it has to agree with the event.
TEST_P(TextEvents, WhatHasHappenedHoldsWhenItsEventComes) {
  for (const double start : {0.5, 0.375, 0.4, 0.1, 0.33}) {
    const auto model = model_from_text("Fall.mo", fmt::format(R"(model Fall
            Real x(start={}, fixed=true); Boolean p(start=true, fixed=true), q(start=false, fixed=true);
            Integer n(start=0, fixed=true);
          equation
            der(x) = (if p then -1 else -2) + time/4;
            when {{x > 0, x < 0}} then p = x > 0; q = x < 0; n = pre(n) + 1; end when;
          end Fall;)",
                                                              start));
    for (const double rtol : {1e-4, 4.8167627557670734e-05, 1e-6, 1e-8, 1e-10, 1e-12}) {
      SCOPED_TRACE(fmt::format("{} rtol {} start {}", GetParam(), rtol, start));
      const RunResult result = run(*model, options(2.5, rtol));
      EXPECT_TRUE(result.status.ok()) << result.status.message;
      EXPECT_EQ(trajectory_.final_value("n"), 1);
      EXPECT_EQ(trajectory_.final_value("p"), 0);
      EXPECT_EQ(trajectory_.final_value("q"), 1);
      EXPECT_EQ(result.events, 1);
    }
  }
}

// x = (t - 1)^2 - d passes zero twice, and is what two relations stand on.
TEST_P(TextEvents, RelationsOnOneExpressionAreOneEventUnderTheOneThatBecomesTrue) {
  for (const double d : {1e-2, 1e-4}) {
    const auto model = model_from_text("Dip.mo", fmt::format(R"(model Dip
            Real v(start=-2, fixed=true), x(start={}, fixed=true);
            Integer n(start=0, fixed=true), m(start=0, fixed=true);
          equation
            der(x) = v; der(v) = 2;
            when x < 0 then n = pre(n) + 1; end when;
            when x > 0 then m = pre(m) + 1; end when;
          end Dip;)",
                                                             1 - d));
    for (const double rtol : {1e-6, 1e-8, 1e-10}) {
      SCOPED_TRACE(fmt::format("{} rtol {} d {}", GetParam(), rtol, d));
      if (!is_adaptive() && find_solver(GetParam()).order < 2) continue;
      if (d < 100 * rtol) continue;
      const RunResult result = run(*model, options(4, rtol));
      EXPECT_TRUE(result.status.ok()) << result.status.message;
      EXPECT_EQ(result.events, 2);
      ASSERT_EQ(trajectory_.events.size(), 2u);
      const char* const relations[] = {"x < 0", "x > 0"};
      const char* const changed[] = {"n", "m"};
      for (std::size_t i = 0; i < 2; ++i) {
        const EventRecord& event = trajectory_.events[i];
        EXPECT_EQ(event.component, relations[i]);
        ASSERT_EQ(event.changes.size(), 1u);
        EXPECT_EQ(event.changes[0].name, changed[i]);
      }
    }
  }
}

// x = t: the whole numbers of 10 x are those of a sampler, rounding apart.
TEST_P(TextEvents, RoundedValuesThatChangeAtASampleOrAtTheEndDoSoOnce) {
  const auto model = model_from_text("Count.mo", R"(model Count
        Real x(start=0, fixed=true);
        Integer k, up, n(start=0, fixed=true), m(start=0, fixed=true), s(start=0, fixed=true);
      equation
        der(x) = 1;
        k = integer(10*x);
        up = integer(ceil(10*x));
        when change(k) then n = pre(n) + 1; end when;
        when mod(x, 0.1) < 0.05 then m = pre(m) + 1; end when;
        when sample(0.1, 0.1) then s = pre(s) + 1; end when;
      end Count;)");
  if (!is_adaptive()) return;
  for (const double rtol : {1e-6, 1e-10}) {
    for (const double stop : {2.05, 2.0}) {
      SCOPED_TRACE(fmt::format("{} rtol {} stop {}", GetParam(), rtol, stop));
      const RunResult result = run(*model, options(stop, rtol));
      ASSERT_TRUE(result.status.ok()) << result.status.message;
      for (const char* name : {"k", "up", "n", "m"}) {
        const auto values = trajectory_.values(*trajectory_.find_column(name));
        EXPECT_TRUE(std::ranges::is_sorted(values)) << name;
        const bool is_ceil = name == std::string("up");
        if (is_ceil && stop == 2) continue;  // 20 or, rounded, 21
        EXPECT_EQ(values.back(), is_ceil ? 21 : 20) << name;
      }
      EXPECT_EQ(times_of_change("n").size(), 20u);
    }
  }
}

// A relay with a hysteresis of half a unit that switches every 5 ns, for a microsecond after 1000
// s.
TEST_P(TextEvents, AFastRelayWithHysteresisDoesNotChatter) {
  if (!is_adaptive()) return;
  const auto model = model_from_text("Burst.mo", R"(model Burst
        Real x(start=0, fixed=true);
        Integer n(start=0, fixed=true);
        Boolean on, up(start=true, fixed=true);
      equation
        on = time >= 1000 and time < 1000 + 1e-6;
        der(x) = if on then (if up then 1e8 else -1e8) else 0;
        up = if pre(up) then not x >= 0.25 else x <= -0.25;
        when change(up) then n = pre(n) + 1; end when;
      end Burst;)");
  const RunResult result = run(*model, options(1001, 1e-6));
  ASSERT_TRUE(result.status.ok()) << result.status.message;
  EXPECT_NEAR(trajectory_.values(*trajectory_.find_column("n")).back(), 200, 1);
}

// The absolute tolerance follows from it, in each run of a simulator.
TEST_P(TextEvents, NominalValuesFollowTheParametersOfTheRun) {
  const auto text = [](double d) {
    return fmt::format(R"(model Small
        parameter Real d = {}, size = 2*d;
        Real x(start=d, fixed=true, nominal=size), v(start=0, fixed=true, nominal=size);
      equation
        der(x) = v;
        der(v) = -x;
      end Small;)",
                       d);
  };
  const auto given = model_from_text("Small.mo", text(1e-9));
  run(*given, options(10, 1e-6));
  const auto values = trajectory_.values(*trajectory_.find_column("x"));
  const double expected = values.back();

  const auto other = model_from_text("Small.mo", text(1));
  Simulator simulator(*other, options(10, 1e-6));
  Context context = make_context(*other);
  simulator.run(context, nullptr);
  context.p[0] = 1e-9;
  MemorySink sink;
  simulator.run(context, &sink);
  sink.finish({});
  const Trajectory& again = sink.trajectory();
  EXPECT_NEAR(again.values(*again.find_column("x")).back(), expected, 1e-20);
}

INSTANTIATE_TEST_SUITE_P(EverySolver, TextEvents,
                         ::testing::ValuesIn(test::solvers_that(test::is_not_quantised)),
                         test::name_of_test);
INSTANTIATE_TEST_SUITE_P(EverySolver, TextBall,
                         ::testing::ValuesIn(test::solvers_that(test::is_not_quantised)),
                         test::name_of_test);

}  // namespace
}  // namespace arges
