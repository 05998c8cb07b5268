#pragma once
// C5: two state model.

#include "arges/hybrid/system.h"

namespace arges::argesim {

// A fast variable follows a slow one; two thresholds of the fast one switch the parameters.
//
//   y1' = c1 (y2 + c2 - y1)        c1 = 2.7e6
//   y2' = c3 (c4 - y2)             c3 = 3.5651205
//
//   state 1: c2 = 0.4,  c4 = 5.5     until y1 rises to 5.8
//   state 2: c2 = -0.3, c4 = 2.73    until y1 falls to 2.5
//
// The events change values in one and the same right-hand side: they are parameter events (SE-P).
// Task d has other values in state 2, and the lower threshold 4.1.
class TwoState : public HybridSystem {
 public:
  TwoState();
  void derivatives(const Point& at, Rates d) const override;
  void jacobian(const Point& at, const double*, double, JacobianEntries J) const override;
  void conditions(const Point& at, Conditions g) const override;
  void initialize(Update& now) const override;
  void on_event(EventId event, Update& now) const override;

  ModeId state1, state2;
  StateId y1, y2;
  ParameterId c1, c3, c2_1, c4_1, c2_2, c4_2, upper, lower;
  DiscreteId c2, c4;
  EventId rises, falls;
};

}  // namespace arges::argesim
