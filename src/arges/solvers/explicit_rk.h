#pragma once
// Adaptive explicit Runge-Kutta methods with dense output.

#include <string>
#include <vector>

#include "arges/solvers/stepper.h"

namespace arges {

// An embedded explicit Runge-Kutta method, given by its tableau T (see tableau_dopri5.h).
//
//   step(limit):
//     h = the step wanted; the rest of the way to `limit` when that is at most 1 % longer, and half
//         of the rest when it is less than two steps, so that no tiny last step is left over
//     loop: stages, x_new, err = RMS of err_i / (atol nominal_i + rtol max(|x_i|, |x_new,i|))
//           not finite, or a recoverable EvaluationError: h = h / 5
//           err > 1:  h = h 0.9 / err^(1/order), at least kMinFactor h
//           else accept
//           h below 16 eps |t|: give up, back at the state before the step
//     h = h 0.9 / err^(1/order - 0.75 beta) err_old^beta, within [kMinFactor, kMaxFactor] h; no
//         growth after a rejection. A step cut by `limit` does not shorten the step wanted next
//         unless its error says so.
//
// The last stage is f at the new point, and is the first of the next step.
//
// Dense output, theta = (t - t_old) / h, with polynomials that alternate between the ends:
//   x_old + theta (c0 + (1 - theta) (c1 + theta (c2 + (1 - theta) (c3 + theta (c4 + ...)))))
//   c0 = x_new - x_old,  c1 = h f_old - c0,  c2 = c0 - h f_new - c1,  c3.. = h sum_j kDense_j k_j:
// the Hermite cubic first, then what the tableau adds. It is prepared when first asked for in a
// step (dop853 then evaluates three stages more; should these fail, the cubic remains).
//
// Stiffness (Hairer and Wanner II, section IV.2): the last two stages both lie at t_new, so
// |k_s - k_{s-1}| / |x_s - x_{s-1}| estimates the dominant eigenvalue. 15 steps at the limit of
// stability, with never 6 others in a row in between, raise the suspicion. A tight tolerance hardly
// excites the stiff components: then the estimate is that of the smooth ones, and no suspicion
// arises.
template <class T>
class ExplicitRungeKutta final : public Stepper {
 public:
  ExplicitRungeKutta(const Equations& equations, const SolverOptions& options);

  void start(double t, const double* x, const double* xdot, double h) override;
  StepStatus step(double limit) override;
  void interpolate(double t, double* x) const override;
  bool retake(double s, double* x) override;
  bool is_multistep() const override { return false; }
  int order() const override { return T::kOrder; }
  bool suspects_stiffness() const override { return stiff_steps_ >= 15; }
  double next_step() const override { return h_next_; }

 private:
  enum class Failure { kNone, kErrorTest, kNonFinite, kEvaluation, kFatalEvaluation };

  void evaluate(double t, const double* x, double* f) const {
    ++stats_.rhs;
    equations_.rhs(t, x, f);
  }
  // Stages First to Last (exclusive) of the step from (t, x) to t_end. Stage kStages - 1 is f at
  // the new point, whose argument is written to `result`.
  template <int First, int Last>
  void compute_stages(double t, double t_end, const double* x, double* k, double* result) const;
  Failure prepare_first_stage(double limit);
  Failure attempt(double t_new, double h);
  double error_norm(double h) const;
  double error_scale(std::size_t i) const;
  bool fit_to(double limit, double& h) const;
  void accept(double t_new, double h, double wanted, bool rejected);
  void watch_stiffness(double h);
  void prepare_dense() const;
  StepStatus give_up(Failure failure, double h);
  std::string describe_non_finite() const;
  int worst_component(double h) const;

  const Equations& equations_;
  std::size_t n_;
  double rtol_;
  double first_step_;
  double max_step_;
  std::vector<double> workspace_;
  double* x_old_;   // at t_old()
  double* x_new_;   // at t(); during a step: at its beginning
  double* y_;       // argument of the last but one stage
  double* k_;       // stages
  double* retake_;  // stages of retake()
  double* dense_;   // c0, c1, ...
  double* atol_;    // times the nominal values

  double h_next_ = 0;
  double error_ = 0;                // norm of the last attempt
  double log_error_old_ = 0;        // of the last accepted step
  bool first_stage_ready_ = false;  // k_0 is f(t, x)
  bool last_stage_ready_ = false;   // k_{s-1} is f(t, x), to become k_0
  mutable bool dense_ready_ = false;
  int stiff_steps_ = 0;
  int calm_steps_ = 0;
  std::string failure_text_;
};

}  // namespace arges
