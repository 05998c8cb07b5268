#include "arges/plot/shape.h"

#include <algorithm>
#include <cmath>

#include "arges/plot/reduce.h"

namespace arges::plot {
namespace {

constexpr double kMargin = 4;  // points: lines are cut so far outside the panel, out of sight

bool usable(Point p) { return !std::isnan(p.x) && !std::isnan(p.y); }

// Markers inside the panel, each where no other is: of many that would cover each other, few stay.
std::vector<Point> apart(const std::vector<Point>& points, std::size_t series_size, Rect area) {
  const double cell = series_size > 100'000 ? 0.8 : series_size > 10'000 ? 0.4 : 0.1;
  const Rect inside = area.grown(0.5);
  const auto columns = static_cast<std::size_t>(inside.width / cell) + 1;
  const auto rows = static_cast<std::size_t>(inside.height / cell) + 1;
  std::vector<bool> taken(columns * rows, false);
  std::vector<Point> out;
  for (const Point p : points) {
    if (!inside.contains(p)) continue;
    const auto column = static_cast<std::size_t>((p.x - inside.x) / cell);
    const auto row = static_cast<std::size_t>((p.y - inside.y) / cell);
    if (taken[row * columns + column]) continue;
    taken[row * columns + column] = true;
    out.push_back(p);
  }
  return out;
}

// Returns the points to which no line leads, with gaps on both sides: markers show them.
std::vector<Point> trace_line(const Series& s, const AxisMap& x, const AxisMap& y, Rect area,
                              Path& out) {
  LineClipper line(area.grown(kMargin), out);
  std::vector<Point> alone;
  Point previous;
  std::size_t run = 0;
  const auto end_run = [&] {
    if (run == 1) alone.push_back(previous);
    run = 0;
  };
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    const Point p{x(s.x[i]), y(s.y[i])};
    if (!usable(p)) {
      line.gap();
      end_run();
      continue;
    }
    if (run > 0 && s.style == Style::kSteps) line.add({p.x, previous.y});
    line.add(p);
    previous = p;
    ++run;
  }
  end_run();
  return apart(alone, s.x.size(), area);
}

std::vector<Point> trace_markers(const Series& s, const AxisMap& x, const AxisMap& y, Rect area) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    const Point p{x(s.x[i]), y(s.y[i])};
    if (usable(p)) points.push_back(p);
  }
  return apart(points, s.x.size(), area);
}

void add_polygon(Path& path, const std::vector<Point>& polygon) {
  for (std::size_t i = 0; i < polygon.size(); ++i)
    i == 0 ? path.move_to(polygon[i]) : path.line_to(polygon[i]);
}

void trace_band(const Series& s, const AxisMap& x, const AxisMap& y, Rect area, Path& out) {
  std::vector<Point> upper, lower;
  Reducer reduce_upper(upper), reduce_lower(lower);
  const auto close = [&] {
    reduce_upper.finish();
    reduce_lower.finish();
    upper.insert(upper.end(), lower.rbegin(), lower.rend());
    add_polygon(out, clip_polygon(area.grown(kMargin), upper));
    upper.clear();
    lower.clear();
  };
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    const Point high{x(s.x[i]), y(s.upper[i])}, low{high.x, y(s.lower[i])};
    if (usable(high) && usable(low)) {
      reduce_upper.add(high);
      reduce_lower.add(low);
    } else {
      close();
    }
  }
  close();
}

void trace_bars(const Panel& panel, const Series& s, const AxisMap& x, const AxisMap& y, Rect area,
                Path& out) {
  const BarGeometry bar = bar_geometry(panel, s);
  const double base = y.scale() == Scale::kLog ? y.start() : y(0);
  const Rect limits = area.grown(kMargin);
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    const double centre = s.x[i] + bar.shift;
    const Point a{x(centre - bar.width / 2), base}, b{x(centre + bar.width / 2), y(s.y[i])};
    if (!usable(a) || !usable(b)) continue;
    add_polygon(out, clip_polygon(limits, {a, {b.x, a.y}, b, {a.x, b.y}}));
  }
}

// The outline of a marker of size 1 around the origin.
std::vector<Point> outline(Marker marker) {
  switch (marker) {
    case Marker::kSquare:
      return {{-0.45, -0.45}, {0.45, -0.45}, {0.45, 0.45}, {-0.45, 0.45}};
    case Marker::kTriangle:
      return {{0, -0.6}, {0.55, 0.4}, {-0.55, 0.4}};
    case Marker::kDiamond:
      return {{0, -0.62}, {0.62, 0}, {0, 0.62}, {-0.62, 0}};
    case Marker::kCircle:
    case Marker::kCross:
      break;
  }
  return {};
}

void draw_markers(Canvas& canvas, const std::vector<Point>& centres, const Look& look,
                  double size) {
  Path path;
  if (look.marker == Marker::kCircle) {  // dots, as lines of no length with round ends
    for (const Point p : centres) path.move_to(p);
    canvas.stroke(path, {look.color, size});
  } else if (look.marker == Marker::kCross) {
    const double r = size / 2;
    for (const Point p : centres) {
      path.move_to({p.x - r, p.y - r});
      path.line_to({p.x + r, p.y + r});
      path.move_to({p.x - r, p.y + r});
      path.line_to({p.x + r, p.y - r});
    }
    canvas.stroke(path, {look.color, look.width});
  } else {
    const std::vector<Point> corners = outline(look.marker);
    for (const Point p : centres)
      for (std::size_t i = 0; i < corners.size(); ++i) {
        const Point q{p.x + size * corners[i].x, p.y + size * corners[i].y};
        i == 0 ? path.move_to(q) : path.line_to(q);
      }
    canvas.fill(path, look.color);
  }
}

