#include "arges/plot/canvas.h"

namespace arges::plot {

Path rectangle(Rect r) {
  Path path;
  path.move_to({r.x, r.y});
  path.line_to({r.right(), r.y});
  path.line_to({r.right(), r.bottom()});
  path.line_to({r.x, r.bottom()});
  path.line_to({r.x, r.y});
  return path;
}

bool overlap(const Rect& a, const Rect& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

}  // namespace arges::plot
