#pragma once
// Rodas5P for M x' = f(t, x).

#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <type_traits>
#include <vector>

#include "arges/base/error.h"
#include "arges/base/float_spacing.h"
#include "arges/solvers/failure_messages.h"
#include "arges/solvers/rodas5p_tableau.h"
#include "arges/solvers/rosenbrock_matrix.h"
#include "arges/solvers/step_controller.h"
#include "arges/solvers/stepper.h"

namespace arges {

// A Rosenbrock method: one Jacobian and one LU factorisation for each step, 8 linear solves and 8
// evaluations of f, no iterations. M is diagonal of ones and zeros.
//
//   step(limit):
//     once for each new point: f, df/dx, df/dt at (t, x)
//     repeat
//       h = what the controller wants, but hit `limit` exactly, and rather halve the way to it than
//           leave a tiny rest
//       W = M - h gamma df/dx, 8 stages r_i = k_i / (h gamma),
//         W r_i = f(t + c_i h, x + h gamma sum_j a_ij r_j) + gamma M sum_j C_ij r_j + h d_i df/dt
//       error norm ||k_8|| = sqrt(mean of (k_8,i / (atol nominal_i + rtol max(|x_i|, |x1_i|)))^2)
//       where the step is stiff, after start(), and with algebraic variables the error in its
//         middle counts as well
//         (see error_inside)
//     until the norm is at most 1, or h is at the resolution of t and the error no more than that
//     of
//       rounding t; a NaN, an EvaluationError or a singular W shortens the step
//
// Fails when h falls below the distance of doubles at t, or 2 eps times the first h tried: then the
// cause of the last rejection is the status. The Jacobian must be that of f (a Rosenbrock method
// has no iteration that would make up for a wrong one).
//
// The stages are kept as rates r_i: so nothing is divided by h, whose rounding the large
// coefficients C would magnify. Of the later ones only what they differ from uniform motion is
// computed, s_i = r_i - rho_i r_1 with rho_i = d_i / gamma = 1 + gamma sum_j C_ij rho_j:
//
//   W s_i = f_i - f_1 + (1 - rho_i) (f_1 - M r_1) + gamma M sum_(1 < j < i) C_ij s_j
//   f_i   = f(t + c_i h, x + c_i h r_1 + h gamma sum_(1 < j < i) a_ij s_j)
//
// It is the same method, at the same cost. But where f does not change all s_i are zero, and the
// step is exact; sums of the r_i, in which terms a hundred times as large cancel, would be off by
// up to 60 units in the last place, and so would be the time of an event.
//
// N > 0: the size is known at compile time, all arrays lie in the object and all loops unroll;
// N = -1: any size.
template <int N>
class RosenbrockStepper final : public Stepper {
 public:
  RosenbrockStepper(const Equations& equations, const SolverOptions& options)
      : equations_(equations),
        options_(options),
        autonomous_(equations.autonomous()),
        n_(equations.size()),
        matrix_(equations, options) {
    for (Vector* v :
         {&x_now_, &x_old_, &x_new_, &f_, &f_stage_, &u_, &dfdt_, &mass_, &atol_, &b_, &lag_})
      resize(*v);
    for (Vector& r : r_) resize(r);
    for (Vector& r : r_retake_) resize(r);
    for (Vector& q : dense_) resize(q);
    const double atol = options.effective_atol();
    for (int i = 0; i < n(); ++i) {
      atol_[i] = atol * (equations.nominal().empty() ? 1.0 : std::abs(equations.nominal()[i]));
      mass_[i] = equations.is_differential(i) ? 1 : 0;
      has_algebraic_ = has_algebraic_ || mass_[i] == 0;
      dfdt_[i] = 0;
    }
    x_ = x_now_.data();
  }

  void start(double t, const double* x, const double*, double h) override {
    // Within the last step, or once more where it was: the run goes on. Else it is another one.
    if (has_step_ && t > t_old_ && t <= t_) {
      h_before_ = h_next_;
    } else if (has_step_ || t != t_) {
      h_before_ = std::numeric_limits<double>::infinity();
    }
    t_ = t_old_ = t;
    for (int i = 0; i < n(); ++i) x_now_[i] = x_old_[i] = x[i];
    h_next_ = h > 0 ? h : options_.step;
    controller_.reset();
    trusted_ = 0;
    fresh_ = is_first_ = true;
    has_step_ = false;
    ++stats_.restarts;
  }

