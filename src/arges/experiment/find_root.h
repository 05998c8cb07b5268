#pragma once
// A root of a function of one variable: for shooting, where the function is a whole run.

#include <functional>

namespace arges {

// A root of f between a and b, where f must have different signs (ApiError otherwise), to within
// `tolerance` plus a few units in the last place.
//
// Chandrupatla's method: inverse quadratic interpolation where the last three points look like a
// monotone parabola, bisection elsewhere. The bracket is kept throughout.
double find_root(const std::function<double(double)>& f, double a, double b, double tolerance);

}  // namespace arges
