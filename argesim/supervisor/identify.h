#pragma once
// The static model of the supervisor, and its identification.

#include <array>
#include <cstdint>
#include <vector>

#include "arges/random/stream.h"

namespace arges::argesim::supervisor {

using Point = std::array<double, 4>;  // oil, water, pressure, temperature
using Theta = std::array<double, 6>;

// The equation's own functions: 1, y1, 1/y2, y3, y4, y4^2.
Theta regressors(const Point& y);
double concentration(const Theta& theta, const Point& y);

// Least squares for z = theta' f(y).
class Identification {
 public:
  // Throws ApiError for fewer samples than parameters.
  Identification(const std::vector<Point>& samples, const std::vector<double>& z);

  const Theta& by_qr() const { return qr_; }
  const Theta& by_normal_equations() const { return normal_; }
  double condition() const { return condition_; }  // of the matrix of regressors, in the 2-norm

  // With measurements of deviation 1: that of theta' f(y), which is sqrt(f' (F'F)^-1 f).
  double deviation(const Point& y) const;
  // A parameter vector from the normal distribution around by_qr() with covariance s^2 (F'F)^-1.
  Theta draw(random::Stream& stream, double s) const;

 private:
  Theta qr_{}, normal_{};
  double condition_ = 0;
  std::array<double, 36> r_{};  // upper triangle, F = QR; row after row
};

}  // namespace arges::argesim::supervisor
