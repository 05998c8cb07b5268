#pragma once
// A figure as plain data: what to draw, not how. The usual plot takes a few lines:
//
//   Figure figure = make_figure("Bouncing ball", {"t", "s"}, {"h", "m"});
//   figure.panel().add(line(t, h, "height")).add(steps(t, n, "bounces"));
//   render(figure, "ball.svg");                                   // plot/render.h
//
// Text is UTF-8; x_{max} and s^{2} set sub- and superscripts (the braces are required, so that
// names such as x_dot stay as they are).

#include <optional>
#include <string>
#include <vector>

#include "arges/plot/color.h"

namespace arges::plot {

enum class Scale { kLinear, kLog };

struct Axis {
  std::string label = {};
  std::string unit = {};  // Modelica unit syntax is set properly: "kg.m2/s" becomes kg·m²/s
  Scale scale = Scale::kLinear;
  std::optional<double> lower = {}, upper = {};  // limits; absent ones follow from the data
  std::vector<std::string> categories = {};      // if any: the tick labels at 0, 1, 2, ...
};

enum class Style {
  kLine,
  kSteps,  // each y holds until the next x
  kPoints,
  kLinePoints,
  kBand,  // the area between lower and upper
  kBars,  // from zero (or from the lower limit of a logarithmic axis) to y
};
enum class Dash { kSolid, kDashed, kDotted, kDashDot };
enum class Marker { kCircle, kSquare, kTriangle, kDiamond, kCross };

// One curve. A NaN or an infinity in x or y breaks a line and is otherwise left out. x and y (for
// a band: x, lower and upper) have the same length; anything else is an ApiError when drawn.
struct Series {
  std::string name;  // legend text; unnamed series stay out of the legend
  Style style = Style::kLine;
  std::vector<double> x, y;
  std::vector<double> lower, upper;  // kBand only
  std::optional<Color> color;        // else the next colour of the palette
  std::optional<Dash> dash;          // else solid, until the palette has been used up once
  std::optional<double> width;       // points; else the theme's
  std::optional<Marker> marker;      // else a circle
  std::optional<double> bar_width;   // in x units, centred on x; else bars stand side by side
};

enum class LegendPlace {
  kAuto,  // the corner where it hides least, or outside when each would hide a curve
  kNone,
  kTopLeft,
  kTopRight,
  kBottomLeft,
  kBottomRight,
  kOutside,  // right of the panel
};

enum class Palette { kDistinct, kSequential };  // plot/color.h

struct EventMarker {
  double x = 0;
  std::string label = {};  // shown above the panel where there is room
};

struct ReferenceLine {
  double value = 0;
  bool vertical = false;  // x = value instead of y = value
  std::string label = {};
};

struct Note {
  double x = 0, y = 0;  // the point that the text explains, marked by a small ring
  std::string text;
};

struct Panel {
  Axis x, y;
  std::string title;
  std::vector<Series> series;
  LegendPlace legend = LegendPlace::kAuto;
  Palette palette = Palette::kDistinct;
  std::vector<EventMarker> events;
  std::vector<ReferenceLine> references;
  std::vector<Note> notes;
  bool grid = true;
  bool equal_aspect =
      false;          // one unit is as long on x as on y; the range with room to spare grows
  double height = 1;  // share of the figure's height, relative to the other panels

  Panel& add(Series one) {
    series.push_back(std::move(one));
    return *this;
  }
};

struct Theme {
  double font_size = 9;     // points; tick labels and legend are a little smaller
  double line_width = 1.2;  // points
  double marker_size = 4;   // points
  Color background{255, 255, 255, 1};
  Color ink{0x22, 0x22, 0x22, 1};  // text, frame, ticks
  Color grid{0xe4, 0xe4, 0xe4, 1};
  Color muted{0x80, 0x80, 0x80, 1};  // event markers, reference lines
};

// Light lines on a dark ground, for screens.
Theme dark_theme();

struct Figure {
  double width_mm = 160, height_mm = 100;
  std::string title;
  std::vector<Panel> panels;  // from top to bottom
  bool share_x = true;        // several panels: one x range, labelled at the lowest panel only
  Theme theme;

  // The last panel; a figure without panels gets one.
  Panel& panel() { return panels.empty() ? panels.emplace_back() : panels.back(); }
};

Axis log_axis(std::string label, std::string unit = "");

Figure make_figure(std::string title, Axis x, Axis y);

// Several panels one above the other, over one x axis.
Figure make_stack(std::string title, const Axis& x, std::vector<Axis> ys);

Series line(std::vector<double> x, std::vector<double> y, std::string name = "");
Series steps(std::vector<double> x, std::vector<double> y, std::string name = "");
Series points(std::vector<double> x, std::vector<double> y, std::string name = "");
Series line_points(std::vector<double> x, std::vector<double> y, std::string name = "");
Series band(std::vector<double> x, std::vector<double> lower, std::vector<double> upper,
            std::string name = "");
Series bars(std::vector<double> x, std::vector<double> heights, std::string name = "");

// Bars at 0, 1, 2, ... for an axis with categories.
Series category_bars(std::vector<double> heights, std::string name = "");

// How many of the finite values fall in each of `bins` equal intervals between the smallest and the
// largest. bins = 0: the rule of Freedman and Diaconis, at most 200.
Series histogram(std::vector<double> values, std::string name = "", std::size_t bins = 0);

}  // namespace arges::plot
