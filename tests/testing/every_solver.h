#pragma once
// For tests that run with every solver: the names of those that fit, and names of tests made of
// them.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "arges/solvers/stepper.h"

namespace arges::test {

// The solvers for which fits(info) is true.
template <class Fits>
std::vector<std::string> solvers_that(const Fits& fits) {
  std::vector<std::string> names;
  for (const SolverInfo& info : solver_catalogue()) {
    if (fits(info)) names.emplace_back(info.name);
  }
  return names;
}

// Quantised states move too often at tight tolerances.
inline bool is_not_quantised(const SolverInfo& info) { return !info.quantised; }

// First-order quantised states move by one quantum: millions of times at tight tolerances.
inline bool is_not_qss1(const SolverInfo& info) { return !info.quantised || info.order > 1; }

inline std::string name_of_test(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace(name, '-', '_');
  return name;
}

}  // namespace arges::test
