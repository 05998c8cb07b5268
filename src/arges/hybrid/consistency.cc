#include "arges/hybrid/consistency.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "arges/base/error.h"

namespace arges {

ConsistencySolver::ConsistencySolver(const Equations& equations)
    : equations_(equations),
      implicit_(equations.form() == EquationForm::kImplicit),
      jacobian_(equations),
      lu_(make_lu_solver(equations.size(), equations.sparsity())) {
  const std::size_t n = equations.size();
  r_.resize(n);
  full_r_.resize(n);
  step_.resize(n);
  x_try_.resize(n);
  xdot_try_.resize(n);
  matrix_.resize(jacobian_.values_size());
  if (implicit_) matrix_xdot_.resize(jacobian_.values_size());
}

// r_: the rows to be closed; the rows of differential variables of a semi-explicit DAE are not
// among them.
void ConsistencySolver::residual(double t, const double* x, const double* xdot) {
  if (implicit_) {
    equations_.residual(t, x, xdot, full_r_.data());
    r_ = full_r_;
    return;
  }
  equations_.rhs(t, x, full_r_.data());
  for (int i = 0; i < equations_.size(); ++i)
    r_[i] = equations_.is_differential(i) ? 0 : full_r_[i];
}

double ConsistencySolver::residual_norm() const {
  return std::sqrt(std::inner_product(r_.begin(), r_.end(), r_.begin(), 0.0));
}

// Column j is the derivative by the unknown that belongs to variable j: x_j when it is algebraic;
// x_j' (implicit) or nothing (semi-explicit: a unit column and row) when it is differential.
void ConsistencySolver::newton_matrix(double t, const double* x, const double* xdot) {
  const int n = equations_.size();
  const SparsityPattern* pattern = equations_.sparsity();
  if (implicit_) {
    jacobian_.evaluate_implicit(t, x, xdot, full_r_.data(), 0, 0, matrix_.data());
    jacobian_.evaluate_implicit(t, x, xdot, full_r_.data(), 1, 0, matrix_xdot_.data());
  } else {
    jacobian_.evaluate(t, x, full_r_.data(), 0, matrix_.data(), nullptr);
  }
  for (int j = 0; j < n; ++j) {
    const int begin = pattern != nullptr ? pattern->column_start[j] : j * n;
    const int end = pattern != nullptr ? pattern->column_start[j + 1] : (j + 1) * n;
    for (int k = begin; k < end; ++k) {
      const int i = pattern != nullptr ? pattern->row[k] : k - begin;
      if (implicit_) {
        if (equations_.is_differential(j)) matrix_[k] = matrix_xdot_[k] - matrix_[k];
      } else if (equations_.is_differential(i) || equations_.is_differential(j)) {
        matrix_[k] = i == j ? 1 : 0;
      }
    }
  }
}

std::string ConsistencySolver::open_equations(const char* what) const {
  std::vector<int> order(r_.size());
  std::iota(order.begin(), order.end(), 0);
  const auto open = [&](int i) { return std::isfinite(r_[i]) ? std::abs(r_[i]) : HUGE_VAL; };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return open(a) > open(b); });
  std::string text = what;
  text += "; equations that do not close:";
  int listed = 0;
  for (const int i : order) {
    if (listed == 5 || (listed > 0 && open(i) < 1e-3 * open(order[0]))) break;
    text +=
        fmt::format("{} '{}' (residual {:.6g})", listed > 0 ? "," : "", equations_.name(i), r_[i]);
    ++listed;
  }
  return text;
}

std::string ConsistencySolver::solve(double t, double* x, double* xdot) {
  constexpr int kMaxIterations = 60;
  const int n = equations_.size();
  bool close = false;
  try {
    residual(t, x, xdot);
    for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
      const double before = residual_norm();
      if (!std::isfinite(before))
        return open_equations("an equation has no finite value at the start values");
      if (before == 0) return "";
      newton_matrix(t, x, xdot);
      const int singular = lu_->factor(matrix_.data());
      if (singular >= 0) {
        return open_equations(fmt::format("the equations do not determine '{}' at the present "
                                          "values (singular system: index above 1, or a variable "
                                          "without derivative that is declared as a state?)",
                                          equations_.name(singular))
                                  .c_str());
      }
      for (int i = 0; i < n; ++i) step_[i] = -r_[i];
      lu_->solve(step_.data());

      double size = 0;
      for (int i = 0; i < n; ++i) {
        const double value = implicit_ && equations_.is_differential(i) ? xdot[i] : x[i];
        const double nominal = equations_.nominal().empty() ? 1 : equations_.nominal()[i];
        size = std::max(size, std::abs(step_[i]) / std::max(std::abs(value), 1e-3 * nominal));
      }
      // Line search: halve until the residual falls; near the solution rounding may keep it from
      // falling.
      bool accepted = false;
      for (double factor = 1; factor > 1e-4; factor /= 2) {
        for (int i = 0; i < n; ++i) {
          const bool is_rate = implicit_ && equations_.is_differential(i);
          x_try_[i] = is_rate ? x[i] : x[i] + factor * step_[i];
          xdot_try_[i] = is_rate ? xdot[i] + factor * step_[i] : (xdot != nullptr ? xdot[i] : 0);
        }
        bool evaluated = true;
        try {
          residual(t, x_try_.data(), xdot_try_.data());
        } catch (const EvaluationError& error) {
          if (!error.recoverable()) throw;
          evaluated = false;
        }
        const double after = residual_norm();
        if (evaluated && std::isfinite(after) && (after < before || (close && size < 1e-9))) {
          accepted = true;
          std::copy(x_try_.begin(), x_try_.end(), x);
          if (implicit_) std::copy(xdot_try_.begin(), xdot_try_.end(), xdot);
          break;
        }
      }
      if (!accepted) {
        residual(t, x, xdot);
        return size < 1e-9 ? "" : open_equations("Newton's method found no smaller residual");
      }
      if (size < 1e-13) return "";
      close = size < 1e-6;
    }
    return open_equations("Newton's method did not converge within 60 iterations");
  } catch (const EvaluationError& error) {
    return std::string("the model reported: ") + error.what();
  }
}

}  // namespace arges
