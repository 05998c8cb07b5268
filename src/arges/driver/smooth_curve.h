#pragma once
// Curves between the rows of a result.

#include <vector>

namespace arges {

// The values of a variable at the rows and, where the result has them, its rates there.
struct SampledVariable {
  std::vector<double> values;
  std::vector<double> rates;  // empty: not known
  bool logarithmic = false;   // its axis
};

// The points of the curve (x(t), y(t)) through the rows at `times`, for drawing. Rows are often far
// apart beside the motion between them, and straight lines make a polygon of an orbit; where the
// rates of both variables are known, the cubic Hermite polynomials through values and rates are
// drawn instead, with as many points as their bend needs at the size of the whole curve.
//
// Lines stay straight where
//  - a rate is not known or not finite, or the times do not grow (the two sides of an event);
//  - a rate is far from the slopes of the chords around it: then the rows do not resolve what
//    happens between them (the first instants of a stiff problem), and a polynomial would
//    overshoot.
// The rows themselves are always points of the result. On logarithmic axes all that is meant for
// the logarithms of the variables, and of time where that is x: between positive rows the curve is
// positive.
struct DrawnCurve {
  std::vector<double> x, y;
};
DrawnCurve smooth_curve(const std::vector<double>& times, const SampledVariable& x,
                        const SampledVariable& y);

}  // namespace arges
