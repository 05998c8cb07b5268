// Contacts that are left slowly, and events that other events interrupt.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "arges/hybrid/simulator.h"
#include "arges/results/memory_sink.h"
#include "testing/every_solver.h"

namespace arges {
namespace {

// Three masses in a row, far from the origin, so that their distances are rounded to 1e-13: after
// an impact the gap seems to be zero or negative for many steps. Elastic impacts exchange
// velocities.
class ThreeMasses : public HybridSystem {
 public:
  ThreeMasses() : HybridSystem("three masses") {
    const double position[] = {1000, 1001, 1002}, velocity[] = {1e-3, 0, -1e-3};
    for (int i = 0; i < 3; ++i) x[i] = declare_state("x" + std::to_string(i), position[i]);
    for (int i = 0; i < 3; ++i) v[i] = declare_state("v" + std::to_string(i), velocity[i]);
    for (int i = 0; i < 2; ++i) {
      hit[i] = declare_event("hit" + std::to_string(i), Direction::kFalling);
    }
  }
  void derivatives(const Point& at, Rates d) const override {
    for (int i = 0; i < 3; ++i) {
      d[x[i]] = at[v[i]];
      d[v[i]] = 0;
    }
  }
  void conditions(const Point& at, Conditions g) const override {
    for (int i = 0; i < 2; ++i) g[hit[i]] = at[x[i + 1]] - at[x[i]];
  }
  void on_event(EventId event, Update& now) const override {
    const int i = event.index;
    EXPECT_GT(now[v[i]], now[v[i + 1]]) << "fired at t = " << now.t() << " while it opens";
    std::swap(now[v[i]], now[v[i + 1]]);
  }
  StateId x[3], v[3];
  EventId hit[2];
};

// The outer masses reach the middle one nearly together; `lead` is the head start of the left one.
TEST(Contact, AnImpactThatAnotherOneInterruptsIsNeitherLostNorDoubled) {
  const ThreeMasses model;
  for (const char* solver : {"rodas5p", "dopri5", "tsit5", "dop853"}) {
    for (const double lead : {0.0, 1e-13, 3e-13, 1e-12, 1e-11, 1e-9}) {
      RunOptions options;
      options.solver = solver;
      options.stop_time = 3000;
      options.numerics.rtol = 1e-10;
      Context context = make_context(model);
      set_value(model, context, "x0", 1000 + lead);
      const RunResult result = Simulator(model, options).run(context);
      ASSERT_TRUE(result.status.ok()) << result.status.message;
      // In the end the velocities are exchanged: the three depart from each other.
      const auto& x = result.final.x;
      EXPECT_NEAR(x[1] - x[0], 2.0, 1e-6) << solver << ", lead " << lead;
      EXPECT_NEAR(x[2] - x[1], 2.0, 1e-6) << solver << ", lead " << lead;
      EXPECT_EQ(x[3], -1e-3) << solver << ", lead " << lead;
      EXPECT_EQ(x[5], 1e-3) << solver << ", lead " << lead;
    }
  }
}

// Plastic impacts end in a resting contact: the masses stay together, whichever solver carries
// them, and none passes through another.
class PlasticRow : public HybridSystem {
 public:
  PlasticRow() : HybridSystem("plastic row") {
    for (int i = 0; i < 4; ++i) x[i] = declare_state("x" + std::to_string(i), 2.0 * i);
    for (int i = 0; i < 4; ++i) v[i] = declare_state("v" + std::to_string(i), i == 0 ? 1 : 0);
    e = declare_parameter("e", 0);
    for (int i = 0; i < 3; ++i)
      hit[i] = declare_event("hit" + std::to_string(i), Direction::kFalling);
  }
  void derivatives(const Point& at, Rates d) const override {
    for (int i = 0; i < 4; ++i) {
      d[x[i]] = at[v[i]];
      d[v[i]] = 0;
    }
  }
  void conditions(const Point& at, Conditions g) const override {
    for (int i = 0; i < 3; ++i) g[hit[i]] = at[x[i + 1]] - at[x[i]] - 1;
  }
  void on_event(EventId event, Update& now) const override {
    const int i = event.index;
    const double mean = (now[v[i]] + now[v[i + 1]]) / 2,
                 half = now[e] * (now[v[i]] - now[v[i + 1]]) / 2;
    if (now[v[i]] <= now[v[i + 1]]) return;
    now[v[i]] = mean - half;
    now[v[i + 1]] = mean + half;
  }
  StateId x[4], v[4];
  ParameterId e;
  EventId hit[3];
};

TEST(Contact, PlasticImpactsEndTogetherAndNoneIsPassed) {
  const PlasticRow model;
  for (const char* solver : {"rodas5p", "dopri5", "tsit5", "dop853"}) {
    for (const double e : {0.0, 0.05, 0.1}) {
      RunOptions options;
      options.solver = solver;
      options.stop_time = 100;
      options.numerics.rtol = 1e-8;
      Context context = make_context(model);
      set_value(model, context, "e", e);
      const RunResult result = Simulator(model, options).run(context);
      ASSERT_TRUE(result.status.ok() || result.status.reason == RunReason::kZeno)
          << result.status.message;
      if (!result.status.ok()) continue;
      for (int i = 0; i < 4; ++i)
        EXPECT_NEAR(result.final.x[4 + i], 0.25, 1e-9) << solver << ", e = " << e;
      for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(result.final.x[i + 1] - result.final.x[i], 1, 1e-9) << solver << ", e = " << e;
    }
  }
}

// A ball on a floor whose height is no round number: near the floor the height is rounded far above
// the last hops.
class BallOnAFloor : public HybridSystem {
 public:
  BallOnAFloor(double restitution, double floor)
      : HybridSystem("ball"), restitution_(restitution), floor_(floor) {
    h = declare_state("h", floor + 1);
    v = declare_state("v", 0);
    hit = declare_event("hit", Direction::kFalling);
  }
  void derivatives(const Point& at, Rates d) const override {
    d[h] = at[v];
    d[v] = -9.81;
  }
  void conditions(const Point& at, Conditions g) const override { g[hit] = at[h] - floor_; }
  void on_event(EventId, Update& now) const override { now[v] = -restitution_ * now[v]; }
  StateId h, v;
  EventId hit;

