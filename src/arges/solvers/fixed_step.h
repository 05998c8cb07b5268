#pragma once
// What the fixed-step methods share: the grid, dense output, failures.

#include <array>
#include <cstddef>
#include <vector>

#include "arges/solvers/step_grid.h"
#include "arges/solvers/stepper.h"

namespace arges {

// A method that goes from grid point to grid point (StepGrid), and to `limit` when that comes
// first; after a start between two grid points, or a step cut by `limit`, the next step returns to
// the grid. It cannot shorten its step: a value that is not finite or an EvaluationError ends the
// run.
//
//   step(limit): f_n = f(t, x), unless dense output has already asked for it
//                target = next grid point, or limit
//                x_next = advance(target)
//
// Dense output is the cubic Hermite polynomial of x and f at both ends (local error of order 4),
// with f(t(), x()) evaluated when first asked for, and then not again by the next step. Methods of
// a lower order override it by what comes for free.
class FixedStep : public Stepper {
 public:
  FixedStep(const Equations& equations, const SolverOptions& options, int stages);

  void start(double t, const double* x, const double* xdot, double h) override;
  StepStatus step(double limit) override;
  void interpolate(double t, double* x) const override;
  double next_step() const override { return grid_.step(); }
  // The step is too long for the method to be stable: see watch_stability().
  bool suspects_stiffness() const override { return unstable_steps_ >= kUnstable; }

 protected:
  // The longest stable h |lambda| for a decay.
  virtual double stability_limit() const = 0;

  // Writes x at target.t into x_next, from x() and slope(0). May throw EvaluationError.
  virtual void advance(const StepGrid::Target& target, double* x_next) = 0;
  // Dense output at theta = (t - t_old) / (t() - t_old), strictly between 0 and 1.
  virtual void interpolate_inside(double theta, double* x) const;
  // The past is gone: a start or a failure.
  virtual void forget() {}

  void evaluate(double t, const double* x, double* f) const {
    ++stats_.rhs;
    equations_.rhs(t, x, f);
  }
  std::size_t n() const { return n_; }
  const StepGrid& grid() const { return grid_; }
  const double* x_old() const { return x_old_; }
  // f at the beginning of the step, of the one before, and of the one before that.
  const double* slope(int age) const { return slopes_[age]; }

  // One step of the Runge-Kutta method T from (t, x) with f(t, x) = f0, into `result`.
  template <class T>
  void runge_kutta(double t, double t_end, const double* x, const double* f0, double* result);

 private:
  static constexpr int kUnstable = 3;

  void watch_stability(double h);
  bool prepare_end_slope() const;
  std::string why_not_finite(int bad) const;
  StepStatus fail(StepStatus status, std::string message);

  const Equations& equations_;
  std::size_t n_;
  int stages_;
  StepGrid grid_;
  std::vector<double> workspace_;
  double* x_old_;                  // at t_old()
  double* x_new_;                  // at t()
  double* y_;                      // argument of a stage
  double* k_;                      // stages
  std::array<double*, 4> slopes_;  // f at t_old() and before; the last one: f at t(), when ready
  mutable bool end_slope_ready_ = false;
  bool has_step_ = false;  // the slopes of the last step are those of slope(1)
  int unstable_steps_ = 0;
};

}  // namespace arges
