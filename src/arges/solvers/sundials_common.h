#pragma once
// What the SUNDIALS steppers share: owners of its objects, and callbacks that never let an
// exception cross C code. Works with SUNDIALS 6 and 7. Included by .cc files only.

#include <array>
#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include <sundials/sundials_config.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nvector.h>

#include "arges/solvers/jacobian.h"
#include "arges/solvers/stepper.h"

namespace arges {

// How often one step may be too long for the tolerance. A first step can be as long as the user
// says, and is then shortened by a factor of 5 to 10 each time.
inline constexpr int kLongSteps = 60;

struct SundialsDelete {
  void operator()(N_Vector v) const { N_VDestroy(v); }
  void operator()(SUNMatrix m) const { SUNMatDestroy(m); }
  void operator()(SUNLinearSolver s) const { SUNLinSolFree(s); }
};
using VectorOwner = std::unique_ptr<_generic_N_Vector, SundialsDelete>;
using MatrixOwner = std::unique_ptr<_generic_SUNMatrix, SundialsDelete>;
using LinearSolverOwner = std::unique_ptr<_generic_SUNLinearSolver, SundialsDelete>;

// One context for each stepper, so that steppers of different threads share nothing. Keeps the text
// of the last error instead of printing it.
class SundialsContext {
 public:
  SundialsContext();
  ~SundialsContext();
  SundialsContext(const SundialsContext&) = delete;
  SundialsContext& operator=(const SundialsContext&) = delete;

  operator SUNContext() const { return context_; }
  VectorOwner make_vector(int n) const;
  // A vector without data of its own, for N_VSetArrayPointer.
  VectorOwner make_view(int n) const;

#if SUNDIALS_VERSION_MAJOR < 7
  // SUNDIALS 6 has one error handler for each integrator, set by its XxxSetErrHandlerFn; SUNDIALS 7
  // has one for the context.
  template <typename SetHandler>
  void silence(SetHandler set_handler, void* integrator) {
    set_handler(integrator, &keep_error, &error_);
  }
#endif
  const std::string& error() const { return error_; }
  void forget_error() { error_.clear(); }

 private:
#if SUNDIALS_VERSION_MAJOR < 7
  static void keep_error(int code, const char* module, const char* function, char* text,
                         void* kept);
#else
  static void keep_error(int line, const char* function, const char* file, const char* text,
                         SUNErrCode code, void* kept, SUNContext context);
#endif
  SUNContext context_ = nullptr;
  std::string error_;
};

// For the set-up calls, which fail on lack of memory only.
void require_sundials(bool ok, const char* call);

// The equations as SUNDIALS wants to call them: 0 is success, > 0 a failure that a shorter step may
// cure, < 0 one that ends the run. A NaN or infinity in the result counts as curable. The last
// failure is remembered until forget(); exceptions other than EvaluationError are kept for
// rethrow().
class ModelCalls {
 public:
  ModelCalls(const Equations& equations, SolverStatistics& statistics)
      : equations_(equations), statistics_(statistics) {}

  const Equations& equations() const { return equations_; }

  int rhs(double t, const double* x, double* f) noexcept;
  int residual(double t, const double* x, const double* xdot, double* r) noexcept;
  // df/dx (kImplicit: dF/dx + c dF/dx'); `f` is f(t, x) or F(t, x, xdot).
  int jacobian(JacobianEvaluator& evaluator, double t, const double* x, const double* xdot,
               const double* f, double c, double step, double* values) noexcept;

  void forget() { failure_ = Failure::kNone; }
  std::int64_t failures() const { return failures_; }  // so far, of evaluations
  // There was a failure, at t or later: a failure of the step from t has to do with it.
  bool failed_from(double t) const { return failure_ != Failure::kNone && failure_t_ >= t; }
  // The failure is not one of the point t itself, and a shorter step may cure it.
  bool curable_from(double t) const { return failed_from(t) && recoverable_ && failure_t_ > t; }
  // Of the last failure; kOk when there was none.
  StepStatus status() const;
  std::string message() const;
  void rethrow();

