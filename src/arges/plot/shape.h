#pragma once
// The outline of one series on the canvas.

#include <vector>

#include "arges/plot/axis_map.h"
#include "arges/plot/canvas.h"

namespace arges::plot {

// How a series looks: its own choices, or the palette's.
struct Look {
  Color color;
  Dash dash = Dash::kSolid;
  double width = 1;
  Marker marker = Marker::kCircle;
  bool translucent = false;  // bars that overlap others
};
std::vector<Look> looks_of(const Panel& panel, const Theme& theme);

// Lengths on and off for a line of this width.
std::vector<double> dash_lengths(Dash dash, double width);

struct Shape {
  Path line;                   // clipped and reduced
  Path area;                   // of bands and bars, closed
  std::vector<Point> markers;  // centres
};

// Clips to `area` and reduces (plot/reduce.h). Markers so near to an earlier one that they cannot
// be told apart are left out.
Shape shape_of(const Panel& panel, const Series& series, const AxisMap& x, const AxisMap& y,
               Rect area);

// How much of the shapes a text or legend in `frame` would hide: the length of lines and edges
// inside, in points; a marker counts as 4.
double hidden_length(const std::vector<Shape>& shapes, Rect frame);

void draw_area(Canvas& canvas, const Series& series, const Shape& shape, const Look& look,
               const Theme& theme);
void draw_line(Canvas& canvas, const Shape& shape, const Look& look, const Theme& theme);

}  // namespace arges::plot
