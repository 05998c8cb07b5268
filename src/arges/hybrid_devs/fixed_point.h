#pragma once
// Values that depend on themselves.

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "arges/linear/lu_solver.h"

namespace arges::hybrid_devs {

// Solves z = G(z) by Newton's method; the Jacobian is made by differences, and kept while the steps
// shrink to a tenth or less:
//
//   repeat  step := (G'(z) - 1)^-1 (G(z) - z)
//           z := z - s step  with the first s of 1, 1/2, 1/4, ... for which the next step with the
//                            same matrix is smaller (damped; else s = 1)
//   until   steps are as small as the arithmetic allows, and z = G(z) to 1e-6 or to its rounding
//
// A linear G takes two steps, the second for the roundings of the differences. Units do not matter:
// each unknown is measured by itself, as large as it is, or was in a solution before. Where
// rounding lets steps shrink no further, they must be below 1e-9 of that.
class FixedPoint {
 public:
  // G(z). Returns the size of the largest number on the way; not finite: G cannot be had there.
  using Function = std::function<double(const std::vector<double>& z, std::vector<double>& g)>;
  enum class Outcome { kFound, kNotFound, kSingular };

  explicit FixedPoint(std::size_t n);
  // Along a motion: the solution next to z, which becomes it; where damped steps find none, one by
  // full steps, no further away than half of each unknown. kSingular is not told.
  Outcome follow(const Function& g, std::vector<double>& z);
  // Any solution: from z, from zero, then from further and further around z. kSingular: there are
  // infinitely many, or none, since G'(z) - 1 is singular there (to 1e-7 of G').
  Outcome search(const Function& g, std::vector<double>& z);

 private:
  bool newton(const Function& g, std::vector<double>& z, bool damped);
  bool from(const Function& g, std::vector<double>& z);
  bool evaluate(const Function& g, const std::vector<double>& z);
  bool differentiate(const Function& g, const std::vector<double>& z, double rest);
  bool is_solved(const Function& g, const std::vector<double>& z);
  void balance();
  bool is_at_rest(const Function& g, std::vector<double>& z);
  bool is_rounding(const Function& g, const std::vector<double>& z);
  bool is_singular(const Function& g, const std::vector<double>& z, double rest);
  void remember(const std::vector<double>& z);
  double length_of_step(const std::vector<double>& z) const;
  double base(const std::vector<double>& z, std::size_t j) const;

  std::size_t n_;
  std::unique_ptr<LuSolver> lu_;
  std::vector<double> g_, residual_, matrix_, step_, next_, weight_, aside_, g_aside_;
  std::vector<double> scale_;  // the largest of each unknown in solutions so far
  double largest_ = 0;         // of the last evaluation
};

}  // namespace arges::hybrid_devs
