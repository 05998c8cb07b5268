#pragma once
// Motion on the surface of a condition, where events would accumulate.

#include <memory>
#include <vector>

#include "arges/hybrid/mode_equations.h"
#include "arges/hybrid/system.h"

namespace arges {

// The equations that hold while the policy `stick` keeps the model on g(x) = 0. Two kinds:
//
//   rest      after Zeno. The variables on which g depends, and those on which their derivatives
//   depend, stand still; the
//             others go on. It ends when the true equations would lift g off to the side it came
//             from: the second-order motion of g is looked at, because its first derivative is what
//             the bounces have used up.
//   sliding   after chattering between two sets of discrete values with the right-hand sides f1 and
//   f2. Filippov's motion
//                 x' = (1 - a) f1 + a f2,    a = grad g . f1 / grad g . (f1 - f2),
//             which keeps grad g . x' = 0. It ends when a leaves [0, 1]: then one of the two leads
//             off the surface.
class Sliding final : public Equations {
 public:
  // Rest on the surface of `event`, whose condition came from side `armed` (-1 or 1).
  Sliding(const HybridSystem& system, const Context& now, EventId event, int armed, double t,
          const double* x);
  // Slide between the values `one` (before the last event) and `other` (after it).
  Sliding(const HybridSystem& system, const Context& one, const Context& other, EventId event);

  void rhs(double t, const double* x, double* f) const override;
  void residual(double, const double*, const double*, double*) const override {}
  void jacobian(double, const double*, const double*, double, double*, double*) const override {}
  std::string name(int i) const override { return one_equations_.name(i); }

  enum class Exit { kStays, kToOne, kToOther };
  Exit exit(double t, const double* x) const;
  const Context& one() const { return one_; }
  const Context& other() const { return other_; }
  bool is_rest() const { return is_rest_; }

 private:
  void take_structure();
  double condition(double t, const double* x) const;
  double step_along(const double* x, const double* f) const;
  double slope(double t, const double* x, const double* f) const;  // grad g . f + dg/dt
  double blend(double t, const double* x) const;                   // fills f1_ and f2_, returns a
  void find_frozen(double t, const double* x);

  const HybridSystem& system_;
  Context one_, other_;
  ModeEquations one_equations_, other_equations_;
  EventId event_;
  bool is_rest_;
  int armed_ = 0;
  std::vector<std::uint8_t> frozen_, differential_all_;
  mutable std::vector<double> f1_, f2_, x_try_, g_;
};

}  // namespace arges
