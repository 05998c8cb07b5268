#include "arges/solvers/options.h"

namespace arges {

SolverStatistics& SolverStatistics::operator+=(const SolverStatistics& other) {
  steps += other.steps;
  rejected += other.rejected;
  rhs += other.rhs;
  jacobians += other.jacobians;
  factorizations += other.factorizations;
  newton_iterations += other.newton_iterations;
  restarts += other.restarts;
  return *this;
}

SolverStatistics& SolverStatistics::operator-=(const SolverStatistics& other) {
  steps -= other.steps;
  rejected -= other.rejected;
  rhs -= other.rhs;
  jacobians -= other.jacobians;
  factorizations -= other.factorizations;
  newton_iterations -= other.newton_iterations;
  restarts -= other.restarts;
  return *this;
}

}  // namespace arges
