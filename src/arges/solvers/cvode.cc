#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <cvodes/cvodes.h>
#include <cvodes/cvodes_ls.h>

#include "arges/solvers/factories.h"
#include "arges/solvers/sundials_matrix.h"

namespace arges {

namespace {

struct CvodeDelete {
  void operator()(void* memory) const { CVodeFree(&memory); }
};

// CVODES with Newton's iteration and a direct linear solver, behind the Stepper interface.
//
// The Adams methods take Newton's iteration too: functional iteration is a little cheaper on smooth
// problems, but it holds the step at the stability limit as soon as the problem is mildly stiff,
// and CVODES reuses one Jacobian for many steps.
//
// Two vectors take turns as the end of the step, so that x at t_old() and at t() are both there
// without a copy, and a failed step leaves x() as it was.
class Cvode final : public Stepper {
 public:
  Cvode(std::string_view name, const Equations& equations, const SolverOptions& options)
      : name_(name),
        bdf_(name == "cvode-bdf"),
        calls_(equations, stats_),
        x_vectors_{context_.make_vector(equations.size()), context_.make_vector(equations.size())},
        view_(context_.make_view(equations.size())),
        newton_(equations, options.linear_algebra, context_, x_vectors_[0].get()),
        initial_step_(options.step) {
    const N_Vector x = x_vectors_[0].get();
    N_VConst(0, x);
    x_ = N_VGetArrayPointer(x);
    memory_.reset(CVodeCreate(bdf_ ? CV_BDF : CV_ADAMS, context_));
    void* cv = memory_.get();
    require_sundials(cv != nullptr, "CVodeCreate");
#if SUNDIALS_VERSION_MAJOR < 7
    context_.silence(&CVodeSetErrHandlerFn, cv);
#endif
    bool ok = CVodeInit(cv, &rhs, 0, x) == CV_SUCCESS;
    ok = ok && CVodeSetUserData(cv, this) == CV_SUCCESS;
    const double atol = options.effective_atol();
    const VectorOwner tolerances = make_tolerances(context_, equations, atol);
    ok = ok && (tolerances ? CVodeSVtolerances(cv, options.rtol, tolerances.get())
                           : CVodeSStolerances(cv, options.rtol, atol)) == CV_SUCCESS;
    ok = ok && CVodeSetLinearSolver(cv, newton_.solver(), newton_.matrix()) == CV_SUCCESS;
    ok = ok && CVodeSetJacFn(cv, &jacobian) == CV_SUCCESS;
    ok = ok && CVodeSetMaxNumSteps(cv, -1) == CV_SUCCESS;  // unlimited: the caller counts
    if (std::isfinite(options.max_step))
      ok = ok && CVodeSetMaxStep(cv, options.max_step) == CV_SUCCESS;
    require_sundials(ok, "the set-up of CVODES");
  }

  void start(double t, const double* x, const double*, double h) override {
    void* cv = memory_.get();
    const N_Vector to = x_vectors_[current_].get();
    std::copy_n(x, calls_.equations().size(), N_VGetArrayPointer(to));
    if (started_) ++stats_.restarts;
    started_ = true;
    base_ = stats_;
    CVodeReInit(cv, t, to);
    first_h_ = h > 0 ? h : initial_step_;
    CVodeSetInitStep(cv, first_h_);
    first_ = true;
    stop_set_ = false;
    t_ = t_old_ = t;
    x_ = N_VGetArrayPointer(to);
    message_.clear();
    context_.forget_error();
  }

  StepStatus step(double limit) override {
    void* cv = memory_.get();
    calls_.forget();
    // CVODES forgets the stop time when it gets there.
    if (!stop_set_ || limit != stop_) {
      CVodeSetStopTime(cv, limit);
      stop_ = limit;
      stop_set_ = true;
    }
    double target = limit;
    if (first_) {
      if (!std::isfinite(limit)) target = t_ + std::max(1.0, std::abs(t_));
      // So short an interval that the automatic choice of the first step would refuse it.
      constexpr double kEps = std::numeric_limits<double>::epsilon();
      if (limit - t_ < 4 * kEps * std::max(std::abs(t_), std::abs(limit)))
        CVodeSetInitStep(cv, limit - t_);
    }
    const N_Vector next = x_vectors_[1 - current_].get();
    double reached;
    const int flag = CVode(cv, target, next, &reached, CV_ONE_STEP);
    count();
    if (flag < 0) return fail(flag);
    if (flag == CV_TSTOP_RETURN) stop_set_ = false;
    first_ = false;
    ++stats_.steps;
    t_old_ = t_;
    t_ = reached;
    current_ = 1 - current_;
    x_ = N_VGetArrayPointer(next);
    return StepStatus::kOk;
  }

