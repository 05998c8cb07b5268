#include "arges/plot/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "arges/base/error.h"

namespace arges::plot {
namespace {

constexpr double kSlant = 35;  // degrees
constexpr double kLeast = 10;  // points: no frame gets smaller, however long the labels

double label_width(const Tick& tick, const Metrics& m) {
  return text_width(parse_text(tick.label), m.tick_font);
}

bool labels_overlap(const TickSet& ticks, const AxisMap& map, const Metrics& m, bool horizontal) {
  double end = -HUGE_VAL;
  for (std::size_t i = 0; i < ticks.major.size(); ++i) {
    // Along y the axis runs upwards.
    const double at = horizontal ? map(ticks.major[i].value) : -map(ticks.major[i].value);
    const double half = horizontal ? label_width(ticks.major[i], m) / 2 : 0.5 * m.tick_font;
    if (at - half < end) return true;
    end = at + half + (horizontal ? 0.6 : 0.1) * m.tick_font;
  }
  return false;
}

TickSet category_ticks(const Axis& axis, const Range& range) {
  TickSet ticks;
  for (std::size_t i = 0; i < axis.categories.size(); ++i) {
    const double at = static_cast<double>(i);
    if (at >= range.lower && at <= range.upper) ticks.major.push_back({at, axis.categories[i]});
  }
  return ticks;
}

TickSet make_ticks(const Axis& axis, const AxisMap& map, const Metrics& m, bool horizontal,
                   bool whole) {
  const Range& r = map.range();
  if (!axis.categories.empty()) return category_ticks(axis, r);
  const double length = std::abs(map.end() - map.start());
  const bool log = map.scale() == Scale::kLog;
  const double spacing = horizontal ? (log ? 3.5 : 5.0) : (log ? 2.2 : 3.2);
  int target =
      std::clamp(static_cast<int>(std::lround(length / spacing / m.font)), 2, log ? 12 : 9);
  for (;; --target) {
    TickSet ticks =
        log ? log_ticks(r.lower, r.upper, target) : linear_ticks(r.lower, r.upper, target, whole);
    if (target == 2 || !labels_overlap(ticks, map, m, horizontal)) return ticks;
  }
}

double widest_label(const TickSet& ticks, const Metrics& m) {
  double width = 0;
  for (const Tick& t : ticks.major) width = std::max(width, label_width(t, m));
  return width;
}

// Rows above the frame: the panel's title beside the note of the y axis, then event labels.
double space_above(const Panel& panel, const PanelLayout& l, const Metrics& m) {
  double space = 0;
  if (!panel.title.empty() || !l.y_ticks.note.empty()) space += m.font + 2 * m.gap;
  if (std::any_of(panel.events.begin(), panel.events.end(),
                  [](const EventMarker& e) { return !e.label.empty(); }))
    space += m.event_font + m.gap;
  return space;
}

double space_below(const Axis& axis, const PanelLayout& l, const Metrics& m) {
  if (!l.x_labels) return 0;
  double space = m.tick + m.gap;
  if (l.slanted_labels) {
    const double angle = kSlant * std::numbers::pi / 180;
    space += widest_label(l.x_ticks, m) * std::sin(angle) + m.tick_font * std::cos(angle);
  } else {
    space += m.tick_font;
  }
  if (!axis_title(axis).empty() || !l.x_ticks.note.empty()) space += m.font + 2 * m.gap;
  return space;
}

double space_left(const Panel& panel, const PanelLayout& l, const Metrics& m) {
  double space = m.tick + m.gap + widest_label(l.y_ticks, m);
  if (!axis_title(panel.y).empty()) space += 1.3 * m.font + m.gap;
  // The first label under the x axis may reach further to the left than those of y.
  if (l.x_labels && !l.x_ticks.major.empty()) {
    const Tick& first = l.x_ticks.major.front();
    const double width = label_width(first, m);
    const double share = l.slanted_labels ? std::cos(kSlant * std::numbers::pi / 180) : 0.5;
    space = std::max(space, width * share - (l.x(first.value) - l.x.start()));
  }
  return space;
}

double space_right(const PanelLayout& l, const Metrics& m) {
  if (!l.x_labels || l.x_ticks.major.empty() || l.slanted_labels) return 0;
  const Tick& last = l.x_ticks.major.back();
  return std::max(0.0, label_width(last, m) / 2 - (l.x.end() - l.x(last.value)));
}

void equalise(Range& x, Range& y, Rect area) {
  const double per_x = (x.upper - x.lower) / area.width, per_y = (y.upper - y.lower) / area.height;
  const double unit = std::max(per_x, per_y);
  const auto widen = [](Range& r, double span) {
    const double centre = r.lower / 2 + r.upper / 2;
    r = {centre - span / 2, centre + span / 2};
  };
  per_x < unit ? widen(x, unit * area.width) : widen(y, unit * area.height);
}

bool same_frame(const PanelLayout& a, const PanelLayout& b) {
  const auto near = [](double u, double v) { return std::abs(u - v) < 1e-6; };
  return near(a.area.x, b.area.x) && near(a.area.y, b.area.y) && near(a.area.width, b.area.width) &&
         near(a.area.height, b.area.height);
}

void place_axes(const Figure& figure, std::size_t p, const PanelRanges& ranges, const Metrics& m,
                PanelLayout& l) {
  const Panel& panel = figure.panels[p];
  const Axis& x_axis = x_axis_of(figure, p);
  Range x = ranges.x, y = ranges.y;
  if (panel.equal_aspect && x_axis.scale == Scale::kLinear && panel.y.scale == Scale::kLinear)
    equalise(x, y, l.area);
  l.x = AxisMap(x_axis.scale, x, l.area.x, l.area.right());
  l.y = AxisMap(panel.y.scale, y, l.area.bottom(), l.area.y);
  l.x_ticks = make_ticks(x_axis, l.x, m, true, false);
  l.y_ticks = make_ticks(panel.y, l.y, m, false, ranges.whole_y);
  l.slanted_labels = !x_axis.categories.empty() && labels_overlap(l.x_ticks, l.x, m, true);
}

}  // namespace

void check_size(const Figure& figure) {
  for (const double mm : {figure.width_mm, figure.height_mm})
    if (!(mm >= 20 && mm <= 3000))
      throw UserError(
          fmt::format("a figure of {} mm x {} mm cannot be drawn; each side must be "
                      "between 20 mm and 3000 mm",
                      figure.width_mm, figure.height_mm));
}

std::string axis_title(const Axis& axis) {
  if (axis.unit.empty() || axis.unit == "1") return axis.label;
  const std::string unit = pretty_unit(axis.unit);
  return axis.label.empty() ? unit : fmt::format("{} ({})", axis.label, unit);
}

FittedText fitted(const std::string& markup, double size, double width, bool bold) {
  const RichText text = parse_text(markup);
  for (const double scale : {1.0, 0.9, 0.8})
    if (text_width(text, scale * size, bold) <= width) return {text, scale * size};
  return {fit_text(text, 0.8 * size, width, bold), 0.8 * size};
}

std::vector<PanelLayout> lay_out(const Figure& figure, const std::vector<PanelRanges>& ranges,
                                 const std::vector<double>& right_margins) {
  const Metrics m(figure.theme);
  const double width = figure.width_mm * kPointsPerMm, height = figure.height_mm * kPointsPerMm;
  const std::size_t n = figure.panels.size();
  std::vector<PanelLayout> layout(n);
  double shares = 0;
  for (std::size_t p = 0; p < n; ++p) {
    layout[p].area = {0.15 * width, 0, 0.8 * width, 0.8 * height / static_cast<double>(n)};
    layout[p].x_labels = p + 1 == n || !shares_x(figure);
    shares += std::max(figure.panels[p].height, 0.05);
  }
  for (int pass = 0; pass < 8; ++pass) {
    const std::vector<PanelLayout> before = layout;
    for (std::size_t p = 0; p < n; ++p) place_axes(figure, p, ranges[p], m, layout[p]);
    double left = 0, right = 0, used = 2 * m.pad;
    if (!figure.title.empty()) used += m.title_font + 2 * m.gap;
    for (std::size_t p = 0; p < n; ++p) {
      left = std::max(left, space_left(figure.panels[p], layout[p], m));
      right = std::max(right, space_right(layout[p], m));
      right = std::max(right, right_margins[p]);
      used += space_above(figure.panels[p], layout[p], m) +
              space_below(x_axis_of(figure, p), layout[p], m);
      if (p > 0) used += layout[p - 1].x_labels ? 1.2 * m.font : 0.9 * m.font;
    }
    const double room = std::max(height - used, kLeast * static_cast<double>(n));
    double top = m.pad + (figure.title.empty() ? 0 : m.title_font + 2 * m.gap);
    for (std::size_t p = 0; p < n; ++p) {
      PanelLayout& l = layout[p];
      top += space_above(figure.panels[p], l, m);
      l.area = {m.pad + left, top, std::max(width - 2 * m.pad - left - right, kLeast),
                room * std::max(figure.panels[p].height, 0.05) / shares};
      top = l.area.bottom() + space_below(x_axis_of(figure, p), l, m) +
            (l.x_labels ? 1.2 : 0.9) * m.font;
    }
    if (std::equal(before.begin(), before.end(), layout.begin(), same_frame)) break;
  }
  for (std::size_t p = 0; p < n; ++p) place_axes(figure, p, ranges[p], m, layout[p]);
  return layout;
}

}  // namespace arges::plot
