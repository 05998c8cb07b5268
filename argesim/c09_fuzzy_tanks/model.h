#pragma once
// C9: two tanks with fuzzy control.

#include "arges/fuzzy/rule_base.h"
#include "arges/hybrid/system.h"

namespace arges::argesim {

namespace c9 {

// The error e of the level and its scaled rise v, both in [-1, 1], to an opening u in [0, 1].
class Controllers {
 public:
  Controllers();
  double fc1(double e, double v) const;  // five triangles on each input, product
  double fc2(double e, double v) const;  // three trapezoids on each input, minimum
  double fc3(double e, double v) const;  // |e| of fc2, the rest of fc1
  // 1, 2 or 3.
  double control(int which, double e, double v) const;

 private:
  fuzzy::Sugeno first_, second_;
};

}  // namespace c9

// Two tanks in a row; every second a fuzzy controller looks at the level of the second one and sets
// the inflow of the first.
//
//   A x1' = inflow u - q12,   q12 = a sign(x1 - x2) sqrt(2 g |x1 - x2|)
//   A x2' = q12 - q2,         q2 = a sqrt(2 g x2)
class FuzzyTanks : public HybridSystem {
 public:
  FuzzyTanks();
  void derivatives(const Point& at, Rates d) const override;
  void jacobian(const Point& at, const double*, double, JacobianEntries J) const override;
  void on_timer(TimerId timer, Update& now) const override;

  StateId x1, x2;
  ParameterId area, opening, inflow, g, wanted, controller;
  DiscreteId e, v, u;
  TimerId sample;

 private:
  double through(double head, const Point& at) const;
  double rise(const Point& at) const;  // of the second tank

  c9::Controllers controllers_;
};

}  // namespace arges::argesim
