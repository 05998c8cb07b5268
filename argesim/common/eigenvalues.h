#pragma once
// Linearisation of a model at one point of a run.

#include <complex>
#include <vector>

#include "arges/hybrid/context.h"
#include "arges/hybrid/system.h"

namespace arges::argesim {

// The eigenvalues of df/dx (declared, or else by extrapolated differences, to about 13 digits) at
// the values of the context, in its mode; the largest magnitude first, of a conjugate pair the one
// with positive imaginary part first.
std::vector<std::complex<double>> eigenvalues(const HybridSystem& model, const Context& context);

}  // namespace arges::argesim
