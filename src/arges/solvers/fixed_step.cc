#include "arges/solvers/fixed_step.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/solvers/factories.h"
#include "arges/solvers/failure_messages.h"
#include "arges/solvers/tableaus_fixed.h"

namespace arges {

FixedStep::FixedStep(const Equations& equations, const SolverOptions& options, int stages)
    : equations_(equations),
      n_(static_cast<std::size_t>(equations.size())),
      stages_(stages),
      grid_(options.step) {
  workspace_.resize(n_ * (3 + static_cast<std::size_t>(stages) + slopes_.size()));
  double* row = workspace_.data();
  const auto take = [&](std::size_t rows) { return std::exchange(row, row + rows * n_); };
  x_old_ = take(1);
  x_new_ = take(1);
  y_ = take(1);
  for (double*& slope : slopes_) slope = take(1);
  k_ = take(static_cast<std::size_t>(stages));
  x_ = x_new_;
}

void FixedStep::start(double t, const double* x, const double*, double) {
  if (!std::isfinite(t)) throw ApiError(fmt::format("a solver cannot start at t = {}", t));
  ++stats_.restarts;
  t_ = t_old_ = t;
  std::copy_n(x, n_, x_new_);
  grid_.start(t);
  end_slope_ready_ = false;
  has_step_ = false;
  forget();
}

StepStatus FixedStep::fail(StepStatus status, std::string message) {
  message_ = std::move(message);
  t_old_ = t_;
  end_slope_ready_ = false;
  forget();
  return status;
}

// A slope that is no number comes from the equations when the state and the slopes before it are of
// sane size; after huge ones it is the overflow of a step that is too long.
std::string FixedStep::why_not_finite(int bad) const {
  const auto sane = [this](const double* values) {
    return std::all_of(values, values + n_, [](double v) { return std::fabs(v) < 1e50; });
  };
  const int n = equations_.size();
  const double* slope = slopes_[0];
  bool blameless = sane(x_new_);
  for (int stage = 0; blameless && stage <= stages_; ++stage) {
    const int i = find_non_finite(n, slope);
    if (i >= 0) return non_finite_slope_message(equations_, i, slope[i], t_);
    blameless = sane(slope);
    slope = k_ + static_cast<std::size_t>(std::min(stage, stages_ - 1)) * n_;
  }
  return non_finite_state_message(equations_, bad, x_old_[bad], t_, true);
}

StepStatus FixedStep::step(double limit) {
  const StepGrid::Target target = grid_.target(limit);
  if (!(limit > t_)) return fail(StepStatus::kStepTooSmall, limit_passed_message(t_, limit));
  if (!(target.t > t_)) {
    return fail(StepStatus::kStepTooSmall, no_progress_message(t_, grid_.step()));
  }
  try {
    std::rotate(slopes_.begin(), slopes_.end() - 1, slopes_.end());
    if (!end_slope_ready_) evaluate(t_, x_new_, slopes_[0]);
    end_slope_ready_ = false;
    if (has_step_ && unstable_steps_ < kUnstable) watch_stability(t_ - t_old_);
    advance(target, x_old_);
  } catch (const EvaluationError& error) {
    return fail(StepStatus::kEvaluationFailed, evaluation_message(error.what(), t_, true));
  }
  if (const int bad = find_non_finite(equations_.size(), x_old_); bad >= 0) {
    return fail(StepStatus::kNonFinite, why_not_finite(bad));
  }
  std::swap(x_old_, x_new_);
  x_ = x_new_;
  t_old_ = t_;
  t_ = target.t;
  grid_.reached(target);
  ++stats_.steps;
  has_step_ = true;
  return StepStatus::kOk;
}

// When a method is unstable the fastest decay is what moves most: the change of f over the last
// step, against the change of x, shows its rate, for nothing.
void FixedStep::watch_stability(double h) {
  double moved = 0, turned = 0, product = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    const double dx = x_new_[i] - x_old_[i], df = slopes_[0][i] - slopes_[1][i];
    moved += dx * dx;
    turned += df * df;
    product += dx * df;
  }
  constexpr double kReverse = -0.9;  // cosine: a decay, not an oscillation
  const bool unstable = h * h * turned > stability_limit() * stability_limit() * moved &&
                        product < kReverse * std::sqrt(moved * turned);
  unstable_steps_ = unstable ? unstable_steps_ + 1 : 0;
}

void FixedStep::interpolate(double t, double* x) const {
  if (t >= t_) {
    std::copy_n(x_new_, n_, x);
  } else if (t <= t_old_) {
    std::copy_n(x_old_, n_, x);
  } else {
    interpolate_inside((t - t_old_) / (t_ - t_old_), x);
  }
}

bool FixedStep::prepare_end_slope() const {
  if (end_slope_ready_) return true;
  try {
    evaluate(t_, x_new_, slopes_[3]);
  } catch (const EvaluationError&) {
    return false;  // the next step reports it
  }
  end_slope_ready_ = find_non_finite(equations_.size(), slopes_[3]) < 0;
  return end_slope_ready_;
}

