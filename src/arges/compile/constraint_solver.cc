#include "arges/compile/constraint_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/index.h"
#include "arges/linear/dense.h"

namespace arges {

namespace {

constexpr int kMaxIterations = 30;
// Relative to |x| + nominal: Newton's method doubles the digits, so that after a step as small as
// this nothing is left to do.
constexpr double kLastStep = 1e-9;
constexpr double kIncrement = 1.5e-8;
// An exchange of columns is worth it from here on.
constexpr double kExchange = 1.001;
constexpr int kMaxExchanges = 100;
// How much less a column counts that should be kept.
constexpr double kKept = 1e-4;
// A set of constraints that depend on each other has fewer pivots than this.
constexpr double kRank = 1e-10;

}  // namespace

struct ConstraintSolver::Linear {
  Eigen::VectorXd h;
  Eigen::MatrixXd H;

  Eigen::MatrixXd part(std::span<const std::int32_t> rows, std::span<const int> columns) const {
    Eigen::MatrixXd result(static_cast<Eigen::Index>(rows.size()),
                           static_cast<Eigen::Index>(columns.size()));
    for (std::size_t j = 0; j < columns.size(); ++j) {
      for (std::size_t i = 0; i < rows.size(); ++i)
        result(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = H(rows[i], columns[j]);
    }
    return result;
  }
};

ConstraintSolver::ConstraintSolver(const CausalModel& model, const ModelCode& code,
                                   std::span<const double> nominal)
    : model_(model), code_(code), column_(model.states.size(), -1) {
  for (const ConstraintSet& set : model.constraint_sets) {
    for (std::size_t k = 0; k < set.candidates.size(); ++k) {
      const std::int32_t j = set.candidates[k];
      column_[at(j)] = static_cast<std::int32_t>(columns_.size());
      columns_.push_back(j);
      nominal_.push_back(nominal[at(j)]);
      flag_.push_back(code.slot[at(set.solved[k].index)]);
    }
  }
}

bool ConstraintSolver::is_solved(vm::Workspace& w, std::size_t column) const {
  return w[flag_[column]] != 0;
}

void ConstraintSolver::linearise(vm::Workspace& w, Linear& at_point) const {
  const auto m = static_cast<Eigen::Index>(code_.constraint_residuals.size());
  at_point.h.resize(m);
  at_point.H.setZero(m, static_cast<Eigen::Index>(columns_.size()));
  w.run(code_.constraint_program);
  for (Eigen::Index i = 0; i < m; ++i)
    at_point.h[i] = w[code_.constraint_residuals[static_cast<std::size_t>(i)]];
  if (code_.constraint_entries.empty()) return differences(w, at_point);
  for (const ModelCode::JacobianSlot& e : code_.constraint_entries)
    at_point.H(e.row, column_[at(e.column)]) = w[e.slot];
}

void ConstraintSolver::differences(vm::Workspace& w, Linear& at_point) const {
  const Eigen::Index m = at_point.h.size();
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    double& x = state(w, j);
    const double before = x;
    x += kIncrement * std::max(std::abs(before), nominal_[j]);
    const double step = x - before;
    w.run(code_.constraint_program);
    for (Eigen::Index i = 0; i < m; ++i) {
      const double moved = w[code_.constraint_residuals[static_cast<std::size_t>(i)]];
      at_point.H(i, static_cast<Eigen::Index>(j)) = (moved - at_point.h[i]) / step;
    }
    x = before;
  }
  w.run(code_.constraint_program);
}

std::string ConstraintSolver::description() const {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, model_.invariants.size()); ++i)
    text += (i > 0 ? "; " : "") + model_.describe(model_.invariants[i]);
  if (model_.invariants.size() > kShown) text += "; ...";
  return text;
}

// `step` gives the change of all columns for the linearised constraints.
template <class Step>
void ConstraintSolver::iterate(vm::Workspace& w, Step step) const {
  Linear linear;
  double last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    linearise(w, linear);
    const Eigen::VectorXd change = step(linear);
    double size = 0;
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      double& x = state(w, j);
      const double part = change[static_cast<Eigen::Index>(j)];
      if (!std::isfinite(part)) {
        size = part;
        break;
      }
      size = std::max(size, std::abs(part) / (std::abs(x) + nominal_[j]));
      x += part;
    }
    if (size <= kLastStep) return;
    if (!std::isfinite(size) || (iteration > 3 && size > last)) break;
    last = size;
  }
  throw EvaluationError("no solution found for the constraints among states: " + description());
}

