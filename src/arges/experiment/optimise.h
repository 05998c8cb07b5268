#pragma once
// Smallest values.

#include <span>
#include <string>
#include <vector>

#include "arges/experiment/search.h"

namespace arges {

// An objective with its constraints at one point: g <= 0 and h = 0, each list always of the same
// length. A value that is not finite says that there is none at this point.
struct Appraisal {
  double value = 0;
  std::vector<double> at_most_zero, zero;
};
using Objective = std::function<Appraisal(std::span<const double> x)>;

struct OptimiseRequest {
  std::vector<SearchVariable> variables;
  std::size_t inequalities = 0, equalities = 0;
  std::string method = "auto";
  SearchLimits limits;
  double tolerance = 1e-11;            // of the variables, as a part of their range
  double constraint_tolerance = 1e-9;  // how far g may be above, and h away from 0
  std::uint64_t seed = 1;              // of methods that draw random numbers
};

// A method of NLopt or of pagmo.
struct OptimiserInfo {
  std::string name;
  std::string description;
  bool global = false;       // looks everywhere within the bounds
  bool constraints = false;  // by itself; others get an augmented Lagrangian or penalties
  bool integers = false;     // whole numbers; global methods of NLopt round
  bool evolves = false;      // one of pagmo, which is loaded when it is wanted
};
const std::vector<OptimiserInfo>& optimisers();

// The method that `auto` takes for a request: without whole numbers `sbplx` for one variable,
// `bobyqa` for more, `cobyla` with constraints; else `gaco`.
std::string automatic_optimiser(const OptimiseRequest& request);

// Minimises within the bounds. All points at which the objective was evaluated count: the result is
// the best of those that satisfy the constraints, or else the one that violates them least
// (kNotFound). A global method has three quarters of the evaluations, nine tenths with whole
// numbers; from its best point a local one goes on, with whole numbers as they are there, unless
// there is nothing else. `value` is the objective, `residual` the largest
// violation.
//
// Throws UserError for a method that does not exist, or does not know whole numbers, and when pagmo
// is not installed.
SearchResult optimise(const Objective& objective, const OptimiseRequest& request);

}  // namespace arges
