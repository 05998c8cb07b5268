#include "arges/driver/smooth_curve.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace arges {

namespace {

constexpr double kVisible = 2e-4;  // of the range: a third of a line's width
constexpr double kTrusted =
    2.5;  // a rate may be so much larger than the slopes around it; a parabola needs 2
constexpr int kMostPieces = 24;  // between two rows

double range_of(const std::vector<double>& values) {
  double low = INFINITY, high = -INFINITY;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  return high > low ? high - low : 0;
}

// One variable between rows i and i + 1.
class Piece {
 public:
  Piece(const std::vector<double>& times, const SampledVariable& variable, std::size_t i)
      : step_(times[i + 1] - times[i]),
        y0_(variable.values[i]),
        y1_(variable.values[i + 1]),
        r0_(variable.rates[i] * step_),
        r1_(variable.rates[i + 1] * step_) {
    double steepest = std::abs(y1_ - y0_);
    const auto neighbour = [&](std::size_t k) {
      const double slope =
          (variable.values[k + 1] - variable.values[k]) / (times[k + 1] - times[k]) * step_;
      if (std::isfinite(slope)) steepest = std::max(steepest, std::abs(slope));
    };
    if (i > 0) neighbour(i - 1);
    if (i + 2 < times.size()) neighbour(i + 1);
    resolved_ = std::isfinite(y0_) && std::isfinite(y1_) && std::abs(r0_) <= kTrusted * steepest &&
                std::abs(r1_) <= kTrusted * steepest;
  }

  bool resolved() const { return resolved_; }
  // How far the curve is from the chord, at most.
  double bend() const {
    return (std::abs(r0_ - (y1_ - y0_)) + std::abs(r1_ - (y1_ - y0_))) * (4.0 / 27);
  }
  double at(double s) const {
    const double rise = y1_ - y0_, u = 1 - s;
    return y0_ + s * rise + s * u * (u * (r0_ - rise) - s * (r1_ - rise));
  }

 private:
  double step_, y0_, y1_, r0_, r1_;
  bool resolved_ = false;
};

// What is drawn on a logarithmic axis: log10 of the values, with its rates.
SampledVariable as_drawn(const SampledVariable& variable) {
  if (!variable.logarithmic) return variable;
  SampledVariable drawn = variable;
  for (std::size_t i = 0; i < drawn.values.size(); ++i) {
    drawn.rates[i] /= drawn.values[i] * std::numbers::ln10;
    drawn.values[i] = std::log10(drawn.values[i]);
  }
  return drawn;
}

double as_value(const SampledVariable& variable, double drawn) {
  return variable.logarithmic ? std::pow(10, drawn) : drawn;
}

}  // namespace

DrawnCurve smooth_curve(const std::vector<double>& times, const SampledVariable& x_given,
                        const SampledVariable& y_given) {
  if (x_given.rates.empty() || y_given.rates.empty()) return {x_given.values, y_given.values};
  SampledVariable x = as_drawn(x_given), y = as_drawn(y_given);
  std::vector<double> parameter = times;
  if (x.logarithmic && x_given.values == times) {
    parameter = x.values;
    for (std::size_t i = 0; i < times.size(); ++i) {
      y.rates[i] /= x.rates[i];
      x.rates[i] = 1;
    }
  }
  const double x_visible = kVisible * range_of(x.values), y_visible = kVisible * range_of(y.values);
  DrawnCurve curve;
  for (std::size_t i = 0; i < times.size(); ++i) {
    curve.x.push_back(x_given.values[i]);
    curve.y.push_back(y_given.values[i]);
    if (i + 1 == times.size() || !(parameter[i + 1] > parameter[i])) continue;
    const Piece px(parameter, x, i), py(parameter, y, i);
    if (!px.resolved() || !py.resolved()) continue;
    // Straight pieces of a parabola are off by its bend over the square of their number.
    double pieces = 1;
    if (x_visible > 0) pieces = std::max(pieces, std::sqrt(px.bend() / x_visible));
    if (y_visible > 0) pieces = std::max(pieces, std::sqrt(py.bend() / y_visible));
    const int n = static_cast<int>(std::ceil(std::min<double>(pieces, kMostPieces)));
    for (int k = 1; k < n; ++k) {
      curve.x.push_back(as_value(x, px.at(static_cast<double>(k) / n)));
      curve.y.push_back(as_value(y, py.at(static_cast<double>(k) / n)));
    }
  }
  return curve;
}

}  // namespace arges
