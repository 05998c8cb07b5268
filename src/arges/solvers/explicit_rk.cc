#include "arges/solvers/explicit_rk.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/float_spacing.h"
#include "arges/solvers/factories.h"
#include "arges/solvers/failure_messages.h"
#include "arges/solvers/initial_step.h"
#include "arges/solvers/tableau_dop853.h"
#include "arges/solvers/tableau_dopri5.h"
#include "arges/solvers/tableau_tsit5.h"

namespace arges {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kSafety = 0.9;
constexpr double kFailureFactor = 0.2;   // of the step, when it cannot be evaluated
constexpr double kLogLeastError = -9.2;  // log 1e-4: errors below teach the control nothing

double smallest_step(double t) { return std::max(spacing(t), 1e-60); }

template <class T>
struct ErrorRow {
  static constexpr const auto& kWeights = T::kError;
};
template <class T>
struct Error3Row {
  static constexpr const auto& kWeights = T::kError3;
};
template <class T, int I>
struct DenseRow {
  static constexpr const auto& kWeights = T::kDense[I];
};

// The error estimate needs f at the new point.
template <class T>
constexpr bool kErrorNeedsLastStage = T::kError[T::kStages - 1] != 0;
template <class T>
constexpr bool kHasError3 = requires {
  T::kError3;
};

}  // namespace

template <class T>
ExplicitRungeKutta<T>::ExplicitRungeKutta(const Equations& equations, const SolverOptions& options)
    : equations_(equations),
      n_(static_cast<std::size_t>(equations.size())),
      rtol_(options.rtol),
      first_step_(options.step),
      max_step_(options.max_step) {
  constexpr std::size_t kStages = T::kStages + T::kExtraStages;
  constexpr std::size_t kDense = 3 + T::kDenseTerms;
  workspace_.resize(n_ * (4 + kStages + T::kStages + kDense));
  double* row = workspace_.data();
  const auto take = [&](std::size_t rows) { return std::exchange(row, row + rows * n_); };
  x_old_ = take(1);
  x_new_ = take(1);
  y_ = take(1);
  atol_ = take(1);
  k_ = take(kStages);
  retake_ = take(T::kStages);
  dense_ = take(kDense);
  x_ = x_new_;
  const std::span<const double> nominal = equations.nominal();
  for (std::size_t i = 0; i < n_; ++i) {
    const double magnitude = nominal.empty() || nominal[i] == 0 ? 1 : std::fabs(nominal[i]);
    // Not zero, so that a component that is and stays zero has error 0 and not 0/0.
    atol_[i] = std::max(options.effective_atol() * magnitude, 1e-150);
  }
}

template <class T>
void ExplicitRungeKutta<T>::start(double t, const double* x, const double*, double h) {
  if (!std::isfinite(t)) throw ApiError(fmt::format("a solver cannot start at t = {}", t));
  ++stats_.restarts;
  t_ = t_old_ = t;
  std::copy_n(x, n_, x_new_);
  h_next_ = h > 0 ? h : first_step_;
  log_error_old_ = kLogLeastError;
  first_stage_ready_ = last_stage_ready_ = dense_ready_ = false;
}

template <class T>
template <int First, int Last>
void ExplicitRungeKutta<T>::compute_stages(double t, double t_end, const double* x, double* k,
                                           double* result) const {
  const double h = t_end - t;
  const auto stage = [&]<int I>() {
    double* argument = I == T::kStages - 1 ? result : y_;
    rk::combine<rk::StageRow<T, I>>(n_, h, x, k, argument);
    evaluate(T::kC[I] == 1 ? t_end : t + T::kC[I] * h, argument, k + I * n_);
  };
  [&]<int... I>(std::integer_sequence<int, I...>) { (stage.template operator()<First + I>(), ...); }
  (std::make_integer_sequence<int, Last - First>{});
}

template <class T>
typename ExplicitRungeKutta<T>::Failure ExplicitRungeKutta<T>::prepare_first_stage(double limit) {
  try {
    if (!first_stage_ready_) {
      evaluate(t_, x_new_, k_);
      if (find_non_finite(equations_.size(), k_) >= 0) return Failure::kNonFinite;
      first_stage_ready_ = true;
    }
    if (!(h_next_ > 0)) {
      h_next_ = initial_step(equations_, t_, x_new_, k_, {atol_, n_}, rtol_, T::kOrder, limit - t_,
                             max_step_, y_, k_ + n_, stats_.rhs);
      // Far from t = 0 the first guess may be too short to move time; the steps grow from here.
      h_next_ = std::max(h_next_, 4 * smallest_step(t_));
    }
  } catch (const EvaluationError& error) {
    failure_text_ = error.what();
    return Failure::kFatalEvaluation;
  }
  return Failure::kNone;
}

