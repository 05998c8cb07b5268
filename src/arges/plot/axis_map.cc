#include "arges/plot/axis_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "arges/base/error.h"

namespace arges::plot {
namespace {

constexpr double kFar = 1e6;        // points
constexpr double kLargest = 8e307;  // differences of two such values stay finite
constexpr double kNarrow = 1e-12;   // relative width below which a range counts as constant
constexpr double kSmallest = 1e-290;

struct Extent {
  double low = HUGE_VAL, high = -HUGE_VAL;
  bool empty() const { return !(low <= high); }
  void add(double v) {
    low = std::min(low, v);
    high = std::max(high, v);
  }
  void add(const Extent& e) {
    if (e.empty()) return;
    add(e.low);
    add(e.high);
  }
};

bool shown(double v, Scale scale) { return std::isfinite(v) && (scale == Scale::kLinear || v > 0); }

// The rows of a series that an axis can show, and how many it cannot only because it is
// logarithmic.
struct SeriesExtent {
  Extent x, y;
  std::size_t not_positive = 0;
  bool along_x = true;  // x never falls
  bool whole = true;    // steps or bars of whole numbers
};

std::string label_of(const Series& s, std::size_t index) {
  return s.name.empty() ? fmt::format("series {}", index + 1) : fmt::format("series '{}'", s.name);
}

void check_lengths(const Series& s, std::size_t index) {
  const bool band = s.style == Style::kBand;
  if (band ? s.lower.size() == s.x.size() && s.upper.size() == s.x.size()
           : s.y.size() == s.x.size())
    return;
  throw ApiError(band ? fmt::format("{}: {} x values, but {} lower and {} upper values",
                                    label_of(s, index), s.x.size(), s.lower.size(), s.upper.size())
                      : fmt::format("{}: {} x values, but {} y values", label_of(s, index),
                                    s.x.size(), s.y.size()));
}

SeriesExtent extent_of(const Panel& panel, const Axis& x_axis, const Series& s) {
  SeriesExtent e;
  const bool band = s.style == Style::kBand;
  double previous = -HUGE_VAL;
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    const double x = s.x[i];
    const double low = band ? s.lower[i] : s.y[i], high = band ? s.upper[i] : low;
    if (!std::isfinite(x) || !std::isfinite(low) || !std::isfinite(high)) continue;
    if (!shown(x, x_axis.scale) || !shown(low, panel.y.scale) || !shown(high, panel.y.scale)) {
      ++e.not_positive;
      continue;
    }
    e.x.add(x);
    if (x_axis.lower && x < *x_axis.lower) continue;  // what lies outside does not count for y
    if (x_axis.upper && x > *x_axis.upper) continue;
    e.y.add(low);
    e.y.add(high);
    if (low != std::floor(low)) e.whole = false;
    if (x < previous) e.along_x = false;
    previous = x;
  }
  if (s.style == Style::kPoints) e.along_x = false;
  if (s.style != Style::kSteps && s.style != Style::kBars) e.whole = false;
  if (s.style == Style::kBars && !e.x.empty()) {
    const BarGeometry bar = bar_geometry(panel, s);
    const double half = bar.width / 2 + std::abs(bar.shift);
    if (x_axis.scale == Scale::kLinear) {
      e.x.add(e.x.low - half);
      e.x.add(e.x.high + half);
    }
    if (panel.y.scale == Scale::kLinear) e.y.add(0.0);
  }
  return e;
}

void check_limits(const Axis& axis, const char* name) {
  const auto check = [&](const std::optional<double>& limit, const char* which) {
    if (!limit) return;
    if (!std::isfinite(*limit))
      throw UserError(fmt::format("{} axis: the {} limit {} is not finite", name, which, *limit));
    if (axis.scale == Scale::kLog && !(*limit > 0))
      throw UserError(fmt::format(
          "{} axis: the {} limit {} cannot stand on a logarithmic axis; give a positive "
          "limit or make the axis linear",
          name, which, *limit));
  };
  check(axis.lower, "lower");
  check(axis.upper, "upper");
  if (axis.lower && axis.upper && !(*axis.lower < *axis.upper))
    throw UserError(fmt::format("{} axis: the lower limit {} is not below the upper limit {}", name,
                                *axis.lower, *axis.upper));
}

Range padded(double low, double high, Scale scale, double share) {
  if (scale == Scale::kLog) {
    const double pad = share * (std::log10(high) - std::log10(low));
    return {std::max(low / std::pow(10, pad), kSmallest),
            std::min(high * std::pow(10, pad), kLargest)};
  }
  const double pad = share * (high - low);
  return {low - pad, high + pad};
}

// A range with room around a single value.
Range around(double v, Scale scale) {
  if (scale == Scale::kLog) return {std::max(v / 2, kSmallest), std::min(v * 2, kLargest)};
  const double pad = std::abs(v) < kSmallest ? 1 : 0.1 * std::abs(v);
  return {v - pad, v + pad};
}

Range finish(const Axis& axis, Extent data, double share) {
  const bool log = axis.scale == Scale::kLog;
  double low = data.empty() ? (log ? 1 : 0) : std::clamp(data.low, -kLargest, kLargest);
  double high = data.empty() ? (log ? 10 : 1) : std::clamp(data.high, -kLargest, kLargest);
  if (axis.lower) low = *axis.lower;
  if (axis.upper) high = *axis.upper;
  const auto narrow = [&] {
    return !(high - low > kNarrow * std::max(std::abs(low), std::abs(high))) ||
           !(high - low > kSmallest);
  };
  if (axis.lower && axis.upper) {
    if (!narrow()) return {low, high};
    const Range wide = around(low, axis.scale);
    return {std::min(low, wide.lower), std::max(high, wide.upper)};
  }
  if (axis.lower && (!(high > low) || narrow())) high = around(low, axis.scale).upper;
  if (axis.upper && (!(low < high) || narrow())) low = around(high, axis.scale).lower;
  Range range =
      narrow() ? around(low / 2 + high / 2, axis.scale) : padded(low, high, axis.scale, share);
  range.lower = std::clamp(range.lower, -kLargest, kLargest);
  range.upper = std::clamp(range.upper, -kLargest, kLargest);
  if (axis.lower) range.lower = low;
  if (axis.upper) range.upper = high;
  return range;
}

}  // namespace

