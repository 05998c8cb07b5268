#pragma once
// Interpolation on a rectangular grid.

#include <vector>

#include "arges/external/curve.h"

namespace arges::external {

// z with its first and second partial derivatives.
struct SurfaceJet {
  double z = 0, z1 = 0, z2 = 0, z11 = 0, z12 = 0, z22 = 0;
};

// z(u1, u2) through z[i][j] at (x[i], y[j]), x and y ascending. On a cell
//
//   z = B(u1 - x[i])' A B(u2 - y[j]),   B(v) = (1, v, v^2, v^3)
//
// where A is bilinear, constant, or Akima's bicubic (Comm. ACM 17, 1974); outside of the grid B
// goes on along its tangent (kLastTwoPoints), or stays (kHold).
class Surface {
 public:
  Surface(std::vector<double> x, std::vector<double> y, std::vector<double> z,
          Smoothness smoothness);
  SurfaceJet at(double u1, double u2, Extrapolation extrapolation) const;
  double front(int direction) const { return direction == 1 ? x_.front() : y_.front(); }
  double back(int direction) const { return direction == 1 ? x_.back() : y_.back(); }

 private:
  double z(std::size_t i, std::size_t j) const { return z_[i * y_.size() + j]; }
  void find_slopes();
  void cell(std::size_t i, std::size_t j, double a[4][4]) const;

  std::vector<double> x_, y_, z_;
  Smoothness smoothness_;
  std::vector<double> zx_, zy_, zxy_;  // at the points, for kAkima
};

}  // namespace arges::external
