#include "arges/compile/least_step.h"

#include <utility>

#include "arges/compile/loop_matrix.h"

namespace arges::vm {

namespace {

constexpr std::size_t kLargest = 300;
constexpr double kRank = 1e-11, kClosed = 1e-9;

}  // namespace

bool LeastStep::fits(const Loop& loop) { return loop.unknowns.size() <= kLargest; }

LeastStep::LeastStep(const Loop& loop, const std::vector<double>& values, std::vector<double> sizes)
    : a_(matrix_of(loop, values)), rows_(sizes.size(), 1.0), sizes_(std::move(sizes)) {
  for (Eigen::Index j = 0; j < a_.cols(); ++j) a_.col(j) *= sizes_[static_cast<std::size_t>(j)];
  for (Eigen::Index i = 0; i < a_.rows(); ++i) {
    const double largest = a_.row(i).cwiseAbs().maxCoeff();
    if (!(largest > 0)) continue;
    rows_[static_cast<std::size_t>(i)] = 1 / largest;
    a_.row(i) /= largest;
  }
}

dense::Vector LeastStep::scaled(const std::vector<double>& residual) const {
  dense::Vector r(a_.rows());
  for (Eigen::Index i = 0; i < r.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    r[i] = rows_[k] * residual[k];
  }
  return r;
}

void LeastStep::solve(std::vector<double>& r) const {
  const dense::Matrix s = dense::least_squares(a_, scaled(r), kRank).x;
  for (Eigen::Index j = 0; j < s.rows(); ++j) {
    const auto k = static_cast<std::size_t>(j);
    r[k] = sizes_[k] * s(j, 0);
  }
}

bool LeastStep::closes(const std::vector<double>& residual, const std::vector<double>& step) const {
  dense::Vector s(a_.cols());
  for (Eigen::Index j = 0; j < s.size(); ++j) {
    const auto k = static_cast<std::size_t>(j);
    s[j] = step[k] / sizes_[k];
  }
  return (scaled(residual) - a_ * s).cwiseAbs().maxCoeff() <= kClosed;
}

}  // namespace arges::vm
