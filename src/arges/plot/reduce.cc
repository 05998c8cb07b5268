#include "arges/plot/reduce.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace arges::plot {

void Reducer::add(Point p) {
  const double column = std::floor(p.x / kColumn);
  const Numbered n{p, count_++};
  if (!in_column_ || column != column_) {
    flush_column();
    in_column_ = true;
    column_ = column;
    first_ = low_ = high_ = last_ = n;
    return;
  }
  if (p.y < low_.p.y) low_ = n;
  if (p.y > high_.p.y) high_ = n;
  last_ = n;
}

void Reducer::flush_column() {
  if (!in_column_) return;
  in_column_ = false;
  std::array<Numbered, 4> kept = {first_, low_, high_, last_};
  std::sort(kept.begin(), kept.end(), [](auto& a, auto& b) { return a.order < b.order; });
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (i == 0 || kept[i].order != kept[i - 1].order) simplify(kept[i].p);
}

void Reducer::simplify(Point p) {
  if (!has_anchor_) {
    out_.push_back(p);
    anchor_ = p;
    has_anchor_ = true;
    has_candidate_ = has_cone_ = false;
    distance_ = 0;
    return;
  }
  const double distance = std::hypot(p.x - anchor_.x, p.y - anchor_.y);
  bool fits = distance >= distance_;
  if (fits && distance > kTolerance) {
    const double direction = std::atan2(p.y - anchor_.y, p.x - anchor_.x);
    const double half = std::asin(kTolerance / distance);
    if (!has_cone_) {
      has_cone_ = true;
      direction_ = direction;
      cone_low_ = -half;
      cone_high_ = half;
    } else {
      const double off = std::remainder(direction - direction_, 2 * std::numbers::pi);
      fits = off >= cone_low_ && off <= cone_high_;
      if (fits) {
        cone_low_ = std::max(cone_low_, off - half);
        cone_high_ = std::min(cone_high_, off + half);
      }
    }
  }
  if (!fits) {
    out_.push_back(candidate_);
    anchor_ = candidate_;
    has_candidate_ = has_cone_ = false;
    distance_ = 0;
    simplify(p);
    return;
  }
  candidate_ = p;
  has_candidate_ = true;
  distance_ = distance;
}

void Reducer::finish() {
  flush_column();
  if (has_candidate_) out_.push_back(candidate_);
  has_anchor_ = has_candidate_ = has_cone_ = false;
  count_ = 0;
}

void LineClipper::add(Point p) {
  if (run_ > 0) {
    Point a = previous_, b = p;
    if (clip_segment(area_, a, b)) {
      if (pen_down_ && !(a == previous_)) lift_pen();
      if (!pen_down_) {
        out_.starts.push_back(out_.points.size());
        reducer_.add(a);
        pen_down_ = true;
      }
      reducer_.add(b);
      if (!(b == p)) lift_pen();
    } else {
      lift_pen();
    }
  }
  previous_ = p;
  run_ = std::min(run_ + 1, 2);
}

void LineClipper::gap() {
  lift_pen();
  if (run_ == 1 && area_.contains(previous_)) out_.move_to(previous_);
  run_ = 0;
}

void LineClipper::lift_pen() {
  if (pen_down_) reducer_.finish();
  pen_down_ = false;
}

bool clip_segment(Rect area, Point& a, Point& b) {
  if (area.contains(a) && area.contains(b)) return true;
  const double dx = b.x - a.x, dy = b.y - a.y;
  double enter = 0, leave = 1;
  const auto cut = [&](double p, double q) {
    if (p == 0) return q >= 0;
    const double t = q / p;
    if (p < 0)
      enter = std::max(enter, t);
    else
      leave = std::min(leave, t);
    return enter <= leave;
  };
  if (!cut(-dx, a.x - area.x) || !cut(dx, area.right() - a.x) || !cut(-dy, a.y - area.y) ||
      !cut(dy, area.bottom() - a.y))
    return false;
  const Point from = a;
  if (leave < 1) b = {from.x + leave * dx, from.y + leave * dy};
  if (enter > 0) a = {from.x + enter * dx, from.y + enter * dy};
  return true;
}

std::vector<Point> clip_polygon(Rect area, std::vector<Point> polygon) {
  // One side after the other; `inside` is positive within.
  const auto clip_side = [&polygon](auto inside) {
    std::vector<Point> kept;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Point a = polygon[i], b = polygon[(i + 1) % polygon.size()];
      const double da = inside(a), db = inside(b);
      if (da >= 0) kept.push_back(a);
      if ((da < 0) != (db < 0)) {
        const double t = da / (da - db);
        kept.push_back({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
      }
    }
    polygon = std::move(kept);
  };
  clip_side([&](Point p) { return p.x - area.x; });
  clip_side([&](Point p) { return area.right() - p.x; });
  clip_side([&](Point p) { return p.y - area.y; });
  clip_side([&](Point p) { return area.bottom() - p.y; });
  return polygon;
}

}  // namespace arges::plot
