// The seven kinds of state events, as the event log names them.

#include <gtest/gtest.h>

#include "testing/battery_models.h"

namespace arges {
namespace {

using testing::Collector;

// x' = k u (+ an offset in another mode); one event each 0.1 does one kind of change.
class AllKinds : public HybridSystem {
 public:
  AllKinds() : HybridSystem("all kinds") {
    plain = declare_mode("plain");
    x = declare_state("x", 0);
    other_law = declare_variant("other law", plain);
    wide = declare_mode("wide");
    wide_x = declare_state("x", 0);
    y = declare_state("y", 5);
    k = declare_parameter("k", 1);
    u = declare_input("u", 1);
    z = declare_discrete("z", 0);
    const char* names[] = {"parameter", "input",  "state",     "discrete", "law",
                           "trace",     "solver", "structure", "mixed"};
    for (int i = 0; i < 9; ++i) kinds[i] = declare_event(names[i], Direction::kRising);
    named = declare_event("named", Direction::kRising);
    declare_kind(named, EventKind::kFunction);
  }
  void derivatives(const Point& at, Rates xdot) const override {
    xdot[x] = 0;  // x is the same position in all modes
    if (at.mode == wide) xdot[y] = 0;
  }
  void conditions(const Point& at, Conditions g) const override {
    for (int i = 0; i < 9; ++i) g[kinds[i]] = at.t - 0.1 * (i + 1);
    g[named] = at.t - 1.0;
  }
  void on_event(EventId event, Update& now) const override {
    if (event == kinds[0]) now[k] = 2;
    if (event == kinds[1]) now[u] = 3;
    if (event == kinds[2]) now[x] = 4;
    if (event == kinds[3]) now[z] = 5;
    if (event == kinds[4]) now.go_to(other_law);
    if (event == kinds[6]) now.use_solver("dopri5");
    if (event == kinds[7]) {
      const double before = now.pre(x);
      now.go_to(wide);
      now[wide_x] = before;
    }
    if (event == kinds[8]) {
      now[k] = 7;
      now[wide_x] = 8;
    }
  }
  ModeId plain, other_law, wide;
  StateId x, wide_x, y;
  ParameterId k;
  InputId u;
  DiscreteId z;
  EventId kinds[9], named;
};

TEST(EventKinds, AreFoundByComparingBeforeAndAfter) {
  AllKinds model;
  RunOptions options;
  options.stop_time = 1.1;
  options.solver = "tsit5";
  Collector log;
  const RunResult result = simulate(model, options, &log);
  ASSERT_TRUE(result.status.ok()) << result.status.message;
  const char* expected[] = {"SE-P", "SE-I", "SE-X", "SE-F",      "SE-F",
                            "SE-O", "SE-A", "SE-S", "SE-P+SE-X", "SE-F"};
  ASSERT_EQ(log.events.size(), 10u);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(log.events[i].kind, expected[i]) << log.events[i].component;
    EXPECT_NEAR(log.events[i].time, 0.1 * (i + 1), 1e-15);
  }
  EXPECT_EQ(result.solver, "dopri5");
  const EventChange& change = log.events[2].changes.at(0);
  EXPECT_EQ(change.name, "x");
  EXPECT_EQ(change.before, 0);
  EXPECT_EQ(change.after, 4);
  EXPECT_EQ(result.final.x, (std::vector<double>{8, 5}));
}

}  // namespace
}  // namespace arges
