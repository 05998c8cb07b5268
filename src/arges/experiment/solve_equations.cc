#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "arges/experiment/find_root.h"
#include "arges/experiment/least_squares.h"
#include "arges/experiment/residual_function.h"

namespace arges {

namespace {

constexpr int kPoints = 24;  // at which signs are looked at
// What tells the scale of equations at a solution: how they change within the first part of the
// ranges, also as foretold by the second: far away they may be enormous, next to a jump steep.
constexpr double kAround[] = {1e-2, 1e-5};
constexpr double kSmallEnough = 1e-6;  // of this change
constexpr double kOpen = 100;          // times the relative error of the sides

// The bracket next to the first guess, if there is a change of sign.
std::optional<std::pair<double, double>> find_bracket(ResidualFunction& f) {
  const auto at = [&](double u) { return f(Eigen::VectorXd::Constant(1, u))[0]; };
  const double middle = f.first_guess()[0];
  double reach[2] = {middle, middle};
  double value[2] = {at(middle), 0};
  value[1] = value[0];
  if (value[0] == 0) return std::pair{middle, middle};
  const auto place = [&](int k, int side) {
    return std::lerp(middle, side == 0 ? 0.0 : 1.0, static_cast<double>(k) / kPoints);
  };
  const int stride = (f.width() + 1) / 2;  // of pairs that are evaluated at once
  for (int k = 1; k <= kPoints; ++k) {
    if ((k - 1) % stride == 0) {
      std::vector<Eigen::VectorXd> points;
      for (int next = k; next < std::min(k + stride, kPoints + 1); ++next) {
        for (const int side : {0, 1})
          points.push_back(Eigen::VectorXd::Constant(1, place(next, side)));
      }
      f.announce(points);
    }
    for (const int side : {0, 1}) {
      const double u = place(k, side);
      if (u == reach[side]) continue;
      const double r = at(u);
      if (r == 0) return std::pair{u, u};
      if (std::isfinite(r) && std::isfinite(value[side]) &&
          std::signbit(r) != std::signbit(value[side]))
        return std::pair{reach[side], u};
      reach[side] = u;
      value[side] = r;
    }
  }
  return std::nullopt;
}

void solve_one(ResidualFunction& f) {
  const auto bracket = find_bracket(f);
  if (!bracket) {
    descend(f, f.first_guess(), 1e-13);  // a root without a change of sign
    return;
  }
  if (bracket->first == bracket->second) return;
  find_root(
      [&](double u) {
        const double r = f(Eigen::VectorXd::Constant(1, u))[0];
        if (!std::isfinite(r)) throw ResidualSearchEnded{SearchStatus::kNotFound};
        return r;
      },
      bracket->first, bracket->second, 0);
}

// How much each residual changes around the best point.
Eigen::VectorXd change_around_best(ResidualFunction& f) {
  const Eigen::VectorXd rest = f.best(), unit = f.best_unit();
  constexpr double kUnknown = std::numeric_limits<double>::infinity();
  Eigen::VectorXd smallest = Eigen::VectorXd::Constant(rest.size(), kUnknown);
  for (const double distance : kAround) {
    const std::vector<Eigen::VectorXd> points = neighbours(unit, distance);
    f.announce(points);
    Eigen::VectorXd largest = Eigen::VectorXd::Constant(rest.size(), -1);
    for (const Eigen::VectorXd& point : points) {
      const Eigen::VectorXd there = f(point);
      if (there.allFinite()) largest = largest.cwiseMax((there - rest).cwiseAbs());
    }
    if (largest.minCoeff() >= 0) smallest = smallest.cwiseMin(largest * (kAround[0] / distance));
  }
  return smallest.allFinite() ? smallest : Eigen::VectorXd::Zero(rest.size()).eval();
}

// One over how much each residual changes along some variable, over a part of the range around the
// first guess: equations in units of their own, as constraints have them (constraint_units.h). 1
// where it does not change, or there is no value.
Eigen::VectorXd weights_around_first_guess(ResidualFunction& f) {
  constexpr double kPart = 0.1;
  const Eigen::VectorXd unit = f.first_guess();
  std::vector<Eigen::VectorXd> points{unit};
  for (Eigen::Index j = 0; j < unit.size(); ++j)
    points.push_back(moved(unit, j, unit[j] + kPart <= 1 ? kPart : -kPart));
  f.announce(points);
  const Eigen::VectorXd here = f(unit);
  Eigen::VectorXd change = Eigen::VectorXd::Zero(here.size());
  for (std::size_t k = 1; k < points.size() && here.allFinite(); ++k) {
    const Eigen::VectorXd there = f(points[k]);
    if (there.allFinite()) change = change.cwiseMax((there - here).cwiseAbs());
  }
  for (double& each : change) {
    const double weight = std::exp2(-std::round(std::log2(each)));
    each = std::isnormal(weight) ? weight : 1;
  }
  return change;
}

// Whether the best point, where the sides of the equations have this size, is a solution.
bool is_solution(ResidualFunction& f, const Eigen::VectorXd& size, double accuracy) {
  if (f.best().size() == 0) return false;
  const Eigen::VectorXd rest = f.best();
  if (rest.isZero(0)) return true;
  const double open = kOpen * accuracy;
  const Eigen::VectorXd small = std::max(kSmallEnough, open) * change_around_best(f) + open * size;
  return (rest.cwiseAbs().array() <= small.array()).all();
}

}  // namespace

SearchResult solve_equations(const SidesFunction& sides,
                             const std::vector<SearchVariable>& variables,
                             const SearchLimits& limits, double accuracy) {
  Eigen::VectorXd weights;  // of the equations; empty: 1
  Eigen::VectorXd size;     // of the sides at the best point, weighed
  double least = std::numeric_limits<double>::infinity();
  const Residuals r = [&](std::span<const double> x, std::vector<double>& values) {
    const Sides at = sides(x);
    const auto n = static_cast<Eigen::Index>(at.left.size());
    const Eigen::Map<const Eigen::VectorXd> left(at.left.data(), n), right(at.right.data(), n);
    Eigen::VectorXd difference = left - right;
    if (weights.size() > 0) difference.array() *= weights.array();
    values.assign(difference.begin(), difference.end());
    if (!(difference.squaredNorm() < least)) return;
    least = difference.squaredNorm();
    size = left.cwiseAbs().cwiseMax(right.cwiseAbs());
    if (weights.size() > 0) size.array() *= weights.array();
  };
  SearchResult result;
  SearchLimits left_over = limits;
  std::int64_t before = 0;
  if (variables.size() > 1) {
    ResidualFunction around(r, variables, limits);
    try {
      weights = weights_around_first_guess(around);
    } catch (const ResidualSearchEnded&) {  // the search ends likewise
    }
    before = around.evaluations();
    left_over.max_evaluations -= before;
    least = std::numeric_limits<double>::infinity();
  }
  ResidualFunction f(r, variables, left_over);
  try {
    if (variables.size() == 1) {
      solve_one(f);
    } else {
      descend(f, f.first_guess(), 1e-13);
    }
    result.status = is_solution(f, size, accuracy) ? SearchStatus::kFound : SearchStatus::kNotFound;
  } catch (const ResidualSearchEnded& ended) {
    result.status = ended.status;
  }
  f.fill(result);
  result.evaluations += before;
  if (weights.size() > 0 && f.best().size() > 0) {  // in the units of the equations
    const Eigen::VectorXd rest = f.best().cwiseQuotient(weights);
    result.value = rest.squaredNorm();
    result.residual = rest.cwiseAbs().maxCoeff();
  }
  if (result.status == SearchStatus::kNotFound) {
    result.message = f.best().size() == 0
                         ? "the conditions have no value at the first guess"
                         : fmt::format(
                               "the conditions are not satisfied anywhere near: the "
                               "smallest residual is {:.6g}",
                               result.residual);
  }
  return result;
}

}  // namespace arges
