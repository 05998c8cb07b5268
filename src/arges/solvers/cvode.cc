#include <cmath>

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
class Cvode final : public SundialsStepper {
 public:
  Cvode(std::string_view name, const Equations& equations, const SolverOptions& options)
      : SundialsStepper(name, equations, options),
        bdf_(name == "cvode-bdf"),
        newton_(equations, options.linear_algebra, context_, current()),
        memory_(CVodeCreate(bdf_ ? CV_BDF : CV_ADAMS, context_)) {
    void* cv = memory_.get();
    require_sundials(cv != nullptr, "CVodeCreate");
#if SUNDIALS_VERSION_MAJOR < 7
    context_.silence(&CVodeSetErrHandlerFn, cv);
#endif
    bool ok = CVodeInit(cv, &rhs, 0, current()) == CV_SUCCESS;
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
    begin(t, x, h);
    CVodeReInit(memory_.get(), t, current());
    CVodeSetInitStep(memory_.get(), first_h_);  // 0 again means automatic
  }

  StepStatus step(double limit) override {
    if (passes(limit)) return StepStatus::kStepTooSmall;
    void* cv = memory_.get();
    if (stop_changes(limit)) CVodeSetStopTime(cv, limit);
    if (first_ && first_too_close(limit)) CVodeSetInitStep(cv, limit - t_);
    const double target = first_ ? first_target(limit) : limit;
    double reached;
    int flag, idle = 0;
    do {
      flag = CVode(cv, target, other(), &reached, CV_ONE_STEP);
    } while (flag >= 0 && reached <= t_ && ++idle < kIdleSteps);
    count_all();
    if (flag < 0) return fail(cause_of(flag), flag);
    return accept(reached, flag == CV_TSTOP_RETURN);
  }

  void interpolate(double t, double* x) const override {
    if (interpolate_end(t, x)) return;
    N_VSetArrayPointer(x, view_.get());
    CVodeGetDky(memory_.get(), t, 0, view_.get());
  }

  bool is_multistep() const override { return true; }
  int order() const override { return bdf_ ? 5 : 12; }

 private:
  static int rhs(sunrealtype t, N_Vector x, N_Vector f, void* self) {
    return static_cast<Cvode*>(self)->calls_.rhs(t, N_VGetArrayPointer(x), N_VGetArrayPointer(f));
  }

  static int jacobian(sunrealtype t, N_Vector x, N_Vector f, SUNMatrix matrix, void* self, N_Vector,
                      N_Vector, N_Vector) {
    auto& cvode = *static_cast<Cvode*>(self);
    return cvode.newton_.fill(cvode.calls_, matrix, t, N_VGetArrayPointer(x), nullptr,
                              N_VGetArrayPointer(f), 0, cvode.current_step());
  }

  double current_step() const override {
    double h = 0;
    CVodeGetCurrentStep(memory_.get(), &h);
    return h;
  }

  void error_terms(N_Vector errors, N_Vector weights) const override {
    CVodeGetEstLocalErrors(memory_.get(), errors);
    CVodeGetErrWeights(memory_.get(), weights);
  }

  void count_all() {
    void* cv = memory_.get();
    long error_tests = 0, solves = 0, iterations = 0, setups = 0;
    CVodeGetNumErrTestFails(cv, &error_tests);
    CVodeGetNumStepSolveFails(cv, &solves);
    CVodeGetNumNonlinSolvIters(cv, &iterations);
    CVodeGetNumLinSolvSetups(cv, &setups);
    count(error_tests + solves, iterations, setups);
  }

  static Cause cause_of(int flag) {
    switch (flag) {
      case CV_ERR_FAILURE:
        return Cause::kErrorTest;
      case CV_RHSFUNC_FAIL:
      case CV_FIRST_RHSFUNC_ERR:
      case CV_REPTD_RHSFUNC_ERR:
      case CV_UNREC_RHSFUNC_ERR:
        return Cause::kModel;
      case CV_CONV_FAILURE:
      case CV_LSETUP_FAIL:
      case CV_LSOLVE_FAIL:
      case CV_LINIT_FAIL:
      case CV_NLS_SETUP_FAIL:
      case CV_NLS_FAIL:
        return Cause::kNewton;
      default:
        return Cause::kOther;
    }
  }

  const bool bdf_;
  NewtonMatrix newton_;
  std::unique_ptr<void, CvodeDelete> memory_;
};

}  // namespace

std::unique_ptr<Stepper> make_cvode(std::string_view name, const Equations& equations,
                                    const SolverOptions& options) {
  return std::make_unique<Cvode>(name, equations, options);
}

}  // namespace arges
