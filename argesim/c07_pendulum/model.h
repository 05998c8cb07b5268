#pragma once
// C7: constrained pendulum.

#include "arges/hybrid/system.h"

namespace arges::argesim {

// A mass on a thread of length l. A pin at the distance lp from the pivot, under the angle phi_p,
// catches the thread: while phi < phi_p only the length l - lp swings.
//
//   phi'' = -g/L sin(phi) - d/m phi',     L = l when free, L = l - lp when on the pin
//
// At the hit and at the release the speed of the mass, L phi', is continuous, so phi' jumps:
//
//   hit      phi falls to phi_p:   phi' := phi' l/(l - lp)
//   release  phi rises to phi_p:   phi' := phi' (l - lp)/l
//
// linear = 1 replaces sin(phi) by phi.
class ConstrainedPendulum : public HybridSystem {
 public:
  ConstrainedPendulum();
  void derivatives(const Point& at, Rates d) const override;
  void jacobian(const Point& at, const double*, double, JacobianEntries J) const override;
  void outputs(const Point& at, Outputs y) const override;
  void conditions(const Point& at, Conditions g) const override;
  void initialize(Update& now) const override;
  void on_event(EventId event, Update& now) const override;

  ModeId free, on_pin;
  StateId phi, omega;
  ParameterId m, l, lp, g, d, phi_p, linear;
  OutputId length, speed;
  EventId hit, release;

 protected:
  double length_of(const Point& at) const;
};

}  // namespace arges::argesim