 private:
  double restitution_, floor_;
};

class BallOnFloors : public ::testing::TestWithParam<std::string> {};

TEST_P(BallOnFloors, NeverFallsThroughAndNeverCreeps) {
  for (const double floor : {0.0, 0.1, -0.37, 1000.0}) {
    for (const double restitution : {0.0, 0.05, 0.3, 0.7}) {
      for (const ZenoPolicy policy : {ZenoPolicy::kStop, ZenoPolicy::kStick}) {
        SCOPED_TRACE(::testing::Message() << "floor " << floor << ", e " << restitution
                                          << (policy == ZenoPolicy::kStick ? ", stick" : ""));
        const BallOnAFloor model(restitution, floor);
        RunOptions options;
        options.solver = GetParam();
        options.stop_time = 6;
        options.numerics.rtol = 1e-6;
        options.numerics.atol = 1e-6;
        options.on_zeno = policy;
        options.max_steps = 100'000;
        const RunResult result = simulate(model, options);
        const bool sticks = policy == ZenoPolicy::kStick;
        EXPECT_EQ(result.status.reason, sticks ? RunReason::kFinished : RunReason::kZeno)
            << result.status.message;
        EXPECT_NEAR(result.final.x[0], floor, 1e-6);
      }
    }
  }
}

// Masses in a row: the first flies against three that stand in contact, the last goes off to a wall
// and comes back. Equal masses exchange their speeds.
class Cradle : public HybridSystem {
 public:
  Cradle(double origin, double length)
      : HybridSystem("cradle"), wall_(origin + 2 * length + 1), length_(length) {
    for (int i = 0; i < kMasses; ++i)
      x_[i] = declare_state("x" + std::to_string(i), origin + (i == 0 ? -1 : (i - 1) * length));
    for (int i = 0; i < kMasses; ++i)
      v_[i] = declare_state("v" + std::to_string(i), i == 0 ? 1 : 0);
    for (int i = 0; i + 1 < kMasses; ++i)
      hit_[i] = declare_event("hit" + std::to_string(i), Direction::kFalling);
    at_wall_ = declare_event("wall", Direction::kRising);
  }
  void derivatives(const Point& at, Rates d) const override {
    for (int i = 0; i < kMasses; ++i) {
      d[x_[i]] = at[v_[i]];
      d[v_[i]] = 0;
    }
  }
  void conditions(const Point& at, Conditions g) const override {
    for (int i = 0; i + 1 < kMasses; ++i)
      g[hit_[i]] = at[x_[i + 1]] - at[x_[i]] - (i == 0 ? 0 : length_);
    g[at_wall_] = at[x_[kMasses - 1]] - wall_;
  }
  void on_event(EventId event, Update& now) const override {
    if (event == at_wall_) now[v_[kMasses - 1]] = -now[v_[kMasses - 1]];
    for (int i = 0; i + 1 < kMasses; ++i) {
      if (event != hit_[i]) continue;
      const double before = now[v_[i]];
      now[v_[i]] = now[v_[i + 1]];
      now[v_[i + 1]] = before;
    }
  }

