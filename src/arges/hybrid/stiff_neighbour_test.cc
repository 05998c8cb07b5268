// A body that bounces, and beside it something stiff that it does not depend on.

#include <cmath>

#include <gtest/gtest.h>

#include "arges/hybrid/simulator.h"

namespace arges {
namespace {

class BodyBesideStiffState : public HybridSystem {
 public:
  explicit BodyBesideStiffState(double restitution, double rate, double stiffness)
      : HybridSystem("body"), e_(restitution), w_(rate), lambda_(stiffness) {
    h = declare_state("h", 1);
    v = declare_state("v", 0);
    q = declare_state("q", 1);
    contact = declare_event("contact", Direction::kFalling);
  }
  void derivatives(const Point& at, Rates d) const override {
    d[h] = at[v];
    d[v] = -9.81 * (1 + 0.5 * std::sin(w_ * at.t));
    d[q] = -lambda_ * (at[q] - std::cos(at.t)) - std::sin(at.t);
  }
  void conditions(const Point& at, Conditions c) const override { c[contact] = at[h]; }
  void on_event(EventId, Update& now) const override { now[v] = -e_ * now[v]; }
  StateId h, v, q;
  EventId contact;

 private:
  double e_, w_, lambda_;
};

// The dense output of a step that is long for the stiff part must not make the body lift off where
// its impact has stopped it.
TEST(StiffNeighbour, ABodyComesToRestAsItDoesAlone) {
  for (const char* solver : {"rodas5p", "cvode-bdf", "ida"}) {
    for (const double rtol : {1e-3, 1e-4, 1e-6}) {
      for (const double e : {0.0, 0.5}) {
        for (const double w : {2.0, 6.0}) {
          RunOptions options;
          options.solver = solver;
          options.stop_time = 5;
          options.numerics.rtol = rtol;
          const auto end = [&](double stiffness) {
            const BodyBesideStiffState model(e, w, stiffness);
            const RunResult result = Simulator(model, options).run(make_context(model));
            EXPECT_EQ(result.status.reason, RunReason::kZeno) << solver << ", rtol " << rtol;
            EXPECT_LT(result.events, 200) << solver << ", rtol " << rtol << ", e " << e;
            EXPECT_GT(result.final.x[0], -rtol);
            return result.status.time;
          };
          EXPECT_NEAR(end(0), end(1000), 20 * rtol) << solver << ", rtol " << rtol << ", e " << e;
        }
      }
    }
  }
}

}  // namespace
}  // namespace arges
