#pragma once
// Where everything stands: panels, axes, tick marks. All lengths in points.

#include <vector>

#include "arges/plot/axis_map.h"
#include "arges/plot/canvas.h"
#include "arges/plot/ticks.h"

namespace arges::plot {

inline constexpr double kPointsPerMm = 72 / 25.4;

// Sizes that follow from the theme's font size.
struct Metrics {
  explicit Metrics(const Theme& theme)
      : font(theme.font_size),
        tick_font(0.9 * font),
        title_font(1.1 * font),
        event_font(0.8 * font),
        pad(0.7 * font),
        tick(0.35 * font),
        gap(0.3 * font) {}
  double font, tick_font, title_font, event_font;
  double pad;   // around the figure
  double tick;  // length of a mark
  double gap;   // between a mark and its label, and between label rows
};

struct PanelLayout {
  Rect area;  // the frame
  AxisMap x, y;
  TickSet x_ticks, y_ticks;
  bool x_labels = true;         // false for upper panels that share x
  bool slanted_labels = false;  // categories too long to stand side by side
};

// The label of an axis with its unit, as markup.
std::string axis_title(const Axis& axis);

// A text that fits into `width`: set smaller, down to 80 %, then cut.
struct FittedText {
  RichText text;
  double size = 0;
};
FittedText fitted(const std::string& markup, double size, double width, bool bold = false);

// UserError if the figure is smaller than 20 mm or larger than 3 m.
void check_size(const Figure& figure);

// Finds the frames such that all labels have room: starting from a guess, marks give margins and
// margins give frames, until these stay the same. `right_margins` holds for each panel the width
// that its legend takes outside the frame.
std::vector<PanelLayout> lay_out(const Figure& figure, const std::vector<PanelRanges>& ranges,
                                 const std::vector<double>& right_margins);

}  // namespace arges::plot
