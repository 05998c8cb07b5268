#pragma once
// Nonlinear least squares, and systems of equations as their special case.

#include <functional>
#include <span>
#include <vector>

#include "arges/experiment/search.h"

namespace arges {

// Writes r(x), always of the same length. Entries that are not finite say that r does not exist
// there.
using Residuals = std::function<void(std::span<const double> x, std::vector<double>& r)>;

struct LeastSquaresResult : SearchResult {  // value: sum of r^2; residual: largest |r|
  std::vector<double> residuals;
  std::vector<double> jacobian;  // dr/dx at x, column after column
};

// Minimises the sum of r_i(x)^2 within the bounds of the variables, by the method of Levenberg and
// Marquardt:
//
//   u := the first guess, on the scale of the variables; damping mu
//   until the step is short, or r = 0:
//     J := dr/du by central differences; variables that lie on a bound which the sum wants to cross
//          stay there
//     solve (J'J + mu diag(J'J)) du = -J'r; u' := u + du, cut at the bounds
//     the sum is smaller: take u', less damping (by how well the linear model had foretold it);
//     else more damping
//
// kFound: a step of less than `tolerance` of the range, or no decrease that can be told from
// rounding. It is a local minimum: whether r is small enough there is for the caller to say.
// Throws ApiError for whole numbers among the variables.
LeastSquaresResult least_squares(const Residuals& r, const std::vector<SearchVariable>& variables,
                                 const SearchLimits& limits, double tolerance = 1e-13);

// The two sides of each equation, of the same length; what is not finite does not exist there.
struct Sides {
  std::vector<double> left, right;
};
using SidesFunction = std::function<Sides(std::span<const double> x)>;

// Solves left(x) = right(x), as many equations as variables: one by a search for changes of sign
// (at 24 points, from the first guess outwards) and find_root(), several by least_squares(), each
// divided by how much it changes over a tenth of the ranges around the first guess.
//
// The best point is a solution when what is left of each equation is small beside what the equation
// is like around there: 1e-6 of the change of left - right within 1 % of the ranges, as it is and
// as the slope foretells it, or what `accuracy`, the relative error of the sides, leaves open.
// kNotFound otherwise: beside a pole, on a jump, where the sides come near each other and do not
// meet.
SearchResult solve_equations(const SidesFunction& sides,
                             const std::vector<SearchVariable>& variables,
                             const SearchLimits& limits, double accuracy = 1e-10);

}  // namespace arges