void ConstraintSolver::correct(vm::Workspace& w) const {
  std::vector<int> solved;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    if (is_solved(w, j)) solved.push_back(static_cast<int>(j));
  }
  if (solved.size() != code_.constraint_residuals.size()) return;  // not yet chosen: at the start
  iterate(w, [&](const Linear& linear) {
    const auto m = static_cast<Eigen::Index>(solved.size());
    Eigen::MatrixXd H(m, m);
    for (Eigen::Index j = 0; j < m; ++j)
      H.col(j) = linear.H.col(solved[static_cast<std::size_t>(j)]);
    const Eigen::VectorXd part = dense::solve(H, -linear.h);
    Eigen::VectorXd change = Eigen::VectorXd::Zero(linear.H.cols());
    for (Eigen::Index j = 0; j < m; ++j) change[solved[static_cast<std::size_t>(j)]] = part[j];
    return change;
  });
}

void ConstraintSolver::project(vm::Workspace& w) const {
  const Eigen::Map<const Eigen::VectorXd> scale(nominal_.data(),
                                                static_cast<Eigen::Index>(nominal_.size()));
  iterate(w, [&](const Linear& linear) {
    const auto best = dense::least_squares(linear.H * scale.asDiagonal(), -linear.h, kRank);
    return Eigen::VectorXd(scale.cwiseProduct(best.x.col(0)));
  });
}

double ConstraintSolver::degeneracy(vm::Workspace& w, std::size_t number) const {
  const ConstraintSet& set = model_.constraint_sets[number];
  Linear linear;
  linearise(w, linear);
  std::vector<int> solved, kept;
  for (const std::int32_t j : set.candidates) {
    const auto c = at(column_[at(j)]);
    (is_solved(w, c) ? solved : kept).push_back(static_cast<int>(c));
  }
  if (kept.empty() || solved.size() != set.rows.size()) return 0;
  const Eigen::MatrixXd B =
      dense::solve(linear.part(set.rows, solved), linear.part(set.rows, kept));
  double largest = 0;
  for (Eigen::Index j = 0; j < B.cols(); ++j) {
    for (Eigen::Index i = 0; i < B.rows(); ++i) {
      const double entry = std::abs(B(i, j)) * nominal_[at(kept[static_cast<std::size_t>(j)])] /
                           nominal_[at(solved[static_cast<std::size_t>(i)])];
      // Exactly singular: as if nearly so.
      largest = std::isfinite(entry) ? std::max(largest, entry) : 1 / kRank;
    }
  }
  return std::min(largest, 1 / kRank);
}

void ConstraintSolver::choose(vm::Workspace& w, std::size_t number,
                              std::span<const char> kept) const {
  const ConstraintSet& set = model_.constraint_sets[number];
  Linear linear;
  linearise(w, linear);
  std::vector<int> order;
  for (const std::int32_t j : set.candidates) order.push_back(column_[at(j)]);
  Eigen::MatrixXd H = linear.part(set.rows, order);
  for (Eigen::Index j = 0; j < H.cols(); ++j) {
    const auto c = at(order[static_cast<std::size_t>(j)]);
    H.col(j) *= nominal_[c] * (!kept.empty() && kept[at(columns_[c])] ? kKept : 1);
  }
  const Eigen::Index m = H.rows(), n = H.cols();
  if (m > n || !H.allFinite())
    throw EvaluationError("no states can be chosen for the constraints: " + description());
  // Columns in the order of a factorisation with pivoting; then exchanges until none pays.
  std::vector<Eigen::Index> place = dense::pivot_order(H);
  for (int exchange = 0; exchange < kMaxExchanges && n > m; ++exchange) {
    Eigen::MatrixXd first(m, m), rest(m, n - m);
    for (Eigen::Index j = 0; j < n; ++j)
      (j < m ? first.col(j) : rest.col(j - m)) = H.col(place[static_cast<std::size_t>(j)]);
    const Eigen::MatrixXd B = dense::solve(first, rest);
    Eigen::Index i = 0, j = 0;
    if (!B.allFinite() || !(B.cwiseAbs().maxCoeff(&i, &j) > kExchange)) break;
    std::swap(place[static_cast<std::size_t>(i)], place[static_cast<std::size_t>(m + j)]);
  }
  for (Eigen::Index j = 0; j < n; ++j) {
    const auto c = at(order[static_cast<std::size_t>(place[static_cast<std::size_t>(j)])]);
    w[flag_[c]] = j < m ? 1 : 0;
  }
}

}  // namespace arges
