#pragma once
// Identification of the clearance model from series of measurements.

#include <array>
#include <cstdint>
#include <vector>

#include "arges/experiment/fit.h"

namespace arges::argesim::c15 {

struct Rates {
  double k01, k12, k21, V1;
  double clearance() const { return k01 * V1; }
};
inline constexpr Rates kTrue = {0.0041, 0.0585, 0.0498, 7.3};
inline constexpr double kDose = 2500, kDuration = 0.5;
inline constexpr std::array<double, 17> kTimes = {2,  4,  6,  8,   10,  15,  20,  30, 40,
                                                  50, 60, 90, 120, 150, 180, 210, 240};
constexpr double kNoise = 0.05;  // relative deviation of a measurement

// c1 in closed form, after the injection.
double concentration(const Rates& rates, double t);
// c1 at kTimes; with noise for run 1, 2, ...: each value times a normal variate around 1.
std::vector<double> measurements(std::int64_t run);
// Least squares from twice the true values.
FitResult identify(const HybridSystem& model, const std::vector<double>& measured);
// What the linearised problem says the noise does to the estimates of k01, k12, k21, V1 and of the
// clearance.
std::array<double, 5> linear_deviations(const FitResult& exact);

}  // namespace arges::argesim::c15