// Shortens or stretches h towards the limit; true when the step ends there.
template <class T>
bool ExplicitRungeKutta<T>::fit_to(double limit, double& h) const {
  const double rest = limit - t_;
  if (rest <= 1.01 * h && rest <= max_step_ * (1 + 1e-9)) {
    h = rest;
    return true;
  }
  if (rest < 2 * h) h = rest / 2;
  return false;
}

template <class T>
StepStatus ExplicitRungeKutta<T>::step(double limit) {
  if (!(limit > t_)) {
    message_ = limit_passed_message(t_, limit);
    return StepStatus::kStepTooSmall;
  }
  if (last_stage_ready_) {
    std::copy_n(k_ + (T::kStages - 1) * n_, n_, k_);
    first_stage_ready_ = true;
    last_stage_ready_ = false;
  }
  dense_ready_ = false;
  t_old_ = t_;
  if (!first_stage_ready_ || !(h_next_ > 0)) {
    if (const Failure failure = prepare_first_stage(limit); failure != Failure::kNone) {
      return give_up(failure, 0);
    }
  }
  const double wanted = std::min(h_next_, max_step_);
  double h = wanted;
  for (bool rejected = false;; rejected = true) {
    const bool hits_limit = fit_to(limit, h);
    if (!hits_limit && h < 1e-8 * std::fabs(t_)) h = representable_step(t_, h);
    const double t_new = hits_limit ? limit : t_ + h;
    if (!(t_new > t_)) return give_up(Failure::kErrorTest, h);
    h = t_new - t_;
    const Failure failure = attempt(t_new, h);
    if (failure == Failure::kNone) {
      accept(t_new, h, wanted, rejected);
      return StepStatus::kOk;
    }
    ++stats_.rejected;
    if (failure == Failure::kFatalEvaluation) return give_up(failure, h);
    double factor = kFailureFactor;
    if (failure == Failure::kErrorTest) {
      factor = std::max(T::kMinFactor, kSafety * std::pow(error_, -1.0 / T::kOrder));
    }
    if (h * factor < smallest_step(t_)) return give_up(failure, h);
    h *= factor;
  }
}

// The stages, the new point (into x_old_, which is free until the step is accepted) and its error.
template <class T>
typename ExplicitRungeKutta<T>::Failure ExplicitRungeKutta<T>::attempt(double t_new, double h) {
  constexpr int kLast = T::kStages - 1;
  try {
    if constexpr (kErrorNeedsLastStage<T>) {
      compute_stages<1, T::kStages>(t_, t_new, x_new_, k_, x_old_);
    } else {
      compute_stages<1, kLast>(t_, t_new, x_new_, k_, nullptr);
      rk::combine<rk::StageRow<T, kLast>>(n_, h, x_new_, k_, x_old_);
    }
    error_ = error_norm(h);
    if (!std::isfinite(error_)) {
      // Either a value is not finite, or the error is beyond all measure.
      if (find_non_finite(equations_.size(), x_old_) >= 0) return Failure::kNonFinite;
      constexpr int kComputed = kErrorNeedsLastStage<T> ? T::kStages : kLast;
      if (find_non_finite(equations_.size() * kComputed, k_) >= 0) return Failure::kNonFinite;
      return Failure::kErrorTest;
    }
    if (error_ > 1) return Failure::kErrorTest;
    if constexpr (!kErrorNeedsLastStage<T>) {
      evaluate(t_new, x_old_, k_ + kLast * n_);
      if (find_non_finite(equations_.size(), k_ + kLast * n_) >= 0) return Failure::kNonFinite;
    }
  } catch (const EvaluationError& error) {
    failure_text_ = error.what();
    return error.recoverable() ? Failure::kEvaluation : Failure::kFatalEvaluation;
  }
  return Failure::kNone;
}

