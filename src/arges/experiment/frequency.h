#pragma once
// A linear model in the frequency domain.

#include <complex>
#include <span>
#include <vector>

#include "arges/experiment/linearise.h"

namespace arges {

// G(i w) = C (i w I - A)^-1 B + D of one input and one output, at each angular frequency. Infinite
// where i w is an eigenvalue.
std::vector<std::complex<double>> frequency_response(const LinearModel& model, int input,
                                                     int output, std::span<const double> omega);

// Where the path from an input to an output transmits nothing: the finite numbers s for which
// [A - s I, B; C, D] is singular. The smallest first.
std::vector<std::complex<double>> transmission_zeros(const LinearModel& model, int input,
                                                     int output);

// Angular frequencies, evenly on a logarithmic scale, that show what the model does: two decades
// around the eigenvalues (around 1 when there are none but zero), `per_decade` for each.
std::vector<double> frequencies_of_interest(const LinearModel& model, int per_decade = 100);

// In degrees, without jumps of 360 from one to the next.
std::vector<double> unwrapped_phase(std::span<const std::complex<double>> response);

}  // namespace arges
