#pragma once
// What a figure is drawn on: lines, areas and text in points (1/72 inch), y downwards, the origin
// in the upper left corner.

#include <memory>
#include <string>
#include <vector>

#include "arges/plot/color.h"
#include "arges/plot/text.h"

namespace arges::plot {

struct Point {
  double x = 0, y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

struct Rect {
  double x = 0, y = 0, width = 0, height = 0;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
  bool contains(Point p) const { return p.x >= x && p.x <= right() && p.y >= y && p.y <= bottom(); }
  Rect grown(double by) const { return {x - by, y - by, width + 2 * by, height + 2 * by}; }
};

// Polylines one after the other; `starts` holds the index of the first point of each.
struct Path {
  std::vector<Point> points;
  std::vector<std::size_t> starts;

  void move_to(Point p) {
    starts.push_back(points.size());
    points.push_back(p);
  }
  void line_to(Point p) { points.push_back(p); }
  bool empty() const { return points.empty(); }
  std::size_t end_of(std::size_t polyline) const {
    return polyline + 1 < starts.size() ? starts[polyline + 1] : points.size();
  }
};

Path rectangle(Rect r);

bool overlap(const Rect& a, const Rect& b);

struct Stroke {
  Color color;
  double width = 1;
  std::vector<double> dashes = {};  // lengths on, off, on, ...; empty is solid
  bool round = true;                // round caps and joins, else butt caps and mitred joins
};

enum class Anchor { kStart, kMiddle, kEnd };

struct TextStyle {
  double size = 9;
  Color color;
  Anchor anchor = Anchor::kStart;
  bool bold = false;
  double angle = 0;  // degrees, counter-clockwise
};

// A polyline of a single point is drawn as a dot when the stroke is round. Polylines of a filled
// path are closed.
class Canvas {
 public:
  virtual ~Canvas() = default;
  virtual void stroke(const Path& path, const Stroke& stroke) = 0;
  virtual void fill(const Path& path, Color color) = 0;
  virtual void text(Point baseline, const RichText& text, const TextStyle& style) = 0;
  // Until the matching unclip(), nothing is drawn outside `area`. Does not nest.
  virtual void clip(Rect area) = 0;
  virtual void unclip() = 0;
  // The finished file. Call once, last.
  virtual std::string finish() = 0;
};

struct CanvasInfo {
  double width = 0, height = 0;  // points
  std::string title;             // for readers that show or speak it
};

std::unique_ptr<Canvas> make_svg_canvas(const CanvasInfo& info);
std::unique_ptr<Canvas> make_png_canvas(const CanvasInfo& info, double dots_per_inch = 200);
std::unique_ptr<Canvas> make_pdf_canvas(const CanvasInfo& info);

}  // namespace arges::plot