template <class T>
double ExplicitRungeKutta<T>::error_scale(std::size_t i) const {
  return atol_[i] + rtol_ * std::max(std::fabs(x_old_[i]), std::fabs(x_new_[i]));
}

// Not finite when the new point is not: an infinite value would hide its own error.
template <class T>
double ExplicitRungeKutta<T>::error_norm(double h) const {
  if (n_ == 0) return 0;
  double sum = 0, sum3 = 0, probe = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    const double weight = 1 / error_scale(i);
    const double e = rk::weighted<ErrorRow<T>>(k_ + i, n_) * weight;
    sum += e * e;
    if constexpr (kHasError3<T>) {
      const double e3 = rk::weighted<Error3Row<T>>(k_ + i, n_) * weight;
      sum3 += e3 * e3;
    }
    probe += 0 * x_old_[i];
  }
  const auto n = static_cast<double>(n_);
  if constexpr (kHasError3<T>) {
    // err5^2 / sqrt(err5^2 + 0.01 err3^2) is of order 8 like the method (Hairer and Wanner).
    const double both = sum + 0.01 * sum3;
    return both > 0 ? h * sum / std::sqrt(n * both) + probe : probe + both;
  } else {
    return h * std::sqrt(sum / n) + probe;
  }
}

template <class T>
void ExplicitRungeKutta<T>::accept(double t_new, double h, double wanted, bool rejected) {
  constexpr double kExponent = 1.0 / T::kOrder - 0.75 * T::kBeta;
  const double log_error = std::log(error_);  // may be -inf
  const double growth = kSafety * std::exp(T::kBeta * log_error_old_ - kExponent * log_error);
  double h_new = h * std::clamp(growth, T::kMinFactor, T::kMaxFactor);
  const bool cut = !rejected && h < 0.9 * wanted;
  if (rejected) {
    h_new = std::min(h_new, h);
  } else if (cut) {
    const bool telling = log_error > kLogLeastError;
    h_new = std::max(h_new, telling ? std::min(wanted, h * growth) : wanted);
  }
  if (!cut) log_error_old_ = std::max(log_error, kLogLeastError);
  h_next_ = std::min(h_new, max_step_);

  std::swap(x_old_, x_new_);
  x_ = x_new_;
  t_ = t_new;
  first_stage_ready_ = false;
  last_stage_ready_ = true;
  ++stats_.steps;
  watch_stiffness(h);
}

template <class T>
void ExplicitRungeKutta<T>::watch_stiffness(double h) {
  static_assert(T::kC[T::kStages - 2] == 1);
  const double* f = k_ + (T::kStages - 1) * n_;
  const double* f_before = f - n_;
  double df = 0, dx = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    df += (f[i] - f_before[i]) * (f[i] - f_before[i]);
    dx += (x_new_[i] - y_[i]) * (x_new_[i] - y_[i]);
  }
  constexpr double kLimit = T::kStabilityLimit * T::kStabilityLimit;
  bool suspicious = h * h * df > kLimit * dx;
  if (suspicious) {
    // A difference that is nothing but rounding tells nothing.
    double x2 = 0;
    for (std::size_t i = 0; i < n_; ++i) x2 += x_new_[i] * x_new_[i];
    suspicious = dx > 16 * kEpsilon * kEpsilon * x2;
  }
  if (suspicious) {
    ++stiff_steps_;
    calm_steps_ = 0;
  } else if (++calm_steps_ == 6) {
    stiff_steps_ = 0;
  }
}

template <class T>
void ExplicitRungeKutta<T>::prepare_dense() const {
  const double h = t_ - t_old_;
  bool cubic_only = false;
  if constexpr (T::kExtraStages > 0) {
    try {
      compute_stages<T::kStages, T::kStages + T::kExtraStages>(t_old_, t_, x_old_, k_, nullptr);
      cubic_only = find_non_finite(equations_.size() * T::kExtraStages, k_ + T::kStages * n_) >= 0;
    } catch (const EvaluationError&) {
      cubic_only = true;
    }
  }
  const double* f_end = k_ + (T::kStages - 1) * n_;
  for (std::size_t i = 0; i < n_; ++i) {
    const double chord = x_new_[i] - x_old_[i];
    const double start_excess = h * k_[i] - chord;
    dense_[i] = chord;
    dense_[n_ + i] = start_excess;
    dense_[2 * n_ + i] = chord - h * f_end[i] - start_excess;
  }
  const auto term = [&]<int I>() {
    double* c = dense_ + (3 + I) * n_;
    for (std::size_t i = 0; i < n_; ++i) {
      c[i] = cubic_only ? 0 : h * rk::weighted<DenseRow<T, I>>(k_ + i, n_);
    }
  };
  [&]<int... I>(std::integer_sequence<int, I...>) { (term.template operator()<I>(), ...); }
  (std::make_integer_sequence<int, T::kDenseTerms>{});
  dense_ready_ = true;
}

