#include "arges/experiment/local_model.h"

#include <algorithm>
#include <cmath>

#include "arges/experiment/stencil.h"
#include "arges/experiment/whole_numbers.h"

namespace arges {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kAtBound = 1e-9;

}  // namespace

// The objective, then h, then g.
VectorXd LocalModel::all_of(const std::vector<double>& unit) {
  const Appraisal& appraisal = ledger_.at(unit);
  VectorXd all(static_cast<Eigen::Index>(numbers_));
  Eigen::Index k = 0;
  all[k++] = appraisal.value;
  for (const double h : appraisal.zero) all[k++] = h;
  for (const double g : appraisal.at_most_zero) all[k++] = g;
  return all;
}

std::vector<double> LocalModel::moved(std::size_t i, double by) const {
  std::vector<double> there = here_;
  there[i] += by;
  return there;
}

void LocalModel::find_free() {
  free_.clear();
  const std::vector<bool> fixed = fixed_variables(request_, here_);
  for (std::size_t i = 0; i < here_.size(); ++i) {
    if (!fixed[i] && here_[i] > kAtBound && here_[i] < 1 - kAtBound) free_.push_back(i);
  }
}

bool LocalModel::differentiate(const std::vector<double>& unit, bool curvatures) {
  here_ = unit;
  const std::vector<std::size_t> before = free_;
  find_free();
  curvatures = curvatures || free_ != before;
  const auto n = static_cast<Eigen::Index>(free_.size());
  std::vector<Stencil> stencils;
  std::vector<std::vector<double>> points{here_};
  for (const std::size_t i : free_) {
    stencils.push_back(exact_stencil_at(here_[i]));
    for (const double offset : stencils.back().offsets) points.push_back(moved(i, offset));
  }
  if (curvatures) {
    for (std::size_t a = 0; a < free_.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        points.push_back(across(free_[a], free_[b], 1));
        if (has_both_sides(free_[a], free_[b])) points.push_back(across(free_[a], free_[b], -1));
      }
    }
  }
  ledger_.announce(points);
  values_ = all_of(here_);
  slopes_ = MatrixXd::Zero(values_.size(), n);
  if (curvatures) {
    curvatures_.assign(numbers_, MatrixXd::Zero(n, n));
  }
  for (Eigen::Index a = 0; a < n; ++a) {
    const std::size_t i = free_[static_cast<std::size_t>(a)];
    const Stencil& stencil = stencils[static_cast<std::size_t>(a)];
    for (std::size_t k = 0; k < stencil.offsets.size(); ++k) {
      const VectorXd there = all_of(moved(i, stencil.offsets[k]));
      slopes_.col(a) += stencil.weights[k] * there;
      for (std::size_t c = 0; curvatures && c < numbers_; ++c)
        curvatures_[c](a, a) += stencil.curvature[k] * there[static_cast<Eigen::Index>(c)];
    }
  }
  for (Eigen::Index a = 0; curvatures && a < n; ++a) {
    for (Eigen::Index b = 0; b < a; ++b) mix(a, b);
  }
  return curvatures;
}

// A step along two axes, to the inside.
double LocalModel::inside(std::size_t i) const {
  return here_[i] < 0.5 ? kStencilStep : -kStencilStep;
}

std::vector<double> LocalModel::across(std::size_t i, std::size_t j, double sign) const {
  std::vector<double> there = moved(i, sign * inside(i));
  there[j] += sign * inside(j);
  return there;
}

bool LocalModel::has_both_sides(std::size_t i, std::size_t j) const {
  const auto has = [](double u) { return u >= kStencilStep && u <= 1 - kStencilStep; };
  return has(here_[i]) && has(here_[j]);
}

void LocalModel::mix(Eigen::Index a, Eigen::Index b) {
  const std::size_t i = free_[static_cast<std::size_t>(a)], j = free_[static_cast<std::size_t>(b)];
  const double hi = inside(i), hj = inside(j);
  const bool both_sides = has_both_sides(i, j);
  const VectorXd there = all_of(across(i, j, 1)) - values_;
  const VectorXd opposite = both_sides ? all_of(across(i, j, -1)) - values_ : there;
  for (std::size_t c = 0; c < numbers_; ++c) {
    const auto row = static_cast<Eigen::Index>(c);
    MatrixXd& curvature = curvatures_[c];
    // What a quadratic through here would have without its mixed term.
    const double tilt = both_sides ? 0 : slopes_(row, a) * hi + slopes_(row, b) * hj;
    const double bend = curvature(a, a) * hi * hi / 2 + curvature(b, b) * hj * hj / 2;
    const double mean = (there[row] + opposite[row]) / 2;
    curvature(a, b) = curvature(b, a) = (mean - tilt - bend) / (hi * hj);
  }
}

double LocalModel::steepness(std::size_t number) const {
  const auto row = static_cast<Eigen::Index>(number);
  const double most = slopes_.cols() > 0 ? slopes_.row(row).cwiseAbs().maxCoeff() : 0;
  return most > 0 ? most : 1;
}

}  // namespace arges
