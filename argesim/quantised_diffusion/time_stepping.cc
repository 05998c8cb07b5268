#include "argesim/quantised_diffusion/time_stepping.h"

#include <ctime>

namespace arges::argesim {

EulerRow::EulerRow(int cells, double k, double h)
    : cells_(cells), r_(k * h), u_(cells + 2), next_(cells + 2), factor_(cells + 2) {
  u_[cells / 2 + 1] = 1;
  for (int i = 1; i <= cells; ++i) factor_[i] = r_ / (1 + 2 * r_ - r_ * factor_[i - 1]);
}

void EulerRow::explicit_step() {
  for (int i = 1; i <= cells_; ++i) next_[i] = u_[i] + r_ * (u_[i - 1] - 2 * u_[i] + u_[i + 1]);
  u_.swap(next_);
}

void EulerRow::implicit_step() {
  for (int i = 1; i <= cells_; ++i) u_[i] = (u_[i] / r_ + u_[i - 1]) * factor_[i];
  for (int i = cells_; i >= 1; --i) u_[i] += factor_[i] * u_[i + 1];
}

SteppingTime time_of_stepping(int cells, double k, double h, double t_end) {
  constexpr int kShare = 20;
  const auto steps = static_cast<long>(t_end / h / kShare);
  const auto seconds_of = [&](void (EulerRow::*step)()) {
    EulerRow row(cells, k, h);
    const std::clock_t start = std::clock();
    for (long i = 0; i < steps; ++i) (row.*step)();
    return kShare * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  return {seconds_of(&EulerRow::explicit_step), seconds_of(&EulerRow::implicit_step)};
}

}  // namespace arges::argesim
