#pragma once
// Text inside the frame: the labels of reference lines, and notes at points of the data.

#include <vector>

#include "arges/plot/layout.h"
#include "arges/plot/shape.h"

namespace arges::plot {

struct InnerText {
  RichText text;
  Point baseline;
  Anchor anchor = Anchor::kStart;
  double angle = 0;
  bool strong = false;  // a note, in full ink
  Rect box;
};

// Places each text where it hides least of the curves: reference labels at either end of their
// line, notes on any side of their point, always inside the frame where that is possible.
std::vector<InnerText> place_inner_text(const Panel& panel, const PanelLayout& layout,
                                        const std::vector<Shape>& shapes, const Metrics& metrics);

void draw_inner_text(Canvas& canvas, const InnerText& text, const Theme& theme);

}  // namespace arges::plot
