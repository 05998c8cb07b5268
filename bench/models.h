#pragma once
// Models that only bench/ uses; C1 and C5 are those of argesim/.

#include "arges/hybrid/system.h"

namespace arges::bench {

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