 private:
  static constexpr int kMasses = 4;
  double wall_, length_;
  StateId x_[kMasses], v_[kMasses];
  EventId hit_[kMasses - 1], at_wall_;
};

// Where they stand, rounding puts them into contact, a little apart or a little into each other.
TEST_P(BallOnFloors, MassesThatStandInContactDoNotFireAgain) {
  const double rows[][2] = {
      {0, 1}, {-2.7266, 1}, {-1.81027772189, 2.93488645968}, {-2.3613, 0.2694}};
  for (const auto& [origin, length] : rows) {
    const Cradle model(origin, length);
    for (const double rtol : {1e-3, 1e-6, 1e-9, 1e-12}) {
      RunOptions options;
      options.solver = GetParam();
      options.stop_time = 4;
      options.numerics.rtol = options.numerics.atol = rtol;
      const RunResult result = simulate(model, options);
      SCOPED_TRACE(::testing::Message() << origin << " " << length << " rtol " << rtol);
      EXPECT_EQ(result.status.reason, RunReason::kFinished) << result.status.message;
      EXPECT_EQ(result.events, 7);  // three, the wall, and three back
    }
  }
}

// The bounces end in the rounding of a height that is not near zero.
TEST_P(BallOnFloors, ComesToRestWhateverTheTolerance) {
  for (const double rtol : {1e-4, 1e-8, 1e-10}) {
    for (const double restitution : {0.05, 0.7, 0.85}) {
      const BallOnAFloor model(restitution, 2.2);
      RunOptions options;
      options.solver = GetParam();
      options.stop_time = 8;
      options.numerics.rtol = options.numerics.atol = rtol;
      options.max_events = 3000;
      const RunResult result = simulate(model, options);
      SCOPED_TRACE(::testing::Message() << "rtol " << rtol << ", e " << restitution);
      EXPECT_EQ(result.status.reason, RunReason::kZeno);
      EXPECT_EQ(result.status.message.find("more than"), std::string::npos)
          << result.status.message;
      EXPECT_NEAR(result.final.x[0], 2.2, 100 * rtol);
    }
  }
}

// A ball whose own event puts it to rest, in a mode without motion, when it is slow.
class BallThatComesToRest : public HybridSystem {
 public:
  explicit BallThatComesToRest(double slow) : HybridSystem("ball"), slow_(slow) {
    const ModeId flies = declare_mode("flies");
    h = declare_state("h", 1);
    v = declare_state("v", 0);
    rests = declare_variant("rests", flies);
    declare_event("hit", Direction::kFalling, flies);
  }
  void derivatives(const Point& at, Rates d) const override {
    d[h] = at.mode == rests ? 0 : at[v];
    d[v] = at.mode == rests ? 0 : -9.81;
  }
  void conditions(const Point& at, Conditions g) const override { g.data()[0] = at[h]; }
  void on_event(EventId, Update& now) const override {
    if (std::abs(now[v]) < slow_) {
      now.go_to(rests);
    } else {
      now[v] = -0.5 * now[v];
    }
  }
  StateId h, v;
  ModeId rests;

 private:
  double slow_;
};

TEST(Contact, ABallThatItsOwnEventPutsToRestIsNoZeno) {
  for (const double slow : {1.0, 1e-2, 1e-3, 1e-4}) {
    for (const char* solver : {"dopri5", "rodas5p", "cvode-bdf"}) {
      const BallThatComesToRest model(slow);
      RunOptions options;
      options.solver = solver;
      options.stop_time = 10;
      options.numerics.rtol = options.numerics.atol = 1e-11;
      const RunResult result = simulate(model, options);
      EXPECT_EQ(result.status.reason, RunReason::kFinished) << result.status.message;
      EXPECT_EQ(result.final.mode, model.rests);
      // Speeds before the bounces are sqrt(2 g) / 2^i.
      EXPECT_EQ(result.events, 1 + std::ceil(std::log2(std::sqrt(2 * 9.81) / slow)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, BallOnFloors,
                         ::testing::Values("dopri5", "tsit5", "dop853", "rodas5p", "cvode-bdf",
                                           "cvode-adams", "ida", "arkode-erk", "arkode-dirk"),
                         test::name_of_test);

}  // namespace
}  // namespace arges
