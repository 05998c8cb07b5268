#pragma once
// C21, part 2.1: bouncing ball with event contact.

#include "arges/hybrid/system.h"

namespace arges::argesim {

// A ball falls and bounces; the contact takes no time.
//
//   x' = v,   v' = -g - beta v |v|          drag against the motion
//
//   bounce   x falls to 0:   v := -mu v                 falling -> rising    (SE-F+SE-X)
//   apex     v falls to 0                               rising -> falling    (SE-F)
//
// The drag is smooth in each of the two modes, but not across v = 0: therefore the apex is an event
// too. The bounces accumulate at a finite time, where the kernel finds the Zeno point.
class BouncingBall : public HybridSystem {
 public:
  BouncingBall();
  void derivatives(const Point& at, Rates d) const override;
  void jacobian(const Point& at, const double*, double, JacobianEntries J) const override;
  void conditions(const Point& at, Conditions c) const override;
  void initialize(Update& now) const override;
  void on_event(EventId event, Update& now) const override;

  ModeId falling, rising;
  StateId x, v;
  ParameterId x0, v0, g, mu, beta;
  DiscreteId bounces;
  EventId bounce, apex;
};

}  // namespace arges::argesim
