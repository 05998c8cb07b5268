#pragma once
// Interpolation through points of one variable.

#include <array>
#include <cstddef>
#include <vector>

namespace arges::external {

// In the order of Modelica.Blocks.Types.
enum class Smoothness { kLinear = 1, kAkima, kConstant, kFritschButland, kSteffen, kModifiedAkima };
enum class Extrapolation { kHold = 1, kLastTwoPoints, kPeriodic, kNone };

// A value with its first and second derivative.
struct Jet {
  double value = 0, first = 0, second = 0;
};

// Piecewise cubic y(u) through (x[k], y[k]), with x ascending: on segment k
//
//   y[k] + s v + a v^2 + b v^3,   v = u - x[k].
//
// kLinear and kConstant need less of it. The others take a slope at each point and are continuously
// differentiable: Akima (J. ACM 17, 1970), its modification that overshoots less, and two monotone
// ones, Fritsch and Butland (SIAM J. Sci. Stat. Comput. 5, 1984) and Steffen (Astron. Astrophys.
// 239, 1990). With fewer than three points they are kLinear.
class Curve {
 public:
  Curve(std::vector<double> x, std::vector<double> y, Smoothness smoothness);

  std::size_t size() const { return x_.size(); }
  double front() const { return x_.front(); }
  double back() const { return x_.back(); }
  // The segment that holds u: x[k] <= u < x[k + 1], or the one at the end.
  std::size_t segment(double u) const;
  // On a segment, from its left end to its right end.
  Jet inside(double u, std::size_t k) const;
  // Left of all points, or right of them; throws EvaluationError for kNone.
  Jet outside(double u, bool right, Extrapolation extrapolation) const;
  // Anywhere. At the last point a constant curve has the last value.
  Jet at(double u, Extrapolation extrapolation) const;

 private:
  std::vector<double> x_, y_;
  Smoothness smoothness_;
  std::vector<std::array<double, 3>> coefficients_;  // s, a, b of each segment
};

// Slopes at the points for the smooth kinds; x strictly ascending, at least three.
std::vector<double> slopes(const std::vector<double>& x, const std::vector<double>& y,
                           Smoothness smoothness);

// u moved by whole periods into [low, high].
double wrapped(double u, double low, double high);

}  // namespace arges::external
