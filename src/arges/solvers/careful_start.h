#pragma once
// The first steps of a multistep method. Included by .cc files only.

#include <cstddef>
#include <vector>

#include "arges/solvers/sundials_common.h"

namespace arges {

// A multistep method begins at order one after each event, and its first steps leave errors of the
// size of the tolerance in its history. Where the solution then moves by little more than the
// tolerance, or by less (a ball that hardly rises any more), those errors are all there is, and a
// method that finds every error small against the tolerance stays at order one.
//
// So a start is measured by what moves. With x' = f and x'' from one difference along f, the first
// step is so short that order one is enough,
//
//   h = min over i of  sqrt(2 kShare tolerance_i / |x_i''|)  and  kPart |x_i'| / |x_i''|,
//
// and for the next steps the tolerance of each variable is tied to the way it has gone since,
//
//   min(tolerance_i, |x_i''| h^2 + k |x_i - x_i(start)|),   k = 1e3 rtol (at most 0.1),
//
// not below kLeast tolerance_i or rounding. It is the user's tolerance again when the variable has
// gone its way, and for all after kSteps steps, so that a variable that rests costs no more.
class CarefulStart {
 public:
  CarefulStart(int size, double rtol);

  // The first step from (t, x), 0 when it cannot be told (x
  // moves in a straight line, or f cannot be evaluated): then there is nothing to care for.
  double begin(ModelCalls& calls, double t, const double* x, const std::vector<double>& atol);
  void end() { steps_ = 0; }
  bool active() const { return steps_ > 0; }
  void step_done() { --steps_; }

  double tolerance(std::size_t i, double x, double usual) const;

 private:
  std::vector<double> start_, error_;     // x at the start, error of the first step; < 0: straight
  std::vector<double> f_, ahead_, bend_;  // scratch; bend_ is |x''|
  double rtol_, part_of_way_;
  int steps_ = 0;  // still to go
};

}  // namespace arges
