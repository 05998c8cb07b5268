// Fixed-step methods of bounded cost, for real time.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <Eigen/LU>
#include <Eigen/QR>

#include "arges/base/error.h"
#include "arges/solvers/factories.h"
#include "arges/solvers/fixed_step.h"
#include "arges/solvers/jacobian.h"
#include "arges/solvers/tableaus_fixed.h"

namespace arges {

namespace {

constexpr int kAlgebraicSteps = 3;
constexpr double kAlgebraicDone = 1e-14;
constexpr double kIncrement = 1.5e-8;
constexpr double kLead = 11.0 / 6;  // of BDF3

std::size_t at(Eigen::Index i) { return static_cast<std::size_t>(i); }

// One step of length h, with a known number of operations (Frochte):
//
//   predict   AB3: y + h/12 (23 f_n - 16 f_{n-1} + 5 f_{n-2}); or the last value y_n
//   correct   k Newton steps on  R(y) = 11/6 y - 3 y_n + 3/2 y_{n-1} - 1/3 y_{n-2} - h f(y)
//   project   j Gauss-Newton steps on  R(y) = 0, c(y) = 0  together, c being the constraints that
//             the equations have besides (Equations::constraints)
//
// Of a DAE with algebraic variables z, f(y, z): z is found from its equations at each new y, and is
// a further unknown of the Gauss-Newton steps, where its own equations stand back behind c.
//
// The Jacobian is evaluated in each Newton step, or in each n-th time step and kept in between.
//
// The past is missing at the start and after events. The first steps are then Runge-Kutta steps of
// order 3; for BDF3 and for DAEs they are linearly implicit Euler steps, one, two and three of
// them, extrapolated to order 3. Or all past values are taken equal to the first.
class RealTimeMultistep : public FixedStep {
 public:
  enum class Predictor { kAdams, kLast };

  RealTimeMultistep(const Equations& equations, const SolverOptions& options, Predictor predictor,
                    int newton_steps)
      : FixedStep(equations, options, rk::Ralston3::kStages),
        equations_(equations),
        predictor_(predictor),
        newton_steps_(options.newton_steps >= 0 ? options.newton_steps : newton_steps),
        projection_steps_(options.projection_steps),
        jacobian_every_(options.jacobian_every),
        constant_history_(options.constant_history),
        jacobian_(equations),
        past_{Vector(equations.size()), Vector(equations.size())},
        w_(equations.size()),
        behind_(equations.size()),
        rate_(equations.size()),
        r_(equations.size()),
        f_(equations.size()),
        full_(equations.size(), equations.size()),
        matrix_(equations.size(), equations.size()),
        lu_(equations.size()) {
    for (int i = 0; i < equations.size(); ++i)
      (equations.is_differential(i) ? differential_ : algebraic_).push_back(i);
    if (projection_steps_ > 0 && equations.constraint_count() == 0)
      throw UserError(
          "projection steps need constraints, and these equations have none: the index is one, or "
          "the constraints are solved for states (--constraints project keeps them)");
    if (equations.sparsity() != nullptr) values_.resize(at(jacobian_.values_size()));
  }

  bool is_multistep() const override { return true; }
  bool keeps_constraints() const override { return true; }
  int order() const override { return 3; }
  double stability_limit() const override {
    return newton_steps_ > 0 ? std::numeric_limits<double>::infinity() : 6.0 / 11;
  }

 protected:
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;

  void advance(const StepGrid::Target& target, double* x_next) override {
    const bool whole = grid().on_grid() && target.on_grid;
    if (!whole) whole_steps_ = 0;
    const Eigen::Map<const Vector> y(x_, equations_.size());
    const bool has_past = whole && (whole_steps_ == 2 || constant_history_);
    const bool is_explicit = newton_steps_ == 0 || predictor_ == Predictor::kAdams;
    if (!has_past && is_explicit && algebraic_.empty()) {
      runge_kutta<rk::Ralston3>(t_, target.t, x_, slope(0), x_next);
    } else {
      // Between grid points h is the same number in each step, whatever times are rounded to.
      const double h = whole ? grid().step() : target.t - t_;
      has_past ? make_step(target.t, h) : make_first_step(target.t, h);
      std::copy_n(w_.data(), n(), x_next);
    }
    past_[1].swap(past_[0]);
    if (whole_steps_ == 0) past_[1] = y;
    past_[0] = y;
    whole_steps_ = whole ? std::min(whole_steps_ + 1, 2) : 0;
    ++age_;
  }

