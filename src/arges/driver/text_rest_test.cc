// Models in text that come to rest on the surface of a relation, with every solver.

#include <algorithm>
#include <cmath>
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

constexpr double kGravity = 9.81;

class TextRest : public ::testing::TestWithParam<std::string> {
 protected:
  RunResult run(const std::string& text, double stop_time, double rtol, ZenoPolicy policy) {
    const auto model = model_from_text("Model.mo", text);
    RunOptions options;
    options.stop_time = stop_time;
    options.interval = stop_time / 50;
    options.solver = GetParam();
    options.numerics.rtol = rtol;
    options.max_events = 3000;
    options.on_zeno = policy;
    MemorySink sink;
    RunResult result = Simulator(*model, options).run(make_context(*model), &sink);
    sink.finish({});
    trajectory_ = sink.take();
    return result;
  }
  double lowest(const std::string& name) const {
    return std::ranges::min(trajectory_.values_of(name));
  }
  double last(const std::string& name) const { return trajectory_.values_of(name).back(); }

  Trajectory trajectory_;
};

// A ball that falls from 1 m above its floor, and something else.
std::string ball(double floor, double restitution, const std::string& variables,
                 const std::string& equations) {
  return fmt::format(R"(model Ball
      Real h(start={0} + 1, fixed=true), v(start=0, fixed=true);
      {2}
    equation
      der(h) = v; der(v) = -{4};
      when h <= {0} then reinit(v, -{1}*pre(v)); end when;
      {3}
    end Ball;)",
                     floor, restitution, variables, equations, kGravity);
}

constexpr double kFloors[] = {0, 0.37, -20, 500};
constexpr double kTolerances[] = {1e-5, 1e-9, 1e-12};

double tolerated(double rtol, double floor) { return (1e-9 + 30 * rtol) * (1 + std::abs(floor)); }

TEST_P(TextRest, ABallGoesOnRestingWhenAnUnrelatedEventSetsAState) {
  for (const double floor : kFloors) {
    for (const double restitution : {0.1, 0.3, 0.6}) {
      const std::string text =
          ball(floor, restitution, "Real x(start=0, fixed=true); Integer n(start=0, fixed=true);",
               "der(x) = 1; when x >= 1 then reinit(x, 0); n = pre(n) + 1; end when;");
      for (const double rtol : kTolerances) {
        const RunResult result = run(text, 5.5, rtol, ZenoPolicy::kStick);
        SCOPED_TRACE(fmt::format("floor {} e {} rtol {}", floor, restitution, rtol));
        ASSERT_TRUE(result.status.ok()) << result.status.message;
        EXPECT_GT(lowest("h") - floor, -tolerated(rtol, floor));
        EXPECT_NEAR(last("h"), floor, tolerated(rtol, floor));
        EXPECT_EQ(last("n"), 5);
      }
    }
  }
}

// The bounces end in the last digits after a few.
TEST_P(TextRest, GoingOnWithSmallBouncesDoesNotFallThroughTheFloor) {
  for (const double floor : kFloors) {
    for (const double restitution : {0.02, 0.1}) {
      const std::string text = ball(floor, restitution, "", "");
      for (const double rtol : kTolerances) {
        const RunResult result = run(text, 5, rtol, ZenoPolicy::kGo);
        SCOPED_TRACE(fmt::format("floor {} e {} rtol {}", floor, restitution, rtol));
        EXPECT_EQ(result.status.reason, RunReason::kZeno);
        EXPECT_GT(lowest("h") - floor, -tolerated(rtol, floor));
      }
    }
  }
}

// At t = 3 the ball lies on its floor and gets a push: upwards it flies, downwards it is thrown
// back.
TEST_P(TextRest, ABallAtRestBouncesAgainWhenItIsPushed) {
  constexpr double kRestitution = 0.3;
  for (const double floor : kFloors) {
    for (const double push : {1.0, -1.0}) {
      std::string text = ball(floor, kRestitution, "", "");
      text.replace(text.find("end when;"), 0,
                   fmt::format("elsewhen time >= 3 then reinit(v, {}); ", push));
      for (const double rtol : kTolerances) {
        const RunResult result = run(text, 3.01, rtol, ZenoPolicy::kStick);
        SCOPED_TRACE(fmt::format("floor {} push {} rtol {}", floor, push, rtol));
        ASSERT_TRUE(result.status.ok()) << result.status.message;
        EXPECT_GT(lowest("h") - floor, -tolerated(rtol, floor));
        const double speed = push > 0 ? push : -kRestitution * push;
        EXPECT_NEAR(last("v"), speed - kGravity * 0.01, 1e-6 + 100 * rtol);
      }
    }
  }
}

