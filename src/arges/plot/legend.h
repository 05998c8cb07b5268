#pragma once
// The legend of a panel: its entries, its size, and the place where it hides least.

#include <vector>

#include "arges/plot/inner_text.h"
#include "arges/plot/layout.h"
#include "arges/plot/shape.h"

namespace arges::plot {

struct LegendBox {
  struct Entry {
    std::size_t series;
    RichText name;
  };
  std::vector<Entry> entries;
  std::size_t left_out = 0;  // entries for which the panel is not high enough
  double width = 0, height = 0;
  double row = 0;  // height of one entry
  bool empty() const { return entries.empty(); }
};

// Entries for the named series. With kAuto, a lone series under a labelled y axis needs none.
// Names are cut to `widest` points and rows to `highest` points.
LegendBox make_legend(const Panel& panel, const Metrics& metrics, double widest, double highest);

// The frame for the legend inside `area`: for kAuto, among the corners and the middles of the sides
// the place with the least length of curves, fewest markers and no text below it; `hidden` is that
// length in points.
struct LegendSpot {
  Rect frame;
  double hidden = 0;
};
LegendSpot find_spot(LegendPlace place, const LegendBox& box, Rect area, const Metrics& metrics,
                     const std::vector<Shape>& shapes, const std::vector<InnerText>& texts);

void draw_legend(Canvas& canvas, const LegendBox& box, Rect frame, const Panel& panel,
                 const std::vector<Look>& looks, const Theme& theme, bool covers_data);

}  // namespace arges::plot
