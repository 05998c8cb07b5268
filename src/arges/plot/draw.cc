#include "arges/plot/draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "arges/plot/inner_text.h"
#include "arges/plot/layout.h"
#include "arges/plot/legend.h"
#include "arges/plot/shape.h"

namespace arges::plot {
namespace {

constexpr double kFrameWidth = 0.6, kGridWidth = 0.5;
constexpr double kHiddenLimit = 10;  // points of curve that a legend inside may cover

// Draws the parts of one panel.
class PanelPainter {
 public:
  PanelPainter(Canvas& canvas, const Figure& figure, std::size_t index, const PanelLayout& layout,
               std::vector<std::string>& warnings)
      : canvas_(canvas),
        figure_(figure),
        theme_(figure.theme),
        panel_(figure.panels[index]),
        x_axis_(x_axis_of(figure, index)),
        layout_(layout),
        area_(layout.area),
        m_(figure.theme),
        index_(index),
        warnings_(warnings) {}

  void draw_grid() {
    if (!panel_.grid) return;
    Path grid;
    if (x_axis_.categories.empty())
      for (const Tick& t : layout_.x_ticks.major) vertical(grid, layout_.x(t.value));
    for (const Tick& t : layout_.y_ticks.major) horizontal(grid, layout_.y(t.value));
    canvas_.stroke(grid, {theme_.grid, kGridWidth, {}, false});
  }

  // Lines at events, one for each column of the picture; and labels above the frame, as long as
  // they do not overlap.
  void draw_events() {
    std::vector<const EventMarker*> shown;
    for (const EventMarker& e : panel_.events)
      if (visible_x(layout_.x(e.x))) shown.push_back(&e);
    std::stable_sort(shown.begin(), shown.end(),
                     [](const EventMarker* a, const EventMarker* b) { return a->x < b->x; });
    Path lines;
    double last = -HUGE_VAL, text_end = -HUGE_VAL;
    std::size_t without_room = 0;
    for (const EventMarker* e : shown) {
      const double x = layout_.x(e->x);
      if (x - last >= 0.5) {
        vertical(lines, x);
        last = x;
      }
      if (e->label.empty()) continue;
      const RichText text = fit_text(parse_text(e->label), m_.event_font, page_width() / 2);
      const double half = text_width(text, m_.event_font) / 2;
      const double centre = std::clamp(x, half + 1, page_width() - half - 1);
      if (centre - half < text_end) {
        ++without_room;
        continue;
      }
      text_end = centre + half + 0.5 * m_.event_font;
      canvas_.text({centre, area_.y - m_.gap}, text,
                   {m_.event_font, theme_.muted, Anchor::kMiddle});
    }
    canvas_.stroke(lines, {theme_.muted, 0.6, {2.2, 1.8}, false});
    if (without_room > 0)
      warnings_.push_back(fmt::format("panel {}: {} event labels left out for lack of room",
                                      index_ + 1, without_room));
  }

  void draw_references() {
    Path lines;
    for (const ReferenceLine& r : panel_.references) {
      const double at = r.vertical ? layout_.x(r.value) : layout_.y(r.value);
      if (r.vertical ? visible_x(at) : visible_y(at))
        r.vertical ? vertical(lines, at) : horizontal(lines, at);
    }
    canvas_.stroke(lines, {theme_.muted, 0.8, dash_lengths(Dash::kDashed, 1)});
  }

