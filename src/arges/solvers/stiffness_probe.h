#pragma once
// Finds out whether stability holds back the steps of a method.

#include <cstdint>
#include <vector>

#include "arges/solvers/equations.h"

namespace arges {

// Estimates the spectral radius of df/dx by the power iteration on differences of f,
//
//   v := D^-1 (f(t, x + d D v) - f(t, x)) / d,   D = diag(|x_i| + nominal_i / 1000),   rho = |v|,
//
// two rounds every kEvery steps, each from where the one before ended. A look is suspicious when
// h rho is beyond the stability limit of the method and, if asked for, v turns round in the last
// round: the fastest motion is a decay, not an oscillation that is to be followed. After
// kSuspicious of them, with never kCalm others in a row in between, the problem looks stiff. For
// methods whose stages, unlike those of explicit_rk.h, do not give such an estimate for nothing.
class StiffnessProbe {
 public:
  enum class Counts { kAnyMotion, kDecay };
  StiffnessProbe(const Equations& equations, Counts counts);

  // After each accepted step: true when it is time for look().
  bool is_due() { return ++steps_ % kEvery == 0; }
  // At (t, x), the end of a step of length h; `limit` is for h rho. Counts evaluations in `rhs`. A
  // model that cannot be evaluated there tells nothing.
  void look(double t, const double* x, double h, double limit, std::int64_t& rhs);
  bool suspects_stiffness() const { return suspicious_ >= kSuspicious; }

 private:
  static constexpr int kEvery = 50, kSuspicious = 4, kCalm = 3, kRounds = 2;

  // A round; false when f has no finite values there. `cosine` is that of the angle between the old
  // and the new v.
  bool iterate(double t, const double* x, double& rho, double& cosine);

  const Equations& equations_;
  const Counts counts_;
  std::int64_t steps_ = 0;
  int suspicious_ = 0;
  int calm_ = 0;
  std::vector<double> scale_, direction_, shifted_x_, f_, shifted_f_;
};

}  // namespace arges
