#include "arges/experiment/kkt_polish.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

#include "arges/experiment/stencil.h"

namespace arges {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kNearlyActive = 1e-4;  // of the range, as far as slopes tell
constexpr double kAtBound = 1e-9;
constexpr double kFarthest = 1e-2;  // from the start, as a part of the ranges
constexpr double kSmallest = 1e-10;
constexpr int kMostSteps = 8;

class Newton {
 public:
  Newton(Ledger& ledger, const OptimiseRequest& request, const std::vector<double>& start)
      : ledger_(ledger),
        request_(request),
        start_(start),
        here_(start),
        numbers_(1 + request.equalities + request.inequalities) {}

  std::optional<KktPoint> run() {
    double last = kFarthest;
    for (int k = 0; k < kMostSteps; ++k) {
      const MatrixXd before = slopes_;
      differentiate(k == 0);
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
  // The objective, then h, then g.
  VectorXd all_of(const std::vector<double>& unit) {
    const Appraisal& appraisal = ledger_.at(unit);
    VectorXd all(static_cast<Eigen::Index>(numbers_));
    Eigen::Index k = 0;
    all[k++] = appraisal.value;
    for (const double h : appraisal.zero) all[k++] = h;
    for (const double g : appraisal.at_most_zero) all[k++] = g;
    return all;
  }
  std::vector<double> moved(std::size_t i, double by) const {
    std::vector<double> there = here_;
    there[i] += by;
    return there;
  }

  void find_free() {
    free_.clear();
    for (std::size_t i = 0; i < here_.size(); ++i) {
      const bool whole = request_.variables[i].scale == SearchVariable::Scale::kInteger;
      if (!whole && here_[i] > kAtBound && here_[i] < 1 - kAtBound) free_.push_back(i);
    }
  }

  // Slopes here; curvatures once, for they only decide how fast the steps shrink.
  void differentiate(bool curvatures) {
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
      learnt_ = MatrixXd::Zero(n, n);
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
  }

  // A step along two axes, to the inside.
  double inside(std::size_t i) const { return here_[i] < 0.5 ? kStencilStep : -kStencilStep; }
  std::vector<double> across(std::size_t i, std::size_t j, double sign) const {
    std::vector<double> there = moved(i, sign * inside(i));
    there[j] += sign * inside(j);
    return there;
  }
  bool has_both_sides(std::size_t i, std::size_t j) const {
    const auto has = [](double u) { return u >= kStencilStep && u <= 1 - kStencilStep; };
    return has(here_[i]) && has(here_[j]);
  }
  void mix(Eigen::Index a, Eigen::Index b) {
    const std::size_t i = free_[static_cast<std::size_t>(a)],
                      j = free_[static_cast<std::size_t>(b)];
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

  // How much a number changes over a range, by its slopes here; its unit where it has none.
  double steepness(Eigen::Index row) const {
    const double most = slopes_.cols() > 0 ? slopes_.row(row).cwiseAbs().maxCoeff() : 0;
    return most > 0 ? most : 1;
  }
  bool is_equality(std::size_t number) const { return number <= request_.equalities; }

  void choose_active() {
    for (std::size_t c = 1; c < numbers_; ++c) {
      const auto row = static_cast<Eigen::Index>(c);
      if (is_equality(c) || values_[row] > -kNearlyActive * steepness(row)) active_.push_back(c);
    }
  }

  // The constraint that pushes the wrong way is let go, the one that the step would violate is
  // taken in, until neither is left.
  std::optional<VectorXd> next_step() {
    for (std::size_t tries = 0; tries <= 2 * numbers_; ++tries) {
      std::optional<VectorXd> step = solve();
      if (!step) return std::nullopt;
      std::size_t weakest = active_.size();
      for (std::size_t k = 0; k < active_.size(); ++k) {
        if (is_equality(active_[k]) || multipliers_[k] >= 0) continue;
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
    for (std::size_t c = 1 + request_.equalities; c < numbers_; ++c) {
      const auto row = static_cast<Eigen::Index>(c);
      const double then = values_[row] + slopes_.row(row).dot(step);
      const double most = request_.constraint_tolerance * steepness(row);
      if (then > most && !std::ranges::count(active_, c)) return c;
    }
    return 0;
  }

  // Curvature of objective and active constraints together.
  MatrixXd curvature() const {
    MatrixXd sum = curvatures_[0] + learnt_;
    for (std::size_t k = 0; k < active_.size(); ++k)
      sum += multipliers_[k] * curvatures_[active_[k]];
    return sum;
  }
  // What the slopes say after a step, which differences over a fixed distance do not see: the
  // symmetric correction of rank one.
  void learn_from(const MatrixXd& before) {
    if (before.cols() != slopes_.cols() || last_step_.size() != slopes_.cols()) return;
    const MatrixXd change = slopes_ - before;
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
    const auto n = static_cast<Eigen::Index>(free_.size());
    const auto m = static_cast<Eigen::Index>(active_.size());
    if (n == 0 || m > n) return std::nullopt;
    if (multipliers_.size() != active_.size()) estimate_multipliers();
    MatrixXd system = MatrixXd::Zero(n + m, n + m);
    VectorXd right(n + m);
    system.topLeftCorner(n, n) = curvature();
    right.head(n) = -slopes_.row(0).transpose();
    for (Eigen::Index k = 0; k < m; ++k) {
      const auto row = static_cast<Eigen::Index>(active_[static_cast<std::size_t>(k)]);
      system.block(n + k, 0, 1, n) = slopes_.row(row);
      system.block(0, n + k, n, 1) = slopes_.row(row).transpose();
      right[n + k] = -values_[row];
    }
    const Eigen::FullPivLU<MatrixXd> factors(system);
    if (!factors.isInvertible()) return std::nullopt;
    const VectorXd solution = factors.solve(right);
    if (!solution.allFinite()) return std::nullopt;
    for (Eigen::Index k = 0; k < m; ++k)
      multipliers_[static_cast<std::size_t>(k)] = solution[n + k];
    return solution.head(n);
  }
  // Those with which the slopes balance best.
  void estimate_multipliers() {
    const auto m = static_cast<Eigen::Index>(active_.size());
    MatrixXd of_active(slopes_.cols(), m);
    for (Eigen::Index k = 0; k < m; ++k)
      of_active.col(k) =
          slopes_.row(static_cast<Eigen::Index>(active_[static_cast<std::size_t>(k)])).transpose();
    multipliers_.assign(active_.size(), 0);
    if (m == 0) return;
    const VectorXd best = of_active.colPivHouseholderQr().solve(-slopes_.row(0).transpose());
    for (Eigen::Index k = 0; k < m; ++k) multipliers_[static_cast<std::size_t>(k)] = best[k];
  }

  double move(const VectorXd& step) {
    double length = 0;
    for (std::size_t a = 0; a < free_.size(); ++a) {
      double& each = here_[free_[a]];
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
    constexpr double kRounding = 1e-14;
    double gain = kRounding * std::abs(values_[0]);
    for (std::size_t k = 0; k < active_.size(); ++k)
      gain += 2 * std::abs(multipliers_[k]) * request_.constraint_tolerance *
              ledger_.units().slack(active_[k] - 1);
    return gain;
  }

  Ledger& ledger_;
  const OptimiseRequest& request_;
  const std::vector<double> start_;
  std::vector<double> here_;
  std::size_t numbers_;  // objective and constraints
  std::vector<std::size_t> free_, active_;
  std::vector<double> multipliers_;  // of the active ones
  VectorXd values_;
  MatrixXd slopes_;                   // a row for each number
  std::vector<MatrixXd> curvatures_;  // of each number
  MatrixXd learnt_;                   // what they have to be corrected by, together
  VectorXd last_step_;                // of the free variables
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
