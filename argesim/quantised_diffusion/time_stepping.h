#pragma once
// Time stepping beside quantised states: Euler's methods on the row of cells, written by hand.

#include <vector>

namespace arges::argesim {

// u' = k (u_left - 2 u + u_right), a pulse of height 1 in the middle, the ends held at zero.
class EulerRow {
 public:
  EulerRow(int cells, double k, double h);
  void explicit_step();
  // (1 + 2 r) u_i - r (u_left + u_right) = old u_i, r = k h, by elimination.
  void implicit_step();
  std::vector<double> values() const { return {u_.begin() + 1, u_.end() - 1}; }

 private:
  int cells_;
  double r_;
  std::vector<double> u_, next_;  // with the held zeros
  std::vector<double> factor_;    // of the elimination
};

struct SteppingTime {
  double explicit_seconds = 0, implicit_seconds = 0;
};

// Processor time of all steps to t_end. Every step costs the same: one in twenty is run, and its
// time counted twenty times.
SteppingTime time_of_stepping(int cells, double k, double h, double t_end);

}  // namespace arges::argesim
