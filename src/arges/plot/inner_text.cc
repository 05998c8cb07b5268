#include "arges/plot/inner_text.h"

#include <algorithm>
#include <cmath>

namespace arges::plot {
namespace {

constexpr double kAscent = 0.85, kDescent = 0.25;  // of the font size

// The box of a text that is `width` long, horizontal or, at 90 degrees, running upwards.
Rect box_of(const InnerText& t, double width, double size) {
  const double back = t.anchor == Anchor::kEnd      ? width
                      : t.anchor == Anchor::kMiddle ? width / 2
                                                    : 0;
  const double height = (kAscent + kDescent) * size;
  if (t.angle == 0) return {t.baseline.x - back, t.baseline.y - kAscent * size, width, height};
  return {t.baseline.x - kAscent * size, t.baseline.y - width + back, height, width};
}

// Takes the candidate that hides least; one that leaves the frame or covers another text counts as
// hiding a lot.
void choose(std::vector<InnerText>& placed, std::vector<InnerText> candidates, Rect area,
            const std::vector<Shape>& shapes, const Metrics& m) {
  const double width = text_width(candidates[0].text, m.tick_font);
  double least = HUGE_VAL;
  const InnerText* best = nullptr;
  for (InnerText& c : candidates) {
    c.box = box_of(c, width, m.tick_font);
    double hidden = hidden_length(shapes, c.box);
    const Rect& b = c.box;
    if (b.x < area.x || b.right() > area.right() || b.y < area.y || b.bottom() > area.bottom())
      hidden += 1000;
    for (const InnerText& other : placed)
      if (overlap(other.box, b)) hidden += 500;
    if (hidden < least) {
      least = hidden;
      best = &c;
    }
  }
  // Where nothing fits, back into the frame as far as it goes.
  InnerText chosen = *best;
  const auto shift = [](double low, double high, double from, double to) {
    return low < from ? from - low : high > to ? std::max(to - high, from - low) : 0;
  };
  const double dx = shift(chosen.box.x, chosen.box.right(), area.x, area.right());
  const double dy = shift(chosen.box.y, chosen.box.bottom(), area.y, area.bottom());
  chosen.baseline = {chosen.baseline.x + dx, chosen.baseline.y + dy};
  chosen.box.x += dx;
  chosen.box.y += dy;
  placed.push_back(chosen);
}

}  // namespace

std::vector<InnerText> place_inner_text(const Panel& panel, const PanelLayout& layout,
                                        const std::vector<Shape>& shapes, const Metrics& m) {
  const Rect area = layout.area;
  const double size = m.tick_font, off = 0.5 * m.font;
  std::vector<InnerText> placed;
  for (const ReferenceLine& r : panel.references) {
    const double at = r.vertical ? layout.x(r.value) : layout.y(r.value);
    const bool visible =
        r.vertical ? at >= area.x && at <= area.right() : at >= area.y && at <= area.bottom();
    if (r.label.empty() || !visible) continue;
    const RichText text =
        fit_text(parse_text(r.label), size, (r.vertical ? area.height : area.width) - 2 * off);
    std::vector<InnerText> candidates;
    for (const Anchor anchor : {Anchor::kEnd, Anchor::kStart, Anchor::kMiddle})
      for (const double shift : {-0.3 * size, (kAscent + 0.1) * size}) {
        const double share = anchor == Anchor::kEnd ? 1 : anchor == Anchor::kStart ? 0 : 0.5;
        const Point p =
            r.vertical ? Point{at + shift, area.bottom() - off - share * (area.height - 2 * off)}
                       : Point{area.x + off + share * (area.width - 2 * off), at + shift};
        candidates.push_back({text, p, anchor, r.vertical ? 90.0 : 0.0, false, {}});
      }
    choose(placed, std::move(candidates), area, shapes, m);
  }
  for (const Note& n : panel.notes) {
    const Point p{layout.x(n.x), layout.y(n.y)};
    if (!area.grown(0.01).contains(p)) continue;
    const RichText text = fit_text(parse_text(n.text), size, area.width - 2 * off);
    std::vector<InnerText> candidates;
    for (const double away : {1.0, 2.5, 5.0}) {
      const double d = away * off;
      for (const Point q :
           {Point{d, -0.8 * d}, Point{-d, -0.8 * d}, Point{d, 0.8 * d + 0.7 * size},
            Point{-d, 0.8 * d + 0.7 * size}, Point{1.4 * d, 0.36 * size},
            Point{-1.4 * d, 0.36 * size}, Point{0, -1.4 * d}, Point{0, 1.4 * d + 0.7 * size}}) {
        const Anchor anchor = q.x > 0 ? Anchor::kStart : q.x < 0 ? Anchor::kEnd : Anchor::kMiddle;
        candidates.push_back({text, {p.x + q.x, p.y + q.y}, anchor, 0, true, {}});
      }
    }
    choose(placed, std::move(candidates), area, shapes, m);
  }
  return placed;
}

void draw_inner_text(Canvas& canvas, const InnerText& t, const Theme& theme) {
  // On a patch of background, so that it can be read over curves and grid.
  canvas.fill(rectangle(t.box), with_alpha(theme.background, 0.75));
  canvas.text(
      t.baseline, t.text,
      {Metrics(theme).tick_font, t.strong ? theme.ink : theme.muted, t.anchor, false, t.angle});
}

}  // namespace arges::plot
