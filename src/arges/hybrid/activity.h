#pragma once
// How much the states of a run move.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arges/solvers/stepper.h"

namespace arges {

// The activity of one state, A = integral of |dx/dt|, and how many quanta max(rtol |x|, atol
// nominal) lie on its way: so many crossings a quantised-state method of first order needs at
// least. Beside it the moves that a quantised-state method has made.
struct StateActivity {
  std::string name;
  double activity = 0;
  double crossings = 0;
  std::optional<std::int64_t> moves = {};  // of quantised-state methods only
};

// Adds up |x(b) - x(a)| along the dense output of a run, at eight points of each step: exact for
// steps without a turning point, and else short of it by what lies between two of the points.
class ActivityMeter {
 public:
  ActivityMeter(const Equations& equations, const SolverOptions& options);

  void begin(double t, const double* x);
  // The states have gone on along the step to `t`.
  void follow(const Stepper& stepper, double t);
  std::vector<StateActivity> result() const;

 private:
  void add(const double* x);

  const Equations& equations_;
  double relative_, absolute_;
  std::vector<double> x_, next_, activity_, crossings_;
  double t_ = 0;
};

}  // namespace arges
