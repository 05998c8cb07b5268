// Quanta of linearly implicit methods where there are events.

#include <cmath>

#include <gtest/gtest.h>

#include "arges/hybrid/rowwise.h"
#include "arges/hybrid/simulator.h"
#include "arges/hybrid/update.h"

namespace arges {
namespace {

// x'' = -x, with an event at x = `threshold` that counts and changes nothing else, or without one.
class Oscillator final : public RowwiseSystem<Oscillator> {
 public:
  Oscillator(bool has_event, double threshold)
      : RowwiseSystem("Oscillator", ""), threshold_(threshold) {
    x_ = declare_state("x", 1);
    v_ = declare_state("v", 0);
    count_ = declare_discrete("count", 0);
    if (has_event) passes_ = declare_event("passes", Direction::kBoth);
    declare_autonomous();
    declare_rows(RowAccess::kSeries);
  }
  template <class T>
  T rate(int row, const RowPoint<T>& at) const {
    return row == 0 ? at[v_] : -at[x_];
  }
  void conditions(const Point& at, Conditions g) const override {
    if (passes_.valid()) g[passes_] = at[x_] - threshold_;
  }
  void on_event(EventId, Update& now) const override { now[count_] = now[count_] + 1; }

 private:
  double threshold_;
  StateId x_, v_;
  DiscreteId count_;
  EventId passes_;
};

RunResult run(const Oscillator& model, const std::string& solver, double stop) {
  RunOptions options;
  options.stop_time = stop;
  options.solver = solver;
  options.numerics.rtol = 0;
  options.numerics.atol = 1e-4;
  return simulate(model, options);
}

TEST(QuantaWithEvents, AreAQuarterForLinearlyImplicitMethodsOfHigherOrder) {
  const Oscillator free(false, 0), watched(true, 3);  // never
  const auto ratio = [&](const std::string& solver) {
    return static_cast<double>(run(watched, solver, 20).statistics.steps) /
           static_cast<double>(run(free, solver, 20).statistics.steps);
  };
  EXPECT_NEAR(ratio("liqss2"), 2, 0.2);
  EXPECT_NEAR(ratio("liqss3"), std::cbrt(4), 0.2);
  for (const char* solver : {"qss1", "qss2", "qss3", "liqss1"}) EXPECT_EQ(ratio(solver), 1);
}

TEST(QuantaWithEvents, StayAQuarterWithEventsNowAndThen) {
  const Oscillator free(false, 0), watched(true, 0.5);
  const RunResult result = run(watched, "liqss2", 400);
  EXPECT_EQ(result.events, 127);
  EXPECT_GT(static_cast<double>(result.statistics.steps),
            1.8 * static_cast<double>(run(free, "liqss2", 400).statistics.steps));
}

}  // namespace
}  // namespace arges
