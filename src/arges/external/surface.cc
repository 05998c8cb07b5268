#include "arges/external/surface.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "arges/base/error.h"

namespace arges::external {

namespace {

// A variable with respect to its direction of the grid: powers of the distance from the left end of
// its segment, with their derivatives.
struct Position {
  std::size_t segment = 0;
  bool outside = false;
  double power[4] = {1, 0, 0, 0}, first[4] = {0, 0, 0, 0}, second[4] = {0, 0, 0, 0};
};

Position locate(const std::vector<double>& x, double u, Extrapolation extrapolation, int number) {
  Position p;
  if (x.size() == 1) return p;
  double at = u;
  if (extrapolation == Extrapolation::kPeriodic) {
    at = wrapped(u, x.front(), x.back());
  } else if (u < x.front() || u > x.back()) {
    p.outside = true;
    at = std::clamp(u, x.front(), x.back());
    if (extrapolation == Extrapolation::kNone) {
      throw EvaluationError(
          fmt::format("a table is read at u{} = {:.9g}, outside of its abscissae from {:.9g} to "
                      "{:.9g}, and its extrapolation is NoExtrapolation",
                      number, u, x.front(), x.back()),
          false);
    }
  }
  const auto k = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), at) - x.begin());
  p.segment = k == 0 ? 0 : std::min(k - 1, x.size() - 2);
  const double v = at - x[p.segment];
  double before = 0;  // v^(k-1)
  for (int i = 1; i < 4; ++i) {
    p.second[i] = i > 1 ? i * p.first[i - 1] : 0;
    before = p.power[i - 1];
    p.first[i] = i * before;
    p.power[i] = before * v;
  }
  if (!p.outside) return p;
  const double d = extrapolation == Extrapolation::kHold ? 0 : u - at;
  for (int i = 0; i < 4; ++i) {
    p.power[i] += p.first[i] * d;
    p.second[i] = 0;
    if (extrapolation == Extrapolation::kHold) p.first[i] = 0;
  }
  return p;
}

// Two points added on each side, at the distances of the ones next to them.
std::vector<double> extended(const std::vector<double>& x) {
  const std::size_t n = x.size();
  std::vector<double> e(n + 4);
  std::copy(x.begin(), x.end(), e.begin() + 2);
  if (n == 2) {
    e[1] = 2 * x[0] - x[1];
    e[0] = 3 * x[0] - 2 * x[1];
    e[4] = 2 * x[1] - x[0];
    e[5] = 3 * x[1] - 2 * x[0];
    return e;
  }
  e[1] = x[0] + x[1] - x[2];
  e[0] = 2 * x[0] - x[2];
  e[n + 2] = x[n - 1] + x[n - 2] - x[n - 3];
  e[n + 3] = 2 * x[n - 1] - x[n - 3];
  return e;
}

// Values at the added points, by a parabola through the three next to them: y[3] is next to the
// point y[2], which is the last one, and so on.
void extend(const double x[5], double y[5]) {
  const double a = x[1] - x[0], b = x[2] - x[1], c = x[3] - x[2], d = x[4] - x[3];
  if (a == 0 || b == 0 || c == 0) {
    y[3] = y[4] = y[2];
    return;
  }
  const double e = y[1] - y[0], f = y[2] - y[1];
  y[3] = c * (2 * f / b - e / a) + y[2];
  y[4] = y[3] + d * ((y[3] - y[2]) / c + f / b - e / a);
}

// A line of a grid with two values missing on each side.
void extend_line(const std::vector<double>& x, std::vector<double>& y) {
  const std::size_t n = x.size() - 4;
  if (n == 2) {
    y[1] = 2 * y[2] - y[3];
    y[0] = 3 * y[2] - 2 * y[3];
    y[4] = 2 * y[3] - y[2];
    y[5] = 3 * y[3] - 2 * y[2];
    return;
  }
  double right_x[5], right_y[5], left_x[5], left_y[5];
  for (std::size_t k = 0; k < 5; ++k) {
    right_x[k] = x[n - 1 + k];
    right_y[k] = y[n - 1 + k];
    left_x[k] = x[4 - k];
    left_y[k] = y[4 - k];
  }
  extend(right_x, right_y);
  extend(left_x, left_y);
  y[n + 2] = right_y[3];
  y[n + 3] = right_y[4];
  y[1] = left_y[3];
  y[0] = left_y[4];
}

}  // namespace

