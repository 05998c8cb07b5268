#pragma once
// From data to canvas coordinates, and the ranges that the data ask for.

#include <string>
#include <vector>

#include "arges/plot/figure.h"

namespace arges::plot {

struct Range {
  double lower = 0, upper = 1;
};

// Maps [lower, upper] to [start, end] on the canvas, linearly in the value or its logarithm.
// Results are NaN for values that the axis cannot show, and limited to ±1e6 points, so that no
// coordinate overflows; a line to a point so far away has the same direction as the true one.
class AxisMap {
 public:
  AxisMap() = default;
  AxisMap(Scale scale, Range range, double start, double end);
  double operator()(double value) const;
  const Range& range() const { return range_; }
  Scale scale() const { return scale_; }
  double start() const { return start_; }
  double end() const { return end_; }

 private:
  double forward(double value) const;

  Scale scale_ = Scale::kLinear;
  Range range_;
  double start_ = 0, end_ = 1;
  double origin_ = 0, factor_ = 1;
};

bool shares_x(const Figure& figure);

// The x axis of a panel: its own, or the lowest panel's where x is shared.
const Axis& x_axis_of(const Figure& figure, std::size_t panel);

struct PanelRanges {
  Range x, y;
  bool has_data = false;
  bool whole_y = false;  // steps or bars of whole numbers: so should the marks be
};

// The range of each panel: limits where given, else the extent of all finite (on logarithmic axes:
// positive) data, with a margin of 4 % on y, and on x where the data do not run along it. Zero and
// nearly zero extents are widened; bars reach down to zero. Panels that share x get one x range.
//
// Checks the figure: ApiError if the lengths of a series differ, UserError if limits are not rising
// or not positive on a logarithmic axis. Points left out because a logarithmic axis cannot show
// them are told in `warnings`.
std::vector<PanelRanges> find_ranges(const Figure& figure, std::vector<std::string>& warnings);

// The width of the bars of `series` in x units: its own, or 0.8 of the smallest distance of bars in
// the panel, divided among the series of bars that stand side by side.
struct BarGeometry {
  double width = 0;
  double shift = 0;  // of the centre, from x
};
BarGeometry bar_geometry(const Panel& panel, const Series& series);

}  // namespace arges::plot