 private:
  enum class Failure { kNone, kNonFinite, kNonFiniteJacobian, kEvaluation, kException };

  template <typename Evaluation>
  int guarded(double t, Evaluation&& evaluation) noexcept;
  int check_finite(double t, const double* f) noexcept;

  const Equations& equations_;
  SolverStatistics& statistics_;
  std::int64_t failures_ = 0;
  Failure failure_ = Failure::kNone;
  bool recoverable_ = false;
  double failure_t_ = 0;
  double failure_value_ = 0;
  int failure_index_ = 0;  // of the variable (kNonFinite) or of the matrix entry
  std::string failure_text_;
  std::exception_ptr exception_;
};

// The absolute tolerance of each variable, or null when one number serves all.
VectorOwner make_tolerances(const SundialsContext& context, const Equations& equations,
                            double atol);

// What the steppers of CVODES, IDAS and ARKODE have in common.
//
// Two vectors take turns as the end of the step, so that x at t_old() and at t() are both there
// without a copy, and a failed step leaves x() as it was. The integrators forget their stop time
// when they get there, and count from their last restart.
class SundialsStepper : public Stepper {
 public:
  double next_step() const override { return first_ ? first_h_ : current_step(); }

 protected:
  enum class Cause { kErrorTest, kNewton, kModel, kOther };

  SundialsStepper(std::string_view name, const Equations& equations, const SolverOptions& options);

  virtual double current_step() const = 0;
  // Estimated local errors and error weights of the last attempt.
  virtual void error_terms(N_Vector errors, N_Vector weights) const = 0;

  int size() const { return calls_.equations().size(); }
  N_Vector current() const { return x_vectors_[current_].get(); }
  N_Vector other() const { return x_vectors_[1 - current_].get(); }
  const double* x_old() const { return N_VGetArrayPointer(other()); }

  // Takes over the start; the integrator is then to be restarted with current() and first_h_.
  void begin(double t, const double* x, double h);
  // The stop time must be set anew.
  bool stop_changes(double limit);
  // The target of the first step, from which the integrators choose its size: not infinite.
  double first_target(double limit) const;
  // So short an interval that the automatic choice of the first step would refuse it.
  bool first_too_close(double limit) const;
  bool passes(double limit);  // limit <= t(): sets message_
  // SUNDIALS takes steps below the resolution of t. After a very short one, before a limit, they
  // grow soon; where they do not, the step fails.
  static constexpr int kIdleSteps = 60;
  StepStatus accept(double reached, bool at_stop);
  // Steps that fail again and again while time hardly moves end the run: so many of them.
  static constexpr int kWindow = 200, kCreepingWindows = 3;
  // For the ends of the step, and beyond.
  bool interpolate_end(double t, double* x) const;
  void count(long rejected, long iterations, long setups);
  // Sets message_. A failure of the model that Newton's iteration met is one of the model.
  StepStatus fail(Cause cause, int flag);

  const std::string name_;
  mutable SundialsContext context_;
  mutable ModelCalls calls_;
  VectorOwner view_;
  double first_h_ = 0;
  bool first_ = true;  // no step since the last restart
  bool stop_set_ = false;
  SolverStatistics base_;  // at the last restart

 private:
  void begin_window(double t);
  bool creeps(double reached);
  StepStatus give_up(double reached);

  double window_begin_ = 0;
  double longest_step_ = 0;  // since the last start
  int window_steps_ = 0, creeping_windows_ = 0;
  std::int64_t window_failures_ = 0, window_rejected_ = 0;
  std::array<VectorOwner, 2> x_vectors_;  // at t() and at t_old()
  int current_ = 0;
  double initial_step_;
  double stop_ = 0;
  bool started_ = false;
};

}  // namespace arges
