#include "arges/plot/figure.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace arges::plot {
namespace {

Series series(Style style, std::vector<double> x, std::vector<double> y, std::string name) {
  Series s;
  s.style = style;
  s.x = std::move(x);
  s.y = std::move(y);
  s.name = std::move(name);
  return s;
}

// Bin width 2 IQR n^(-1/3); Sturges' rule where the quartiles coincide. `sorted` is not empty.
std::size_t bin_count(const std::vector<double>& sorted) {
  const double n = static_cast<double>(sorted.size());
  const double range = sorted.back() - sorted.front();
  const double quartiles = sorted[sorted.size() * 3 / 4] - sorted[sorted.size() / 4];
  const double count = quartiles > 0 ? range / (2 * quartiles / std::cbrt(n)) : std::log2(n) + 1;
  return static_cast<std::size_t>(std::clamp(std::ceil(count), 1.0, 200.0));
}

}  // namespace

Theme dark_theme() {
  Theme theme;
  theme.background = {0x1b, 0x1d, 0x21, 1};
  theme.ink = {0xe0, 0xe0, 0xe0, 1};
  theme.grid = {0x36, 0x39, 0x3e, 1};
  theme.muted = {0x90, 0x90, 0x90, 1};
  return theme;
}

Axis log_axis(std::string label, std::string unit) {
  Axis axis;
  axis.label = std::move(label);
  axis.unit = std::move(unit);
  axis.scale = Scale::kLog;
  return axis;
}

Figure make_figure(std::string title, Axis x, Axis y) {
  Figure figure;
  figure.title = std::move(title);
  figure.panel().x = std::move(x);
  figure.panel().y = std::move(y);
  return figure;
}

Figure make_stack(std::string title, const Axis& x, std::vector<Axis> ys) {
  Figure figure;
  figure.title = std::move(title);
  for (Axis& y : ys) {
    Panel& panel = figure.panels.emplace_back();
    panel.x = x;
    panel.y = std::move(y);
  }
  return figure;
}

Series line(std::vector<double> x, std::vector<double> y, std::string name) {
  return series(Style::kLine, std::move(x), std::move(y), std::move(name));
}

Series steps(std::vector<double> x, std::vector<double> y, std::string name) {
  return series(Style::kSteps, std::move(x), std::move(y), std::move(name));
}

Series points(std::vector<double> x, std::vector<double> y, std::string name) {
  return series(Style::kPoints, std::move(x), std::move(y), std::move(name));
}

Series line_points(std::vector<double> x, std::vector<double> y, std::string name) {
  return series(Style::kLinePoints, std::move(x), std::move(y), std::move(name));
}

Series band(std::vector<double> x, std::vector<double> lower, std::vector<double> upper,
            std::string name) {
  Series s = series(Style::kBand, std::move(x), {}, std::move(name));
  s.lower = std::move(lower);
  s.upper = std::move(upper);
  return s;
}

Series bars(std::vector<double> x, std::vector<double> heights, std::string name) {
  return series(Style::kBars, std::move(x), std::move(heights), std::move(name));
}

Series category_bars(std::vector<double> heights, std::string name) {
  std::vector<double> x(heights.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
  return bars(std::move(x), std::move(heights), std::move(name));
}

Series histogram(std::vector<double> values, std::string name, std::size_t bins) {
  std::erase_if(values, [](double v) { return !std::isfinite(v); });
  if (values.empty()) return bars({}, {}, std::move(name));
  std::sort(values.begin(), values.end());
  if (bins == 0) bins = bin_count(values);
  double lower = values.front(), width = (values.back() - lower) / static_cast<double>(bins);
  if (!(width > 0)) {  // all values equal: one bin around them
    bins = 1;
    width = lower == 0 ? 1 : 0.1 * std::abs(lower);
    lower -= width / 2;
  }
  std::vector<double> x(bins), count(bins, 0);
  for (std::size_t i = 0; i < bins; ++i) x[i] = lower + (static_cast<double>(i) + 0.5) * width;
  for (const double v : values)
    ++count[std::min(static_cast<std::size_t>((v - lower) / width), bins - 1)];
  Series s = bars(std::move(x), std::move(count), std::move(name));
  s.bar_width = width;
  return s;
}

}  // namespace arges::plot
