#include "arges/hybrid/activity.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace arges {

ActivityMeter::ActivityMeter(const Equations& equations, const SolverOptions& options)
    : equations_(equations),
      relative_(options.rtol),
      absolute_(options.effective_atol()),
      x_(equations.size()),
      next_(equations.size()),
      activity_(equations.size()),
      crossings_(equations.size()),
      x_before_(equations.size()) {}

void ActivityMeter::begin(double t, const double* x) {
  t_ = t;
  knows_before_ = false;
  std::copy_n(x, x_.size(), x_.data());
}

void ActivityMeter::follow(const Stepper& stepper, double t) {
  constexpr int kPoints = 8;
  const double from = std::max(stepper.smooth_from(), t_);
  if (stepper.makes_moves()) knows_before_ = false;  // a move is a corner, not a turning point
  for (int k = 1; k <= kPoints; ++k) {
    const double at = k == kPoints ? t : from + (t - from) * k / kPoints;
    stepper.interpolate(at, next_.data());
    add(at, next_.data());
  }
}

void ActivityMeter::add(double t, const double* x) {
  const bool moves_on = t > t_;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    add_way(i, x_[i], x[i], 1);
    const double before = x_before_[i], middle = x_[i];
    if (!knows_before_ || !moves_on || !((x[i] - middle) * (middle - before) < 0)) continue;
    // The vertex of before + slope s + bend s (s - (t_ - t_before_)).
    const double slope = (middle - before) / (t_ - t_before_);
    const double bend = ((x[i] - middle) / (t - t_) - slope) / (t - t_before_);
    const double s = 0.5 * (t_ - t_before_ - slope / bend);  // since t_before_
    const double vertex = before + s * (slope + bend * (s - (t_ - t_before_)));
    add_way(i, middle, vertex, 2);  // there and back
  }
  if (moves_on) {
    x_before_.swap(x_);
    t_before_ = t_;
    knows_before_ = true;
    t_ = t;
  }
  std::copy_n(x, x_.size(), x_.data());
}

void ActivityMeter::add_way(std::size_t i, double from, double to, double times) {
  if (from == to) return;
  const double smallest = std::max(absolute_ * equations_.nominal()[i],
                                   std::numeric_limits<double>::min());  // of atol = 0
  activity_[i] += times * std::abs(to - from);
  crossings_[i] +=
      times * std::abs(quanta_from_zero(to, smallest) - quanta_from_zero(from, smallest));
}

// The integral of 1 / max(rtol |x|, smallest) from zero to x: straight as long as the absolute
// quantum is the larger one, a logarithm from there on.
double ActivityMeter::quanta_from_zero(double x, double smallest) const {
  const double size = std::abs(x);
  const double quanta = relative_ * size <= smallest
                            ? size / smallest
                            : (1 + std::log(relative_ * size) - std::log(smallest)) / relative_;
  return std::copysign(quanta, x);
}

std::vector<StateActivity> ActivityMeter::result() const {
  std::vector<StateActivity> all(x_.size());
  for (std::size_t i = 0; i < x_.size(); ++i)
    all[i] = {equations_.name(static_cast<int>(i)), activity_[i], crossings_[i]};
  return all;
}

}  // namespace arges