Surface::Surface(std::vector<double> x, std::vector<double> y, std::vector<double> z,
                 Smoothness smoothness)
    : x_(std::move(x)), y_(std::move(y)), z_(std::move(z)), smoothness_(smoothness) {
  if (smoothness_ == Smoothness::kAkima && x_.size() <= 2 && y_.size() <= 2)
    smoothness_ = Smoothness::kLinear;
  if (smoothness_ == Smoothness::kAkima) find_slopes();
}

void Surface::find_slopes() {
  const std::size_t n = x_.size(), m = y_.size();
  zx_.assign(n * m, 0);
  zy_ = zxy_ = zx_;
  if (n == 1 || m == 1) {  // a curve
    auto& slope = n == 1 ? zy_ : zx_;
    slope = slopes(n == 1 ? y_ : x_, z_, Smoothness::kAkima);
    return;
  }
  const std::vector<double> x = extended(x_), y = extended(y_);
  const std::size_t width = m + 4;
  std::vector<double> e((n + 4) * width), line;
  const auto at = [&](std::size_t i, std::size_t j) -> double& { return e[i * width + j]; };
  for (std::size_t i = 0; i < n; ++i) {
    line.assign(width, 0);
    for (std::size_t j = 0; j < m; ++j) line[j + 2] = z(i, j);
    extend_line(y, line);
    std::copy(line.begin(), line.end(), e.begin() + static_cast<std::ptrdiff_t>((i + 2) * width));
  }
  for (std::size_t j = 0; j < width; ++j) {
    line.assign(n + 4, 0);
    for (std::size_t i = 0; i < n; ++i) line[i + 2] = at(i + 2, j);
    extend_line(x, line);
    for (std::size_t i = 0; i < n + 4; ++i) at(i, j) = line[i];
  }
  // Weights of the differences before and behind a point, and the slope they give.
  struct Weighted {
    double before, behind, slope;
  };
  const auto weigh = [](double d1, double d2, double d3, double d4) -> Weighted {
    if (d1 == d2 && d3 == d4) return {1, 1, 0.5 * d2 + 0.5 * d3};
    const double w2 = std::abs(d4 - d3), w3 = std::abs(d2 - d1);
    return {w2, w3, (w2 * d2 + w3 * d3) / (w2 + w3)};
  };
  for (std::size_t i = 2; i < n + 2; ++i) {
    for (std::size_t j = 2; j < m + 2; ++j) {
      const auto dx = [&](std::size_t k, std::size_t l) {
        return (at(k + 1, l) - at(k, l)) / (x[k + 1] - x[k]);
      };
      const auto dy = [&](std::size_t k, std::size_t l) {
        return (at(k, l + 1) - at(k, l)) / (y[l + 1] - y[l]);
      };
      const Weighted wx = weigh(dx(i - 2, j), dx(i - 1, j), dx(i, j), dx(i + 1, j));
      const Weighted wy = weigh(dy(i, j - 2), dy(i, j - 1), dy(i, j), dy(i, j + 1));
      const auto cross = [&](std::size_t k, std::size_t l) {
        return (dy(k + 1, l) - dy(k, l)) / (x[k + 1] - x[k]);
      };
      const std::size_t p = (i - 2) * m + j - 2;
      zx_[p] = wx.slope;
      zy_[p] = wy.slope;
      zxy_[p] = (wx.before * (wy.before * cross(i - 1, j - 1) + wy.behind * cross(i - 1, j)) +
                 wx.behind * (wy.before * cross(i, j - 1) + wy.behind * cross(i, j))) /
                ((wx.before + wx.behind) * (wy.before + wy.behind));
    }
  }
}

