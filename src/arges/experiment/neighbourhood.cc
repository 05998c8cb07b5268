#include "arges/experiment/neighbourhood.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "arges/experiment/whole_numbers.h"
#include "arges/linear/dense.h"

namespace arges {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kActive = 1e-4;  // of the range, as far as slopes tell
constexpr int kMostCorrections = 6;

void learn(MatrixXd& slopes, const VectorXd& way, const VectorXd& change) {
  if (change.allFinite()) slopes += (change - slopes * way) * way.transpose() / way.squaredNorm();
}

}  // namespace

Neighbourhood::Neighbourhood(Ledger& ledger, const OptimiseRequest& request)
    : ledger_(ledger), request_(request), here_(ledger.best()) {
  const std::vector<bool> fixed = fixed_variables(request, here_);
  for (std::size_t i = 0; i < here_.size(); ++i) {
    if (!fixed[i]) free_.push_back(i);
  }
}

Index Neighbourhood::constraints() const {
  return static_cast<Index>(request_.equalities + request_.inequalities);
}

bool Neighbourhood::is_equality(Index constraint) const {
  return constraint < static_cast<Index>(request_.equalities);
}

std::vector<double> Neighbourhood::moved(const VectorXd& step) const {
  std::vector<double> there = here_;
  for (std::size_t a = 0; a < free_.size(); ++a) {
    double& each = there[free_[a]];
    each = std::clamp(each + step[static_cast<Index>(a)], 0.0, 1.0);
  }
  return there;
}

VectorXd Neighbourhood::step_to(const std::vector<double>& there) const {
  VectorXd step(static_cast<Index>(free_.size()));
  for (std::size_t a = 0; a < free_.size(); ++a)
    step[static_cast<Index>(a)] = there[free_[a]] - here_[free_[a]];
  return step;
}

VectorXd Neighbourhood::axis(std::size_t variable, double length) const {
  VectorXd step = VectorXd::Zero(static_cast<Index>(free_.size()));
  step[static_cast<Index>(variable)] = length;
  return step;
}

const VectorXd& Neighbourhood::numbers_at(const std::vector<double>& unit) {
  if (const auto known = known_.find(unit); known != known_.end()) return known->second;
  const Appraisal& appraisal = ledger_.at(unit);
  VectorXd all(1 + constraints());
  Index k = 0;
  all[k++] = appraisal.has_value ? appraisal.value : std::nan("");
  for (const double h : appraisal.zero) all[k++] = h;
  for (const double g : appraisal.at_most_zero) all[k++] = g;
  if (appraisal.has_value && ledger_.is_feasible(appraisal) &&
      (best_.empty() || all[0] < best_value_)) {
    best_ = unit;
    best_value_ = all[0];
  }
  return known_[unit] = std::move(all);
}

void Neighbourhood::differentiate() {
  find_slopes();
  choose_active();
}

// Between the points on both sides, or from one of them where the other has no value.
void Neighbourhood::find_slopes() {
  slopes_ = MatrixXd::Zero(values().size(), static_cast<Index>(free_.size()));
  for (std::size_t a = 0; a < free_.size(); ++a) {
    std::vector<double> left = moved(axis(a, -kSlopeSize)), right = moved(axis(a, kSlopeSize));
    if (!numbers_at(left).allFinite()) left = here_;
    if (!numbers_at(right).allFinite()) right = here_;
    const double distance = right[free_[a]] - left[free_[a]];
    if (distance > 0)
      slopes_.col(static_cast<Index>(a)) = (numbers_at(right) - numbers_at(left)) / distance;
  }
}

void Neighbourhood::choose_active() {
  active_.clear();
  for (Index k = 0; k < constraints(); ++k) {
    const double steepness = slopes_.row(1 + k).cwiseAbs().maxCoeff();
    if (is_equality(k) || values()[1 + k] > -kActive * steepness) active_.push_back(1 + k);
  }
}

