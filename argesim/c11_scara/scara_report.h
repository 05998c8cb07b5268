#pragma once
// What the tasks of C11 compare, with either set of data.

#include <array>
#include <span>

#include "arges/driver/benchmark.h"
#include "argesim/c11_scara/reference.h"
#include "argesim/common/experiment.h"

namespace arges::argesim::c11 {

inline constexpr const char* kText = "argesim/c11_scara/Scara.mo";
inline constexpr const char* kSolver = "dop853";
inline constexpr double kRtol = 1e-12;
inline constexpr const char* kNames[] = {"q[1]", "q[2]", "q[3]", "w[1]", "w[2]",
                                         "w[3]", "I[1]", "I[2]", "I[3]"};

using StateSizes = std::array<double, 9>;

// The largest error of a state, against the sizes of the states.
double largest_error(const Recording& result, const State& expected, const StateSizes& sizes);

// The event nearest to t.
double nearest_event(const std::vector<double>& times, double t);

// The limits are met and left in this order; a variable may change several times.
void compare_limits(BenchmarkReport& report, const Recording& result, std::span<const Limit> limits,
                    double digits, ReferenceSource source);

}  // namespace arges::argesim::c11
