#pragma once
// Accurate derivatives of functions that only evaluate.

#include <functional>
#include <span>

namespace arges {

// Writes g(s) of a scalar s into a vector.
using Curve = std::function<void(double s, std::span<double> value)>;

// dg/ds at `at`, each entry by Ridders' method: central differences with steps that shrink from
// about `scale` by factors of two, extrapolated to step zero; taken where the estimated error is
// least. An entry that is a straight line over all these steps (its slopes are the same, and those
// ahead and behind are, too), to the rounding of its terms, is differenced with longer and longer
// steps, as long as it stays one: so linear functions come out to the last digits of their
// coefficient, also against large terms that cancel, and smooth ones to about 1e-11 of their size
// over `scale`. Steps at which g throws EvaluationError or is not finite
// are not used; when there is no usable one, EvaluationError.
void differentiate(const Curve& g, double at, double scale, std::span<double> derivative);

}  // namespace arges
