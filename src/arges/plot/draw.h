#pragma once
// Draws a figure on any canvas.

#include <string>
#include <vector>

#include "arges/plot/canvas.h"
#include "arges/plot/figure.h"

namespace arges::plot {

// The canvas has the size of the figure. Returns what the reader of the picture should know: points
// that a logarithmic axis cannot show, labels without room. Any data can be drawn, empty ones too;
// ApiError and UserError are as in find_ranges() and lay_out().
//
//   ranges <- data                                     plot/axis_map.h
//   layout <- ranges, without legends outside          plot/layout.h
//   shapes <- data clipped and reduced in the layout   plot/shape.h
//   legends: the best place inside; if even that hides curves, or the box is too large,
//            outside: layout and shapes once more      plot/legend.h
//   then from back to front: grid, events, references, areas, lines, frame, text, legend
std::vector<std::string> draw(const Figure& figure, Canvas& canvas);

}  // namespace arges::plot