// Its action has two conditions, of which rounding takes away one: a body that lies is an ulp above
// its floor, and stops all the same.
TEST_P(TextRest, ABodyThatLiesStaysWhereItLies) {
  struct Fall {
    double h, floor, g, v;
  };
  for (const Fall& fall : {Fall{5.14, -3.002242, 14.75, 0.81}, Fall{15.07, -1.44, 18.42, -4.43},
                           Fall{13.84, -1, 18.55, -1.72}, Fall{18.2405, -1.2, 4.95, 4.95},
                           Fall{5.794077, -3.006975, 12.64, -4.75},
                           Fall{3.35, -0.274323, 3.96, 2.54}, Fall{16.41, -3.47192, 18.98, 2.02}}) {
    const std::string text = fmt::format(R"(model Body
        Real h(start={}, fixed=true), v(start={}, fixed=true);
      equation
        der(h) = v; der(v) = -{};
        when h <= {} and v < 0 then reinit(v, 0); end when;
      end Body;)",
                                         fall.h, fall.v, fall.g, fall.floor);
    const RunResult result = run(text, 60, 1e-12, ZenoPolicy::kStick);
    EXPECT_EQ(result.status.reason, RunReason::kFinished) << result.status.message;
    EXPECT_NEAR(last("h"), fall.floor, 1e-9) << fall.h;
    EXPECT_EQ(last("v"), 0) << fall.h;
  }
}

// x' = -sign(x) + t/4 stays at zero from its arrival until t = 4, and is (t - 4)^2/8 from then on.
TEST_P(TextRest, ARelayOfTwoRelationsSlidesUntilItIsPulledOff) {
  for (const char* relay :
       {"when x > 0 then p = true; elsewhen x < 0 then p = false; end when;",
        "when x < 0 then p = false; elsewhen x > 0 then p = true; end when;",
        "when x >= 0 then p = true; elsewhen x <= 0 then p = false; end when;", "p = x > 0;"}) {
    for (const char* other : {"", "when y >= 1 then reinit(y, 0); end when;"}) {
      const std::string text = fmt::format(R"(model Relay
          Real x(start=0.5, fixed=true), y(start=0, fixed=true);
          Boolean p(start=true, fixed={});
        equation
          der(x) = (if p then -1 else 1) + time/4;
          der(y) = 1;
          {}
          {}
        end Relay;)",
                                           relay[0] == 'p' ? "false" : "true", relay, other);
      for (const double rtol : {1e-5, 1e-9}) {
        const RunResult result = run(text, 6, rtol, ZenoPolicy::kStick);
        SCOPED_TRACE(fmt::format("{} {} rtol {}", relay, other, rtol));
        ASSERT_TRUE(result.status.ok()) << result.status.message;
        EXPECT_NEAR(last("x"), 0.5, 1e-5 + 100 * rtol);
      }
    }
  }
}

// What chatters may come back much faster than it leaves: v' = -a above zero, b below.
TEST_P(TextRest, ARelayThatIsSlowOnOneSideSlides) {
  for (const double ratio : {0.01, 0.3, 1.0, 3.0, 4.36, 10.0, 100.0, 1e4}) {
    const std::string text = fmt::format(
        "model Relay Real v(start=1, fixed=true), x(start=0, fixed=true); equation der(x) = v; "
        "der(v) = if v > 0 then -0.56 else {:.17g}; end Relay;",
        0.56 * ratio);
    SCOPED_TRACE(text);
    const RunResult stuck = run(text, 3, 1e-6, ZenoPolicy::kStick);
    EXPECT_TRUE(stuck.status.ok()) << stuck.status.message;
    EXPECT_NEAR(last("v"), 0, 1e-8);
    EXPECT_NEAR(last("x"), 0.5 / 0.56, 1e-5);
    const RunResult stopped = run(text, 3, 1e-6, ZenoPolicy::kStop);
    EXPECT_EQ(stopped.status.reason, RunReason::kZeno);
    EXPECT_LT(stopped.events, 1000);
  }
}

INSTANTIATE_TEST_SUITE_P(EverySolver, TextRest, ::testing::ValuesIn(test::solvers_that([](auto& s) {
                           return s.adaptive && test::is_not_quantised(s);
                         })),
                         test::name_of_test);

}  // namespace
}  // namespace arges