AxisMap::AxisMap(Scale scale, Range range, double start, double end)
    : scale_(scale), range_(range), start_(start), end_(end) {
  // Halves, whose difference is finite for every value.
  origin_ = forward(range.lower) / 2;
  factor_ = (end - start) / (forward(range.upper) / 2 - origin_);
}

double AxisMap::forward(double value) const {
  return scale_ == Scale::kLog ? std::log10(value) : value;
}

double AxisMap::operator()(double value) const {
  if (!shown(value, scale_)) return NAN;
  return std::clamp(start_ + (forward(value) / 2 - origin_) * factor_, -kFar, kFar);
}

bool shares_x(const Figure& figure) { return figure.share_x && figure.panels.size() > 1; }

const Axis& x_axis_of(const Figure& figure, std::size_t panel) {
  return shares_x(figure) ? figure.panels.back().x : figure.panels[panel].x;
}

std::vector<PanelRanges> find_ranges(const Figure& figure, std::vector<std::string>& warnings) {
  std::vector<PanelRanges> ranges(figure.panels.size());
  std::vector<Extent> xs(ranges.size());
  std::vector<double> shares(ranges.size(), 0);
  for (std::size_t p = 0; p < figure.panels.size(); ++p) {
    const Panel& panel = figure.panels[p];
    check_limits(panel.x, "x");
    check_limits(panel.y, "y");
    Extent y;
    std::size_t left_out = 0, total = 0;
    std::string where;
    bool whole = !panel.series.empty() && panel.y.scale == Scale::kLinear;
    for (std::size_t i = 0; i < panel.series.size(); ++i) {
      const Series& s = panel.series[i];
      check_lengths(s, i);
      const SeriesExtent e = extent_of(panel, x_axis_of(figure, p), s);
      xs[p].add(e.x);
      y.add(e.y);
      whole = whole && e.whole;
      if (!e.along_x || s.style == Style::kBars) shares[p] = 0.04;
      if (e.not_positive > 0) {
        left_out += e.not_positive;
        total += s.x.size();
        where = where.empty() ? label_of(s, i) : "several series";
      }
      if (e.x.empty())
        warnings.push_back(
            fmt::format("panel {}, {}: no finite values to draw", p + 1, label_of(s, i)));
    }
    if (left_out > 0)
      warnings.push_back(fmt::format(
          "panel {}, {}: {} of {} points left out, because a logarithmic axis shows only positive "
          "values",
          p + 1, where, left_out, total));
    ranges[p].has_data = !xs[p].empty();
    for (const ReferenceLine& r : panel.references)
      if (!r.vertical && shown(r.value, panel.y.scale)) y.add(r.value);
    ranges[p].whole_y = whole && !y.empty();
    if (ranges[p].whole_y && y.low == y.high) {  // room for two marks
      y.add(y.low - 1);
      y.add(y.high + 1);
    }
    ranges[p].y = finish(panel.y, y, 0.04);
    const auto is_beyond = [](const Axis& axis, const Extent& e) {
      return (e.low < -kLargest && !axis.lower) || (e.high > kLargest && !axis.upper);
    };
    if (is_beyond(x_axis_of(figure, p), xs[p]) || is_beyond(panel.y, y))
      warnings.push_back(
          fmt::format("panel {}: an axis ends at {:g}, and values are beyond", p + 1, kLargest));
    // Bars stand on the axis, without a gap below.
    const bool only_bars = !panel.series.empty() &&
                           std::all_of(panel.series.begin(), panel.series.end(),
                                       [](const Series& s) { return s.style == Style::kBars; });
    if (only_bars && !panel.y.lower && y.low == 0 && y.high > 0) ranges[p].y.lower = 0;
    if (!panel.x.categories.empty()) {
      xs[p].add(-0.5);
      xs[p].add(static_cast<double>(panel.x.categories.size()) - 0.5);
      shares[p] = 0;
    }
  }
  Extent all;
  double share = 0;
  for (std::size_t p = 0; p < ranges.size(); ++p) {
    all.add(xs[p]);
    share = std::max(share, shares[p]);
  }
  for (std::size_t p = 0; p < ranges.size(); ++p)
    ranges[p].x = shares_x(figure) ? finish(x_axis_of(figure, p), all, share)
                                   : finish(x_axis_of(figure, p), xs[p], shares[p]);
  return ranges;
}

BarGeometry bar_geometry(const Panel& panel, const Series& series) {
  if (series.bar_width) return {*series.bar_width, 0};
  std::vector<double> xs;
  double count = 0, index = 0;
  for (const Series& s : panel.series) {
    if (s.style != Style::kBars || s.bar_width) continue;
    if (&s == &series) index = count;
    ++count;
    for (const double x : s.x)
      if (std::isfinite(x)) xs.push_back(x);
  }
  std::sort(xs.begin(), xs.end());
  double gap = HUGE_VAL;
  for (std::size_t i = 1; i < xs.size(); ++i)
    if (xs[i] > xs[i - 1]) gap = std::min(gap, xs[i] - xs[i - 1]);
  if (!std::isfinite(gap)) gap = 1;
  const double width = 0.8 * gap / std::max(count, 1.0);
  return {width, (index - (count - 1) / 2) * width};
}

}  // namespace arges::plot
