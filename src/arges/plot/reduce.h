#pragma once
// From many data points to the few that can be seen: clipping and decimation of polylines in canvas
// coordinates. A million points become at most a few thousand, and the picture does not change.

#include <vector>

#include "arges/plot/canvas.h"

namespace arges::plot {

inline constexpr double kColumn = 0.25;     // points: narrower than a pixel at 200 dots per inch
inline constexpr double kTolerance = 0.03;  // points, about a hundredth of a millimetre

// Reduces one polyline.
//
// 1. Of consecutive points in one column of width kColumn, only the first, lowest, highest and last
//    stay, in their order. Spikes and envelopes are kept exactly.
// 2. Points that the straight line between their neighbours passes by less than kTolerance are left
//    out: from the last kept point, a cone of directions is narrowed by each further point, and the
//    point before the one outside the cone (or nearer than its predecessor) is kept.
class Reducer {
 public:
  explicit Reducer(std::vector<Point>& out) : out_(out) {}
  void add(Point p);
  // Ends the polyline; the next add() begins another one.
  void finish();

 private:
  struct Numbered {
    Point p;
    long order;
  };
  void flush_column();
  void simplify(Point p);

  std::vector<Point>& out_;
  // The column being collected.
  bool in_column_ = false;
  double column_ = 0;
  long count_ = 0;
  Numbered first_{}, low_{}, high_{}, last_{};
  // The cone.
  bool has_anchor_ = false, has_candidate_ = false, has_cone_ = false;
  Point anchor_, candidate_;
  double direction_ = 0, cone_low_ = 0, cone_high_ = 0, distance_ = 0;
};

// Clips a polyline to `area` and reduces what remains, adding it to `out`. A point without visible
// neighbours is kept as a polyline of one point.
class LineClipper {
 public:
  LineClipper(Rect area, Path& out) : area_(area), out_(out), reducer_(out.points) {}
  ~LineClipper() { gap(); }
  LineClipper(const LineClipper&) = delete;
  LineClipper& operator=(const LineClipper&) = delete;

  void add(Point p);
  // Ends the line; the next point is not joined to the last one.
  void gap();

 private:
  void lift_pen();

  Rect area_;
  Path& out_;
  Reducer reducer_;
  Point previous_;
  int run_ = 0;  // points since the last gap: 0, 1, or 2 for more
  bool pen_down_ = false;
};

// Clips the segment a-b to the area; false if nothing remains (Liang and Barsky).
bool clip_segment(Rect area, Point& a, Point& b);

// Clips a closed polygon to the area (Sutherland and Hodgman).
std::vector<Point> clip_polygon(Rect area, std::vector<Point> polygon);

}  // namespace arges::plot
