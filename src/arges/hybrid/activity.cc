#include "arges/hybrid/activity.h"

#include <algorithm>
#include <cmath>

namespace arges {

ActivityMeter::ActivityMeter(const Equations& equations, const SolverOptions& options)
    : equations_(equations),
      relative_(options.rtol),
      absolute_(options.effective_atol()),
      x_(equations.size()),
      next_(equations.size()),
      activity_(equations.size()),
      crossings_(equations.size()) {}

void ActivityMeter::begin(double t, const double* x) {
  t_ = t;
  std::copy_n(x, x_.size(), x_.data());
}

void ActivityMeter::follow(const Stepper& stepper, double t) {
  constexpr int kPoints = 8;
  const double from = std::max(stepper.smooth_from(), t_);
  for (int k = 1; k <= kPoints; ++k) {
    stepper.interpolate(k == kPoints ? t : from + (t - from) * k / kPoints, next_.data());
    add(next_.data());
  }
  t_ = t;
}

void ActivityMeter::add(const double* x) {
  const auto nominal = equations_.nominal();
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const double way = std::abs(x[i] - x_[i]);
    const double size = 0.5 * (std::abs(x[i]) + std::abs(x_[i]));
    activity_[i] += way;
    if (way > 0) crossings_[i] += way / std::max(relative_ * size, absolute_ * nominal[i]);
    x_[i] = x[i];
  }
}

std::vector<StateActivity> ActivityMeter::result() const {
  std::vector<StateActivity> all(x_.size());
  for (std::size_t i = 0; i < x_.size(); ++i)
    all[i] = {equations_.name(static_cast<int>(i)), activity_[i], crossings_[i]};
  return all;
}

}  // namespace arges
