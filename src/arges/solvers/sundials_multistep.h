#pragma once
// What CVODES and IDAS have in common beyond all SUNDIALS steppers. Included by .cc files only.

#include <vector>

#include "arges/solvers/careful_start.h"
#include "arges/solvers/sundials_common.h"

namespace arges {

// A multistep method of SUNDIALS: it begins at order one after each event, so that its starts are
// careful ones (CarefulStart), and its error test takes a share of the user's tolerances.
class SundialsMultistep : public SundialsStepper {
 public:
  bool is_multistep() const override { return true; }

 protected:
  SundialsMultistep(std::string_view name, const Equations& equations,
                    const SolverOptions& options);

  // (rtol / 1e-2)^exponent, at most 1 and never below rounding, which SUNDIALS refuses and
  // algebraic variables, having none, reach earlier.
  static double share(double rtol, double exponent);

  // The integrator begins again at current() with the first step first_h_ (0: automatic).
  virtual void restart() = 0;
  // One step of the integrator towards `limit`; returns its flag.
  virtual int advance(double limit, double& reached) = 0;
  // Before the second try of a start that care has made too short.
  virtual void prepare_second_try() {}

  // Chooses the first step, unless one is given; to be followed by restart().
  void care_for_start(bool wanted);
  // advance(), which begins again without care when a careful step fails.
  int advance_with_care(double limit, double& reached);
  // 1 / (share (rtol |x| + atol)), tied to the way gone during a careful start; < 0 when that
  // leaves a variable without tolerance. (Tolerances themselves cannot be set anew between steps.)
  int fill_weights(N_Vector x, N_Vector weights, double share) const;

  const double rtol_;
  std::vector<double> atol_;  // of each variable

 private:
  CarefulStart careful_;
};

}  // namespace arges
