// Fixed-step methods of bounded cost, for real time.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <Eigen/LU>
#include <Eigen/QR>

#include "arges/base/background_job.h"
#include "arges/base/error.h"
#include "arges/solvers/constraint_jacobian.h"
#include "arges/solvers/factories.h"
#include "arges/solvers/fixed_step.h"
#include "arges/solvers/jacobian.h"
#include "arges/solvers/tableaus_fixed.h"

namespace arges {

namespace {

constexpr int kAlgebraicSteps = 3;
constexpr double kAlgebraicDone = 1e-14;

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

std::size_t at(Eigen::Index i) { return static_cast<std::size_t>(i); }

struct Split {
  explicit Split(const Equations& equations) {
    for (int i = 0; i < equations.size(); ++i)
      (equations.is_differential(i) ? differential : algebraic).push_back(i);
  }
  std::vector<int> differential, algebraic;
};

// The matrices of BDF steps, evaluated and factored, each at the point where it was asked for last.
class StepMatrices {
 public:
  StepMatrices(const Equations& equations, const Split& split, double lead)
      : equations_(equations),
        split_(split),
        lead_(lead),
        jacobian_(equations),
        full_(equations.size(), equations.size()),
        newton_(equations.size()) {
    if (equations.sparsity() != nullptr) values_.resize(at(jacobian_.values_size()));
  }

  // df/dx at w, dense; f = f(t, w).
  const Matrix& evaluate_jacobian(double t, const Vector& w, const Vector& f, double h) {
    const std::int64_t before = jacobian_.rhs_evaluations();
    if (values_.empty()) {
      jacobian_.evaluate(t, w.data(), f.data(), h, full_.data(), nullptr);
    } else {
      jacobian_.evaluate(t, w.data(), f.data(), h, values_.data(), nullptr);
      full_.setZero();
      const SparsityPattern& pattern = *equations_.sparsity();
      for (int j = 0; j < pattern.n; ++j) {
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
          full_(pattern.row[k], j) = values_[at(k)];
      }
    }
    spent.rhs += jacobian_.rhs_evaluations() - before;
    ++spent.jacobians;
    return full_;
  }

  // lead M - h df/dx of the differential rows, df/dx of the algebraic ones, from the last Jacobian.
  void factor_newton(double h) {
    matrix_ = full_;
    for (const int i : split_.differential) {
      matrix_.row(i) *= -h;
      matrix_(i, i) += lead_;
    }
    newton_.compute(matrix_);
    ++spent.factorizations;
    newton_h = h;
  }

  // The differential rows of the same, and below them dc/dx at w.
  void factor_projection(double t, const Vector& w, double h) {
    const auto rows = static_cast<Eigen::Index>(split_.differential.size());
    const Eigen::Index constraints = equations_.constraint_count();
    matrix_.resize(rows + constraints, equations_.size());
    for (Eigen::Index k = 0; k < rows; ++k) {
      const int i = split_.differential[at(k)];
      matrix_.row(k) = -h * full_.row(i);
      matrix_(k, i) += lead_;
    }
    Matrix C(constraints, equations_.size());
    evaluate_constraint_jacobian(equations_, t, w.data(), C.data());
    matrix_.bottomRows(constraints) = C;
    projection_.compute(matrix_);
    ++spent.factorizations;
    projection_h = h;
  }

  bool finite() const { return full_.allFinite(); }
  const Eigen::PartialPivLU<Matrix>& newton() const { return newton_; }
  const Eigen::HouseholderQR<Matrix>& projection() const { return projection_; }
  // Takes what `other` has factored.
  void take(StepMatrices& other) {
    std::swap(newton_, other.newton_);
    std::swap(projection_, other.projection_);
    newton_h = other.newton_h;
    projection_h = other.projection_h;
  }

  double newton_h = 0, projection_h = 0;  // steps for which the factors are; 0: there are none
  SolverStatistics spent;