// The length of the path inside the frame.
double length_inside(const Path& path, Rect frame, bool closed) {
  double length = 0;
  const auto add = [&](Point a, Point b) {
    if (clip_segment(frame, a, b)) length += std::hypot(b.x - a.x, b.y - a.y);
  };
  for (std::size_t k = 0; k < path.starts.size(); ++k) {
    const std::size_t first = path.starts[k], end = path.end_of(k);
    for (std::size_t i = first + 1; i < end; ++i) add(path.points[i - 1], path.points[i]);
    if (closed && end - first > 2) add(path.points[end - 1], path.points[first]);
  }
  return length;
}

}  // namespace

std::vector<Look> looks_of(const Panel& panel, const Theme& theme) {
  const auto unset = static_cast<std::size_t>(std::count_if(
      panel.series.begin(), panel.series.end(), [](const Series& s) { return !s.color; }));
  const auto wide_bars = std::count_if(panel.series.begin(), panel.series.end(),
                                       [](const Series& s) { return s.bar_width.has_value(); });
  const bool sequential = panel.palette == Palette::kSequential;
  const std::vector<Color> gradient = sequential ? sequential_colors(unset) : std::vector<Color>{};
  std::vector<Look> looks;
  std::size_t next = 0;
  for (const Series& s : panel.series) {
    Look look;
    look.width = s.width.value_or(theme.line_width);
    look.marker = s.marker.value_or(Marker::kCircle);
    look.translucent = s.bar_width && wide_bars > 1;
    look.dash = s.dash.value_or(Dash::kSolid);
    if (s.color) {
      look.color = *s.color;
    } else {
      look.color = sequential ? gradient[next] : distinct_color(next);
      if (!sequential && !s.dash) look.dash = static_cast<Dash>(next / kDistinctColors % 4);
      ++next;
    }
    looks.push_back(look);
  }
  return looks;
}

std::vector<double> dash_lengths(Dash dash, double width) {
  switch (dash) {
    case Dash::kSolid:
      return {};
    case Dash::kDashed:
      return {4 * width, 2.5 * width};
    case Dash::kDotted:
      return {0.1 * width, 2 * width};
    case Dash::kDashDot:
      return {4.5 * width, 2.2 * width, 0.1 * width, 2.2 * width};
  }
  return {};
}

Shape shape_of(const Panel& panel, const Series& series, const AxisMap& x, const AxisMap& y,
               Rect area) {
  Shape shape;
  switch (series.style) {
    case Style::kBand:
      trace_band(series, x, y, area, shape.area);
      break;
    case Style::kBars:
      trace_bars(panel, series, x, y, area, shape.area);
      break;
    case Style::kPoints:
      shape.markers = trace_markers(series, x, y, area);
      break;
    case Style::kLinePoints:
      shape.markers = trace_markers(series, x, y, area);
      trace_line(series, x, y, area, shape.line);
      break;
    case Style::kLine:
    case Style::kSteps:
      shape.markers = trace_line(series, x, y, area, shape.line);
      break;
  }
  // A curve of one point, or one that stays where it is, would be a speck.
  if (!shape.line.empty() && shape.markers.empty()) {
    const Point first = shape.line.points.front();
    if (std::all_of(shape.line.points.begin(), shape.line.points.end(), [&](Point p) {
          return std::abs(p.x - first.x) < 1 && std::abs(p.y - first.y) < 1;
        }))
      shape.markers = {first};
  }
  return shape;
}

double hidden_length(const std::vector<Shape>& shapes, Rect frame) {
  double hidden = 0;
  for (const Shape& s : shapes) {
    hidden += length_inside(s.line, frame, false) + length_inside(s.area, frame, true);
    for (const Point p : s.markers)
      if (frame.contains(p)) hidden += 4;
  }
  return hidden;
}

void draw_area(Canvas& canvas, const Series& series, const Shape& shape, const Look& look,
               const Theme& theme) {
  if (series.style == Style::kBand) {
    canvas.fill(shape.area, with_alpha(look.color, look.color.alpha * 0.25));
    return;
  }
  canvas.fill(shape.area, look.translucent ? with_alpha(look.color, 0.55) : look.color);
  if (!series.bar_width) return;
  Path edges;  // touching bars need a line between them
  for (std::size_t k = 0; k < shape.area.starts.size(); ++k) {
    const std::size_t first = shape.area.starts[k];
    for (std::size_t i = first; i < shape.area.end_of(k); ++i)
      i == first ? edges.move_to(shape.area.points[i]) : edges.line_to(shape.area.points[i]);
    edges.line_to(shape.area.points[first]);
  }
  canvas.stroke(edges, {theme.background, 0.4, {}, false});
}

void draw_line(Canvas& canvas, const Shape& shape, const Look& look, const Theme& theme) {
  canvas.stroke(shape.line, {look.color, look.width, dash_lengths(look.dash, look.width)});
  if (!shape.markers.empty())
    draw_markers(canvas, shape.markers, look, std::max(theme.marker_size, 2 * look.width));
}

}  // namespace arges::plot
