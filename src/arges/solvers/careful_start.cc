#include "arges/solvers/careful_start.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "arges/base/float_spacing.h"

namespace arges {

namespace {

constexpr double kShare = 1e-8, kPart = 1e-5, kLeast = 1e-8, kRounding = 1e-14;
constexpr int kSteps = 60;

}  // namespace

CarefulStart::CarefulStart(int size, double rtol)
    : start_(static_cast<std::size_t>(size)),
      error_(start_.size()),
      f_(start_.size()),
      ahead_(start_.size()),
      bend_(start_.size()),
      rtol_(rtol),
      part_of_way_(std::min(0.1, 1e3 * rtol)) {}

double CarefulStart::begin(ModelCalls& calls, double t, const double* x,
                           const std::vector<double>& atol) {
  steps_ = 0;
  const std::size_t n = start_.size();
  const auto nominal = calls.equations().nominal();
  const auto evaluate = [&](double at, const double* state, double* f) {
    const bool done = calls.rhs(at, state, f) == 0;
    if (!done) calls.forget();  // the integrator will meet it, if it matters
    return done;
  };
  if (!evaluate(t, x, f_.data())) return 0;
  double fastest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double least = 1e-3 * (nominal.empty() ? 1 : std::abs(nominal[i]));
    fastest = std::max(fastest, std::abs(f_[i]) / std::max(std::abs(x[i]), least));
  }
  double s = std::max(1e-8 / fastest, 1024 * spacing(t));
  s = (t + s) - t;
  if (!std::isfinite(s)) return 0;
  for (std::size_t i = 0; i < n; ++i) ahead_[i] = x[i] + s * f_[i];
  if (!evaluate(t + s, ahead_.data(), bend_.data())) return 0;

  double h = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < n; ++i) {
    bend_[i] = std::abs(bend_[i] - f_[i]) / s;
    if (bend_[i] == 0) continue;
    const double usual = rtol_ * std::abs(x[i]) + atol[i];
    h = std::min(h, std::sqrt(2 * kShare * usual / bend_[i]));
    if (f_[i] != 0) h = std::min(h, kPart * std::abs(f_[i]) / bend_[i]);
  }
  if (!std::isfinite(h)) return 0;
  h = std::max(h, 16 * spacing(t));
  for (std::size_t i = 0; i < n; ++i) {
    start_[i] = x[i];
    error_[i] = bend_[i] == 0 ? -1 : bend_[i] * h * h;
  }
  steps_ = kSteps;
  return h;
}

double CarefulStart::tolerance(std::size_t i, double x, double usual) const {
  if (error_[i] < 0) return usual;
  const double tied = error_[i] + part_of_way_ * std::abs(x - start_[i]);
  return std::min(usual, std::max({tied, kLeast * usual, kRounding * std::abs(x)}));
}

}  // namespace arges
