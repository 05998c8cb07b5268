#pragma once
// The problems of bench/ as models of the kernel.

#include "arges/hybrid/system.h"

namespace arges::bench {

// C1, lithium clusters. The nominal values are the start values, so that absolute tolerances are
// relative to those.
class Lithium : public HybridSystem {
 public:
  Lithium();
  void derivatives(const Point& at, Rates d) const override;
  void jacobian(const Point& at, const double*, double, JacobianEntries J) const override;

  StateId f, m, r;
  ParameterId kr, kf, lf, dr, dm;
};

// C5, two states, with both thresholds.
class TwoState : public HybridSystem {
 public:
  TwoState();
  void derivatives(const Point& at, Rates d) const override;
  void jacobian(const Point& at, const double*, double, JacobianEntries J) const override;
  void conditions(const Point& at, Conditions g) const override;
  void on_event(EventId event, Update& now) const override;

  ModeId state1, state2;
  StateId y1, y2;
  ParameterId c1, c3;
  DiscreteId c2, c4;
  EventId rises, falls;
};

// Heat conduction in a rod, by the method of lines.
class Heat : public HybridSystem {
 public:
  Heat();
  void derivatives(const Point& at, Rates d) const override;
  void jacobian(const Point& at, const double*, double, JacobianEntries J) const override;
};

// x' = -x, with a timer (every `period`) or state events (t passes multiples of it) that turn
// z round: what an event costs.
class Switching : public HybridSystem {
 public:
  enum class By { kNothing, kTimer, kState };
  Switching(By by, double the_period);
  void derivatives(const Point& at, Rates d) const override;
  void jacobian(const Point& at, const double*, double, JacobianEntries J) const override;
  void conditions(const Point& at, Conditions g) const override;
  void on_event(EventId event, Update& now) const override;
  void on_timer(TimerId timer, Update& now) const override;

  StateId x;
  DiscreteId z, next;
  EventId passes;
  double period;
};

}  // namespace arges::bench
