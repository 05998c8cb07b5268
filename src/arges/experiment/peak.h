#pragma once
// The largest value of a smooth function, and its integral, from few values of it.

#include <array>
#include <cstddef>
#include <functional>
#include <optional>

namespace arges {

// Points of Gauss and Legendre on [-1, 1]. Their rule is exact to degree 7, which no interpolant of
// a solver exceeds.
inline constexpr std::size_t kGaussPoints = 4;
extern const std::array<double, kGaussPoints> kGaussNodes, kGaussWeights;

// Where the cubic through values at the nodes has its largest value inside (-1, 1), and which; none
// when it is at an end.
struct Peak {
  double at, value;
};
std::optional<Peak> peak_of_cubic(const std::array<double, kGaussPoints>& values);

// The largest value of f between two points, by the method of Brent (golden section and parabolas):
// to the rounding of f when it has one maximum there.
double largest_between(const std::function<double(double)>& f, double low, double high);

}  // namespace arges
