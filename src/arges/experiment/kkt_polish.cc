#include "arges/experiment/kkt_polish.h"

#include <algorithm>
#include <cmath>

#include "arges/experiment/local_model.h"
#include "arges/linear/dense.h"

namespace arges {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kNearlyActive = 1e-4;  // of the range, as far as slopes tell
constexpr double kFarthest = 1e-2;      // from the start, as a part of the ranges
constexpr double kSmallest = 1e-10;
constexpr int kMostSteps = 8;

class Newton {
 public:
  Newton(Ledger& ledger, const OptimiseRequest& request, const std::vector<double>& start)
      : ledger_(ledger), request_(request), start_(start), here_(start), model_(ledger, request) {}

  std::optional<KktPoint> run() {
    double last = kFarthest;
    for (int k = 0; k < kMostSteps; ++k) {
      const MatrixXd before = model_.slopes();
      // Curvatures once, for they only decide how fast the steps shrink.
      if (model_.differentiate(here_, k == 0)) {
        const auto n = static_cast<Eigen::Index>(model_.free().size());
        learnt_ = MatrixXd::Zero(n, n);
      }
      if (k == 0) choose_active();
      if (k > 0) learn_from(before);
      const std::optional<VectorXd> step = next_step();
      if (!step) return std::nullopt;
      const double length = move(*step);
      last_step_ = *step;
      if (!(distance() <= kFarthest)) return std::nullopt;
      // Twice in a row: one short step may be the luck of a difference.
      if (length < kSmallest && last < 1e-6) return KktPoint{here_, gain()};
      last = std::max(length, kSmallest);
    }
    return std::nullopt;
  }

 private:
  void choose_active() {
    for (std::size_t c = 1; c < model_.numbers(); ++c) {
      const auto row = static_cast<Eigen::Index>(c);
      if (model_.is_equality(c) || model_.values()[row] > -kNearlyActive * model_.steepness(c))
        active_.push_back(c);
    }
  }

  // The constraint that pushes the wrong way is let go, the one that the step would violate is
  // taken in, until neither is left.
  std::optional<VectorXd> next_step() {
    for (std::size_t tries = 0; tries <= 2 * model_.numbers(); ++tries) {
      std::optional<VectorXd> step = solve();
      if (!step) return std::nullopt;
      std::size_t weakest = active_.size();
      for (std::size_t k = 0; k < active_.size(); ++k) {
        if (model_.is_equality(active_[k]) || multipliers_[k] >= 0) continue;
        if (weakest == active_.size() || multipliers_[k] < multipliers_[weakest]) weakest = k;
      }
      if (weakest < active_.size()) {
        active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(weakest));
        multipliers_.assign(active_.size(), 0);
        continue;
      }
      const std::size_t violated = first_violated(*step);
      if (violated == 0) return step;
      active_.push_back(violated);
      multipliers_.push_back(0);
    }
    return std::nullopt;
  }
  std::size_t first_violated(const VectorXd& step) const {
    for (std::size_t c = 1 + request_.equalities; c < model_.numbers(); ++c) {
      const auto row = static_cast<Eigen::Index>(c);
      const double then = model_.values()[row] + model_.slopes().row(row).dot(step);
      const double most = request_.constraint_tolerance * model_.steepness(c);
      if (then > most && !std::ranges::count(active_, c)) return c;
    }
    return 0;
  }

  // Curvature of objective and active constraints together.
  MatrixXd curvature() const {
    MatrixXd sum = model_.curvature(0) + learnt_;
    for (std::size_t k = 0; k < active_.size(); ++k)
      sum += multipliers_[k] * model_.curvature(active_[k]);
    return sum;
  }
  // What the slopes say after a step, which differences over a fixed distance do not see: the
  // symmetric correction of rank one.
  void learn_from(const MatrixXd& before) {
    if (before.cols() != model_.slopes().cols() || last_step_.size() != model_.slopes().cols())
      return;
    const MatrixXd change = model_.slopes() - before;
    VectorXd seen = change.row(0).transpose();
    for (std::size_t k = 0; k < active_.size(); ++k)
      seen += multipliers_[k] * change.row(static_cast<Eigen::Index>(active_[k])).transpose();
    const VectorXd missing = seen - curvature() * last_step_;
    const double along = missing.dot(last_step_);
    if (std::abs(along) > 1e-6 * missing.norm() * last_step_.norm())
      learnt_ += missing * missing.transpose() / along;
  }

