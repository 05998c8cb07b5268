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
// What is left of the equation at a solution: relative to its sides; to the largest number on the
// way; and to what a change of the last digits of the unknowns makes.
constexpr double kResidual = 1e-6, kRounding = 1e-12, kLastDigits = 4e-15;
constexpr double kRest = 1e-13;  // the same of what is left where it is nothing but rounding
constexpr double kReach = 0.5;   // of an unknown: so far may full steps lead along a motion
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

// How large an unknown is. G says it only where nothing else does: far from a solution it may be
// larger by any factor.
double FixedPoint::base(const std::vector<double>& z, std::size_t j) const {
  const double own = std::max(std::abs(z[j]), kSmallest * scale_[j]);
  if (own > 0) return own;
  return g_[j] != 0 ? std::abs(g_[j]) : largest_ > 0 ? largest_ : 1;
}

// G' - 1 into the matrix, by columns. After evaluate() at z, which is left as it was. An unknown
// below `rest` is a residue of rounding: nothing would be seen of differences of its size.
bool FixedPoint::differentiate(const Function& g, const std::vector<double>& z, double rest) {
  aside_ = z;
  for (std::size_t j = 0; j < n_; ++j) {
    bool found = false;
    const double own = base(z, j), size = own > rest ? own : largest_;
    for (const double side : {1.0, -1.0}) {
      aside_[j] = z[j] + side * kDifference * size;
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

// Short steps alone say nothing: with a matrix of somewhere else they may be short anywhere. After
// evaluate() at z.
bool FixedPoint::is_solved(const Function& g, const std::vector<double>& z) {
  const double rounding = kRounding * largest_;
  bool is_small = true;
  for (std::size_t i = 0; i < n_; ++i) {
    const double sides = std::max(std::abs(z[i]), std::abs(g_[i]));
    is_small = is_small && std::abs(residual_[i]) <= std::max(kResidual * sides, rounding);
  }
  if (is_small) return true;
  if (!differentiate(g, z, 0)) return false;  // where G is steep, the last digits of z make more
  for (std::size_t i = 0; i < n_; ++i) {
    double moved = 0;
    for (std::size_t j = 0; j < n_; ++j) moved += std::abs(matrix_[j * n_ + i] * z[j]);
    if (!(std::abs(residual_[i]) <= std::max(kLastDigits * moved, rounding))) return false;
  }
  return true;
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
    if (!keeps && (!differentiate(g, z, 0) || lu_->factor(matrix_.data()) >= 0)) return false;
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
    const bool stands = full && iteration > 0 && size >= 0.5 * last;
    const bool ends = full && (length <= kDone || (stands && length < kGoodEnough));
    if (ends && is_solved(g, z)) return true;
    keeps = full && !ends && size <= 0.1 * last;
    last = full ? size : std::numeric_limits<double>::infinity();
  }
  return false;
}

// Whether what is left of the equation is: then it does not change smoothly where the unknowns
// change by as much, and all of them are zero as far as can be seen. After evaluate() at z.
bool FixedPoint::is_rounding(const Function& g, const std::vector<double>& z) {
  constexpr int kVectors = 20;
  constexpr double kZero = 1e-10, kFar = 16, kRoughness = 0.05;
  std::vector<double> rough(n_), there(n_);
  for (int vector = 1; vector <= kVectors; ++vector) {
    for (const double side : {1.0, -2.0}) {
      aside_ = z;
      for (std::size_t j = 0; j < n_; ++j)
        aside_[j] += side * kFar * residual_[j] * place(vector, j, kVectors);
      if (!std::isfinite(g(aside_, side > 0 ? there : g_aside_))) return false;
    }
    for (std::size_t i = 0; i < n_; ++i)
      rough[i] = std::max(rough[i], std::abs(2 * (there[i] - g_[i]) + (g_aside_[i] - g_[i])));
  }
  for (std::size_t i = 0; i < n_; ++i) {
    const double sides = std::max(std::abs(z[i]), std::abs(g_[i]));
    if (sides > kZero * largest_) return false;
    const double left = std::abs(residual_[i]);
    if (left > kResidual * sides && !(rough[i] > kRoughness * left)) return false;
  }
  return true;
}

// A solution of zero, of which rounding in G leaves steps as large as the unknowns: full steps,
// with differences that can be seen, until what is left no longer becomes less.
bool FixedPoint::is_at_rest(const Function& g, std::vector<double>& z) {
  constexpr int kSteps = 10;
  constexpr double kLess = 0.9;
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0;; ++k) {
    if (!evaluate(g, z)) return false;
    double left = 0;
    for (const double r : residual_) left = std::max(left, std::abs(r));
    if (left > kRest * largest_) return false;
    if (k == kSteps || !(left < kLess * last)) return is_rounding(g, z);
    last = left;
    if (!differentiate(g, z, kRounding * largest_) || lu_->factor(matrix_.data()) >= 0)
      return false;
    step_ = residual_;
    lu_->solve(step_.data());
    for (std::size_t j = 0; j < n_; ++j) z[j] -= step_[j];
  }
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

// Full steps may lead anywhere: what is too far from z is another solution.
FixedPoint::Outcome FixedPoint::follow(const Function& g, std::vector<double>& z) {
  const std::vector<double> start = z;
  if (!newton(g, z, true)) {
    z = start;
    if (!newton(g, z, false)) {
      z = start;
      if (!is_at_rest(g, z)) return Outcome::kNotFound;
    }
    for (std::size_t j = 0; j < n_; ++j) {
      const double size = std::max(std::abs(start[j]), scale_[j]);
      if (size > 0 && std::abs(z[j] - start[j]) > kReach * size) return Outcome::kNotFound;
    }
  }
  remember(z);
  return Outcome::kFound;
}

FixedPoint::Outcome FixedPoint::search(const Function& g, std::vector<double>& z) {
  const std::vector<double> start = z;
  const auto found = [&](bool at_rest = false) {
    const double rest = kRounding * largest_;
    if (is_singular(g, z, rest) && (at_rest || is_singular(g, z, 0))) return Outcome::kSingular;
    remember(z);
    return Outcome::kFound;
  };
  if (is_at_rest(g, z)) return found(true);
  z = start;
  if (from(g, z)) return found();
  z.assign(n_, 0.0);
  if (from(g, z)) return found();
  std::vector<double> size(n_, 1.0);
  if (evaluate(g, start)) {
    for (std::size_t j = 0; j < n_; ++j) size[j] = std::max(base(start, j), std::abs(g_[j]));
  }
  double spread = 0.1;
  for (int k = 1; k <= kMaxRestarts; ++k, spread *= 2) {
    for (std::size_t j = 0; j < n_; ++j) {
      z[j] = start[j] + spread * size[j] * place(k, j, kMaxRestarts);
    }
    if (from(g, z)) return found();
  }
  z.assign(n_, 0.0);
  if (is_at_rest(g, z)) return found(true);
  z = start;
  return is_singular(g, z, 0) ? Outcome::kSingular : Outcome::kNotFound;
}

// Changes the units of the unknowns so that what each gets from the others, and gives to them, is
// alike, unless it is less than its own 1: the rows and columns of G' - 1, in turn.
void FixedPoint::balance() {
  constexpr int kSweeps = 50;
  bool changes = true;
  for (int sweep = 0; sweep < kSweeps && changes; ++sweep) {
    changes = false;
    for (std::size_t i = 0; i < n_; ++i) {
      double row = 1, column = 1;
      for (std::size_t j = 0; j < n_; ++j) {
        if (j == i) continue;
        row = std::max(row, std::abs(matrix_[j * n_ + i]));
        column = std::max(column, std::abs(matrix_[i * n_ + j]));
      }
      const double unit = std::sqrt(row) / std::sqrt(column);
      if (unit > 0.5 && unit < 2) continue;
      changes = true;
      for (std::size_t j = 0; j < n_; ++j) {
        if (j == i) continue;
        matrix_[j * n_ + i] /= unit;
        matrix_[i * n_ + j] *= unit;
      }
    }
  }
}

// The units are those of the matrix itself, since an unknown may be next to zero by chance. Each
// row is measured by G' or 1, of which it is made: then the inverse of a regular matrix makes no
// vector much longer, also not those tried here.
bool FixedPoint::is_singular(const Function& g, const std::vector<double>& z, double rest) {
  constexpr int kVectors = 3;
  if (!evaluate(g, z) || !differentiate(g, z, rest)) return false;
  balance();
  for (std::size_t i = 0; i < n_; ++i) {
    double largest = 1;
    for (std::size_t j = 0; j < n_; ++j) {
      const double entry = matrix_[j * n_ + i];
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
