#include "argesim/c21_pendulum/model.h"

#include <cmath>
#include <numbers>

#include "arges/hybrid/update.h"

namespace arges::argesim {

using std::numbers::pi;

namespace {

constexpr double kPhi0 = pi / 4, kOmega0 = 15;

}  // namespace

PendulumOnRope::PendulumOnRope(const char* name, const char* description)
    : HybridSystem(name, description) {
  m = declare_parameter("m", 1.5, "kg", "mass");
  l = declare_parameter("l", 1, "m", "length of the rope");
  k = declare_parameter("k", 0.9, "kg/s", "drag");
  g = declare_parameter("g", 9.81, "m/s2", "gravity");
  psi_end = declare_parameter("psi_end", pi / 10, "rad",
                              "a turn nearer than this to the lower vertical is the last one");
}

void PendulumOnRope::declare_falling() {
  falling = declare_mode("falling");
  fall.x = declare_state("x", 0, "m", "position");
  fall.y = declare_state("y", 0, "m", "position, upwards");
  fall.vx = declare_state("vx", 0, "m/s", "velocity");
  fall.vy = declare_state("vy", 0, "m/s", "velocity, upwards");
  declare_jacobian();
  declare_autonomous();
  turns = declare_discrete("turns", 0, ValueType::kInteger, "turns so far");
  psi = declare_discrete("psi", pi, ValueType::kReal,
                         "angle of the latest turn, from the lower vertical");
  x_mass = declare_output("x_mass", "m", "position of the mass");
  y_mass = declare_output("y_mass", "m", "position of the mass, upwards");
  force = declare_output("force", "N", "of the rope");
  slack = declare_event("slack", Direction::kFalling, swinging);
  taut = declare_event("taut", Direction::kRising, falling);
  turn = declare_event("turn", Direction::kBoth, swinging);
  declare_experiment({.stop_time = 20, .rtol = 1e-10});
}

PendulumOnRope::Motion PendulumOnRope::motion(const Point& at) const {
  return at.mode == swinging ? swing_motion(at) : fall_motion(at);
}

PendulumOnRope::Motion PendulumOnRope::fall_motion(const Point& at) const {
  return {at[fall.x], at[fall.y], at[fall.vx], at[fall.vy]};
}

void PendulumOnRope::fall_derivatives(const Point& at, Rates d) const {
  d[fall.x] = at[fall.vx];
  d[fall.y] = at[fall.vy];
  d[fall.vx] = -at[k] / at[m] * at[fall.vx];
  d[fall.vy] = -at[g] - at[k] / at[m] * at[fall.vy];
}

void PendulumOnRope::fall_jacobian(const Point& at, JacobianEntries J) const {
  J(fall.x, fall.vx) = 1;
  J(fall.y, fall.vy) = 1;
  J(fall.vx, fall.vx) = -at[k] / at[m];
  J(fall.vy, fall.vy) = -at[k] / at[m];
}

void PendulumOnRope::outputs(const Point& at, Outputs y) const {
  const Motion now = motion(at);
  y[x_mass] = now.x;
  y[y_mass] = now.y;
  const double centrifugal = at[m] * (now.vx * now.vx + now.vy * now.vy) / at[l];
  y[force] = at.mode == swinging ? centrifugal - at[m] * at[g] * now.y / at[l] : 0;
}

void PendulumOnRope::conditions(const Point& at, Conditions c) const {
  const Motion now = motion(at);
  if (at.mode == swinging) {
    c[slack] = at[m] * (now.vx * now.vx + now.vy * now.vy - at[g] * now.y) / at[l];
    c[turn] = now.y * now.vx - now.x * now.vy;
  } else {
    c[taut] = now.x * now.x + now.y * now.y - at[l] * at[l];
  }
}

void PendulumOnRope::on_event(EventId event, Update& now) const {
  const Motion at = motion(now.point());
  if (event == slack) {
    now.go_to(falling);
    now[fall.x] = at.x;
    now[fall.y] = at.y;
    now[fall.vx] = at.vx;
    now[fall.vy] = at.vy;
  } else if (event == taut) {
    // The fall begins on the circle, along it, and leaves it with the third power of time: for some
    // 1e-6 s both the side and the sign of the radial velocity are a matter of rounding.
    const double radial = (at.x * at.vx + at.y * at.vy) / now[l];
    if (radial <= 1e-9 * std::hypot(at.vx, at.vy)) return;
    const double omega = (at.y * at.vx - at.x * at.vy) / (now[l] * now[l]);
    now.go_to(swinging);
    begin_swing(at, omega, now);
  } else {
    now[turns] += 1;
    now[psi] = std::atan2(-at.x, -at.y);
    if (std::abs(now[psi]) < now[psi_end]) now.terminate("a turn near the lower vertical");
  }
}

RotatingPendulum::RotatingPendulum()
    : PendulumOnRope("C21-pendulum", "Rotating pendulum with free flight, two state spaces") {
  swinging = declare_mode("swinging");
  phi = declare_state("phi", kPhi0, "rad", "angle from the upper vertical");
  omega = declare_state("omega", kOmega0, "rad/s", "angular velocity");
  declare_jacobian();
  declare_autonomous();
  declare_falling();
}

void RotatingPendulum::derivatives(const Point& at, Rates d) const {
  if (at.mode == falling) return fall_derivatives(at, d);
  d[phi] = at[omega];
  d[omega] = -at[k] / at[m] * at[omega] + at[g] / at[l] * std::sin(at[phi]);
}

void RotatingPendulum::jacobian(const Point& at, const double*, double, JacobianEntries J) const {
  if (at.mode == falling) return fall_jacobian(at, J);
  J(phi, omega) = 1;
  J(omega, phi) = at[g] / at[l] * std::cos(at[phi]);
  J(omega, omega) = -at[k] / at[m];
}

PendulumOnRope::Motion RotatingPendulum::swing_motion(const Point& at) const {
  const double x = at[l] * std::sin(at[phi]), y = at[l] * std::cos(at[phi]);
  return {x, y, at[omega] * y, -at[omega] * x};
}

void RotatingPendulum::begin_swing(const Motion& at, double spin, Update& now) const {
  now[phi] = std::atan2(at.x, at.y);
  now[omega] = spin;
}

RotatingPendulumDae::RotatingPendulumDae()
    : PendulumOnRope("C21-pendulum-dae", "Rotating pendulum with free flight, swinging as a DAE") {
  swinging = declare_mode("swinging");
  const double x = std::sin(kPhi0), y = std::cos(kPhi0);
  swing.x = declare_state("x", x, "m", "position");
  swing.y = declare_state("y", y, "m", "position, upwards");
  swing.vx = declare_state("vx", kOmega0 * y, "m/s", "velocity");
  swing.vy = declare_state("vy", -kOmega0 * x, "m/s", "velocity, upwards");
  lambda = declare_algebraic("lambda", 0, "N/m", "force of the rope over its length");
  declare_jacobian();
  declare_autonomous();
  declare_falling();
}

void RotatingPendulumDae::derivatives(const Point& at, Rates d) const {
  if (at.mode == falling) return fall_derivatives(at, d);
  const auto [x, y, vx, vy] = swing_motion(at);
  d[swing.x] = vx;
  d[swing.y] = vy;
  d[swing.vx] = (-at[k] * vx - at[lambda] * x) / at[m];
  d[swing.vy] = (-at[k] * vy - at[lambda] * y) / at[m] - at[g];
  d[lambda] = at[m] * (vx * vx + vy * vy) - at[k] * (x * vx + y * vy) - at[m] * at[g] * y -
              at[lambda] * (x * x + y * y);
}

void RotatingPendulumDae::jacobian(const Point& at, const double*, double,
                                   JacobianEntries J) const {
  if (at.mode == falling) return fall_jacobian(at, J);
  const auto [x, y, vx, vy] = swing_motion(at);
  J(swing.x, swing.vx) = 1;
  J(swing.y, swing.vy) = 1;
  J(swing.vx, swing.x) = -at[lambda] / at[m];
  J(swing.vx, swing.vx) = -at[k] / at[m];
  J(swing.vx, lambda) = -x / at[m];
  J(swing.vy, swing.y) = -at[lambda] / at[m];
  J(swing.vy, swing.vy) = -at[k] / at[m];
  J(swing.vy, lambda) = -y / at[m];
  J(lambda, swing.x) = -at[k] * vx - 2 * at[lambda] * x;
  J(lambda, swing.y) = -at[k] * vy - at[m] * at[g] - 2 * at[lambda] * y;
  J(lambda, swing.vx) = 2 * at[m] * vx - at[k] * x;
  J(lambda, swing.vy) = 2 * at[m] * vy - at[k] * y;
  J(lambda, lambda) = -(x * x + y * y);
}

PendulumOnRope::Motion RotatingPendulumDae::swing_motion(const Point& at) const {
  return {at[swing.x], at[swing.y], at[swing.vx], at[swing.vy]};
}

void RotatingPendulumDae::begin_swing(const Motion& at, double spin, Update& now) const {
  now[swing.x] = at.x;
  now[swing.y] = at.y;
  now[swing.vx] = spin * at.y;
  now[swing.vy] = -spin * at.x;
}

}  // namespace arges::argesim
