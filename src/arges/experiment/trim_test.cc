#include "arges/experiment/trim.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/experiment/linearise.h"
#include "arges/hybrid/simulator.h"
#include "arges/hybrid/update.h"

namespace arges {
namespace {

// x' = f(x) with a function of the test.
class Flow : public HybridSystem {
 public:
  explicit Flow(double (*f)(double), double start) : HybridSystem("Flow"), f_(f) {
    x_ = declare_state("x", start);
  }
  void derivatives(const Point& at, Rates rates) const override { rates[x_] = f_(at[x_]); }

 private:
  double (*f_)(double);
  StateId x_;
};

TEST(Trim, FindsAllStatesOfABistableModelFromSeveralStarts) {
  const Flow model([](double x) { return x - x * x * x; }, 0.3);
  TrimRequest request;
  request.more_starts = 40;
  std::vector<double> parts;
  request.progress = [&](double part) { parts.push_back(part); };
  const TrimResult result = trim(model, make_context(model), request);
  ASSERT_EQ(result.solutions.size(), 3u);
  EXPECT_GE(parts.size(), 40u);
  EXPECT_NE(result.message.find("may be incomplete"), std::string::npos) << result.message;
  EXPECT_TRUE(std::ranges::is_sorted(parts) && parts.front() > 0 && parts.back() < 1);
  std::vector<std::pair<double, bool>> found;
  for (const SteadyState& each : result.solutions) found.push_back({each.at.x[0], each.stable});
  std::ranges::sort(found);
  EXPECT_NEAR(found[0].first, -1, 1e-13);
  EXPECT_NEAR(found[1].first, 0, 1e-13);
  EXPECT_NEAR(found[2].first, 1, 1e-13);
  EXPECT_TRUE(found[0].second);
  EXPECT_FALSE(found[1].second);
  EXPECT_TRUE(found[2].second);
}

// x' = -k (x - a)(x - b)(x - c).
class Cubic : public HybridSystem {
 public:
  Cubic(std::vector<double> roots, double k, double start)
      : HybridSystem("Cubic"), roots_(std::move(roots)), k_(k) {
    x_ = declare_state("x", start);
  }
  void derivatives(const Point& at, Rates rates) const override {
    double product = -k_;
    for (const double root : roots_) product *= at[x_] - root;
    rates[x_] = product;
  }

 private:
  std::vector<double> roots_;
  double k_;
  StateId x_;
};

TEST(Trim, FindsThreeStatesOfAnyMagnitudeAndDistance) {
  struct Case {
    std::vector<double> roots;
    double k, start;
  };
  for (const Case& each : {Case{{100, 101, 102}, 1, 0}, Case{{1, 20, 400}, 1e-3, 0},
                           Case{{1, 20, 400}, 1e-3, 5}, Case{{1e-3, 2e-3, 3e-3}, 1e6, 0},
                           Case{{290, 330, 420}, 1e-4, 300}, Case{{1e5, 1.2e5, 1.5e5}, 1e-10, 1e5},
                           Case{{3, 5, 8}, 1, 0}, Case{{1, 1.001, 1.002}, 1e6, 1}}) {
    const Cubic model(each.roots, each.k, each.start);
    for (const int seed : {1, 2, 3}) {
      TrimRequest request;
      request.more_starts = 19;
      request.seed = static_cast<std::uint64_t>(seed);
      std::vector<double> found;
      for (const SteadyState& state : trim(model, make_context(model), request).solutions)
        found.push_back(state.at.x[0]);
      std::ranges::sort(found);
      ASSERT_EQ(found.size(), 3u) << each.roots[0] << " from " << each.start << ", seed " << seed;
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(found[i], each.roots[i], 1e-9 * each.roots[i]);
    }
  }
}

// A stirred reactor with an Arrhenius law: at negative temperatures its slopes are so steep that
// rates of 1e39 are small beside them.
class Reactor : public HybridSystem {
 public:
  Reactor() : HybridSystem("Reactor") {
    c_ = declare_state("c", 0.9);
    T_ = declare_state("T", 310);
  }
  void derivatives(const Point& at, Rates rates) const override {
    const double reaction = 7.2e12 * at[c_] * std::exp(-1e4 / at[T_]);
    rates[c_] = 1 - at[c_] - reaction;
    rates[T_] = 300 - at[T_] + 200 * reaction - 0.5 * (at[T_] - 300);
  }

