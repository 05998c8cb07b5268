#pragma once
// Options and counters that all solvers share.

#include <cstdint>
#include <limits>

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
