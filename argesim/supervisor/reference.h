#pragma once
// What the paper prints, and the set that stands in for its coefficients.

#include "argesim/supervisor/identify.h"

namespace arges::argesim::supervisor {

// Printed (39): not the model with which (42) was computed.
constexpr Theta kPrinted{0.138e2, 0.573e-3, 0.129e-2, -0.365e-2, 0.365e2, 0.29e-3};

// Assumed: as much of the printed digits as can be kept, chosen so that I(nominal) = 409.69 and
// that I has its largest value on the admissible set, 427.79, at the printed point.
constexpr Theta kRepaired{-6.949002799559917,    -1.736190245021578e-4, 12.9, 3.65e-3,
                          1.8044089550961956e-2, -1.0927864311386844e-5};
constexpr double kLow[4] = {1000, 443.7, 3.51, 780};
constexpr double kHigh[4] = {2000, 456.3, 4.49, 880};

constexpr Point kNominal{1400, 450, 4, 800};
constexpr Point kOptimum{1569.7, 443.7, 4.49, 825.6};
constexpr double kBestProduction = 427.79, kMeanProduction = 409.69, kGain = 0.044;

}  // namespace arges::argesim::supervisor