 private:
  const Equations& equations_;
  const Split& split_;
  double lead_;
  JacobianEvaluator jacobian_;
  Matrix full_, matrix_;
  Eigen::PartialPivLU<Matrix> newton_;
  Eigen::HouseholderQR<Matrix> projection_;
  std::vector<double> values_;  // of a sparse Jacobian
};

// Evaluates and factors the matrices of coming steps in a thread of its own, with a snapshot of the
// equations. The thread lives as long as the stepper; events bring a new snapshot.
class MatricesInBackground {
 public:
  MatricesInBackground(int size, const Split& split, double lead, bool newton, bool projection)
      : split_(split),
        lead_(lead),
        newton_(newton),
        projection_(projection),
        w_(size),
        f_(size),
        job_([this] { work(); }) {}

  // What it is at work on belongs to equations that may have changed: it is waited for and dropped.
  void begin_anew(std::unique_ptr<const Equations> equations) {
    if (std::exchange(asked_, false)) {
      try {
        job_.wait();
      } catch (const EvaluationError&) {  // at a point that is no longer asked for
      }
    }
    matrices_.reset();
    equations_ = std::move(equations);
    matrices_.emplace(*equations_, split_, lead_);
  }

  bool asked() const { return asked_; }
  bool ready() const { return asked_ && job_.done(); }
  void ask(double t, const Vector& w, double h) {
    t_ = t;
    w_ = w;
    h_ = h;
    asked_ = true;
    job_.begin();
  }
  // Waits for what was asked for, and hands it over; where the equations could not be evaluated,
  // nothing.
  void take(StepMatrices& into) {
    asked_ = false;
    try {
      job_.wait();
      if (matrices_->finite()) into.take(*matrices_);
    } catch (const EvaluationError&) {
    }
    into.spent += std::exchange(matrices_->spent, {});
  }

 private:
  void work() {
    equations_->rhs(t_, w_.data(), f_.data());
    ++matrices_->spent.rhs;
    matrices_->evaluate_jacobian(t_, w_, f_, h_);
    if (newton_) matrices_->factor_newton(h_);
    if (projection_) matrices_->factor_projection(t_, w_, h_);
  }

  const Split& split_;
  double lead_;
  std::unique_ptr<const Equations> equations_;
  bool newton_, projection_, asked_ = false;
  double t_ = 0, h_ = 0;
  Vector w_, f_;
  std::optional<StepMatrices> matrices_;
  BackgroundJob job_;  // last: it ends first
};

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
// With order 1 R(y) is y - y_n - h f(y): the implicit Euler method.
//
// The matrices are evaluated in each Newton step, or in each n-th time step and kept in between, or
// in the background: at the end of a step the thread is given its point, and works on while steps
// are made; the first step at which they are ready (or the n-th after) goes on with them, and the
// thread gets the next point. Only the first step after a start evaluates its own.
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
        bdf_order_(predictor == Predictor::kLast ? options.bdf_order : 3),
        lead_(bdf_order_ == 1 ? 1 : 11.0 / 6),
        newton_steps_(options.newton_steps >= 0 ? options.newton_steps : newton_steps),
        projection_steps_(options.projection_steps),
        jacobian_every_(options.jacobian_every),
        background_lag_(options.background_lag),
        wants_background_(options.jacobian_background),
        constant_history_(options.constant_history),
        newton_tolerance_(options.newton_tolerance),
        split_(equations),
        matrices_(equations, split_, lead_),
        past_{Vector(equations.size()), Vector(equations.size())},
        w_(equations.size()),
        behind_(equations.size()),
        rate_(equations.size()),
        r_(equations.size()),
        f_(equations.size()),
        part_matrix_(equations.size(), equations.size()),
        part_lu_(equations.size()) {
    if (projection_steps_ > 0 && equations.constraint_count() == 0)
      throw UserError(
          "projection steps need constraints, and these equations have none: the index is one, or "
          "the constraints are solved for states (--constraints project keeps them)");
  }

