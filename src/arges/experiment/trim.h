#pragma once
// Steady states of a model.

#include <atomic>
#include <complex>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "arges/hybrid/run_options.h"
#include "arges/hybrid/system.h"

namespace arges {

struct TrimRequest {
  // From the given values, and from so many more random points: of either sign and of many
  // magnitudes, around zero and around the given values, in units of the given or nominal values.
  // With any, also from points between and beyond the solutions, and away from them.
  int more_starts = 0;
  std::uint64_t seed = 1;
  // When Newton's method does not get there, the model runs for so long, and longer, and Newton's
  // method goes on from where it is. 0: it does not.
  double longest_run = 1e9;
  const std::atomic<bool>* cancel = nullptr;
  std::function<void(double part)> progress{};  // of the points
};

struct SteadyState {
  Context at;
  double residual = 0;  // largest |0 = f|, relative to the terms (solvers/steady_state.h)
  bool stable = false;
  bool neutral = false;  // neither stable nor unstable, as far as eigenvalues tell
  std::vector<std::complex<double>> eigenvalues;
  std::string found_by;  // "newton", or "run" with Newton's method at its end
};

struct TrimResult {
  std::vector<SteadyState> solutions;  // different ones, in the order of the starts that found them
  std::string message;                 // why there is none, or that there may be more; what is held
  bool cancelled = false;
};

// Finds values at which nothing moves, at the time and with the parameters and inputs of `start`:
//
//   from each starting point, for the active mode:
//     solve 0 = f(t, x) with the discrete variables fixed
//     let the discrete equations settle at the solution; when they change, solve again
//     no solution: run the model, ten times longer each time, and solve from its end
//
//   with more starts, until nothing new comes or four points were tried for each start:
//     solve from the middle (also geometric) of each pair of solutions, and from beyond them
//     solve the equations deflated by all known solutions from there, and from all starts
//
// Random points and those that follow from solutions first settle, too. A point outside the region
// of its discrete variables is thus never taken for a steady state, nor is one where a rate is zero
// by underflow. What changes at times only (sampled) holds its value; equations that depend on time
// are those of the time of `start`, which the message says. Throws UserError for a model
// with delays (linearise.h): DelayUse::kAtRest takes them out of one as text.
TrimResult trim(const HybridSystem& system, const Context& start, const TrimRequest& request = {});

}  // namespace arges
