#pragma once
// Residuals on the unit cube, for searches by their derivatives.

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <Eigen/Dense>

#include "arges/base/error.h"
#include "arges/experiment/least_squares.h"

namespace arges {

// Thrown through the search when it has to end; the best point is kept.
struct ResidualSearchEnded {
  SearchStatus status;
};

// r as a function on the unit cube, with the count, the limits and the best point so far.
class ResidualFunction {
 public:
  ResidualFunction(const Residuals& r, const std::vector<SearchVariable>& variables,
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
    if (limits_.cancelled()) throw ResidualSearchEnded{SearchStatus::kCancelled};
    if (evaluations_ >= limits_.max_evaluations) throw ResidualSearchEnded{SearchStatus::kLimit};
    for (std::size_t i = 0; i < x_.size(); ++i)
      x_[i] = variables_[i].from_unit(unit[static_cast<Eigen::Index>(i)]);
    r_(x_, values_);
    Eigen::VectorXd result = Eigen::Map<const Eigen::VectorXd>(
        values_.data(), static_cast<Eigen::Index>(values_.size()));
    // What was cut off says nothing about the point.
    if (!result.allFinite() && limits_.cancelled())
      throw ResidualSearchEnded{SearchStatus::kCancelled};
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
  std::int64_t evaluations() const { return evaluations_; }
  const std::vector<SearchVariable>& variables() const { return variables_; }

 private:
  const Residuals& r_;
  const std::vector<SearchVariable>& variables_;
  const SearchLimits& limits_;
  std::vector<double> x_, values_, best_x_;
  Eigen::VectorXd best_;
  std::int64_t evaluations_ = 0;
};

// A point beside another along one variable, within the cube.
Eigen::VectorXd moved(const Eigen::VectorXd& u, Eigen::Index j, double by);
// On either side along each variable, as far as the bounds allow it.
std::vector<Eigen::VectorXd> neighbours(const Eigen::VectorXd& u, double distance);
// dr/du by central differences, one-sided at the bounds and where r ends.
Eigen::MatrixXd differences(ResidualFunction& f, const Eigen::VectorXd& u,
                            const Eigen::VectorXd& r);
// The method of least_squares.h, from a point; the best one is kept by f. Throws
// ResidualSearchEnded.
void descend(ResidualFunction& f, const Eigen::VectorXd& start, double tolerance);

}  // namespace arges
