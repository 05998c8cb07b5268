#pragma once
// C21, part 4: rotating pendulum with free flight, whose modes have their own state spaces.

#include "arges/hybrid/system.h"

namespace arges::argesim {

// A mass on a rope swings around a pivot, with drag; it falls while the rope is slack. phi is the
// angle from the upper vertical: x = l sin(phi), y = l cos(phi).
//
//   falling    m x'' = -k x',   m y'' = -m g - k y'                 states x, y, vx, vy
//
//   slack   the force of the rope F = m l phi'^2 - m g cos(phi) falls to 0:    swinging -> falling
//   taut    x^2 + y^2 rises to l^2: the radial velocity is lost                falling -> swinging
//   turn    phi' = 0 while swinging; the last one is nearer than psi_end to the lower vertical
//
// How the mass swings, and the hand-over of the states, is left to the two models below.
class PendulumOnRope : public HybridSystem {
 public:
  void outputs(const Point& at, Outputs y) const override;
  void conditions(const Point& at, Conditions c) const override;
  void on_event(EventId event, Update& now) const override;

  struct Cartesian {
    StateId x, y, vx, vy;
  };
  struct Motion {  // the same in all coordinates
    double x, y, vx, vy;
  };
  ModeId swinging, falling;
  Cartesian fall;
  ParameterId m, l, k, g, psi_end;
  DiscreteId turns, psi;
  OutputId x_mass, y_mass, force;
  EventId slack, taut, turn;

 protected:
  PendulumOnRope(const char* name, const char* description);
  // After the swinging mode: the falling one, and all that both have.
  void declare_falling();
  void fall_derivatives(const Point& at, Rates d) const;
  void fall_jacobian(const Point& at, JacobianEntries J) const;
  Motion fall_motion(const Point& at) const;

  virtual Motion swing_motion(const Point& at) const = 0;
  // The states of the mode swinging, from a position on the circle and the angular velocity.
  virtual void begin_swing(const Motion& at, double omega, Update& now) const = 0;
  Motion motion(const Point& at) const;
};

// Two state spaces: swinging has the states phi and omega,
//
//   phi'' = -(k/m) phi' + (g/l) sin(phi)
class RotatingPendulum : public PendulumOnRope {
 public:
  RotatingPendulum();
  void derivatives(const Point& at, Rates d) const override;
  void jacobian(const Point& at, const double*, double, JacobianEntries J) const override;

  StateId phi, omega;

 protected:
  Motion swing_motion(const Point& at) const override;
  void begin_swing(const Motion& at, double omega, Update& now) const override;
};

// Two state spaces, the first one a DAE: swinging has the states x, y, vx, vy and the algebraic
// variable lambda,
//
//   m x'' = -k x' - lambda x,   m y'' = -m g - k y' - lambda y,
//   0 = m (vx^2 + vy^2) - k (x vx + y vy) - m g y - lambda (x^2 + y^2)
//
// The last equation is x^2 + y^2 = l^2, differentiated twice (index 1 instead of 3); a start on the
// circle stays there up to the error of the solver.
class RotatingPendulumDae : public PendulumOnRope {
 public:
  RotatingPendulumDae();
  void derivatives(const Point& at, Rates d) const override;
  void jacobian(const Point& at, const double*, double, JacobianEntries J) const override;

  Cartesian swing;
  StateId lambda;

 protected:
  Motion swing_motion(const Point& at) const override;
  void begin_swing(const Motion& at, double omega, Update& now) const override;
};

}  // namespace arges::argesim