  bool is_multistep() const override { return bdf_order_ > 1; }
  bool keeps_constraints() const override { return true; }
  int order() const override { return bdf_order_; }
  double stability_limit() const override {
    return newton_steps_ > 0 ? std::numeric_limits<double>::infinity() : 6.0 / 11;
  }

 protected:
  void advance(const StepGrid::Target& target, double* x_next) override {
    const bool whole = grid().on_grid() && target.on_grid;
    if (!whole) whole_steps_ = 0;
    const Eigen::Map<const Vector> y(x_, equations_.size());
    const bool has_past = bdf_order_ == 1 || (whole && (whole_steps_ == 2 || constant_history_));
    const bool is_explicit = newton_steps_ == 0 || predictor_ == Predictor::kAdams;
    if (!has_past && is_explicit && split_.algebraic.empty()) {
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
    stats_ += std::exchange(matrices_.spent, {});
  }

  void interpolate_inside(double theta, double* x) const override {
    const auto line = [&](int i) { x[i] = x_old()[i] + theta * (x_[i] - x_old()[i]); };
    if (bdf_order_ == 1) {
      for (int i = 0; i < equations_.size(); ++i) line(i);
      return;
    }
    FixedStep::interpolate_inside(theta, x);
    for (const int i : split_.algebraic) line(i);
  }

  void forget() override {
    whole_steps_ = 0;
    age_ = 0;
    matrices_.newton_h = matrices_.projection_h = 0;
    if (!wants_background_ || newton_steps_ + projection_steps_ == 0) return;
    auto equations = equations_.snapshot();
    if (!equations) return;
    if (!background_)
      background_ = std::make_unique<MatricesInBackground>(
          equations_.size(), split_, lead_, newton_steps_ > 0, projection_steps_ > 0);
    background_->begin_anew(std::move(equations));
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
    if (bdf_order_ == 1) {
      behind_ = y;
    } else {
      behind_ = 3 * y - 1.5 * past(1) + past(2) / 3;
    }
    if (predictor_ == Predictor::kAdams) {
      rate_ = (23 * slope_at(0) - 16 * slope_at(1) + 5 * slope_at(2)) / 12;
      for (const int i : split_.differential) w_[i] = y[i] + h * rate_[i];
      solve_algebraic(t);
    }
    take_from_background();
    for (int k = 0; k < newton_steps_ && newton_step(t, h, k == 0); ++k) solve_algebraic(t);
    for (int k = 0; k < projection_steps_; ++k) projection_step(t, h);
    if (projection_steps_ > 0) solve_algebraic(t);
    ask_background(t, h);
  }

  void take_from_background() {
    if (!background_ || !background_->asked()) return;
    ++waited_;
    if (background_lag_ > 0 ? waited_ >= background_lag_ : background_->ready())
      background_->take(matrices_);
  }

  void ask_background(double t, double h) {
    if (!background_ || background_->asked()) return;
    waited_ = 0;
    background_->ask(t, w_, h);
  }

  // T_j: j steps of (M - h/j J) dy = h/j f, with the J of the beginning. T_1/2 - 4 T_2 + 9/2 T_3
  // has order 3.
  void make_first_step(double t, double h) {
    const View y(x_, equations_.size());
    constexpr std::array<double, 3> kWeights = {0.5, -4, 4.5};
    w_ = y;
    rates(t_);
    const Matrix& J = matrices_.evaluate_jacobian(t_, w_, f_, h);
    behind_.setZero();
    for (int j = 1; j <= 3; ++j) {
      const double part = h / j;
      part_matrix_ = -part * J;
      for (const int i : split_.differential) part_matrix_(i, i) += 1;
      part_lu_.compute(part_matrix_);
      ++stats_.factorizations;
      w_ = y;
      for (int k = 1; k <= j; ++k) {
        rates(k == j ? t : t_ + k * part);
        r_ = part * f_;
        rate_.noalias() = part_lu_.solve(r_);
        w_ += rate_;
      }
      behind_ += kWeights[at(j - 1)] * w_;
    }
    w_ = behind_;
    solve_algebraic(t);
  }

  void rates(double t) { evaluate(t, w_.data(), f_.data()); }

  // False: the residual is small enough as it is.
  bool newton_step(double t, double h, bool first) {
    rates(t);
    for (const int i : split_.differential) r_[i] = lead_ * w_[i] - behind_[i] - h * f_[i];
    for (const int i : split_.algebraic) r_[i] = f_[i];
    if (newton_tolerance_ > 0 && r_.lpNorm<Eigen::Infinity>() <= newton_tolerance_) return false;
    const bool renews =
        !background_ && (jacobian_every_ <= 1 || (first && age_ % jacobian_every_ == 0));
    if (renews || h != matrices_.newton_h) {
      matrices_.evaluate_jacobian(t, w_, f_, h);
      matrices_.factor_newton(h);
    }
    rate_.noalias() = matrices_.newton().solve(r_);
    w_ -= rate_;
    ++stats_.newton_iterations;
    return true;
  }

  void projection_step(double t, double h) {
    const auto rows = static_cast<Eigen::Index>(split_.differential.size());
    const Eigen::Index constraints = equations_.constraint_count();
    rates(t);
    if (!background_ || h != matrices_.projection_h) {
      matrices_.evaluate_jacobian(t, w_, f_, h);
      matrices_.factor_projection(t, w_, h);
    }
    Vector r(rows + constraints), c(constraints);
    for (Eigen::Index k = 0; k < rows; ++k) {
      const int i = split_.differential[at(k)];
      r[k] = lead_ * w_[i] - behind_[i] - h * f_[i];
    }
    equations_.constraints(t, w_.data(), c.data());
    r.tail(constraints) = c;
    w_ -= matrices_.projection().solve(r);
    ++stats_.newton_iterations;
  }

  // The algebraic variables from their equations, by at most kAlgebraicSteps Newton steps.
  void solve_algebraic(double t) {
    const std::vector<int>& algebraic = split_.algebraic;
    const auto m = static_cast<Eigen::Index>(algebraic.size());
    if (m == 0) return;
    for (int k = 0; k < kAlgebraicSteps; ++k) {
      rates(t);
      const Matrix& J = matrices_.evaluate_jacobian(t, w_, f_, grid().step());
      Matrix part(m, m);
      Vector r(m);
      for (Eigen::Index i = 0; i < m; ++i) {
        r[i] = f_[algebraic[at(i)]];
        for (Eigen::Index j = 0; j < m; ++j) part(i, j) = J(algebraic[at(i)], algebraic[at(j)]);
      }
      const Vector step = part.partialPivLu().solve(r);
      double size = 0;
      for (Eigen::Index i = 0; i < m; ++i) {
        double& z = w_[algebraic[at(i)]];
        z -= step[i];
        size = std::max(size, std::abs(step[i]) / (1 + std::abs(z)));
      }
      if (size <= kAlgebraicDone) return;
    }
  }

  const Equations& equations_;
  Predictor predictor_;
  int bdf_order_;
  double lead_;
  int newton_steps_, projection_steps_, jacobian_every_, background_lag_;
  bool wants_background_, constant_history_;
  double newton_tolerance_;
  Split split_;
  StepMatrices matrices_;
  std::array<Vector, 2> past_;  // one and two steps before x()
  Vector w_, behind_, rate_, r_, f_;
  Matrix part_matrix_;  // of the first steps
  Eigen::PartialPivLU<Matrix> part_lu_;
  int whole_steps_ = 0;  // from grid point to grid point, up to 2
  int age_ = 0;          // steps since the start
  int waited_ = 0;       // steps since the background was asked
  std::unique_ptr<MatricesInBackground> background_;
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
