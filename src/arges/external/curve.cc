#include "arges/external/curve.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "arges/base/error.h"

namespace arges::external {

namespace {

// Akima's slope at a point between differences d2 and d3, with d1 and d4 further out.
double akima(double d1, double d2, double d3, double d4, bool modified) {
  double left = std::abs(d2 - d1), right = std::abs(d4 - d3);
  if (modified) {
    left += 0.5 * std::abs(d2 + d1);
    right += 0.5 * std::abs(d4 + d3);
  }
  if (left + right > 0) {
    const double a = left / (left + right);
    return (1 - a) * d2 + a * d3;
  }
  return modified ? 0 : 0.5 * d2 + 0.5 * d3;
}

// Slope between differences a and b over lengths h and k, zero where the data turn.
double monotone(double a, double b, double h, double k, bool steffen) {
  if (a == 0 || b == 0 || (a < 0) != (b < 0)) return 0;
  if (!steffen) return 3 * (h + k) / ((h + 2 * k) / a + (k + 2 * h) / b);
  const double s = (a * k + b * h) / (h + k);
  const double limit = 2 * std::min(std::abs(a), std::abs(b));
  return std::abs(s) > limit ? std::copysign(limit, a) : s;
}

}  // namespace

double wrapped(double u, double low, double high) {
  const double period = high - low;
  if (u >= low && u <= high) return u;
  const double inside = u - std::floor((u - low) / period) * period;
  return std::clamp(inside, low, high);
}

std::vector<double> slopes(const std::vector<double>& x, const std::vector<double>& y,
                           Smoothness smoothness) {
  const std::size_t n = x.size();
  const bool akima_like =
      smoothness == Smoothness::kAkima || smoothness == Smoothness::kModifiedAkima;
  // Differences of the segments, with two more on each side.
  std::vector<double> d(n + 3);
  for (std::size_t i = 0; i + 1 < n; ++i) d[i + 2] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
  d[1] = 2 * d[2] - d[3];
  d[0] = 3 * d[2] - 2 * d[3];
  d[n + 1] = 2 * d[n] - d[n - 1];
  d[n + 2] = 3 * d[n] - 2 * d[n - 1];
  std::vector<double> s(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (akima_like) {
      s[i] = akima(d[i], d[i + 1], d[i + 2], d[i + 3], smoothness == Smoothness::kModifiedAkima);
    } else if (i == 0 || i + 1 == n) {
      s[i] = i == 0 ? d[2] : d[n];
    } else {
      s[i] = monotone(d[i + 1], d[i + 2], x[i] - x[i - 1], x[i + 1] - x[i],
                      smoothness == Smoothness::kSteffen);
    }
  }
  return s;
}

Curve::Curve(std::vector<double> x, std::vector<double> y, Smoothness smoothness)
    : x_(std::move(x)), y_(std::move(y)), smoothness_(smoothness) {
  const bool smooth = smoothness_ != Smoothness::kLinear && smoothness_ != Smoothness::kConstant;
  if (smooth && x_.size() < 3) smoothness_ = Smoothness::kLinear;
  const std::vector<double> s = smooth && x_.size() >= 3 ? slopes(x_, y_, smoothness_) : y_;
  for (std::size_t i = 0; i + 1 < x_.size(); ++i) {
    const double h = x_[i + 1] - x_[i];
    const double d = h > 0 ? (y_[i + 1] - y_[i]) / h : 0;
    if (smooth && smoothness_ != Smoothness::kLinear) {
      coefficients_.push_back(
          {s[i], (3 * d - 2 * s[i] - s[i + 1]) / h, (s[i] + s[i + 1] - 2 * d) / (h * h)});
    } else {
      coefficients_.push_back({d, 0, 0});
    }
  }
}

std::size_t Curve::segment(double u) const {
  const auto it = std::upper_bound(x_.begin(), x_.end(), u);
  const auto k = static_cast<std::size_t>(it - x_.begin());
  return k == 0 ? 0 : std::min(k - 1, x_.size() < 2 ? 0 : x_.size() - 2);
}

Jet Curve::inside(double u, std::size_t k) const {
  if (x_.size() == 1 || smoothness_ == Smoothness::kConstant) return {y_[k], 0, 0};
  const auto& [s, a, b] = coefficients_[k];
  const double v = u - x_[k];
  if (smoothness_ == Smoothness::kLinear) {
    const double h = x_[k + 1] - x_[k];
    if (!(h > 0)) return {y_[k + 1], 0, 0};
    return {y_[k] + (y_[k + 1] - y_[k]) * v / h, s, 0};
  }
  return {y_[k] + ((b * v + a) * v + s) * v, (3 * b * v + 2 * a) * v + s, 6 * b * v + 2 * a};
}

Jet Curve::outside(double u, bool right, Extrapolation extrapolation) const {
  const std::size_t n = x_.size();
  const double y = right ? y_[n - 1] : y_[0];
  if (n == 1 || extrapolation == Extrapolation::kHold) return {y, 0, 0};
  if (extrapolation == Extrapolation::kNone) {
    throw EvaluationError(
        fmt::format("a table is read at {:.9g}, {} its {} abscissa {:.9g}, and its extrapolation "
                    "is NoExtrapolation",
                    u, right ? "above" : "below", right ? "last" : "first",
                    right ? back() : front()),
        false);
  }
  const std::size_t k = right ? n - 2 : 0;
  const auto& [s, a, b] = coefficients_[k];
  if (!right) return {y + s * (u - x_[0]), s, 0};
  const double h = x_[n - 1] - x_[n - 2];
  const double slope = (3 * b * h + 2 * a) * h + s;
  return {y + slope * (u - x_[n - 1]), slope, 0};
}

Jet Curve::at(double u, Extrapolation extrapolation) const {
  if (x_.size() == 1) return {y_[0], 0, 0};
  if (extrapolation == Extrapolation::kPeriodic) {
    u = wrapped(u, front(), back());
  } else if (u < front() || u > back()) {
    return outside(u, u > back(), extrapolation);
  }
  if (smoothness_ == Smoothness::kConstant && u >= back()) return {y_.back(), 0, 0};
  return inside(u, segment(u));
}

}  // namespace arges::external
