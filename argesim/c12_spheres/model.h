#pragma once
// C12: collision processes in rows of spheres.

#include <array>

#include "arges/hybrid/system.h"

namespace arges::argesim {

// Four equal spheres of diameter d in a row, with gaps a; the first moves with v0 towards the
// others, which rest. Between collisions (c = 0: uniform motion)
//
//   x_i' = v_i,   v_i' = -c v_i |v_i|
//
// Pair i collides when x_{i+1} - x_i falls to d and v_i > v_{i+1}. With the coefficient of
// restitution e, the mean of the two velocities stays and their difference turns round:
//
//   v_i := (v_i + v_{i+1})/2 - e (v_i - v_{i+1})/2,   v_{i+1} := (v_i + v_{i+1})/2 + e (...)/2
class RowOfSpheres : public HybridSystem {
 public:
  static constexpr int kSpheres = 4;

  RowOfSpheres();
  void derivatives(const Point& at, Rates rate) const override;
  void jacobian(const Point& at, const double*, double, JacobianEntries J) const override;
  void conditions(const Point& at, Conditions g) const override;
  void initialize(Update& now) const override;
  void on_event(EventId event, Update& now) const override;

  std::array<StateId, kSpheres> x, v;
  ParameterId a, d, v0, e, c;
  DiscreteId collisions;
  std::array<EventId, kSpheres - 1> collision;
};

}  // namespace arges::argesim