template <class T>
void ExplicitRungeKutta<T>::interpolate(double t, double* x) const {
  if (t >= t_ || t <= t_old_) {
    std::copy_n(t >= t_ ? x_new_ : x_old_, n_, x);
    return;
  }
  if (!dense_ready_) prepare_dense();
  const double theta = (t - t_old_) / (t_ - t_old_);
  constexpr int kTerms = 3 + T::kDenseTerms;
  for (std::size_t i = 0; i < n_; ++i) {
    double sum = 0;
    for (int j = kTerms - 1; j >= 0; --j) {
      sum = (dense_[j * n_ + i] + sum) * (j % 2 == 0 ? theta : 1 - theta);
    }
    x[i] = x_old_[i] + sum;
  }
}

template <class T>
bool ExplicitRungeKutta<T>::retake(double s, double* x) {
  if (!(s > t_old_) || s > t_) return false;
  if (s == t_) {
    std::copy_n(x_new_, n_, x);
    return true;
  }
  constexpr int kLast = T::kStages - 1;
  try {
    std::copy_n(k_, n_, retake_);
    compute_stages<1, kLast>(t_old_, s, x_old_, retake_, nullptr);
  } catch (const EvaluationError&) {
    return false;
  }
  rk::combine<rk::StageRow<T, kLast>>(n_, s - t_old_, x_old_, retake_, x);
  return find_non_finite(equations_.size(), x) < 0;
}

template <class T>
StepStatus ExplicitRungeKutta<T>::give_up(Failure failure, double h) {
  switch (failure) {
    case Failure::kNone:
      break;
    case Failure::kNonFinite:
      message_ = describe_non_finite();
      return StepStatus::kNonFinite;
    case Failure::kEvaluation:
    case Failure::kFatalEvaluation:
      message_ = evaluation_message(failure_text_, t_, false);
      return StepStatus::kEvaluationFailed;
    case Failure::kErrorTest:
      message_ = n_ == 0 ? no_progress_message(t_, h)
                         : step_too_small_message(equations_, worst_component(h), t_, h);
      return StepStatus::kStepTooSmall;
  }
  return StepStatus::kOk;
}

template <class T>
std::string ExplicitRungeKutta<T>::describe_non_finite() const {
  const int n = equations_.size();
  for (int stage = 0; stage < T::kStages; ++stage) {
    const double* k = k_ + stage * n_;
    if (const int i = find_non_finite(n, k); i >= 0) {
      return non_finite_slope_message(equations_, i, k[i], t_);
    }
  }
  const int i = std::max(find_non_finite(n, x_old_), 0);
  return non_finite_state_message(equations_, i, x_old_[i], t_, false);
}

template <class T>
int ExplicitRungeKutta<T>::worst_component(double h) const {
  std::size_t worst = 0;
  double most = -1;
  for (std::size_t i = 0; i < n_; ++i) {
    const double e = std::fabs(h * rk::weighted<ErrorRow<T>>(k_ + i, n_)) / error_scale(i);
    if (e > most) {
      most = e;
      worst = i;
    }
  }
  return static_cast<int>(worst);
}

std::unique_ptr<Stepper> make_explicit_rk(std::string_view name, const Equations& equations,
                                          const SolverOptions& options) {
  if (name == rk::Dopri5::kName) {
    return std::make_unique<ExplicitRungeKutta<rk::Dopri5>>(equations, options);
  }
  if (name == rk::Tsit5::kName) {
    return std::make_unique<ExplicitRungeKutta<rk::Tsit5>>(equations, options);
  }
  if (name == rk::Dop853::kName) {
    return std::make_unique<ExplicitRungeKutta<rk::Dop853>>(equations, options);
  }
  throw ApiError(fmt::format("'{}' is not an adaptive explicit Runge-Kutta method", name));
}

}  // namespace arges