  void draw_frame() {
    canvas_.stroke(rectangle(area_), {theme_.ink, kFrameWidth, {}, false});
    Path major, minor;
    const double x0 = area_.x, y0 = area_.bottom();
    const auto mark_x = [&](Path& path, double v, double length) {
      path.move_to({layout_.x(v), y0});
      path.line_to({layout_.x(v), y0 + length});
    };
    const auto mark_y = [&](Path& path, double v, double length) {
      path.move_to({x0, layout_.y(v)});
      path.line_to({x0 - length, layout_.y(v)});
    };
    if (x_axis_.categories.empty())
      for (const Tick& t : layout_.x_ticks.major) mark_x(major, t.value, m_.tick);
    for (const Tick& t : layout_.y_ticks.major) mark_y(major, t.value, m_.tick);
    for (const double v : layout_.x_ticks.minor) mark_x(minor, v, 0.55 * m_.tick);
    for (const double v : layout_.y_ticks.minor) mark_y(minor, v, 0.55 * m_.tick);
    canvas_.stroke(major, {theme_.ink, kFrameWidth, {}, false});
    canvas_.stroke(minor, {theme_.ink, 0.4, {}, false});
  }

  void draw_x_labels() {
    if (!layout_.x_labels) return;
    const double top = area_.bottom() + m_.tick + m_.gap;
    const double baseline = top + 0.78 * m_.tick_font;
    TextStyle style{m_.tick_font, theme_.ink, Anchor::kMiddle};
    if (layout_.slanted_labels) {
      style.anchor = Anchor::kEnd;
      style.angle = 35;
    }
    for (const Tick& t : layout_.x_ticks.major)
      canvas_.text(
          {layout_.x(t.value) + (layout_.slanted_labels ? 0.3 * m_.tick_font : 0), baseline},
          parse_text(t.label), style);
    // The lowest row: the title in the middle, the note at the right end.
    const double last = bottom_of_labels() + 2 * m_.gap + 0.78 * m_.font;
    const RichText note = parse_text(layout_.x_ticks.note);
    const double note_width = text_width(note, m_.tick_font);
    canvas_.text({area_.right(), last}, note, {m_.tick_font, theme_.ink, Anchor::kEnd});
    const double room = area_.width - (note.empty() ? 0 : 2 * (note_width + m_.font));
    const FittedText title = fitted(axis_title(x_axis_), m_.font, room);
    canvas_.text({area_.x + area_.width / 2, last}, title.text,
                 {title.size, theme_.ink, Anchor::kMiddle});
  }

  // `top` is the lower edge of the figure's title.
  void draw_y_labels(double label_x, double top) {
    const TextStyle style{m_.tick_font, theme_.ink, Anchor::kEnd};
    for (const Tick& t : layout_.y_ticks.major)
      canvas_.text({area_.x - m_.tick - m_.gap, layout_.y(t.value) + 0.36 * m_.tick_font},
                   parse_text(t.label), style);
    // Beside the middle of the frame, as long as that keeps it on the page and off other labels.
    const double page = figure_.height_mm * kPointsPerMm - m_.pad;
    const double room = figure_.panels.size() > 1 ? area_.height + 0.8 * m_.font : page - top;
    const FittedText title = fitted(axis_title(panel_.y), m_.font, std::min(room, page - top));
    const double half = text_width(title.text, title.size) / 2;
    const double centre = std::clamp(area_.y + area_.height / 2, top + half, page - half + 0.01);
    canvas_.text({label_x, centre}, title.text,
                 {title.size, theme_.ink, Anchor::kMiddle, false, 90});
    double above = area_.y - 1.5 * m_.gap;
    if (std::any_of(panel_.events.begin(), panel_.events.end(),
                    [](const EventMarker& e) { return !e.label.empty(); }))
      above -= m_.event_font + m_.gap;
    const RichText note = parse_text(layout_.y_ticks.note);
    canvas_.text({area_.x, above}, note, {m_.tick_font, theme_.ink});
    const double note_width = text_width(note, m_.tick_font);
    const double row = area_.width - (note.empty() ? 0 : 2 * (note_width + m_.font));
    const FittedText heading = fitted(panel_.title, m_.font, row);
    canvas_.text({area_.x + area_.width / 2, above}, heading.text,
                 {heading.size, theme_.ink, Anchor::kMiddle});
  }

