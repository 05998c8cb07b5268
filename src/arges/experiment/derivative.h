#pragma once
// Accurate derivatives of functions that only evaluate.

#include <functional>
#include <span>

namespace arges {

// Writes g(s) of a scalar s into a vector.
using Curve = std::function<void(double s, std::span<double> value)>;

// dg/ds at `at`, each entry by Ridders' method: central differences with steps that shrink from
// about `scale` by factors of two, extrapolated to step zero; taken where the estimated error is
// least. Smooth functions come out to about 1e-11 of their size over `scale`, linear ones to
// rounding. Steps at which g throws EvaluationError or is not finite are not used; when there is no
// usable one, EvaluationError.
void differentiate(const Curve& g, double at, double scale, std::span<double> derivative);

}  // namespace arges
