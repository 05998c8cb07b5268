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

// Adds up |x(b) - x(a)|, and the integral of |dx| over the quantum, along the dense output of a
// run, at eight points of each step: exact where there is no turning point. What lies between one
// and the nearest of the points is added by the parabola through that point and its neighbours.
class ActivityMeter {
 public:
  ActivityMeter(const Equations& equations, const SolverOptions& options);

  void begin(double t, const double* x);
  // The states have gone on along the step to `t`.
  void follow(const Stepper& stepper, double t);
  std::vector<StateActivity> result() const;

 private:
  void add(double t, const double* x);
  void add_way(std::size_t i, double from, double to, double times);
  double quanta_from_zero(double x, double smallest) const;

  const Equations& equations_;
  double relative_, absolute_;
  std::vector<double> x_, next_, activity_, crossings_;
  std::vector<double> x_before_;  // at t_before_
  double t_ = 0, t_before_ = 0;
  bool knows_before_ = false;
};

}  // namespace arges