  // Rings around the points that notes explain; "no data" where there are none.
  void draw_note_points(bool has_data) {
    for (const Note& n : panel_.notes) {
      const Point p{layout_.x(n.x), layout_.y(n.y)};
      if (!visible_x(p.x) || !visible_y(p.y)) continue;
      Path dot;
      dot.move_to(p);
      canvas_.stroke(dot, {theme_.ink, 4.2});
      canvas_.stroke(dot, {theme_.background, 2.6});
    }
    if (!has_data)
      canvas_.text({area_.x + area_.width / 2, area_.y + area_.height / 2}, parse_text("no data"),
                   {m_.font, theme_.muted, Anchor::kMiddle});
  }

 private:
  double page_width() const { return figure_.width_mm * kPointsPerMm; }
  bool visible_x(double x) const { return x >= area_.x - 0.01 && x <= area_.right() + 0.01; }
  bool visible_y(double y) const { return y >= area_.y - 0.01 && y <= area_.bottom() + 0.01; }

  double bottom_of_labels() const {
    const double top = area_.bottom() + m_.tick + m_.gap;
    if (!layout_.slanted_labels) return top + m_.tick_font;
    double widest = 0;
    for (const Tick& t : layout_.x_ticks.major)
      widest = std::max(widest, text_width(parse_text(t.label), m_.tick_font));
    return top + 0.574 * widest + 0.819 * m_.tick_font;
  }

  void vertical(Path& path, double x) const {
    path.move_to({x, area_.y});
    path.line_to({x, area_.bottom()});
  }
  void horizontal(Path& path, double y) const {
    path.move_to({area_.x, y});
    path.line_to({area_.right(), y});
  }

