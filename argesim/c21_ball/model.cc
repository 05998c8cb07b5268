#include "argesim/c21_ball/model.h"

#include "arges/hybrid/update.h"

namespace arges::argesim {

BouncingBall::BouncingBall() : HybridSystem("C21-ball", "Bouncing ball with event contact") {
  falling = declare_mode("falling");
  x = declare_state("x", 10, "m", "height");
  v = declare_state("v", 0, "m/s", "velocity, upwards");
  declare_jacobian();
  declare_autonomous();
  rising = declare_variant("rising", falling);
  x0 = declare_parameter("x0", 10, "m", "height at the start");
  v0 = declare_parameter("v0", 0, "m/s", "velocity at the start");
  g = declare_parameter("g", 9.81, "m/s2", "gravity");
  mu = declare_parameter("mu", 0.9, "", "coefficient of restitution");
  beta = declare_parameter("beta", 0.002, "1/m", "drag");
  bounces = declare_discrete("bounces", 0, ValueType::kInteger, "bounces so far");
  bounce = declare_event("bounce", Direction::kFalling);
  apex = declare_event("apex", Direction::kFalling, rising);
  declare_experiment({.stop_time = 30, .rtol = 1e-10});
}

void BouncingBall::derivatives(const Point& at, Rates d) const {
  const double drag = at[beta] * at[v] * at[v];
  d[x] = at[v];
  d[v] = at.mode == rising ? -at[g] - drag : -at[g] + drag;
}

void BouncingBall::jacobian(const Point& at, const double*, double, JacobianEntries J) const {
  J(x, v) = 1;
  J(v, v) = (at.mode == rising ? -2 : 2) * at[beta] * at[v];
}

void BouncingBall::conditions(const Point& at, Conditions c) const {
  c[bounce] = at[x];
  c[apex] = at[v];
}

void BouncingBall::initialize(Update& now) const {
  now[x] = now[x0];
  now[v] = now[v0];
  if (now[v] > 0) now.go_to(rising);
}

void BouncingBall::on_event(EventId event, Update& now) const {
  if (event == bounce) {
    if (now[v] > 0) return;  // below the floor by an error of the solver, but on its way up
    now[v] = -now[mu] * now[v];
    now[bounces] += 1;
    now.go_to(rising);
  } else {
    now.go_to(falling);
  }
}

}  // namespace arges::argesim