  void interpolate_inside(double theta, double* x) const override {
    FixedStep::interpolate_inside(theta, x);
    for (const int i : algebraic_) x[i] = x_old()[i] + theta * (x_[i] - x_old()[i]);
  }

  void forget() override {
    whole_steps_ = 0;
    age_ = 0;
  }

 private:
  using View = Eigen::Map<const Vector>;
  // Values and slopes of the past; what is missing is as the oldest there is.
  View slope_at(int age) const { return {slope(std::min(age, whole_steps_)), equations_.size()}; }
  View past(int age) const {
    if (whole_steps_ == 0) return {x_, equations_.size()};
    return {past_[at(std::min(age, whole_steps_) - 1)].data(), equations_.size()};
  }

  void make_step(double t, double h) {
    const View y(x_, equations_.size());
    w_ = y;
    behind_ = 3 * y - 1.5 * past(1) + past(2) / 3;
    if (predictor_ == Predictor::kAdams) {
      rate_ = (23 * slope_at(0) - 16 * slope_at(1) + 5 * slope_at(2)) / 12;
      for (const int i : differential_) w_[i] = y[i] + h * rate_[i];
      solve_algebraic(t);
    }
    for (int k = 0; k < newton_steps_; ++k) {
      newton_step(t, h, k == 0);
      solve_algebraic(t);
    }
    for (int k = 0; k < projection_steps_; ++k) projection_step(t, h);
    if (projection_steps_ > 0) solve_algebraic(t);
  }

  // T_j: j steps of (M - h/j J) dy = h/j f, with the J of the beginning. T_1/2 - 4 T_2 + 9/2 T_3
  // has order 3.
  void make_first_step(double t, double h) {
    const View y(x_, equations_.size());
    constexpr std::array<double, 3> kWeights = {0.5, -4, 4.5};
    w_ = y;
    rates(t_);
    evaluate_jacobian(t_, h, full_);
    behind_.setZero();
    for (int j = 1; j <= 3; ++j) {
      const double part = h / j;
      matrix_ = -part * full_;
      for (const int i : differential_) matrix_(i, i) += 1;
      lu_.compute(matrix_);
      ++stats_.factorizations;
      w_ = y;
      for (int k = 1; k <= j; ++k) {
        rates(k == j ? t : t_ + k * part);
        r_ = part * f_;
        rate_.noalias() = lu_.solve(r_);
        w_ += rate_;
      }
      behind_ += kWeights[at(j - 1)] * w_;
    }
    w_ = behind_;
    factored_h_ = 0;
    solve_algebraic(t);
  }

  void rates(double t) { evaluate(t, w_.data(), f_.data()); }

  // df/dx at w, dense; f_ must be f(t, w).
  void evaluate_jacobian(double t, double h, Matrix& J) {
    const std::int64_t before = jacobian_.rhs_evaluations();
    if (values_.empty()) {
      jacobian_.evaluate(t, w_.data(), f_.data(), h, J.data(), nullptr);
    } else {
      jacobian_.evaluate(t, w_.data(), f_.data(), h, values_.data(), nullptr);
      J.setZero();
      const SparsityPattern& pattern = *equations_.sparsity();
      for (int j = 0; j < pattern.n; ++j) {
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
          J(pattern.row[k], j) = values_[at(k)];
      }
    }
    stats_.rhs += jacobian_.rhs_evaluations() - before;
    ++stats_.jacobians;
  }

  void newton_step(double t, double h, bool first) {
    rates(t);
    for (const int i : differential_) r_[i] = kLead * w_[i] - behind_[i] - h * f_[i];
    for (const int i : algebraic_) r_[i] = f_[i];
    const bool fresh =
        jacobian_every_ <= 1 || (first && age_ % jacobian_every_ == 0) || h != factored_h_;
    if (fresh) {
      evaluate_jacobian(t, h, matrix_);
      for (const int i : differential_) {
        matrix_.row(i) *= -h;
        matrix_(i, i) += kLead;
      }
      lu_.compute(matrix_);
      ++stats_.factorizations;
      factored_h_ = h;
    }
    rate_.noalias() = lu_.solve(r_);
    w_ -= rate_;
    ++stats_.newton_iterations;
  }