  Canvas& canvas_;
  const Figure& figure_;
  const Theme& theme_;
  const Panel& panel_;
  const Axis& x_axis_;
  const PanelLayout& layout_;
  const Rect area_;
  const Metrics m_;
  const std::size_t index_;
  std::vector<std::string>& warnings_;
};

std::vector<std::vector<Shape>> shapes_of(const Figure& figure,
                                          const std::vector<PanelLayout>& layout) {
  std::vector<std::vector<Shape>> shapes(figure.panels.size());
  for (std::size_t p = 0; p < figure.panels.size(); ++p)
    for (const Series& s : figure.panels[p].series)
      shapes[p].push_back(shape_of(figure.panels[p], s, layout[p].x, layout[p].y, layout[p].area));
  return shapes;
}

struct PlacedLegend {
  LegendBox box;
  Rect frame;
  bool inside = true;
};

// The layout with its legends, and the shapes in it.
struct Plan {
  std::vector<PanelLayout> layout;
  std::vector<std::vector<Shape>> shapes;
  std::vector<std::vector<InnerText>> texts;
  std::vector<PlacedLegend> legends;
};

Plan make_plan(const Figure& figure, const std::vector<PanelRanges>& ranges) {
  const Metrics m(figure.theme);
  const std::size_t n = figure.panels.size();
  Plan plan;
  std::vector<double> margins(n, 0);
  plan.texts.resize(n);
  const auto place = [&] {
    plan.layout = lay_out(figure, ranges, margins);
    plan.shapes = shapes_of(figure, plan.layout);
    for (std::size_t p = 0; p < n; ++p)
      plan.texts[p] = place_inner_text(figure.panels[p], plan.layout[p], plan.shapes[p], m);
  };
  place();
  plan.legends.resize(n);
  bool again = false;
  for (std::size_t p = 0; p < n; ++p) {
    const Panel& panel = figure.panels[p];
    const Rect area = plan.layout[p].area;
    PlacedLegend& legend = plan.legends[p];
    legend.box = make_legend(panel, m, 0.6 * area.width, HUGE_VAL);
    if (legend.box.empty()) continue;
    const LegendSpot spot =
        find_spot(panel.legend, legend.box, area, m, plan.shapes[p], plan.texts[p]);
    legend.frame = spot.frame;
    legend.inside = panel.legend != LegendPlace::kOutside;
    if (panel.legend == LegendPlace::kAuto &&
        (legend.box.width > 0.55 * area.width || legend.box.height > 0.7 * area.height ||
         spot.hidden > kHiddenLimit))
      legend.inside = false;
    if (legend.inside) continue;
    const double widest = 0.4 * figure.width_mm * kPointsPerMm;
    legend.box = make_legend(panel, m, widest, area.height);
    if (legend.box.width > widest) {  // not even shortened names fit
      legend.box.left_out += legend.box.entries.size();
      legend.box.entries.clear();
      continue;
    }
    margins[p] = legend.box.width + 0.5 * m.font;
    again = true;
  }
  if (!again) return plan;
  place();
  for (std::size_t p = 0; p < n; ++p) {
    PlacedLegend& legend = plan.legends[p];
    const LegendPlace side = legend.inside ? figure.panels[p].legend : LegendPlace::kOutside;
    legend.frame =
        find_spot(side, legend.box, plan.layout[p].area, m, plan.shapes[p], plan.texts[p]).frame;
  }
  return plan;
}

}  // namespace

std::vector<std::string> draw(const Figure& figure, Canvas& canvas) {
  std::vector<std::string> warnings;
  const std::vector<PanelRanges> ranges = find_ranges(figure, warnings);
  const Plan plan = make_plan(figure, ranges);
  const Theme& theme = figure.theme;
  const Metrics m(theme);
  const double width = figure.width_mm * kPointsPerMm, height = figure.height_mm * kPointsPerMm;
  if (theme.background.alpha > 0) canvas.fill(rectangle({0, 0, width, height}), theme.background);
  const FittedText title = fitted(figure.title, m.title_font, width - 2 * m.pad, true);
  const double middle =
      plan.layout.empty() ? width / 2 : plan.layout[0].area.x + plan.layout[0].area.width / 2;
  const double half = text_width(title.text, title.size, true) / 2 + m.pad;
  canvas.text({std::clamp(middle, std::min(half, width / 2), std::max(width - half, width / 2)),
               m.pad + 0.8 * m.title_font},
              title.text, {title.size, theme.ink, Anchor::kMiddle, true});

  const double top = m.pad + (figure.title.empty() ? 0 : m.title_font + m.gap);
  for (std::size_t p = 0; p < figure.panels.size(); ++p) {
    const Panel& panel = figure.panels[p];
    const PanelLayout& layout = plan.layout[p];
    const std::vector<Look> looks = looks_of(panel, theme);
    PanelPainter painter(canvas, figure, p, layout, warnings);
    painter.draw_grid();
    painter.draw_events();
    painter.draw_references();
    canvas.clip(layout.area.grown(theme.line_width / 2));
    for (std::size_t i = 0; i < looks.size(); ++i)
      if (!plan.shapes[p][i].area.empty())
        draw_area(canvas, panel.series[i], plan.shapes[p][i], looks[i], theme);
    for (std::size_t i = 0; i < looks.size(); ++i)
      draw_line(canvas, plan.shapes[p][i], looks[i], theme);
    canvas.unclip();
    painter.draw_frame();
    painter.draw_x_labels();
    painter.draw_y_labels(m.pad + 0.9 * m.font, top);
    painter.draw_note_points(ranges[p].has_data);
    for (const InnerText& t : plan.texts[p]) draw_inner_text(canvas, t, theme);
    const PlacedLegend& legend = plan.legends[p];
    if (!legend.box.empty())
      draw_legend(canvas, legend.box, legend.frame, panel, looks, theme, legend.inside);
    if (legend.box.left_out > 0)
      warnings.push_back(fmt::format("panel {}: {} series left out of the legend for lack of room",
                                     p + 1, legend.box.left_out));
  }
  return warnings;
}

}  // namespace arges::plot
