#pragma once
// dae-realtime: a pendulum in Cartesian coordinates, as a DAE of index one with its constraints.

#include "arges/hybrid/system.h"

namespace arges::argesim {

// A unit mass on a rod of length one. The rod pulls with lambda:
//
//   x' = u,  y' = v,  u' = lambda x,  v' = lambda y - g
//   0 = lambda (x^2 + y^2) - g y + u^2 + v^2       the constraint, differentiated twice
//
// and besides  x^2 + y^2 = 1,  x u + y v = 0, the constraint and its first derivative.
class RealTimePendulum : public HybridSystem {
 public:
  RealTimePendulum();
  void derivatives(const Point& at, Rates d) const override;
  void jacobian(const Point& at, const double*, double, JacobianEntries J) const override;
  void constraints(const Point& at, double* c) const override;
  bool constraint_jacobian(const Point& at, double* values) const override;

  StateId x, y, u, v, lambda;
  ParameterId g;
};

}  // namespace arges::argesim
