#include "arges/experiment/least_squares.h"

#include <algorithm>
#include <cmath>

#include "arges/experiment/residual_function.h"
#include "arges/linear/dense.h"

namespace arges {

namespace {

// Half the distance of central differences, on the scale of the variables: the errors of runs with
// rtol = 1e-10 and of the third derivative are alike.
constexpr double kDifference = 1e-5;
// A sum that hardly falls says little about variables which it depends on by their squares.
constexpr double kRoundingStep = 1e-9;

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

}  // namespace

Eigen::VectorXd moved(const Eigen::VectorXd& u, Eigen::Index j, double by) {
  Eigen::VectorXd there = u;
  there[j] = std::clamp(u[j] + by, 0.0, 1.0);
  return there;
}

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

Eigen::MatrixXd differences(ResidualFunction& f, const Eigen::VectorXd& u,
                            const Eigen::VectorXd& r) {
  Eigen::MatrixXd jacobian(r.size(), u.size());
  f.announce(neighbours(u, kDifference));
  for (Eigen::Index j = 0; j < u.size(); ++j) {
    Eigen::VectorXd right = moved(u, j, kDifference), left = moved(u, j, -kDifference);
    Eigen::VectorXd r_right = right[j] > u[j] ? f(right) : r;
    Eigen::VectorXd r_left = left[j] < u[j] ? f(left) : r;
    if (!r_right.allFinite()) r_right = r, right = u;
    if (!r_left.allFinite()) r_left = r, left = u;
    if (!(right[j] > left[j])) throw ResidualSearchEnded{SearchStatus::kNotFound};
    jacobian.col(j) = (r_right - r_left) / (right[j] - left[j]);
  }
  return jacobian;
}

void descend(ResidualFunction& f, const Eigen::VectorXd& start, double tolerance) {
  Eigen::VectorXd u = start;
  Eigen::VectorXd r = f(u);
  if (!r.allFinite()) throw ResidualSearchEnded{SearchStatus::kNotFound};
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

LeastSquaresResult least_squares(const Residuals& r, const std::vector<SearchVariable>& variables,
                                 const SearchLimits& limits, double tolerance) {
  ResidualFunction f(r, variables, limits);
  LeastSquaresResult result;
  try {
    descend(f, f.first_guess(), tolerance);
    result.status = SearchStatus::kFound;
  } catch (const ResidualSearchEnded& ended) {
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
  ResidualFunction there(r, variables, more);
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
  } catch (const ResidualSearchEnded& ended) {
    result.jacobian.clear();
    if (ended.status == SearchStatus::kCancelled) result.status = ended.status;
  }
  result.evaluations += 2 * static_cast<std::int64_t>(variables.size());
  return result;
}

}  // namespace arges
