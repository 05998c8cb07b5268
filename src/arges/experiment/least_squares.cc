#include "arges/experiment/least_squares.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/experiment/find_root.h"
#include "arges/linear/dense.h"

namespace arges {

namespace {

// Half the distance of central differences, on the scale of the variables: the errors of runs with
// rtol = 1e-10 and of the third derivative are alike.
constexpr double kDifference = 1e-5;
// A sum that hardly falls says little about variables which it depends on by their squares.
constexpr double kRoundingStep = 1e-9;
constexpr int kPoints = 24;  // at which signs are looked at
// What tells the scale of equations at a solution: how they change within the first part of the
// ranges, also as foretold by the second: far away they may be enormous, next to a jump steep.
constexpr double kAround[] = {1e-2, 1e-5};
constexpr double kSmallEnough = 1e-6;  // of this change
constexpr double kOpen = 100;          // times the relative error of the sides

// Thrown through the search when it has to end; the best point is kept.
struct Ended {
  SearchStatus status;
};

// r as a function on the unit cube, with the count, the limits and the best point so far.
class Function {
 public:
  Function(const Residuals& r, const std::vector<SearchVariable>& variables,
           const SearchLimits& limits)
      : r_(r), variables_(variables), limits_(limits), x_(variables.size()) {
    for (const SearchVariable& each : variables) {
      if (each.scale == SearchVariable::Scale::kInteger)
        throw ApiError(
            fmt::format("'{}': a search by derivatives needs no whole numbers", each.name));
    }
  }

  // Not finite where r does not exist.
  Eigen::VectorXd operator()(const Eigen::VectorXd& unit) {
    if (limits_.cancelled()) throw Ended{SearchStatus::kCancelled};
    if (evaluations_ >= limits_.max_evaluations) throw Ended{SearchStatus::kLimit};
    for (std::size_t i = 0; i < x_.size(); ++i)
      x_[i] = variables_[i].from_unit(unit[static_cast<Eigen::Index>(i)]);
    r_(x_, values_);
    Eigen::VectorXd result = Eigen::Map<const Eigen::VectorXd>(
        values_.data(), static_cast<Eigen::Index>(values_.size()));
    // What was cut off says nothing about the point.
    if (!result.allFinite() && limits_.cancelled()) throw Ended{SearchStatus::kCancelled};
    limits_.report(++evaluations_);
    if (!result.allFinite()) return result;
    if (best_x_.empty() || result.squaredNorm() < best_.squaredNorm()) {
      best_ = result;
      best_x_ = x_;
    }
    return result;
  }

  // They will be asked for.
  void announce(const std::vector<Eigen::VectorXd>& units) {
    if (!limits_.ahead() || limits_.cancelled()) return;
    const std::int64_t allowed = limits_.max_evaluations - evaluations_;
    std::vector<std::vector<double>> points;
    for (const Eigen::VectorXd& unit : units) {
      if (static_cast<std::int64_t>(points.size()) >= allowed) break;
      points.emplace_back();
      for (std::size_t i = 0; i < variables_.size(); ++i)
        points.back().push_back(variables_[i].from_unit(unit[static_cast<Eigen::Index>(i)]));
    }
    limits_.run_ahead(points);
  }
  int width() const { return limits_.ahead() ? limits_.width : 1; }

  Eigen::VectorXd first_guess() const {
    Eigen::VectorXd unit(static_cast<Eigen::Index>(variables_.size()));
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      unit[static_cast<Eigen::Index>(i)] =
          std::clamp(variables_[i].to_unit(variables_[i].first_guess()), 0.0, 1.0);
    }
    return unit;
  }

  Eigen::VectorXd best_unit() const {
    Eigen::VectorXd unit(static_cast<Eigen::Index>(variables_.size()));
    for (std::size_t i = 0; i < variables_.size(); ++i)
      unit[static_cast<Eigen::Index>(i)] = variables_[i].to_unit(best_x_[i]);
    return unit;
  }

  void fill(SearchResult& result) const {
    result.evaluations = evaluations_;
    result.x = best_x_;
    if (best_x_.empty()) result.x = x_;
    result.value = best_.size() > 0 ? best_.squaredNorm() : std::nan("");
    result.residual = best_.size() > 0 ? best_.cwiseAbs().maxCoeff() : std::nan("");
  }
  const Eigen::VectorXd& best() const { return best_; }
  const std::vector<SearchVariable>& variables() const { return variables_; }