void FixedStep::interpolate_inside(double theta, double* x) const {
  const double h = t_ - t_old_;
  // Without f at the end, the parabola through x, x' at the beginning and x at the end.
  const bool cubic = prepare_end_slope();
  const double* f0 = slopes_[0];
  const double* f1 = slopes_[3];
  for (std::size_t i = 0; i < n_; ++i) {
    const double chord = x_new_[i] - x_old_[i];
    const double start_excess = h * f0[i] - chord;
    const double end_excess = cubic ? chord - h * f1[i] - start_excess : 0;
    x[i] = x_old_[i] + theta * (chord + (1 - theta) * (start_excess + theta * end_excess));
  }
}

template <class T>
void FixedStep::runge_kutta(double t, double t_end, const double* x, const double* f0,
                            double* result) {
  const double h = t_end - t;
  std::copy_n(f0, n_, k_);
  const auto stage = [&]<std::size_t I>() {
    rk::combine<rk::StageRow<T, I>>(n_, h, x, k_, y_);
    evaluate(T::kC[I] == 1 ? t_end : t + T::kC[I] * h, y_, k_ + I * n_);
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) { (stage.template operator()<I + 1>(), ...); }
  (std::make_index_sequence<T::kStages - 1>{});
  rk::combine<rk::StageRow<T, T::kStages>>(n_, h, x, k_, result);
}

// For the start of multistep methods elsewhere.
template void FixedStep::runge_kutta<rk::Ralston3>(double, double, const double*, const double*,
                                                   double*);

namespace {

template <class T>
class FixedRungeKutta : public FixedStep {
 public:
  FixedRungeKutta(const Equations& equations, const SolverOptions& options)
      : FixedStep(equations, options, T::kStages) {}

  bool is_multistep() const override { return false; }
  int order() const override { return T::kOrder; }
  double stability_limit() const override { return T::kOrder == 4 ? 2.785 : 2; }

  bool retake(double s, double* x) override {
    if (!(s > t_old_) || s > t_) return false;
    if (s == t_) {
      std::copy_n(x_, n(), x);
      return true;
    }
    try {
      runge_kutta<T>(t_old_, s, x_old(), slope(0), x);
    } catch (const EvaluationError&) {
      return false;
    }
    return find_non_finite(static_cast<int>(n()), x) < 0;
  }

 protected:
  void advance(const StepGrid::Target& target, double* x_next) override {
    runge_kutta<T>(t_, target.t, x_, slope(0), x_next);
  }
  void interpolate_inside(double theta, double* x) const override {
    if constexpr (T::kOrder > 2) {
      FixedStep::interpolate_inside(theta, x);
    } else {
      // The straight line for order 1. For order 2 the parabola that starts with slope f0; it ends
      // with that of Heun's predictor.
      const double h = t_ - t_old_;
      for (std::size_t i = 0; i < n(); ++i) {
        const double chord = x_[i] - x_old()[i];
        const double excess = T::kOrder == 1 ? 0 : h * slope(0)[i] - chord;
        x[i] = x_old()[i] + theta * (chord + (1 - theta) * excess);
      }
    }
  }
};

// Adams-Bashforth of order 3: x + h/12 (23 f_n - 16 f_{n-1} + 5 f_{n-2}), while the last two steps
// and this one go from grid point to grid point; else a Runge-Kutta step of order 3.
class AdamsBashforth3 : public FixedStep {
 public:
  AdamsBashforth3(const Equations& equations, const SolverOptions& options)
      : FixedStep(equations, options, rk::Ralston3::kStages) {}

  bool is_multistep() const override { return true; }
  int order() const override { return 3; }
  double stability_limit() const override { return 6.0 / 11; }

 protected:
  void advance(const StepGrid::Target& target, double* x_next) override {
    const bool whole = grid().on_grid() && target.on_grid;
    if (whole && whole_steps_ >= 2) {
      const double h = target.t - t_;
      for (std::size_t i = 0; i < n(); ++i) {
        x_next[i] = x_[i] + h / 12 * (23 * slope(0)[i] - 16 * slope(1)[i] + 5 * slope(2)[i]);
      }
    } else {
      runge_kutta<rk::Ralston3>(t_, target.t, x_, slope(0), x_next);
    }
    whole_steps_ = whole ? std::min(whole_steps_ + 1, 2) : 0;
  }
  void forget() override { whole_steps_ = 0; }

 private:
  int whole_steps_ = 0;
};

}  // namespace

std::unique_ptr<Stepper> make_fixed_step(std::string_view name, const Equations& equations,
                                         const SolverOptions& options) {
  if (!(options.step > 0)) {
    throw ApiError(fmt::format("a fixed-step method needs a positive step, not {}", options.step));
  }
  if (name == "euler") return std::make_unique<FixedRungeKutta<rk::Euler>>(equations, options);
  if (name == "heun") return std::make_unique<FixedRungeKutta<rk::Heun>>(equations, options);
  if (name == "rk4") {
    return std::make_unique<FixedRungeKutta<rk::ClassicalRungeKutta>>(equations, options);
  }
  if (name == "ab3") return std::make_unique<AdamsBashforth3>(equations, options);
  throw ApiError(fmt::format("'{}' is not a fixed-step method", name));
}

}  // namespace arges
