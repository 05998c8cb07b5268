#include "arges/solvers/stiffness_probe.h"

#include <cmath>

#include "arges/base/error.h"

namespace arges {

StiffnessProbe::StiffnessProbe(const Equations& equations, Counts counts)
    : equations_(equations), counts_(counts) {
  const auto n = static_cast<std::size_t>(equations.size());
  scale_.resize(n);
  direction_.resize(n);
  shifted_x_.resize(n);
  f_.resize(n);
  shifted_f_.resize(n);
  // Any direction that is not orthogonal to the one that is sought: of irregular components.
  for (std::size_t i = 0; i < n; ++i)
    direction_[i] = 1 + 0.5 * std::sin(static_cast<double>(i * i + 1));
}

void StiffnessProbe::look(double t, const double* x, double h, double limit, std::int64_t& rhs) {
  const std::size_t n = scale_.size();
  for (std::size_t i = 0; i < n; ++i) {
    const double nominal = equations_.nominal().empty() ? 1 : std::abs(equations_.nominal()[i]);
    scale_[i] = std::abs(x[i]) + 1e-3 * (nominal > 0 ? nominal : 1);
  }
  double rho = 0, cosine = 0;
  try {
    rhs += 1 + kRounds;
    equations_.rhs(t, x, f_.data());
    for (int round = 0; round < kRounds; ++round) {
      if (!iterate(t, x, rho, cosine)) return;
    }
  } catch (const EvaluationError&) {
    return;
  }
  constexpr double kReverse = -0.9;
  if (h * rho > limit && (counts_ == Counts::kAnyMotion || cosine < kReverse)) {
    ++suspicious_;
    calm_ = 0;
  } else if (++calm_ == kCalm) {
    suspicious_ = 0;
  }
}

bool StiffnessProbe::iterate(double t, const double* x, double& rho, double& cosine) {
  constexpr double kShift = 1e-7;
  const std::size_t n = scale_.size();
  double length = 0;
  for (const double v : direction_) length += v * v;
  length = std::sqrt(length);
  if (!(length > 0)) return true;  // df/dx is zero as far as one can see
  for (std::size_t i = 0; i < n; ++i)
    shifted_x_[i] = x[i] + kShift / length * scale_[i] * direction_[i];
  equations_.rhs(t, shifted_x_.data(), shifted_f_.data());
  double sum = 0, product = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double change = (shifted_f_[i] - f_[i]) / (kShift * scale_[i]);
    sum += change * change;
    product += change * direction_[i];
  }
  if (!std::isfinite(sum)) return false;
  rho = std::sqrt(sum);
  if (rho == 0) return true;  // keeps the direction
  cosine = product / (rho * length);
  for (std::size_t i = 0; i < n; ++i)
    direction_[i] = (shifted_f_[i] - f_[i]) / (kShift * scale_[i] * rho);
  return true;
}

}  // namespace arges