  // With the multipliers of before in the curvature.
  std::optional<VectorXd> solve() {
    const auto n = static_cast<Eigen::Index>(model_.free().size());
    const auto m = static_cast<Eigen::Index>(active_.size());
    if (n == 0) return std::nullopt;
    if (multipliers_.size() != active_.size()) estimate_multipliers();
    MatrixXd system = MatrixXd::Zero(n + m, n + m);
    VectorXd right(n + m);
    system.topLeftCorner(n, n) = curvature();
    right.head(n) = -model_.slopes().row(0).transpose();
    for (Eigen::Index k = 0; k < m; ++k) {
      const auto row = static_cast<Eigen::Index>(active_[static_cast<std::size_t>(k)]);
      system.block(n + k, 0, 1, n) = model_.slopes().row(row);
      system.block(0, n + k, n, 1) = model_.slopes().row(row).transpose();
      right[n + k] = -model_.values()[row];
    }
    // Constraints that say the same leave their multipliers open; others contradict each other.
    const VectorXd solution = dense::least_squares(system, right).x;
    const double rest = (system * solution - right).cwiseAbs().maxCoeff();
    if (!solution.allFinite() || rest > 1e-9 * (1 + right.cwiseAbs().maxCoeff()))
      return std::nullopt;
    for (Eigen::Index k = 0; k < m; ++k)
      multipliers_[static_cast<std::size_t>(k)] = solution[n + k];
    return solution.head(n);
  }
  // Those with which the slopes balance best.
  void estimate_multipliers() {
    const auto m = static_cast<Eigen::Index>(active_.size());
    MatrixXd of_active(model_.slopes().cols(), m);
    for (Eigen::Index k = 0; k < m; ++k)
      of_active.col(k) = model_.slopes()
                             .row(static_cast<Eigen::Index>(active_[static_cast<std::size_t>(k)]))
                             .transpose();
    multipliers_.assign(active_.size(), 0);
    if (m == 0) return;
    const VectorXd best = dense::least_squares(of_active, -model_.slopes().row(0).transpose()).x;
    for (Eigen::Index k = 0; k < m; ++k) multipliers_[static_cast<std::size_t>(k)] = best[k];
  }

  double move(const VectorXd& step) {
    double length = 0;
    for (std::size_t a = 0; a < model_.free().size(); ++a) {
      double& each = here_[model_.free()[a]];
      const double before = each;
      each = std::clamp(each + step[static_cast<Eigen::Index>(a)], 0.0, 1.0);
      length = std::max(length, std::abs(each - before));
    }
    return length;
  }
  double distance() const {
    double farthest = 0;
    for (std::size_t i = 0; i < here_.size(); ++i)
      farthest = std::max(farthest, std::abs(here_[i] - start_[i]));
    return farthest;
  }

  double gain() const {
    constexpr double kRoundingOfCost = 1e-14;
    double gain = kRoundingOfCost * std::abs(model_.values()[0]);
    for (std::size_t k = 0; k < active_.size(); ++k)
      gain += 2 * std::abs(multipliers_[k]) * request_.constraint_tolerance *
              ledger_.units().slack(active_[k] - 1);
    return gain;
  }

  Ledger& ledger_;
  const OptimiseRequest& request_;
  const std::vector<double> start_;
  std::vector<double> here_;
  LocalModel model_;
  std::vector<std::size_t> active_;
  std::vector<double> multipliers_;  // of the active ones
  MatrixXd learnt_;                  // what they have to be corrected by, together
  VectorXd last_step_;               // of the free variables
};

}  // namespace

std::optional<KktPoint> polish_constrained(Ledger& ledger, const OptimiseRequest& request,
                                           const std::vector<double>& start) {
  try {
    return Newton(ledger, request, start).run();
  } catch (const SearchEnded& ended) {
    if (ended.status == SearchStatus::kCancelled) throw;
    return std::nullopt;
  }
}

}  // namespace arges
