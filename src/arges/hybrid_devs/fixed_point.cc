#include "arges/hybrid_devs/fixed_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace arges::hybrid_devs {

namespace {
constexpr int kMaxIterations = 60;
constexpr double kSmallestDamping = 1e-4;
// Relative to the unknowns: as good as the arithmetic; good enough when steps no longer shrink.
constexpr double kDone = 1e-15, kGoodEnough = 1e-9;
constexpr double kDifference = 1.5e-8;
constexpr double kSmallest = 1e-4;  // relative to what an unknown was before: what counts as small
constexpr double kSingularTo = 1e-7;
constexpr int kMaxRestarts = 12;

// The fractional parts of multiples of the golden ratio fill -1 .. 1 evenly.
double place(int k, std::size_t j, int of) {
  const double turn = 0.6180339887498949 * (k + of * static_cast<double>(j));
  return 2 * (turn - std::floor(turn)) - 1;
}
}  // namespace

FixedPoint::FixedPoint(std::size_t n)
    : n_(n),
      lu_(make_lu_solver(static_cast<int>(n), nullptr)),
      g_(n),
      residual_(n),
      matrix_(n * n),
      step_(n),
      next_(n),
      weight_(n),
      g_aside_(n),
      scale_(n) {}

bool FixedPoint::evaluate(const Function& g, const std::vector<double>& z) {
  largest_ = g(z, g_);
  for (std::size_t i = 0; i < n_; ++i) residual_[i] = g_[i] - z[i];
  return std::isfinite(largest_);
}

// How large an unknown is.
double FixedPoint::base(const std::vector<double>& z, std::size_t j) const {
  const double own = std::max({std::abs(z[j]), std::abs(g_[j]), kSmallest * scale_[j]});
  return own > 0 ? own : largest_ > 0 ? largest_ : 1;
}

// G' - 1 into the matrix, by columns. After evaluate() at z, which is left as it was.
bool FixedPoint::differentiate(const Function& g, const std::vector<double>& z) {
  aside_ = z;
  for (std::size_t j = 0; j < n_; ++j) {
    bool found = false;
    for (const double side : {1.0, -1.0}) {
      aside_[j] = z[j] + side * kDifference * base(z, j);
      found = std::isfinite(g(aside_, g_aside_));
      if (found) break;
    }
    if (!found) return false;
    const double h = aside_[j] - z[j];
    for (std::size_t i = 0; i < n_; ++i)
      matrix_[j * n_ + i] = (g_aside_[i] - g_[i]) / h - (i == j ? 1 : 0);
    aside_[j] = z[j];
  }
  return true;
}

// Relative to the unknowns as they are, and were.
double FixedPoint::length_of_step(const std::vector<double>& z) const {
  double length = 0;
  for (std::size_t j = 0; j < n_; ++j) {
    if (step_[j] != 0)
      length = std::max(length, std::abs(step_[j]) / std::max(std::abs(z[j]), scale_[j]));
  }
  return length;
}

bool FixedPoint::newton(const Function& g, std::vector<double>& z, bool damped) {
  if (!evaluate(g, z)) return false;
  std::vector<double> candidate(n_);
  const auto size_of = [&](const std::vector<double>& step) {
    double size = 0;
    for (std::size_t j = 0; j < n_; ++j) {
      if (!std::isfinite(step[j])) return std::numeric_limits<double>::infinity();
      if (step[j] != 0) size = std::max(size, std::abs(step[j]) / weight_[j]);
    }
    return size;
  };
  double last = std::numeric_limits<double>::infinity();
  bool keeps = false;
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    if (std::all_of(residual_.begin(), residual_.end(), [](double r) { return r == 0; }))
      return true;
    if (!keeps && (!differentiate(g, z) || lu_->factor(matrix_.data()) >= 0)) return false;
    step_ = residual_;
    lu_->solve(step_.data());
    double longest = 0;
    for (const double s : step_) longest = std::max(longest, std::abs(s));
    for (std::size_t j = 0; j < n_; ++j)
      weight_[j] = std::max({std::abs(z[j]), std::abs(step_[j]), 1e-6 * longest});
    const double size = size_of(step_);
    if (!std::isfinite(size)) return false;
    double scale = 1;
    for (;; scale /= 2) {
      if (scale < kSmallestDamping) break;
      for (std::size_t j = 0; j < n_; ++j) candidate[j] = z[j] - scale * step_[j];
      if (!evaluate(g, candidate)) continue;
      if (!damped || size < kGoodEnough) break;
      next_ = residual_;
      lu_->solve(next_.data());
      if (size_of(next_) <= (1 - scale / 4) * size) break;
    }
    if (scale < kSmallestDamping) {
      if (!keeps || !evaluate(g, z)) return false;
      keeps = false;  // the matrix was that of another point
      continue;
    }
    z = candidate;
    const bool full = scale == 1;
    const double length = length_of_step(z);
    if (full && length <= kDone) return true;
    const bool stands = full && iteration > 0 && size >= 0.5 * last;
    if (stands && length < kGoodEnough) return true;
    keeps = full && size <= 0.1 * last;
    last = full ? size : std::numeric_limits<double>::infinity();
  }
  return false;
}

