// A mode that begins on the surface that ends it, along a tangent of high order.

#include <cmath>

#include <gtest/gtest.h>

#include "testing/battery_models.h"

namespace arges {
namespace {

using testing::Collector;

// A stone that is let go by a sling on the unit circle, where the sling does not pull any more: v^2
// = g y. It flies inside the circle, for
//
//   x^2 + y^2 - 1 = t^3 (g^2 t/4 - g vy),
//
// and comes to it again after 4 vy/g. The release is an event, the flight a mode of its own.
class Sling : public HybridSystem {
 public:
  explicit Sling(double angle) : HybridSystem("sling"), angle_(angle) {
    turning_ = declare_mode("turning");
    declare_state("phi", 0);
    flying_ = declare_mode("flying");
    x_ = declare_state("x", 0);
    y_ = declare_state("y", 0);
    vx_ = declare_state("vx", 0);
    vy_ = declare_state("vy", 0);
    release_ = declare_timer("release", 1);
    circle = declare_event("circle", Direction::kRising, flying_);
  }
  double flight() const { return 4 * -speed() * std::sin(angle_) / kGravity; }

  void derivatives(const Point& at, Rates d) const override {
    if (at.mode == turning_) {
      d[StateId{0}] = 1;
      return;
    }
    d[x_] = at[vx_];
    d[y_] = at[vy_];
    d[vx_] = 0;
    d[vy_] = -kGravity;
  }
  void conditions(const Point& at, Conditions g) const override {
    if (at.mode == flying_) g[circle] = at[x_] * at[x_] + at[y_] * at[y_] - 1;
  }
  void on_timer(TimerId, Update& now) const override {
    now.go_to(flying_);
    now[x_] = std::sin(angle_);
    now[y_] = std::cos(angle_);
    now[vx_] = speed() * std::cos(angle_);
    now[vy_] = -speed() * std::sin(angle_);
  }
  void on_event(EventId, Update& now) const override {
    const double radial = now[x_] * now[vx_] + now[y_] * now[vy_];
    if (radial > 1e-6) now.terminate("on the circle");
  }

  EventId circle;

 private:
  static constexpr double kGravity = 9.81;
  double speed() const { return std::sqrt(kGravity * std::cos(angle_)); }

  double angle_;
  ModeId turning_, flying_;
  StateId x_, y_, vx_, vy_;
  TimerId release_;
};

class TangentStart : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Solvers, TangentStart,
                         ::testing::Values("rodas5p", "dopri5", "tsit5", "dop853", "cvode-bdf",
                                           "cvode-adams", "ida", "arkode-erk", "arkode-dirk"));

// Rounding decides on which side of the circle the flight begins, and whether the event fires
// there, for nothing. The end of the flight is found all the same.
TEST_P(TangentStart, TheEndOfTheFlightIsFound) {
  for (int i = 0; i < 50; ++i) {
    const Sling model(-0.2 - 0.02 * i);
    RunOptions options;
    options.solver = GetParam();
    options.numerics.rtol = 1e-8;
    options.stop_time = 10;
    Collector log;
    const RunResult result = simulate(model, options, &log);
    ASSERT_EQ(result.status.reason, RunReason::kStopped) << i << ' ' << result.status.message;
    EXPECT_NEAR(result.status.time, 1 + model.flight(), 1e-6) << i;
  }
}

}  // namespace
}  // namespace arges