  StepStatus step(double limit) override;
  void interpolate(double t, double* x) const override;
  bool retake(double s, double* x) override;
  bool is_multistep() const override { return false; }
  int order() const override { return rodas5p::kOrder; }
  double next_step() const override { return h_next_; }

 private:
  using Vector =
      std::conditional_t<(N > 0), std::array<double, (N > 0 ? N : 1)>, std::vector<double>>;
  // What a loop over the components makes. Where the size is known it stays apart from all other
  // memory until it is whole, so that compilers compute several components at a time.
  using Local = std::conditional_t<(N > 0), Vector, Vector&>;
  using Stages = std::array<Vector, rodas5p::kStages>;
  static constexpr int kRows = std::size(rodas5p::kA);
  static constexpr double kSmooth = 1;  // h |lambda| of what is not stiff

  int n() const {
    if constexpr (N > 0) {
      return N;
    } else {
      return n_;
    }
  }
  // Calls body(i) for every component, unrolled where the size is known.
  template <class Body>
  [[gnu::always_inline]] void each(Body body) const {
    if constexpr (N > 0) {
#pragma GCC unroll 8
      for (int i = 0; i < N; ++i) body(i);
    } else {
      for (int i = 0; i < n_; ++i) body(i);
    }
  }
  void resize(Vector& v) const {
    if constexpr (N < 0) v.resize(n_);
  }

  // f, df/dx and df/dt at (t_, x_now_), which becomes (t_old_, x_old_).
  bool prepare();
  double initial_step(double limit);
  // A step of h from (t_old_, x_old_): r_1 and the s_i into r, the end into x_new. False: W is
  // singular.
  bool attempt(double h, Stages& r, double* x_new);
  int find_non_finite_ahead(double h);
  template <int S>
  void stage(double h, Stages& r);
  double squared_error() const;  // square of the error norm
  bool is_due_inside(double h);
  // The same, of the dense output in the middle of the step; `at_end`: squared_error().
  // `remaining`: the way to the limit.
  double error_inside(double h, double at_end, double remaining);
  void make_dense(double h) const;
  void set_out_along_f(double h) const;
  bool is_within_the_resolution_of_time() const;
  int worst_component() const;
  StepStatus fail(StepStatus status, double h);

