#pragma once
// C3: generalised class-E amplifier.

#include "arges/hybrid/system.h"

namespace arges::argesim {

// A supply feeds a capacitor through a choke; a switching device, modelled as a resistor R(t), lies
// beside the capacitor; a resonator takes the power to the load.
//
//   x1' = (VDC - x2)/L1                current in the choke L1
//   x2' = (x1 - x2/R(t) - x3)/C2       voltage on C2 and the device
//   x3' = (x2 - RL x3 - x4)/L3         current in L3 and the load
//   x4' = x3/C4                        voltage on C4
//
// R(t) is a table with linear pieces, repeated with the period T; the device is off first:
//
//   t    0      TRF    T/2    T/2 + TRF    T
//   R    Ron    Roff   Roff   Ron          Ron
//
// Each point of the table is a time event, so that no ramp is ever stepped over, however short.
// Between two points R = R_point + slope (t - t_point), within [Ron, Roff] whatever rounding does:
// two modes, constant and ramp.
class ClassEAmplifier : public HybridSystem {
 public:
  ClassEAmplifier();
  void derivatives(const Point& at, Rates d) const override;
  void jacobian(const Point& at, const double*, double, JacobianEntries J) const override;
  void outputs(const Point& at, Outputs y) const override;
  void initialize(Update& now) const override;
  void on_timer(TimerId timer, Update& now) const override;

  double resistance(const Point& at) const;

  // Which piece of the table is active.
  static constexpr double kOpening = 0, kOff = 1, kClosing = 2, kOn = 3;

  ModeId ramp, constant;
  StateId x1, x2, x3, x4;
  ParameterId VDC, L1, C2, L3, C4, RL, Ron, Roff, T, TRF;
  DiscreteId piece, period, t_point, R_point, slope;
  OutputId R, IR, VL, VL3;
  TimerId table_point;
};

}  // namespace arges::argesim
