#pragma once
// Values of multiframe.

#include <array>

namespace arges::argesim::multiframe {

constexpr double kStopTime = 5;
constexpr int kRatio = 10;
// (x, x', s, s') at the end.
constexpr std::array<double, 4> kFinal = {0.021203, 0.1492945, 0.16897735, 0.74997617};
constexpr std::array<double, 4> kSlowSteps = {0.05, 0.025, 0.0125, 0.00625};

// The largest error of the four at the end.
struct Errors {
  const char* solver;
  bool holds_fast;
  std::array<double, 4> errors;
};
constexpr std::array<Errors, 4> kErrors = {{
    {"multirate", false, {7.262e-05, 8.823e-06, 1.143e-06, 2.431e-07}},
    {"multirate-parallel", false, {7.694e-05, 9.921e-06, 1.463e-06, 2.532e-07}},
    {"multirate", true, {0.0009624, 0.000481, 0.0002405, 0.0001202}},
    {"multirate-parallel", true, {0.0009662, 0.000482, 0.0002407, 0.0001203}},
}};

}  // namespace arges::argesim::multiframe
