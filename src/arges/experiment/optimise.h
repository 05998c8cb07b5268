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
  // How large the terms are whose difference a constraint is; empty where that is not known.
  std::vector<double> terms_at_most_zero{}, terms_zero{};
  bool has_value = true;  // of what methods see: false of one that stands for a point without value

  // left <= right, or left = right.
  void constrain(double left, double right, bool equal);
};
using Objective = std::function<Appraisal(std::span<const double> x)>;

struct OptimiseRequest {
  std::vector<SearchVariable> variables;
  std::size_t inequalities = 0, equalities = 0;
  std::string method = "auto";
  SearchLimits limits;
  double tolerance = 1e-11;  // of the variables, as a part of their range
  // How far g may be above, and h away from 0, as a part of their size: of their largest change
  // over a tenth of a range around the first guess, or of their terms, when these are larger.
  double constraint_tolerance = 1e-9;
  std::uint64_t seed = 1;  // of methods that draw random numbers
  // Whole numbers may come to the same (one of them says that another does not matter): an equal
  // text for points of one structure, "" for points that are none. Without it each combination of
  // whole numbers is a structure of its own.
  std::function<std::string(std::span<const double> x)> structure{};
  // Whether a variable counts, with the whole numbers as they are at x; without it all do. Local
  // methods leave the others alone.
  std::function<bool(std::span<const double> x, std::size_t variable)> matters{};
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
// Throws UserError with the near names.
const OptimiserInfo& find_optimiser(const std::string& name);

// The method that `auto` takes for a request: without whole numbers `sbplx` for one variable,
// `bobyqa` for more, `cobyla` with constraints; else `gaco`.
std::string automatic_optimiser(const OptimiseRequest& request);
// Likewise, for what is not a whole number.
std::string local_optimiser(const OptimiseRequest& request);

// Minimises within the bounds. All points at which the objective was evaluated count: the result is
// the best of those that satisfy the constraints, or else the one that violates them least
// (kNotFound, or kLimit). `value` is the objective, `residual` the largest violation, in the units
// of the constraint that is violated most for its size.
//
//   only whole numbers, `auto`, and no more structures than evaluations: all of them are tried
//   a local method: just this, from the first guess; when the objective has no value there, from
//   the first point with one, for which a quarter of the evaluations looks all over the range
//   a global method (again, with other random numbers, when its population has become one point
//   early), three quarters of the evaluations (half of them when the other half is enough
//   for all structures); then local ones, with the whole numbers as they are, from the best points
//     of all structures, when there are so few
//     of the best structure otherwise, of those that differ by one whole number from it, as long
//     as that is better, and of the next best, with a few evaluations for each
//   and what remains, half of it at least, for the best one, unless its search has come to its end
//
// What a local method has come to is looked at from all sides (surroundings.h): when something
// around it is better, the search goes on from there, a few times. Where it has come to no point
// that satisfies the constraints, one is searched by their violations alone (feasibility.h). kFound
// says that nothing around is better, kLimit that the evaluations were used up before that was
// known, with a message when no point that satisfies the constraints was found until then.
//
// Whole numbers that have all been tried are kFound, whatever the method. What a global method
// finds otherwise is the bottom of one valley: kFound says that it is as exact as asked for, the
// message that there may be a lower one.
//
// Throws UserError for a method that does not exist, or does not know whole numbers, and when pagmo
// is not installed.
SearchResult optimise(const Objective& objective, const OptimiseRequest& request);

}  // namespace arges
