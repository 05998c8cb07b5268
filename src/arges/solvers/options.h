#pragma once
// Options and counters that all solvers share.

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace arges {

enum class LinearAlgebra { kAuto, kDense, kBanded, kKlu };

struct SolverOptions {
  double rtol = 1e-6;
  // Absolute tolerance, times the nominal value of each variable. Negative means:
  // default_atol(rtol).
  double atol = -1;
  double step = 0;  // fixed-step methods: the step; adaptive ones: the initial step (0 = automatic)
  double max_step = std::numeric_limits<double>::infinity();
  LinearAlgebra linear_algebra = LinearAlgebra::kAuto;
  // Quantised-state methods: end a step after each move, so that dense output covers all of it.
  bool every_move = false;
  // Real-time methods: Newton steps in each step (-1: as many as the method is made for),
  // projection steps, how often the Jacobian is evaluated (1: in each Newton step; n: in each n-th
  // step), and whether all values before the start are taken as those of the start.
  int newton_steps = -1;
  int projection_steps = 0;
  int jacobian_every = 1;
  bool constant_history = false;
  // Of rt-bdf3: 3, or 1 for the implicit Euler method, to compare with.
  int bdf_order = 3;
  // No more Newton steps when no residual is larger; 0: always all of them.
  double newton_tolerance = 0;
  // The Jacobian comes from a thread of its own, which goes on to the next when one is taken:
  // background_lag = 0 takes it in the first step in which it is ready; n > 0 takes it n steps
  // after it was begun, and waits for it if need be, so that the result does not depend on timing.
  bool jacobian_background = false;
  int background_lag = 0;
  // Multirate methods: fast steps in a frame (whose length is `step`), the names of the fast states
  // (none: all), and whether the slow part sees them held instead of extrapolated.
  int frame_ratio = 10;
  std::vector<std::string> fast{};
  bool hold_fast = false;

  double effective_atol() const { return atol >= 0 ? atol : default_atol(rtol); }
  // Small against rtol, so that relative accuracy holds over four decades below the nominal value,
  // and never below what a double can resolve.
  static double default_atol(double rtol) { return rtol * 1e-4 > 1e-15 ? rtol * 1e-4 : 1e-15; }
};

struct SolverStatistics {
  std::int64_t steps = 0;     // accepted
  std::int64_t rejected = 0;  // error test or convergence failures
  std::int64_t rhs = 0;       // evaluations of f or F, those for difference Jacobians included
  std::int64_t jacobians = 0;
  std::int64_t factorizations = 0;
  std::int64_t newton_iterations = 0;
  std::int64_t restarts = 0;

  SolverStatistics& operator+=(const SolverStatistics& other);
  SolverStatistics& operator-=(const SolverStatistics& other);
};

}  // namespace arges