bool FixedPoint::from(const Function& g, std::vector<double>& z) {
  const std::vector<double> start = z;
  if (newton(g, z, true)) return true;
  z = start;
  return newton(g, z, false);  // full steps find their way through kinks
}

void FixedPoint::remember(const std::vector<double>& z) {
  for (std::size_t j = 0; j < n_; ++j) scale_[j] = std::max(scale_[j], std::abs(z[j]));
}

FixedPoint::Outcome FixedPoint::follow(const Function& g, std::vector<double>& z) {
  if (!from(g, z)) return Outcome::kNotFound;
  remember(z);
  return Outcome::kFound;
}

FixedPoint::Outcome FixedPoint::search(const Function& g, std::vector<double>& z) {
  const std::vector<double> start = z;
  const auto found = [&] {
    if (is_singular(g, z)) return Outcome::kSingular;
    remember(z);
    return Outcome::kFound;
  };
  if (from(g, z)) return found();
  z.assign(n_, 0.0);
  if (from(g, z)) return found();
  std::vector<double> size(n_, 1.0);
  if (evaluate(g, start)) {
    for (std::size_t j = 0; j < n_; ++j) size[j] = base(start, j);
  }
  double spread = 0.1;
  for (int k = 1; k <= kMaxRestarts; ++k, spread *= 2) {
    for (std::size_t j = 0; j < n_; ++j) {
      z[j] = start[j] + spread * size[j] * place(k, j, kMaxRestarts);
    }
    if (from(g, z)) return found();
  }
  z = start;
  return is_singular(g, z) ? Outcome::kSingular : Outcome::kNotFound;
}

// Rows and columns are measured by the unknowns, and each row by G' or 1, of which it is made: then
// the inverse of a regular matrix makes no vector much longer, also not those tried here.
bool FixedPoint::is_singular(const Function& g, const std::vector<double>& z) {
  constexpr int kVectors = 3;
  if (!evaluate(g, z) || !differentiate(g, z)) return false;
  for (std::size_t i = 0; i < n_; ++i) {
    double largest = 1;
    for (std::size_t j = 0; j < n_; ++j) {
      double& entry = matrix_[j * n_ + i];
      entry *= base(z, j) / base(z, i);
      largest = std::max(largest, std::abs(i == j ? entry + 1 : entry));
    }
    for (std::size_t j = 0; j < n_; ++j) matrix_[j * n_ + i] /= largest;
  }
  if (lu_->factor(matrix_.data()) >= 0) return true;
  for (int vector = 1; vector <= kVectors; ++vector) {
    for (std::size_t j = 0; j < n_; ++j) step_[j] = n_ == 1 ? 1 : place(vector, j, kVectors);
    double before = 0, after = 0;
    for (const double part : step_) before = std::max(before, std::abs(part));
    lu_->solve(step_.data());
    for (const double part : step_) after = std::max(after, std::abs(part));
    if (!(after * kSingularTo < before)) return true;
  }
  return false;
}

}  // namespace arges::hybrid_devs