 private:
  StateId c_, T_;
};

TEST(Trim, TakesNoPointWhereTermsAreOnlySmallBesideTheirSlopes) {
  const Reactor model;
  const auto expect_rest = [&](const TrimResult& result) {
    for (const SteadyState& state : result.solutions) {
      double rates[2];
      model.derivatives(point_at(state.at), Rates(rates));
      EXPECT_NEAR(rates[0], 0, 1e-9) << state.at.x[0] << ", " << state.at.x[1];
      EXPECT_NEAR(rates[1], 0, 1e-7) << state.at.x[0] << ", " << state.at.x[1];
    }
  };
  for (const double T : {-104.388, -100.0, -90.0, -80.0}) {
    Context steep = make_context(model);
    steep.x = {1.776e-15, T};
    expect_rest(trim(model, steep, {.longest_run = 0}));
  }
  TrimRequest request;
  request.more_starts = 39;
  const TrimResult result = trim(model, make_context(model), request);
  EXPECT_EQ(result.solutions.size(), 3u);
  expect_rest(result);
}

TEST(Trim, TakesASlowDecayBesideAVeryFastOneForStable) {
  LinearModel linear;
  linear.eigenvalues = {-1e11, -1};
  EXPECT_TRUE(linear.stable());
  linear.eigenvalues = {-1e11, -1e-6};
  EXPECT_TRUE(linear.neutral());
  linear.eigenvalues = {{1e-12, 3}, {1e-12, -3}};
  EXPECT_TRUE(linear.neutral());
}

TEST(Trim, SaysWhenThereIsNoSteadyState) {
  const Flow model([](double x) { return 1 + x * x; }, 0.3);
  const TrimResult result = trim(model, make_context(model));
  EXPECT_TRUE(result.solutions.empty());
  EXPECT_NE(result.message.find("der(x)"), std::string::npos) << result.message;
}

// Newton's method from 20 does not find the way: the slope there is rounding.
TEST(Trim, RunsTheModelWhenNewtonsMethodFails) {
  const Flow model([](double x) { return -std::tanh(x) - 0.5; }, 20);
  const TrimResult result = trim(model, make_context(model));
  ASSERT_EQ(result.solutions.size(), 1u);
  EXPECT_EQ(result.solutions[0].found_by, "run");
  EXPECT_NEAR(result.solutions[0].at.x[0], -std::atanh(0.5), 1e-12);
}

// A tank that fills while the level is low: x' = inflow(z) - x, where z says which.
class Tank : public HybridSystem {
 public:
  Tank() : HybridSystem("Tank") {
    x_ = declare_state("x", 0.1);
    low_ = declare_discrete("low", 1, ValueType::kBoolean);
  }
  void derivatives(const Point& at, Rates rates) const override {
    rates[x_] = (at[low_] != 0 ? 5 : 3) - at[x_];
  }
  void settle(Update& now) const override { now[low_] = now[x_] < 2 ? 1 : 0; }

 private:
  StateId x_;
  DiscreteId low_;
};

TEST(Trim, TakesTheDiscreteVariablesAlong) {
  const Tank model;
  const TrimResult result = trim(model, make_context(model));
  ASSERT_EQ(result.solutions.size(), 1u);
  EXPECT_NEAR(result.solutions[0].at.x[0], 3, 1e-13);
  EXPECT_EQ(result.solutions[0].at.z[0], 0);
}

// x' = 2 - x above 1, -2 - x below -1, and x between: which, the discrete variable says.
class Pieces : public HybridSystem {
 public:
  Pieces() : HybridSystem("Pieces") {
    x_ = declare_state("x", 0.2);
    piece_ = declare_discrete("piece", 0);
  }
  void derivatives(const Point& at, Rates rates) const override {
    rates[x_] = at[piece_] == 0 ? at[x_] : 2 * at[piece_] - at[x_];
  }
  void settle(Update& now) const override {
    if (now[x_] > 100) throw EvaluationError("x is too large to tell");
    now[piece_] = now[x_] > 1 ? 1 : now[x_] < -1 ? -1 : 0;
  }