  void interpolate(double t, double* x) const override {
    const int n = calls_.equations().size();
    if (t >= t_) {
      std::copy_n(x_, n, x);
    } else if (t <= t_old_) {
      std::copy_n(N_VGetArrayPointer(x_vectors_[1 - current_].get()), n, x);
    } else {
      N_VSetArrayPointer(x, view_.get());
      CVodeGetDky(memory_.get(), t, 0, view_.get());
    }
  }

  bool is_multistep() const override { return true; }
  int order() const override { return bdf_ ? 5 : 12; }
  double next_step() const override {
    double h = first_h_;
    if (!first_) CVodeGetCurrentStep(memory_.get(), &h);
    return h;
  }

 private:
  static int rhs(sunrealtype t, N_Vector x, N_Vector f, void* self) {
    return static_cast<Cvode*>(self)->calls_.rhs(t, N_VGetArrayPointer(x), N_VGetArrayPointer(f));
  }

  static int jacobian(sunrealtype t, N_Vector x, N_Vector f, SUNMatrix matrix, void* self, N_Vector,
                      N_Vector, N_Vector) {
    auto& cvode = *static_cast<Cvode*>(self);
    return cvode.newton_.fill(cvode.calls_, matrix, t, N_VGetArrayPointer(x), nullptr,
                              N_VGetArrayPointer(f), 0, cvode.next_step());
  }

  // CVODES counts from its last restart.
  void count() {
    void* cv = memory_.get();
    long error_tests = 0, solves = 0, iterations = 0, setups = 0;
    CVodeGetNumErrTestFails(cv, &error_tests);
    CVodeGetNumStepSolveFails(cv, &solves);
    CVodeGetNumNonlinSolvIters(cv, &iterations);
    CVodeGetNumLinSolvSetups(cv, &setups);
    stats_.rejected = base_.rejected + error_tests + solves;
    stats_.newton_iterations = base_.newton_iterations + iterations;
    stats_.factorizations = base_.factorizations + setups;
  }

  StepStatus fail(int flag) {
    calls_.rethrow();
    StepStatus status = StepStatus::kStepTooSmall;
    switch (flag) {
      case CV_RHSFUNC_FAIL:
      case CV_FIRST_RHSFUNC_ERR:
      case CV_REPTD_RHSFUNC_ERR:
      case CV_UNREC_RHSFUNC_ERR:
        status = calls_.status();
        break;
      case CV_CONV_FAILURE:
      case CV_LSETUP_FAIL:
      case CV_LSOLVE_FAIL:
      case CV_LINIT_FAIL:
      case CV_NLS_SETUP_FAIL:
      case CV_NLS_FAIL:
        // A Jacobian that cannot be evaluated is a failure of the model.
        status = calls_.failed() ? calls_.status() : StepStatus::kNewtonFailed;
        break;
      default:
        calls_.forget();
    }
    message_ = failure_message(name_, calls_, context_, flag);
    return status;
  }

  const std::string name_;
  const bool bdf_;
  SundialsContext context_;
  ModelCalls calls_;
  std::array<VectorOwner, 2> x_vectors_;  // at t() and at t_old()
  int current_ = 0;
  VectorOwner view_;
  NewtonMatrix newton_;
  std::unique_ptr<void, CvodeDelete> memory_;

  double initial_step_;
  double first_h_ = 0;
  bool started_ = false;
  bool first_ = true;  // no step since start()
  bool stop_set_ = false;
  double stop_ = 0;
  SolverStatistics base_;  // at the last start()
};

}  // namespace

std::unique_ptr<Stepper> make_cvode(std::string_view name, const Equations& equations,
                                    const SolverOptions& options) {
  return std::make_unique<Cvode>(name, equations, options);
}

}  // namespace arges