// The projection on the cone of these directions, by Hildreth's method.
VectorXd Neighbourhood::descent() const {
  constexpr int kSweeps = 200;
  const Index n = slopes_.cols();
  std::vector<std::pair<VectorXd, bool>> walls;  // outwards; whether both ways are barred
  for (const Index row : active_)
    walls.emplace_back(slopes_.row(row).transpose(), is_equality(row - 1));
  for (Index a = 0; a < n; ++a) {
    const double place = here_[free_[static_cast<std::size_t>(a)]];
    if (place <= 0) walls.emplace_back(-VectorXd::Unit(n, a), false);
    if (place >= 1) walls.emplace_back(VectorXd::Unit(n, a), false);
  }
  VectorXd rest = slopes_.row(0).transpose();
  std::vector<double> pushes(walls.size(), 0);
  for (int sweep = 0; sweep < kSweeps && !walls.empty(); ++sweep) {
    for (std::size_t k = 0; k < walls.size(); ++k) {
      const double square = walls[k].first.squaredNorm();
      if (!(square > 0)) continue;
      double push = pushes[k] - walls[k].first.dot(rest) / square;
      if (!walls[k].second) push = std::max(push, 0.0);
      rest += (push - pushes[k]) * walls[k].first;
      pushes[k] = push;
    }
  }
  if (rest.norm() <= 1e-9 * slopes_.row(0).norm()) return VectorXd::Zero(n);
  return -rest;
}

MatrixXd Neighbourhood::tangent_space() const {
  const Index n = slopes_.cols();
  if (active_.empty()) return MatrixXd::Identity(n, n);
  MatrixXd rows(static_cast<Index>(active_.size()), n);
  for (std::size_t k = 0; k < active_.size(); ++k) {
    const double norm = slopes_.row(active_[k]).norm();
    rows.row(static_cast<Index>(k)) = slopes_.row(active_[k]) / (norm > 0 ? norm : 1);
  }
  return dense::kernel(rows, 1e-6);
}

VectorXd Neighbourhood::restored(const VectorXd& step) {
  std::vector<double> there = moved(step);
  VectorXd numbers = numbers_at(there);
  MatrixXd slopes = slopes_;  // corrected by what the steps have shown, as Broyden does
  if (there != here_) learn(slopes, step_to(there), numbers - values());
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kMostCorrections && numbers.allFinite(); ++k) {
    std::vector<Index> rows;
    for (Index c = 0; c < constraints(); ++c) {
      const bool is_active = std::ranges::count(active_, 1 + c) > 0;
      if (is_active || numbers[1 + c] > 0) rows.push_back(1 + c);
    }
    double worst = 0;
    for (const Index row : rows) worst = std::max(worst, std::abs(numbers[row]));
    if (rows.empty() || worst <= request_.constraint_tolerance / 10 || worst > before / 2) break;
    before = worst;
    MatrixXd of_rows(static_cast<Index>(rows.size()), slopes.cols());
    VectorXd off(of_rows.rows());
    for (std::size_t r = 0; r < rows.size(); ++r) {
      of_rows.row(static_cast<Index>(r)) = slopes.row(rows[r]);
      off[static_cast<Index>(r)] = numbers[rows[r]];
    }
    const VectorXd back = dense::least_squares(of_rows, -off).x;
    if (!back.allFinite()) break;
    std::vector<double> next = moved(step_to(there) + back);
    if (next == there) break;
    const VectorXd way = step_to(next) - step_to(there);
    const VectorXd& there_then = numbers_at(next);
    if (!there_then.allFinite()) break;
    learn(slopes, way, there_then - numbers);
    numbers = there_then;
    there = std::move(next);
  }
  return numbers;
}

bool Neighbourhood::satisfies(const VectorXd& numbers) const {
  for (Index c = 0; c < constraints(); ++c) {
    const double by = is_equality(c) ? std::abs(numbers[1 + c]) : numbers[1 + c];
    if (by > request_.constraint_tolerance * ledger_.units().slack(static_cast<std::size_t>(c)))
      return false;
  }
  return true;
}

}  // namespace arges