 private:
  const Residuals& r_;
  const std::vector<SearchVariable>& variables_;
  const SearchLimits& limits_;
  std::vector<double> x_, values_, best_x_;
  Eigen::VectorXd best_;
  std::int64_t evaluations_ = 0;
};

Eigen::VectorXd moved(const Eigen::VectorXd& u, Eigen::Index j, double by) {
  Eigen::VectorXd there = u;
  there[j] = std::clamp(u[j] + by, 0.0, 1.0);
  return there;
}

// On either side along each variable, as far as the bounds allow it.
std::vector<Eigen::VectorXd> neighbours(const Eigen::VectorXd& u, double distance) {
  std::vector<Eigen::VectorXd> points;
  for (Eigen::Index j = 0; j < u.size(); ++j) {
    for (const double by : {distance, -distance}) {
      points.push_back(moved(u, j, by));
      if (points.back()[j] == u[j]) points.pop_back();
    }
  }
  return points;
}

// dr/du by central differences, one-sided at the bounds and where r ends.
Eigen::MatrixXd differences(Function& f, const Eigen::VectorXd& u, const Eigen::VectorXd& r) {
  Eigen::MatrixXd jacobian(r.size(), u.size());
  f.announce(neighbours(u, kDifference));
  for (Eigen::Index j = 0; j < u.size(); ++j) {
    Eigen::VectorXd right = moved(u, j, kDifference), left = moved(u, j, -kDifference);
    Eigen::VectorXd r_right = right[j] > u[j] ? f(right) : r;
    Eigen::VectorXd r_left = left[j] < u[j] ? f(left) : r;
    if (!r_right.allFinite()) r_right = r, right = u;
    if (!r_left.allFinite()) r_left = r, left = u;
    if (!(right[j] > left[j])) throw Ended{SearchStatus::kNotFound};
    jacobian.col(j) = (r_right - r_left) / (right[j] - left[j]);
  }
  return jacobian;
}

// The damped step, with variables fixed that would leave their range.
Eigen::VectorXd damped_step(const Eigen::MatrixXd& jacobian, const Eigen::VectorXd& r,
                            const Eigen::VectorXd& u, double damping) {
  const Eigen::VectorXd gradient = jacobian.transpose() * r;
  Eigen::MatrixXd normal = jacobian.transpose() * jacobian;
  Eigen::VectorXd right = -gradient;
  const double tiny = std::max(1e-300, 1e-14 * normal.diagonal().maxCoeff());
  for (Eigen::Index j = 0; j < u.size(); ++j) {
    const bool blocked = (u[j] <= 0 && gradient[j] > 0) || (u[j] >= 1 && gradient[j] < 0);
    if (blocked) {
      normal.row(j).setZero();
      normal.col(j).setZero();
      normal(j, j) = 1;
      right[j] = 0;
    } else {
      normal(j, j) += damping * std::max(normal(j, j), tiny);
    }
  }
  return dense::solve_symmetric(normal, right);
}

void descend(Function& f, const Eigen::VectorXd& start, double tolerance) {
  Eigen::VectorXd u = start;
  Eigen::VectorXd r = f(u);
  if (!r.allFinite()) throw Ended{SearchStatus::kNotFound};
  double damping = 1e-3, growth = 2;
  for (;;) {
    const Eigen::MatrixXd jacobian = differences(f, u, r);
    for (bool taken = false; !taken;) {
      if (r.isZero(0)) return;
      const Eigen::VectorXd wanted = damped_step(jacobian, r, u, damping);
      const Eigen::VectorXd next = (u + wanted).cwiseMax(0.0).cwiseMin(1.0);
      const Eigen::VectorXd step = next - u;
      if (!step.allFinite() || step.cwiseAbs().maxCoeff() < tolerance) return;
      const Eigen::VectorXd r_next = f(next);
      const double foretold = r.squaredNorm() - (r + jacobian * step).squaredNorm();
      const double gain = r.squaredNorm() - r_next.squaredNorm();
      taken = r_next.allFinite() && gain > 0;
      if (!taken) {
        damping *= growth;
        growth *= 2;
        continue;
      }
      // Nielsen's rule: less damping the better the linear model is.
      const double quality = foretold > 0 ? gain / foretold : 0;
      damping *= std::max(1.0 / 3, 1 - std::pow(2 * quality - 1, 3));
      growth = 2;
      const bool only_rounding =
          gain < 1e-15 * r.squaredNorm() && step.cwiseAbs().maxCoeff() < kRoundingStep;
      u = next;
      r = r_next;
      if (only_rounding) return;
    }
  }
}

// The bracket next to the first guess, if there is a change of sign.
std::optional<std::pair<double, double>> find_bracket(Function& f) {
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

void solve_one(Function& f) {
  const auto bracket = find_bracket(f);
  if (!bracket) {
    descend(f, f.first_guess(), 1e-13);  // a root without a change of sign
    return;
  }
  if (bracket->first == bracket->second) return;
  find_root(
      [&](double u) {
        const double r = f(Eigen::VectorXd::Constant(1, u))[0];
        if (!std::isfinite(r)) throw Ended{SearchStatus::kNotFound};
        return r;
      },
      bracket->first, bracket->second, 0);
}

// How much each residual changes around the best point.
Eigen::VectorXd change_around_best(Function& f) {
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

// Whether the best point, where the sides of the equations have this size, is a solution.
bool is_solution(Function& f, const Eigen::VectorXd& size, double accuracy) {
  if (f.best().size() == 0) return false;
  const Eigen::VectorXd rest = f.best();
  if (rest.isZero(0)) return true;
  const double open = kOpen * accuracy;
  const Eigen::VectorXd small = std::max(kSmallEnough, open) * change_around_best(f) + open * size;
  return (rest.cwiseAbs().array() <= small.array()).all();
}

}  // namespace

LeastSquaresResult least_squares(const Residuals& r, const std::vector<SearchVariable>& variables,
                                 const SearchLimits& limits, double tolerance) {
  Function f(r, variables, limits);
  LeastSquaresResult result;
  try {
    descend(f, f.first_guess(), tolerance);
    result.status = SearchStatus::kFound;
  } catch (const Ended& ended) {
    result.status = ended.status;
  }
  f.fill(result);
  if (f.best().size() == 0) {
    result.message = result.status == SearchStatus::kCancelled
                         ? "interrupted before the first run had ended"
                         : "there is no value at the first guess";
    return result;
  }
  result.residuals.assign(f.best().begin(), f.best().end());
  if (result.status == SearchStatus::kCancelled) return result;
  // Once more at the best point, for whoever asks how certain it is, beyond the limit if need be.
  SearchLimits more = limits;
  more.max_evaluations = 2 * static_cast<std::int64_t>(variables.size()) + 1;
  more.progress = nullptr;
  Function there(r, variables, more);
  try {
    const Eigen::MatrixXd jacobian = differences(there, f.best_unit(), f.best());
    for (std::size_t j = 0; j < variables.size(); ++j) {
      const SearchVariable& each = variables[j];
      const double slope = each.scale == SearchVariable::Scale::kLogarithmic
                               ? result.x[j] * std::log(each.high / each.low)
                               : each.high - each.low;
      for (const double entry : jacobian.col(static_cast<Eigen::Index>(j)))
        result.jacobian.push_back(entry / slope);
    }
  } catch (const Ended& ended) {
    result.jacobian.clear();
    if (ended.status == SearchStatus::kCancelled) result.status = ended.status;
  }
  result.evaluations += 2 * static_cast<std::int64_t>(variables.size());
  return result;
}

SearchResult solve_equations(const SidesFunction& sides,
                             const std::vector<SearchVariable>& variables,
                             const SearchLimits& limits, double accuracy) {
  Eigen::VectorXd size;  // of the sides at the best point
  double least = std::numeric_limits<double>::infinity();
  const Residuals r = [&](std::span<const double> x, std::vector<double>& values) {
    const Sides at = sides(x);
    const auto n = static_cast<Eigen::Index>(at.left.size());
    const Eigen::Map<const Eigen::VectorXd> left(at.left.data(), n), right(at.right.data(), n);
    const Eigen::VectorXd difference = left - right;
    values.assign(difference.begin(), difference.end());
    if (!(difference.squaredNorm() < least)) return;
    least = difference.squaredNorm();
    size = left.cwiseAbs().cwiseMax(right.cwiseAbs());
  };
  Function f(r, variables, limits);
  SearchResult result;
  try {
    if (variables.size() == 1) {
      solve_one(f);
    } else {
      descend(f, f.first_guess(), 1e-13);
    }
    result.status = is_solution(f, size, accuracy) ? SearchStatus::kFound : SearchStatus::kNotFound;
  } catch (const Ended& ended) {
    result.status = ended.status;
  }
  f.fill(result);
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
