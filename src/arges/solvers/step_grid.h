#pragma once
// The time grid of the fixed-step methods.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace arges {

// The points t0 + k h with integer k, so that no drift accumulates; t0 is the time of the first
// start. A time closer to a grid point than a billionth of h (or than doubles can tell) counts as
// that point: no step is a mere rounding error long.
class StepGrid {
 public:
  explicit StepGrid(double h) : h_(h) {}

  double step() const { return h_; }
  // The current time is a grid point.
  bool on_grid() const { return on_grid_; }

  void start(double t) {
    if (!anchored_) {
      t0_ = t;
      anchored_ = true;
    }
    const double tolerance = tolerance_at(t);
    next_ = static_cast<std::int64_t>(std::floor((t - t0_) / h_));
    while (point(next_) <= t + tolerance) ++next_;
    on_grid_ = t - point(next_ - 1) <= tolerance;
  }

  struct Target {
    double t;
    bool on_grid;
  };
  // The next grid point, or `limit` when that comes first.
  Target target(double limit) const {
    const double grid = point(next_);
    const double tolerance = tolerance_at(grid);
    if (limit > grid + tolerance) return {grid, true};
    return {limit, limit >= grid - tolerance};
  }
  void reached(const Target& target) {
    on_grid_ = target.on_grid;
    if (on_grid_) ++next_;
  }

 private:
  double point(std::int64_t k) const { return t0_ + static_cast<double>(k) * h_; }
  double tolerance_at(double t) const {
    return std::max(1e-9 * h_, 4 * std::numeric_limits<double>::epsilon() * std::fabs(t));
  }

  double h_;
  double t0_ = 0;
  std::int64_t next_ = 1;
  bool anchored_ = false;
  bool on_grid_ = true;
};

}  // namespace arges
