#include "arges/plot/legend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace arges::plot {
namespace {

double sample_width(const Metrics& m) { return 2.2 * m.font; }
double inner_pad(const Metrics& m) { return 0.4 * m.font; }

}  // namespace

LegendBox make_legend(const Panel& panel, const Metrics& m, double widest, double highest) {
  LegendBox box;
  box.row = 1.35 * m.tick_font;
  std::vector<std::size_t> named;
  for (std::size_t i = 0; i < panel.series.size(); ++i)
    if (!panel.series[i].name.empty()) named.push_back(i);
  const bool alone =
      panel.series.size() == 1 && panel.legend == LegendPlace::kAuto && !panel.y.label.empty();
  if (named.empty() || alone || panel.legend == LegendPlace::kNone) return box;
  const double pads = 2 * inner_pad(m);
  const auto rows = static_cast<std::size_t>(std::clamp((highest - pads) / box.row, 1.0, 1e6));
  if (named.size() > rows) {
    const std::size_t kept = rows > 1 ? rows - 1 : 1;
    box.left_out = named.size() - kept;
    named.resize(kept);
  }
  const double room = std::max(widest - pads - sample_width(m) - m.gap, 2 * m.font);
  double text = 0;
  for (const std::size_t i : named) {
    box.entries.push_back({i, fit_text(parse_text(panel.series[i].name), m.tick_font, room)});
    text = std::max(text, text_width(box.entries.back().name, m.tick_font));
  }
  const std::size_t lines = named.size() + (box.left_out > 0 ? 1 : 0);
  box.width = pads + sample_width(m) + 1.5 * m.gap + text;
  box.height = pads + static_cast<double>(lines) * box.row;
  return box;
}

LegendSpot find_spot(LegendPlace place, const LegendBox& box, Rect area, const Metrics& m,
                     const std::vector<Shape>& shapes, const std::vector<InnerText>& texts) {
  const double off = 0.5 * m.font;
  const double left = area.x + off, right = area.right() - off - box.width;
  const double top = area.y + off, bottom = area.bottom() - off - box.height;
  const double centre = (left + right) / 2, middle = (top + bottom) / 2;
  const auto at = [&](double x, double y) { return Rect{x, y, box.width, box.height}; };
  switch (place) {
    case LegendPlace::kTopLeft:
      return {at(left, top), 0};
    case LegendPlace::kTopRight:
      return {at(right, top), 0};
    case LegendPlace::kBottomLeft:
      return {at(left, bottom), 0};
    case LegendPlace::kBottomRight:
      return {at(right, bottom), 0};
    case LegendPlace::kOutside:
      return {at(area.right() + off, area.y), 0};
    case LegendPlace::kAuto:
    case LegendPlace::kNone:
      break;
  }
  LegendSpot best{{}, HUGE_VAL};
  for (const Rect& frame :
       {at(right, top), at(left, top), at(right, bottom), at(left, bottom), at(right, middle),
        at(left, middle), at(centre, top), at(centre, bottom)}) {
    double hidden = hidden_length(shapes, frame.grown(0.3 * m.font));
    for (const InnerText& t : texts)
      if (overlap(t.box, frame)) hidden += 100;
    if (hidden < best.hidden) best = {frame, hidden};
  }
  return best;
}

void draw_legend(Canvas& canvas, const LegendBox& box, Rect frame, const Panel& panel,
                 const std::vector<Look>& looks, const Theme& theme, bool covers_data) {
  const Metrics m(theme);
  if (covers_data) canvas.fill(rectangle(frame), with_alpha(theme.background, 0.85));
  const double x = frame.x + inner_pad(m), length = sample_width(m);
  double y = frame.y + inner_pad(m) + box.row / 2;
  const TextStyle style{m.tick_font, theme.ink};
  const double text_x = x + length + 1.5 * m.gap;
  for (const LegendBox::Entry& entry : box.entries) {
    const Series& series = panel.series[entry.series];
    const Look& look = looks[entry.series];
    Shape sample;
    if (series.style == Style::kBand || series.style == Style::kBars) {
      sample.area = rectangle({x, y - 0.3 * m.font, length, 0.6 * m.font});
      // A band inside wider ones of its colour appears darker; so does its sample.
      for (std::size_t i = 0; i < entry.series; ++i)
        if (panel.series[i].style == Style::kBand && series.style == Style::kBand &&
            looks[i].color == look.color)
          draw_area(canvas, series, sample, look, theme);
      draw_area(canvas, series, sample, look, theme);
    } else {
      if (series.style != Style::kPoints) {
        sample.line.move_to({x, y});
        sample.line.line_to({x + length, y});
      }
      if (series.style == Style::kPoints || series.style == Style::kLinePoints)
        sample.markers = {{x + length / 2, y}};
      draw_line(canvas, sample, look, theme);
    }
    canvas.text({text_x, y + 0.36 * m.tick_font}, entry.name, style);
    y += box.row;
  }
  if (box.left_out > 0)
    canvas.text({text_x, y + 0.36 * m.tick_font},
                parse_text(fmt::format("… {} more", box.left_out)), style);
}

}  // namespace arges::plot
