#include "argesim/c07_pendulum/model.h"

#include <cmath>
#include <numbers>

#include "arges/hybrid/update.h"

namespace arges::argesim {

using std::numbers::pi;

ConstrainedPendulum::ConstrainedPendulum() : HybridSystem("C7", "Constrained pendulum") {
  free = declare_mode("free");
  phi = declare_state("phi", pi / 6, "rad", "angle of the thread");
  omega = declare_state("omega", 0, "rad/s", "angular velocity phi'");
  declare_jacobian();
  declare_autonomous();
  on_pin = declare_variant("on the pin", free);
  m = declare_parameter("m", 1.02, "kg", "mass");
  l = declare_parameter("l", 1, "m", "length of the thread");
  lp = declare_parameter("lp", 0.7, "m", "distance of the pin from the pivot");
  g = declare_parameter("g", 9.81, "m/s2", "gravity");
  d = declare_parameter("d", 0.2, "kg/s", "damping");
  phi_p = declare_parameter("phi_p", -pi / 12, "rad", "angle of the pin");
  linear = declare_parameter("linear", 0, "", "1: sin(phi) is replaced by phi");
  length = declare_output("length", "m", "length that swings");
  speed = declare_output("speed", "m/s", "speed of the mass");
  hit = declare_event("hit", Direction::kFalling, free);
  release = declare_event("release", Direction::kRising, on_pin);
  declare_experiment({.stop_time = 10, .rtol = 1e-8});
}

double ConstrainedPendulum::length_of(const Point& at) const {
  return at.mode == free ? at[l] : at[l] - at[lp];
}

void ConstrainedPendulum::derivatives(const Point& at, Rates x) const {
  const double pull = at[linear] != 0 ? at[phi] : std::sin(at[phi]);
  x[phi] = at[omega];
  x[omega] = -at[g] / length_of(at) * pull - at[d] / at[m] * at[omega];
}

void ConstrainedPendulum::jacobian(const Point& at, const double*, double,
                                   JacobianEntries J) const {
  J(phi, omega) = 1;
  J(omega, phi) = -at[g] / length_of(at) * (at[linear] != 0 ? 1 : std::cos(at[phi]));
  J(omega, omega) = -at[d] / at[m];
}

void ConstrainedPendulum::outputs(const Point& at, Outputs y) const {
  y[length] = length_of(at);
  y[speed] = length_of(at) * at[omega];
}

void ConstrainedPendulum::conditions(const Point& at, Conditions c) const {
  c[hit] = c[release] = at[phi] - at[phi_p];
}

void ConstrainedPendulum::initialize(Update& now) const {
  if (now[phi] < now[phi_p]) now.go_to(on_pin);
}

void ConstrainedPendulum::on_event(EventId event, Update& now) const {
  const double shortened = now[l] - now[lp];
  if (event == hit) {
    now.go_to(on_pin);
    now[omega] *= now[l] / shortened;
  } else if (event == release) {
    now.go_to(free);
    now[omega] *= shortened / now[l];
  }
}

}  // namespace arges::argesim
