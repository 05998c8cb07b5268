#include "arges/solvers/jacobian.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "arges/base/error.h"

namespace arges {

namespace {

const double kRootEps = std::sqrt(std::numeric_limits<double>::epsilon());
// Values far below their nominal magnitude still get an increment of their own size, down to this
// fraction of it.
constexpr double kNominalFraction = 1e-3;

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

}  // namespace

JacobianEvaluator::JacobianEvaluator(const Equations& equations)
    : equations_(equations), dense_(equations.sparsity() == nullptr) {
  const int n = equations.size();
  values_size_ = dense_ ? n * n : equations.sparsity()->nonzeros();
  groups_ = n;
  if (!dense_) {
    colouring_ = colour_columns(*equations.sparsity());
    groups_ = colouring_.groups();
  }
  shifted_x_.resize(n);
  shifted_f_.resize(n);
  increments_.resize(n);
  if (equations.form() == EquationForm::kImplicit) shifted_xdot_.resize(n);
}

void JacobianEvaluator::evaluate(double t, const double* x, const double* f, double step,
                                 double* values, double* dfdt) {
  ++evaluations_;
  if (dfdt != nullptr) std::fill_n(dfdt, equations_.size(), 0.0);
  if (analytic()) {
    std::fill_n(values, values_size_, 0.0);
    equations_.jacobian(t, x, nullptr, 0, values, equations_.autonomous() ? nullptr : dfdt);
    return;
  }
  differences(t, x, nullptr, f, 0, step, values);
  if (dfdt != nullptr && !equations_.autonomous()) difference_in_time(t, x, f, step, dfdt);
}

void JacobianEvaluator::evaluate_implicit(double t, const double* x, const double* xdot,
                                          const double* residual, double c, double step,
                                          double* values) {
  ++evaluations_;
  if (analytic()) {
    std::fill_n(values, values_size_, 0.0);
    equations_.jacobian(t, x, xdot, c, values, nullptr);
    return;
  }
  differences(t, x, xdot, residual, c, step, values);
}

double JacobianEvaluator::increment(int j, double x, double rate, double step) const {
  const std::span<const double> nominal = equations_.nominal();
  const double scale = nominal.empty() ? 1.0 : std::abs(nominal[j]);
  const double motion = step * rate;
  double size = std::max(std::abs(x), kNominalFraction * scale);
  if (std::isfinite(motion)) size = std::max(size, std::abs(motion));
  if (!(size > 0)) size = 1;
  const double sign = motion != 0 ? motion : x;
  // Exactly representable, so that the quotient has no error from rounding x + increment.
  const double shifted = x + std::copysign(kRootEps * size, sign);
  return shifted - x;
}

bool JacobianEvaluator::evaluate_shifted(double t, bool implicit, bool last_try) {
  ++rhs_evaluations_;
  try {
    if (implicit) {
      equations_.residual(t, shifted_x_.data(), shifted_xdot_.data(), shifted_f_.data());
    } else {
      equations_.rhs(t, shifted_x_.data(), shifted_f_.data());
    }
  } catch (const EvaluationError&) {
    if (last_try) throw;
    return false;
  }
  return last_try || all_finite(shifted_f_);
}

void JacobianEvaluator::differences(double t, const double* x, const double* xdot,
                                    const double* base, double c, double step, double* values) {
  const int n = equations_.size();
  const SparsityPattern* pattern = equations_.sparsity();
  const bool implicit = xdot != nullptr;
  for (int j = 0; j < n; ++j) {
    const double rate = implicit ? xdot[j] : equations_.is_differential(j) ? base[j] : 0;
    increments_[j] = increment(j, x[j], rate, step);
  }
  std::copy_n(x, n, shifted_x_.begin());
  if (implicit) std::copy_n(xdot, n, shifted_xdot_.begin());

  for (int g = 0; g < groups_; ++g) {
    const int begin = group_begin(g), end = group_end(g);
    const auto shift = [&] {
      for (int k = begin; k < end; ++k) {
        const int j = column(k);
        shifted_x_[j] = x[j] + increments_[j];
        if (implicit) shifted_xdot_[j] = xdot[j] + c * increments_[j];
      }
    };
    shift();
    if (!evaluate_shifted(t, implicit, false)) {
      for (int k = begin; k < end; ++k) increments_[column(k)] *= -1;
      shift();
      evaluate_shifted(t, implicit, true);
    }
    for (int k = begin; k < end; ++k) {
      const int j = column(k);
      const double inverse = 1 / increments_[j];
      if (dense_) {
        double* to = values + static_cast<std::ptrdiff_t>(j) * n;
        for (int i = 0; i < n; ++i) to[i] = (shifted_f_[i] - base[i]) * inverse;
      } else {
        for (int p = pattern->column_start[j]; p < pattern->column_start[j + 1]; ++p) {
          const int i = pattern->row[p];
          values[p] = (shifted_f_[i] - base[i]) * inverse;
        }
      }
      shifted_x_[j] = x[j];
      if (implicit) shifted_xdot_[j] = xdot[j];
    }
  }
}

void JacobianEvaluator::difference_in_time(double t, const double* x, const double* f, double step,
                                           double* dfdt) {
  const int n = equations_.size();
  std::copy_n(x, n, shifted_x_.begin());
  double size = std::max(std::abs(t), std::abs(step));
  if (!(size > 0)) size = 1;
  double dt = (t + kRootEps * size) - t;
  if (!evaluate_shifted(t + dt, false, false)) {
    dt = -dt;
    evaluate_shifted(t + dt, false, true);
  }
  for (int i = 0; i < n; ++i) dfdt[i] = (shifted_f_[i] - f[i]) / dt;
}

}  // namespace arges