 private:
  StateId x_;
  DiscreteId piece_;
};

// A heater with a thermostat of two points: x tends to 2 while it heats, to 0 while it does not,
// and is switched at `high` and `low`.
class Thermostat : public HybridSystem {
 public:
  Thermostat(double low, double high) : HybridSystem("Thermostat"), low_(low), high_(high) {
    x_ = declare_state("x", 0.5);
    heats_ = declare_discrete("heats", 1);
    off_ = declare_event("off", Direction::kRising);
    on_ = declare_event("on", Direction::kFalling);
  }
  void derivatives(const Point& at, Rates rates) const override {
    rates[x_] = 2 * at[heats_] - at[x_];
  }
  void conditions(const Point& at, Conditions g) const override {
    g[off_] = at[x_] - high_;
    g[on_] = at[x_] - low_;
  }
  void on_event(EventId event, Update& now) const override { now[heats_] = event == on_ ? 1 : 0; }

 private:
  double low_, high_;
  StateId x_;
  DiscreteId heats_;
  EventId off_, on_;
};

TEST(Trim, DoesNotPassConditionsWithoutTheirActions) {
  const Thermostat switches(0.4, 1.5);
  const TrimResult none = trim(switches, make_context(switches), {});
  EXPECT_TRUE(none.solutions.empty());
  EXPECT_NE(none.message.find("back and forth"), std::string::npos) << none.message;

  const Thermostat stays_off(-1, 1.5);
  const TrimResult off = trim(stays_off, make_context(stays_off), {});
  ASSERT_EQ(off.solutions.size(), 1u);
  EXPECT_NEAR(off.solutions[0].at.x[0], 0, 1e-13);

  const Thermostat stays_on(0.4, 3);
  const TrimResult on = trim(stays_on, make_context(stays_on), {});
  ASSERT_EQ(on.solutions.size(), 1u);
  EXPECT_NEAR(on.solutions[0].at.x[0], 2, 1e-13);
}

TEST(Trim, EachStartIsInItsOwnBranch) {
  const Pieces model;
  TrimRequest request;
  request.more_starts = 29;
  std::vector<double> found;
  for (const SteadyState& each : trim(model, make_context(model), request).solutions)
    found.push_back(each.at.x[0]);
  std::ranges::sort(found);
  EXPECT_EQ(found, (std::vector<double>{-2, 0, 2}));
}

TEST(Trim, ARateThatUnderflowsIsNoRest) {
  TrimRequest request;
  request.more_starts = 29;
  const Flow runaway([](double x) { return std::exp(-x); }, 1);
  EXPECT_TRUE(trim(runaway, make_context(runaway), request).solutions.empty());
  // At rest in the middle, not far out.
  const Flow wave([](double x) { return -x * std::exp(-x * x); }, 0.3);
  const TrimResult middle = trim(wave, make_context(wave), request);
  ASSERT_EQ(middle.solutions.size(), 1u);
  EXPECT_NEAR(middle.solutions[0].at.x[0], 0, 1e-9);
  // Nothing moves in a dead zone, and next to zero a cube vanishes.
  const Flow dead([](double x) { return std::min(0.0, 1 - x); }, 3);
  EXPECT_FALSE(trim(dead, make_context(dead), request).solutions.empty());
  const Flow cube([](double x) { return -x * x * x; }, 0.3);
  EXPECT_FALSE(trim(cube, make_context(cube), request).solutions.empty());
}

}  // namespace
}  // namespace arges
