#include "argesim/quantised_diffusion/model.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

namespace arges::argesim {

PulseDiffusion::PulseDiffusion(int cells, double k)
    : RowwiseSystem("quantised-diffusion", "a pulse of heat that spreads in a rod"),
      cells_(cells),
      k_(k) {
  std::vector<std::pair<StateId, StateId>> entries;
  for (int i = 0; i < cells; ++i) {
    u_.push_back(declare_state("u[" + std::to_string(i + 1) + "]", i == cells / 2 ? 1 : 0));
    if (i > 0) entries.insert(entries.end(), {{u_[i], u_[i - 1]}, {u_[i - 1], u_[i]}});
  }
  declare_sparsity(entries);
  declare_jacobian();
  declare_autonomous();
  declare_rows(RowAccess::kSeries);
  declare_experiment({.stop_time = 8});
}

void PulseDiffusion::jacobian(const Point&, const double*, double, JacobianEntries J) const {
  for (int i = 0; i < cells_; ++i) {
    J(u_[i], u_[i]) = -2 * k_;
    if (i > 0) J(u_[i], u_[i - 1]) = J(u_[i - 1], u_[i]) = k_;
  }
}

std::vector<double> PulseDiffusion::exact(double t) const {
  std::vector<double> u(cells_);
  const int middle = cells_ / 2 + 1;
  for (int p = 1; p <= cells_; ++p) {
    const double wave = std::numbers::pi * p / (cells_ + 1), s = std::sin(wave / 2);
    const double amplitude =
        2.0 / (cells_ + 1) * std::sin(wave * middle) * std::exp(-4 * k_ * s * s * t);
    for (int i = 0; i < cells_; ++i) u[i] += amplitude * std::sin(wave * (i + 1));
  }
  return u;
}

double PulseDiffusion::error(const std::vector<double>& x, double t) const {
  const std::vector<double> right = exact(t);
  double worst = 0;
  for (int i = 0; i < cells_; ++i) worst = std::max(worst, std::abs(x[i] - right[i]));
  return worst;
}

}  // namespace arges::argesim
