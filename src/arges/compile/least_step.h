#pragma once
// Steps of Newton's method where the matrix is singular. For .cc files only: Eigen comes along.

#include <vector>

#include "arges/compile/program.h"
#include "arges/linear/dense.h"

namespace arges::vm {

// A pressure behind a closed valve, a current between two open switches: the equations of a loop
// say nothing of a combination of its unknowns, and hold. With A the matrix, its rows scaled to a
// largest entry of one and its columns by what the unknowns are worth, A s = r is solved
//
//   as well as possible,   so that equations that contradict each other do not spoil the others
//   by the least s,        so that what is not determined stays where it is
//
// instead of along the one direction that the equations do not see.
class LeastStep {
 public:
  // `sizes` of the unknowns: their present values plus their nominal values. The values are those
  // of the pattern of the loop.
  LeastStep(const Loop& loop, const std::vector<double>& values, std::vector<double> sizes);
  // Larger ones cost too much.
  static bool fits(const Loop& loop);
  // False: an entry is not finite.
  bool is_finite() const { return a_.allFinite(); }
  // From the residual to the step.
  void solve(std::vector<double>& r) const;
  // Whether that step leaves nothing of the residual: the equations do not contradict each other.
  bool closes(const std::vector<double>& residual, const std::vector<double>& step) const;

 private:
  dense::Vector scaled(const std::vector<double>& residual) const;

  dense::Matrix a_;
  std::vector<double> rows_, sizes_;
};

}  // namespace arges::vm