// The matrix A of a cell; bilinear but for kAkima.
void Surface::cell(std::size_t i, std::size_t j, double a[4][4]) const {
  const std::size_t n = x_.size(), m = y_.size();
  const std::size_t i1 = std::min(i + 1, n - 1), j1 = std::min(j + 1, m - 1);
  const double h = n > 1 ? x_[i1] - x_[i] : 1, k = m > 1 ? y_[j1] - y_[j] : 1;
  if (smoothness_ != Smoothness::kAkima) {
    a[0][0] = z(i, j);
    if (n > 1) a[1][0] = (z(i1, j) - z(i, j)) / h;
    if (m > 1) a[0][1] = (z(i, j1) - z(i, j)) / k;
    if (n > 1 && m > 1) a[1][1] = (z(i1, j1) - z(i1, j) - z(i, j1) + z(i, j)) / (h * k);
    return;
  }
  // Hermite: rows (f0, f1, f0', f1') of both directions.
  const std::size_t corner[2][2] = {{i * m + j, i * m + j1}, {i1 * m + j, i1 * m + j1}};
  double f[4][4];
  for (int p = 0; p < 2; ++p) {
    for (int q = 0; q < 2; ++q) {
      const std::size_t c = corner[p][q];
      f[p][q] = z_[c];
      f[p + 2][q] = zx_[c];
      f[p][q + 2] = zy_[c];
      f[p + 2][q + 2] = zxy_[c];
    }
  }
  const auto hermite = [](double w, const double g[4], double c[4]) {
    const double d = (g[1] - g[0]) / w;
    c[0] = g[0];
    c[1] = g[2];
    c[2] = (3 * d - 2 * g[2] - g[3]) / w;
    c[3] = (g[2] + g[3] - 2 * d) / (w * w);
  };
  double half[4][4];  // polynomials in u2 of each row of f
  for (int r = 0; r < 4; ++r) {
    if (m > 1) {
      hermite(k, f[r], half[r]);
    } else {
      half[r][0] = f[r][0];
      half[r][1] = half[r][2] = half[r][3] = 0;
    }
  }
  for (int q = 0; q < 4; ++q) {
    const double g[4] = {half[0][q], half[1][q], half[2][q], half[3][q]};
    double c[4] = {g[0], 0, 0, 0};
    if (n > 1) hermite(h, g, c);
    for (int r = 0; r < 4; ++r) a[r][q] = c[r];
  }
}

SurfaceJet Surface::at(double u1, double u2, Extrapolation extrapolation) const {
  const Position p = locate(x_, u1, extrapolation, 1), q = locate(y_, u2, extrapolation, 2);
  const bool outside = p.outside || q.outside;
  if (smoothness_ == Smoothness::kConstant &&
      !(outside && extrapolation == Extrapolation::kLastTwoPoints)) {
    const auto nearest = [](const std::vector<double>& x, const Position& r) {
      const bool last = x.size() > 1 && r.power[1] >= x[r.segment + 1] - x[r.segment];
      return r.segment + (last ? 1 : 0);
    };
    return {z(nearest(x_, p), nearest(y_, q)), 0, 0, 0, 0, 0};
  }
  double a[4][4] = {};
  cell(p.segment, q.segment, a);
  const auto form = [&](const double l[4], const double r[4]) {
    double sum = 0;
    for (int i = 3; i >= 0; --i) {
      double row = 0;
      for (int j = 3; j >= 0; --j) row += a[i][j] * r[j];
      sum += l[i] * row;
    }
    return sum;
  };
  return {form(p.power, q.power),  form(p.first, q.power), form(p.power, q.first),
          form(p.second, q.power), form(p.first, q.first), form(p.power, q.second)};
}

}  // namespace arges::external