  void projection_step(double t, double h) {
    const auto rows = static_cast<Eigen::Index>(differential_.size());
    const Eigen::Index constraints = equations_.constraint_count();
    rates(t);
    evaluate_jacobian(t, h, full_);
    Vector r(rows + constraints);
    Matrix A(rows + constraints, equations_.size());
    for (Eigen::Index k = 0; k < rows; ++k) {
      const int i = differential_[at(k)];
      r[k] = kLead * w_[i] - behind_[i] - h * f_[i];
      A.row(k) = -h * full_.row(i);
      A(k, i) += kLead;
    }
    Vector c(constraints);
    equations_.constraints(t, w_.data(), c.data());
    r.tail(constraints) = c;
    Matrix C(constraints, equations_.size());
    if (!equations_.constraint_jacobian(t, w_.data(), C.data())) differences(t, c, C);
    A.bottomRows(constraints) = C;
    w_ -= A.householderQr().solve(r);
    ++stats_.newton_iterations;
    ++stats_.factorizations;
  }

  void differences(double t, const Vector& c, Matrix& C) const {
    Vector moved = w_, there(c.size());
    const std::span<const double> nominal = equations_.nominal();
    for (Eigen::Index j = 0; j < w_.size(); ++j) {
      const double size = nominal.empty() ? 1 : nominal[at(j)];
      moved[j] += kIncrement * std::max(std::abs(w_[j]), size);
      equations_.constraints(t, moved.data(), there.data());
      C.col(j) = (there - c) / (moved[j] - w_[j]);
      moved[j] = w_[j];
    }
  }

  // The algebraic variables from their equations, by at most kAlgebraicSteps Newton steps.
  void solve_algebraic(double t) {
    const auto m = static_cast<Eigen::Index>(algebraic_.size());
    if (m == 0) return;
    for (int k = 0; k < kAlgebraicSteps; ++k) {
      rates(t);
      evaluate_jacobian(t, grid().step(), full_);
      Matrix part(m, m);
      Vector r(m);
      for (Eigen::Index i = 0; i < m; ++i) {
        r[i] = f_[algebraic_[at(i)]];
        for (Eigen::Index j = 0; j < m; ++j)
          part(i, j) = full_(algebraic_[at(i)], algebraic_[at(j)]);
      }
      const Vector step = part.partialPivLu().solve(r);
      double size = 0;
      for (Eigen::Index i = 0; i < m; ++i) {
        double& z = w_[algebraic_[at(i)]];
        z -= step[i];
        size = std::max(size, std::abs(step[i]) / (1 + std::abs(z)));
      }
      if (size <= kAlgebraicDone) return;
    }
  }

  const Equations& equations_;
  Predictor predictor_;
  int newton_steps_, projection_steps_, jacobian_every_;
  bool constant_history_;
  JacobianEvaluator jacobian_;
  std::array<Vector, 2> past_;  // one and two steps before x()
  Vector w_, behind_, rate_, r_, f_;
  Matrix full_;    // df/dx
  Matrix matrix_;  // of the Newton steps, factored in lu_
  Eigen::PartialPivLU<Matrix> lu_;
  double factored_h_ = 0;       // for which lu_ is; 0: none
  std::vector<double> values_;  // of a sparse Jacobian
  std::vector<int> differential_, algebraic_;
  int whole_steps_ = 0;  // from grid point to grid point, up to 2
  int age_ = 0;          // steps since the start
};

}  // namespace

std::unique_ptr<Stepper> make_real_time(std::string_view name, const Equations& equations,
                                        const SolverOptions& options) {
  using Predictor = RealTimeMultistep::Predictor;
  const auto make = [&](Predictor predictor, int newton_steps) {
    return std::make_unique<RealTimeMultistep>(equations, options, predictor, newton_steps);
  };
  if (name == "rt-ab3") return make(Predictor::kAdams, 0);
  if (name == "rt-bdf3") return make(Predictor::kLast, 2);
  if (name == "rt-ab3-bdf3") return make(Predictor::kAdams, 1);
  throw ApiError(fmt::format("'{}' is not a real-time method", name));
}

}  // namespace arges