  const Equations& equations_;
  const SolverOptions options_;
  const bool autonomous_;
  const int n_;
  StepController<rodas5p::kOrder> controller_;
  RosenbrockMatrix<N> matrix_;
  Vector x_now_, x_old_, x_new_;
  Vector f_, dfdt_;  // at (t_old_, x_old_)
  Vector f_stage_, u_, b_;
  Vector lag_;  // f_1 - M r_1
  Vector mass_, atol_;
  Stages r_;         // of the last accepted step
  Stages r_retake_;  // apart, for interpolate() after retake()
  double h_gamma_ = 0;
  double h_gamma_a_[kRows][kRows - 1];  // h gamma a_ij; h c_i in the place of the first
  mutable std::array<Vector, 3> dense_;
  mutable bool dense_ready_ = false;
  bool has_algebraic_ = false;
  int trusted_ = 0;        // steps for which the dense output need not be looked at
  double h_trusted_ = 0;   // as long as they are not longer than this
  bool fresh_ = true;      // f_ and the Jacobian still belong to the point before
  bool has_step_ = false;  // there is an accepted step since start()
  bool is_first_ = true;   // there was none before
  double h_next_ = 0;
  double h_before_ = std::numeric_limits<double>::infinity();  // what was wanted before start()
  int singular_column_ = -1;
  std::string evaluation_error_;
};

template <int N>
bool RosenbrockStepper<N>::prepare() {
  t_old_ = t_;
  each([&](int i) { x_old_[i] = x_now_[i]; });
  has_step_ = false;
  dense_ready_ = false;
  ++stats_.rhs;
  equations_.rhs(t_, x_now_.data(), f_.data());
  const std::int64_t before = matrix_.evaluator().rhs_evaluations();
  matrix_.evaluate(t_, x_now_.data(), f_.data(), h_next_, autonomous_ ? nullptr : dfdt_.data());
  stats_.rhs += matrix_.evaluator().rhs_evaluations() - before;
  ++stats_.jacobians;
  double sum = 0;
  each([&](int i) { sum += f_[i] - f_[i]; });
  return sum == 0;
}

// From |x'| and |x''| = |J x' + df/dt| at the start: where derivatives grow like (|x''| / |x'|)^k,
// the error of a step is about C |x'| (|x''| / |x'|)^4 h^5; C errs on the side of a short step, for
// a rejection costs as much as two steps that are too short.
template <int N>
double RosenbrockStepper<N>::initial_step(double limit) {
  constexpr double kErrorConstant = 0.01;
  Vector& rate = b_;
  Vector& second = u_;
  for (int i = 0; i < n(); ++i) {
    rate[i] = mass_[i] * f_[i];
    second[i] = dfdt_[i];
  }
  matrix_.multiply_add(rate.data(), second.data());
  double d1 = 0, d2 = 0;
  for (int i = 0; i < n(); ++i) {
    const double scale =
        1 / (atol_[i] + options_.rtol * std::abs(x_now_[i]) + std::numeric_limits<double>::min());
    d1 = std::max(d1, std::abs(rate[i]) * scale);
    d2 = std::max(d2, std::abs(mass_[i] * second[i]) * scale);
  }
  const double span = std::isfinite(limit) ? limit - t_ : 1.0;
  const double ratio = d2 / std::max(d1, std::numeric_limits<double>::min());
  const double squared = ratio * ratio;
  const double h = std::pow(kErrorConstant * d1 * squared * squared, -1.0 / rodas5p::kOrder);
  // At rest, or moving uniformly: begin small, the step grows fast.
  return std::isfinite(h) && h > 0 ? std::min(h, span) : 1e-3 * span;
}

template <int N>
template <int S>
[[gnu::always_inline]] inline void RosenbrockStepper<N>::stage(double h, Stages& r) {
  using namespace rodas5p;
  {
    Local u = u_;
    each([&](int i) {
      if constexpr (S < kRows) {
        double sum = x_old_[i];
#pragma GCC unroll 8
        for (int j = 0; j < S; ++j) sum += h_gamma_a_[S][j] * r[j][i];
        u[i] = sum;
      } else {
        u[i] += h_gamma_ * r[S - 1][i];
      }
    });
    if constexpr (N > 0) u_ = u;
  }
  equations_.rhs(t_old_ + kNode[S] * h, u_.data(), f_stage_.data());
  Local b = b_;
  each([&](int i) {
    constexpr double kLag = 1 - kTime[S] / kGamma;
    const double uniform = kLag * lag_[i] - f_[i];
    if constexpr (S == 1) {
      b[i] = f_stage_[i] + uniform;
    } else {
      double sum = kGamma * kC[S][1] * r[1][i];
#pragma GCC unroll 8
      for (int j = 2; j < S; ++j) sum += kGamma * kC[S][j] * r[j][i];
      b[i] = f_stage_[i] + (mass_[i] * sum + uniform);
    }
  });
  matrix_.solve(b.data(), r[S].data());
}

template <int N>
bool RosenbrockStepper<N>::attempt(double h, Stages& r, double* x_new) {
  h_gamma_ = h * rodas5p::kGamma;
  ++stats_.factorizations;
  singular_column_ = matrix_.factor(mass_.data(), h_gamma_);
  if (singular_column_ >= 0) return false;
#pragma GCC unroll 8
  for (int i = 1; i < kRows; ++i) {
#pragma GCC unroll 8
    for (int j = 1; j < i; ++j) h_gamma_a_[i][j] = h_gamma_ * rodas5p::kA[i][j];
    h_gamma_a_[i][0] = h * rodas5p::kNode[i];
  }
  each([&](int i) { b_[i] = f_[i]; });
  if (!autonomous_) {
    for (int i = 0; i < n(); ++i) b_[i] += h * rodas5p::kTime[0] * dfdt_[i];
  }
  matrix_.solve(b_.data(), r[0].data());
  each([&](int i) { lag_[i] = f_[i] - mass_[i] * r[0][i]; });
  stats_.rhs += rodas5p::kStages - 1;
  stage<1>(h, r);
  stage<2>(h, r);
  stage<3>(h, r);
  stage<4>(h, r);
  stage<5>(h, r);
  stage<6>(h, r);
  stage<7>(h, r);
  each([&](int i) { x_new[i] = u_[i] + h_gamma_ * r[7][i]; });
  return true;
}

template <int N>
double RosenbrockStepper<N>::squared_error() const {
  double sum = 0;
  double finite = 0;  // NaN as soon as one x is not finite
  each([&](int i) {
    const double scale =
        atol_[i] + options_.rtol * std::max(std::abs(x_old_[i]), std::abs(x_new_[i]));
    // A tolerance of zero at x = 0 asks for an error of exactly zero, and 0 / 0 is none.
    const double ratio = h_gamma_ * r_[7][i] / (scale + std::numeric_limits<double>::min());
    sum += ratio * ratio;
    finite += x_new_[i] - x_new_[i];
  });
  return sum / std::max(1, n()) + finite;
}

template <int N>
bool RosenbrockStepper<N>::is_due_inside(double h) {
  constexpr double kStiff = 30;  // h |lambda|
  if (has_algebraic_) return true;
  if (trusted_ > 0 && h <= h_trusted_) {
    --trusted_;
    return false;
  }
  return is_first_ || h * matrix_.largest_diagonal() > kStiff;
}

// What is stiff has forgotten the step at its end, whatever its length: there the estimate of the
// error says nothing about the solution in between, which is asked for all the same. The residual
// of the dense output in the middle, f - M x', divided by W as the stages are: a stiff component is
// off by -(df/dx)^-1 of it, and so is an algebraic one, the others by at most h gamma times it.
template <int N>
[[gnu::noinline]] double RosenbrockStepper<N>::error_inside(double h, double at_end,
                                                            double remaining) {
  constexpr double kSeen = 10, kSmall = 0.01;
  constexpr double kShortest = 1e-6;  // of the way that remains
  constexpr int kTrusted = 15;
  constexpr double kLonger = 1.2;
  make_dense(h);
  each([&](int i) {
    const double bubble = dense_[0][i] + 0.5 * (dense_[1][i] + 0.5 * dense_[2][i]);
    u_[i] = 0.5 * (x_old_[i] + x_new_[i]) + 0.25 * bubble;
  });
  ++stats_.rhs;
  try {
    equations_.rhs(t_old_ + 0.5 * h, u_.data(), f_stage_.data());
  } catch (const EvaluationError&) {  // on the border of what f can take: nothing is known
    return 0;
  }
  each([&](int i) {
    const double rate = (x_new_[i] - x_old_[i] + 0.25 * (dense_[1][i] + dense_[2][i])) / h;
    b_[i] = h_gamma_ * (f_stage_[i] - mass_[i] * rate);
  });
  matrix_.solve(b_.data(), lag_.data());
  double sum = 0;
  each([&](int i) {
    const double scale =
        atol_[i] + options_.rtol * std::max(std::abs(x_old_[i]), std::abs(x_new_[i]));
    const double ratio = lag_[i] / (scale + std::numeric_limits<double>::min());
    sum += ratio * ratio;
  });
  const double squared = sum / std::max(1, n());
  if (!std::isfinite(squared)) return 0;
  // An algebraic variable with a vertical tangent, or whose Jacobian by differences is too rough
  // there, would ask for steps without end.
  if (has_algebraic_)
    return h < kShortest * remaining ? std::min(squared, kSeen * at_end) : squared;
  // Where the estimate at the end sees what goes on inside, a look now and then will do.
  trusted_ = squared <= std::max(kSeen * at_end, kSmall) ? kTrusted : 0;
  h_trusted_ = kLonger * h;
  return squared;
}

// The error of the last attempt is no more than what the rounding of t does to x anyway: no method
// can do better. So a ramp that is as steep as a jump is passed, if t can hardly resolve it and x
// changes little. (At a singularity x changes much.)
template <int N>
bool RosenbrockStepper<N>::is_within_the_resolution_of_time() const {
  const double unit = spacing(t_);
  for (int i = 0; i < n(); ++i) {
    constexpr double kLittle = 1e-8;
    const double size = std::max(std::abs(x_old_[i]), std::abs(x_new_[i]));
    const double rate = std::max(std::abs(f_[i]), std::abs(f_stage_[i])) * mass_[i];
    const double tolerance =
        atol_[i] + options_.rtol * size + std::min(unit * rate, kLittle * size);
    if (!(std::abs(h_gamma_ * r_[7][i]) <= tolerance)) return false;
  }
  return true;
}

// The component with the largest error against its tolerance.
template <int N>
int RosenbrockStepper<N>::worst_component() const {
  int worst = 0;
  double largest = -1;
  for (int i = 0; i < n(); ++i) {
    const double scale =
        atol_[i] + options_.rtol * std::max(std::abs(x_old_[i]), std::abs(x_new_[i]));
    const double ratio = std::abs(r_[7][i]) / scale;
    if (ratio > largest) {
      largest = ratio;
      worst = i;
    }
  }
  return worst;
}

// After a stage without a number all that come later have none: who began shows only where the
// arguments are numbers still, a little ahead on the tangent. Leaves f there in f_stage_.
template <int N>
int RosenbrockStepper<N>::find_non_finite_ahead(double h) {
  for (const double factor : {1.0, 8.0, 64.0}) {
    const double ahead = factor * std::max(h, spacing(t_));
    each([&](int i) { u_[i] = x_now_[i] + ahead * f_[i]; });
    try {
      equations_.rhs(t_ + ahead, u_.data(), f_stage_.data());
    } catch (const EvaluationError&) {
      return -1;
    }
    if (const int i = find_non_finite(n(), f_stage_.data()); i >= 0) return i;
  }
  return -1;
}

template <int N>
StepStatus RosenbrockStepper<N>::fail(StepStatus status, double h) {
  switch (status) {
    case StepStatus::kStepTooSmall:
      message_ = step_too_small_message(equations_, worst_component(), t_, h);
      break;
    case StepStatus::kNewtonFailed:
      message_ = singular_matrix_message(equations_, singular_column_, t_);
      break;
    case StepStatus::kEvaluationFailed:
      message_ = evaluation_message(evaluation_error_, t_, false);
      break;
    default:
      if (const int f = find_non_finite(n(), f_.data()); f >= 0) {
        message_ = non_finite_slope_message(equations_, f, f_[f], t_);
      } else if (const int ahead = find_non_finite_ahead(h); ahead >= 0) {
        message_ = non_finite_slope_message(equations_, ahead, f_stage_[ahead], t_);
      } else {
        const int i = std::max(0, find_non_finite(n(), x_new_.data()));
        message_ = non_finite_state_message(equations_, i, x_new_[i], t_, false);
      }
  }
  return status;
}

template <int N>
StepStatus RosenbrockStepper<N>::step(double limit) {
  if (!(limit > t_)) {
    message_ = limit_passed_message(t_, limit);
    return StepStatus::kStepTooSmall;
  }
  if (fresh_) {
    try {
      if (!prepare()) return fail(StepStatus::kNonFinite, 0);
    } catch (const EvaluationError& error) {
      evaluation_error_ = error.what();
      return fail(StepStatus::kEvaluationFailed, 0);
    }
    if (!(h_next_ > 0)) h_next_ = std::min(initial_step(limit), h_before_);
    fresh_ = false;
  }

  const double remaining = limit - t_;
  double h = std::min(h_next_, options_.max_step);
  const double h_min =
      std::max(spacing(t_), 2 * std::numeric_limits<double>::epsilon() * std::min(h, remaining));
  h = std::max(h, h_min);  // a shorter one would not move time
  for (;;) {
    double h_try = h;
    bool hit = false;
    if (remaining <= std::max(std::min(1.01 * h, options_.max_step), h_min)) {
      h_try = remaining;
      hit = true;
    } else if (2 * h > remaining) {
      h_try = 0.5 * remaining;
    }
    // So short a step is as long as the doubles of time let it be.
    if (!hit && h_try < 1e-8 * std::abs(t_)) h_try = representable_step(t_, h_try);
    const bool truncated = h_try < 0.9 * h;

    StepStatus status = StepStatus::kOk;
    double factor;
    dense_ready_ = false;
    try {
      if (!attempt(h_try, r_, x_new_.data())) status = StepStatus::kNewtonFailed;
    } catch (const EvaluationError& error) {
      status = StepStatus::kEvaluationFailed;
      evaluation_error_ = error.what();
      if (!error.recoverable()) return fail(status, h_try);
    }
    if (status == StepStatus::kOk) {
      double error = squared_error();
      if (error <= 1 && is_due_inside(h_try))
        error = std::max(error, error_inside(h_try, error, remaining));
      if (error <= 1 || (h_try <= 2 * spacing(t_) && is_within_the_resolution_of_time())) {
        ++stats_.steps;
        t_ = hit ? limit : t_ + h_try;
        each([&](int i) { x_now_[i] = x_new_[i]; });
        factor = controller_.accept(error, h_try, truncated);
        h_next_ = truncated ? std::max(h, h_try * factor) : h_try * factor;
        fresh_ = true;
        has_step_ = true;
        is_first_ = false;
        return StepStatus::kOk;
      }
      if (std::isnan(error) || std::isinf(error)) {
        status = StepStatus::kNonFinite;
        factor = controller_.fail();
      } else {
        status = StepStatus::kStepTooSmall;
        factor = controller_.reject(error);
      }
    } else {
      factor = controller_.fail();
    }
    ++stats_.rejected;
    h = h_try * factor;
    // At the border of what f can take, x + h f is x when the step is short enough: time must not
    // crawl on there.
    const bool at_border =
        status == StepStatus::kNonFinite || status == StepStatus::kEvaluationFailed;
    if (h < (at_border ? std::max(h_min, 4 * spacing(t_)) : h_min)) return fail(status, h);
    h_next_ = h;
  }
}

template <int N>
[[gnu::noinline]] void RosenbrockStepper<N>::make_dense(double h) const {
#pragma GCC unroll 3
  for (int l = 0; l < 3; ++l) {
    Local q = dense_[l];
    each([&](int i) {
      double sum = 0;
#pragma GCC unroll 8
      for (int j = 1; j < rodas5p::kStages; ++j) sum += rodas5p::kDense[l][j] * r_[j][i];
      q[i] = h * rodas5p::kGamma * sum;
    });
    if constexpr (N > 0) dense_[l] = q;
  }
  set_out_along_f(h);
  dense_ready_ = true;
}

// A condition that is left in second order (a body that an event has stopped) goes where f moves
// it, and not where a slope goes that is off by the error of the dense output. A term s (1 - s)^3
// takes that off from what is not stiff, unless it is no small error: then it is not that of a
// smooth solution.
template <int N>
void RosenbrockStepper<N>::set_out_along_f(double h) const {
  constexpr double kSmallError = 10;  // in tolerances
  for (int i = 0; i < n(); ++i) {
    const double off = h * f_[i] - (x_new_[i] - x_old_[i] + dense_[0][i]);
    const double scale =
        atol_[i] + options_.rtol * std::max(std::abs(x_old_[i]), std::abs(x_new_[i]));
    const bool is_smooth = mass_[i] != 0 && h * std::abs(matrix_.diagonal(i)) < kSmooth;
    if (!is_smooth || !(std::abs(off) <= kSmallError * scale)) continue;
    dense_[0][i] += off;
    dense_[1][i] -= 2 * off;
    dense_[2][i] += off;
  }
}

template <int N>
void RosenbrockStepper<N>::interpolate(double t, double* x) const {
  if (!has_step_ || t >= t_) {
    for (int i = 0; i < n(); ++i) x[i] = x_now_[i];
    return;
  }
  if (!dense_ready_) make_dense(t_ - t_old_);
  const double s = (t - t_old_) / (t_ - t_old_);
  const double r = 1 - s;
  for (int i = 0; i < n(); ++i) {
    const double bubble = dense_[0][i] + s * (dense_[1][i] + s * dense_[2][i]);
    x[i] = r * x_old_[i] + s * (x_now_[i] + r * bubble);
  }
}

template <int N>
bool RosenbrockStepper<N>::retake(double s, double* x) {
  if (!has_step_ || !(s > t_old_)) return false;
  if (s >= t_) {
    for (int i = 0; i < n(); ++i) x[i] = x_now_[i];
    return true;
  }
  try {
    if (!attempt(s - t_old_, r_retake_, x)) return false;
  } catch (const EvaluationError&) {
    return false;
  }
  double sum = 0;
  for (int i = 0; i < n(); ++i) sum += x[i] - x[i];
  return sum == 0;
}

}  // namespace arges
