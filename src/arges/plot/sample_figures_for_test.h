#pragma once
// Figures of every kind, usual and unusual, for the tests of drawing.

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "arges/plot/figure.h"

namespace arges::plot {

inline std::vector<std::pair<std::string, Figure>> sample_figures() {
  std::vector<double> t, wave, decay, whole;
  for (int i = 0; i <= 200; ++i) {
    t.push_back(0.05 * i);
    wave.push_back(std::sin(t.back()));
    decay.push_back(std::exp(-t.back()));
    whole.push_back(std::floor(i / 40.0));
  }
  std::vector<std::pair<std::string, Figure>> out;
  const auto add = [&](const std::string& name, Figure figure) {
    out.emplace_back(name, std::move(figure));
  };

  Figure lines = make_figure("Lines & <markup> \"quoted\"", {"Time τ_{0}", "s"}, {"ω", "rad/s2"});
  for (int k = 0; k < 9; ++k)
    lines.panel().add(line(t, k % 2 ? wave : decay, "run " + std::to_string(k)));
  lines.panel().events = {{1, "start"}, {1.01, "soon"}, {9.99, "a late event"}, {50, "outside"}};
  lines.panel().references = {{0.3, false, "level"}, {4, true, "change"}, {99, true, "outside"}};
  lines.panel().notes = {{0, 1, "here"}, {10, 0, "at the right end"}, {NAN, 0, "nowhere"}};
  add("lines", lines);

  Figure log = make_figure("Double log", log_axis("t", "s"), log_axis("y"));
  log.panel().palette = Palette::kSequential;
  log.panel().add(line(t, decay, "decay")).add(points(t, wave, "wave"));
  add("log", log);

  Figure stack = make_stack("Stack", {"t", "s"}, {{"a", "m"}, {"b"}, {"c"}});
  stack.panels[0].add(line(t, decay, "d"));
  stack.panels[1].add(steps(t, whole, "n")).title = "A panel";
  stack.panels[2].add(band(t, decay, wave, "band")).add(line_points(t, wave, "wave"));
  add("stack", stack);
  stack.share_x = false;
  add("stack with axes of their own", stack);

  Figure phase = make_figure("Phase", {"x"}, {"y"});
  phase.panel().equal_aspect = true;
  phase.panel().add(line(wave, decay, "orbit"));
  add("phase", phase);

  Figure chart = make_figure("Bars", {"Solver"}, {"Steps"});
  chart.panel().x.categories = {"dopri5", "a long name that needs a slant",
                                "another such long name"};
  chart.panel().add(category_bars({1, 2.5, 3}, "a")).add(category_bars({3, 2, 0.5}, "b"));
  add("bars", chart);
  Figure histogram_figure = make_figure("Histogram", {"x"}, {"n"});
  histogram_figure.panel().add(histogram(wave, "wave")).add(histogram(decay, "decay"));
  add("histogram", histogram_figure);

  Figure markers = make_figure("Markers", {"x"}, {"y"});
  for (const Marker marker :
       {Marker::kCircle, Marker::kSquare, Marker::kTriangle, Marker::kDiamond, Marker::kCross}) {
    markers.panel().add(line_points({0, 1, 2}, {1, static_cast<double>(marker), 3}, "m"));
    markers.panel().series.back().marker = marker;
    markers.panel().series.back().dash = Dash::kDashDot;
  }
  markers.theme = dark_theme();
  add("markers", markers);

  // Degenerate data.
  const double inf = std::numeric_limits<double>::infinity();
  const auto one = [&](const std::string& name, const std::vector<double>& x,
                       const std::vector<double>& y, const Axis& x_axis = {"x"},
                       const Axis& y_axis = {"y"}) {
    for (const Style style : {Style::kLine, Style::kSteps, Style::kPoints, Style::kBars}) {
      Figure f = make_figure(name, x_axis, y_axis);
      f.panel().add(line(x, y, "s"));
      f.panel().series[0].style = style;
      add(name, f);
    }
  };
  one("empty", {}, {});
  one("one point", {3}, {4});
  one("constant", {0, 1, 2}, {5, 5, 5});
  one("constant in x", {2, 2, 2}, {1, 2, 3});
  one("all NaN", {0, 1}, {NAN, NAN});
  one("infinite", {0, 1, 2, inf}, {1, inf, -inf, 2});
  one("huge", {-1e308, 0, 1e308}, {-1.7e308, 0, 1.7e308});
  one("tiny", {0, 5e-324, 1e-320}, {1e-310, 0, 2e-310});
  one("nothing positive", {-1, 0, -3}, {-1, -2, 0}, log_axis("x"), log_axis("y"));
  one("very wide log", {1e-300, 1, 1e300}, {1e-300, 1, 1e300}, log_axis("x"), log_axis("y"));
  one("far offset", {1e9, 1e9 + 1e-3}, {-1e-12, 1e-12});
  one("Ångström ẋ 时间 \xff\x01", {0, 1}, {0, 1}, {"µ_{α}^{2}", "N.m/s2"}, {"a \xc3 b", "degC"});
  add("no panel", Figure{});
  Figure band_figure = make_figure("Band", {"t"}, {"y"});
  band_figure.panel().add(band({0, 1, NAN, 2, 3}, {0, 1, 0, NAN, 1}, {1, 2, 3, 4, inf}, "b"));
  add("broken band", band_figure);

  // Little room.
  Figure small = lines;
  small.width_mm = small.height_mm = 20;
  add("small", small);
  Figure crowded = make_figure(std::string(300, 'W'), {std::string(300, 'x'), "m"},
                               {std::string(300, 'y'), "kg"});
  for (int k = 0; k < 60; ++k)
    crowded.panel().add(line(t, wave, "a rather long name of a run, number " + std::to_string(k)));
  add("crowded", crowded);
  return out;
}

}  // namespace arges::plot
