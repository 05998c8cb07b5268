#include <algorithm>
#include <cmath>

#include <idas/idas.h>
#include <idas/idas_ls.h>

#include "arges/base/error.h"
#include "arges/solvers/factories.h"
#include "arges/solvers/sundials_matrix.h"
#include "arges/solvers/sundials_multistep.h"

namespace arges {

namespace {

struct IdaDelete {
  void operator()(void* memory) const { IDAFree(&memory); }
};

// IDAS behind the Stepper interface: variable-order BDF in the fixed-leading-coefficient form for
// 0 = F(t, x, x'). The explicit forms are solved as 0 = f(t, x) - M x'.
//
// The Newton matrix dF/dx + c dF/dx' is made anew as soon as c is off by a tenth. IDAS accepts one
// iteration where the correction is small, and then x is x_predicted + theta times the correction
// of BDF, theta = 2 c / (c + c_of_the_matrix) for slow variables. That is another method, unstable
// from theta = 1.19 (order 4) and 1.13 (order 5) on, and IDAS lets c be off by two thirds. Its
// steps then stay at what holds the instability below the tolerance.
//
// With explicit equations the error test has the share of the tolerances that cvode-bdf has at
// order five, and each start is a careful one (CarefulStart), but where a first step is given.
//
// Algebraic variables take part in the error test. Leaving them out helps with problems of higher
// index only; here the index is 1, and the user reads these variables and events look at them, so
// they deserve the same tolerance as the others.
class Ida final : public SundialsMultistep {
 public:
  Ida(const Equations& equations, const SolverOptions& options)
      : SundialsMultistep("ida", equations, options),
        xdot_(context_.make_vector(equations.size())),
        share_(equations.form() == EquationForm::kExplicit ? share(rtol_, 1.0 / 12) : 1),
        newton_(equations, options.linear_algebra, context_, current()),
        memory_(IDACreate(context_)) {
    N_VConst(0, xdot_.get());
    if (equations.form() != EquationForm::kImplicit && !equations.has_jacobian())
      f_.resize(equations.size());
    void* ida = memory_.get();
    require_sundials(ida != nullptr, "IDACreate");
#if SUNDIALS_VERSION_MAJOR < 7
    context_.silence(&IDASetErrHandlerFn, ida);
#endif
    bool ok = IDAInit(ida, &residual, 0, current(), xdot_.get()) == IDA_SUCCESS;
    ok = ok && IDASetUserData(ida, this) == IDA_SUCCESS;
    ok = ok && IDAWFtolerances(ida, &weights) == IDA_SUCCESS;
    ok = ok && IDASetLinearSolver(ida, newton_.solver(), newton_.matrix()) == IDA_SUCCESS;
    ok = ok && IDASetJacFn(ida, &jacobian) == IDA_SUCCESS;
    ok = ok && IDASetMaxNumSteps(ida, -1) == IDA_SUCCESS;  // unlimited: the caller counts
    ok = ok && IDASetMaxErrTestFails(ida, kLongSteps) == IDA_SUCCESS;
    if (std::isfinite(options.max_step))
      ok = ok && IDASetMaxStep(ida, options.max_step) == IDA_SUCCESS;
    ok = ok && IDASetDeltaCjLSetup(ida, kStaleCoefficient) == IDA_SUCCESS;
    require_sundials(ok, "the set-up of IDAS");
  }

  void start(double t, const double* x, const double* xdot, double h) override {
    begin(t, x, h);
    set_derivatives(t, x, xdot);
    care_for_start(calls_.equations().form() == EquationForm::kExplicit);
    restart();
  }

  StepStatus step(double limit) override {
    if (passes(limit)) return StepStatus::kStepTooSmall;
    if (first_ && calls_.failed_from(t_)) return fail(Cause::kModel, IDA_FIRST_RES_FAIL);  // no x'
    double reached;
    const int flag = advance_with_care(limit, reached);
    if (flag < 0) return fail(cause_of(flag), flag);
    return accept(reached, flag == IDA_TSTOP_RETURN);
  }

  void interpolate(double t, double* x) const override {
    if (interpolate_end(t, x)) return;
    N_VSetArrayPointer(x, view_.get());
    IDAGetDky(memory_.get(), t, 0, view_.get());
  }

  bool interpolate_rates(double t, double* xdot) const override {
    N_VSetArrayPointer(xdot, view_.get());
    return IDAGetDky(memory_.get(), t, 1, view_.get()) == IDA_SUCCESS;
  }

  int order() const override { return 5; }

 private:
  // (1 - k) / (1 + k) and its inverse bound c over that of the Newton matrix.
  static constexpr double kStaleCoefficient = 0.05;

  void prepare_second_try() override {
    calls_.forget();
    set_derivatives(t_, x_, nullptr);
  }

  void restart() override {
    base_ = stats_;
    IDAReInit(memory_.get(), t_, current(), xdot_.get());
    IDASetInitStep(memory_.get(), first_h_);  // 0 again means automatic
    first_ = true;
    stop_set_ = false;
  }

  int advance(double limit, double& reached) override {
    void* ida = memory_.get();
    if (stop_changes(limit)) IDASetStopTime(ida, limit);
    // IDAS refuses a first target that is too close, but it is free to lie beyond the stop time.
    const double target = first_ ? std::max(first_target(limit), t_ + 1e-14 * std::abs(t_)) : limit;
    reached = t_;
    int flag, idle = 0;
    do {
      flag = IDASolve(ida, target, &reached, other(), xdot_.get(), IDA_ONE_STEP);
    } while (flag >= 0 && reached <= t_ && ++idle < kIdleSteps);
    count_all();
    return flag;
  }

  static int weights(N_Vector x, N_Vector weights, void* self) {
    const auto& ida = *static_cast<Ida*>(self);
    return ida.fill_weights(x, weights, ida.share_);
  }

  // x' at the start: as given, or f for the differential variables and 0 for the algebraic ones,
  // whose derivatives IDAS uses for nothing but the prediction of the first step.
  void set_derivatives(double t, const double* x, const double* xdot) {
    const Equations& equations = calls_.equations();
    const int n = equations.size();
    double* to = N_VGetArrayPointer(xdot_.get());
    if (xdot != nullptr) {
      std::copy_n(xdot, n, to);
      return;
    }
    if (equations.form() == EquationForm::kImplicit)
      throw ApiError("ida: start() needs x' for equations of the form F(t, x, x') = 0");
    calls_.rhs(t, x, to);
    calls_.rethrow();
    for (int i = 0; i < n; ++i) {
      if (!equations.is_differential(i)) to[i] = 0;
    }
  }

  static int residual(sunrealtype t, N_Vector x, N_Vector xdot, N_Vector r, void* self) {
    return static_cast<Ida*>(self)->calls_.residual(
        t, N_VGetArrayPointer(x), N_VGetArrayPointer(xdot), N_VGetArrayPointer(r));
  }

  static int jacobian(sunrealtype t, sunrealtype c, N_Vector x, N_Vector xdot, N_Vector r,
                      SUNMatrix matrix, void* self, N_Vector, N_Vector, N_Vector) {
    auto& ida = *static_cast<Ida*>(self);
    const double* base = N_VGetArrayPointer(r);
    if (!ida.f_.empty()) {  // differences of f itself, free of the rounding errors of f - x'
      if (const int flag = ida.calls_.rhs(t, N_VGetArrayPointer(x), ida.f_.data()); flag != 0)
        return flag;
      base = ida.f_.data();
    }
    const int flag = ida.newton_.fill(ida.calls_, matrix, t, N_VGetArrayPointer(x),
                                      N_VGetArrayPointer(xdot), base, c, ida.current_step());
    if (ida.calls_.equations().form() != EquationForm::kImplicit)
      ida.newton_.subtract_mass(matrix, c);
    return flag;
  }

  double current_step() const override {
    double h = 0;
    IDAGetCurrentStep(memory_.get(), &h);
    return h;
  }

  void error_terms(N_Vector errors, N_Vector weights) const override {
    IDAGetEstLocalErrors(memory_.get(), errors);
    IDAGetErrWeights(memory_.get(), weights);
  }

  void count_all() {
    void* ida = memory_.get();
    long error_tests = 0, solves = 0, iterations = 0, setups = 0;
    IDAGetNumErrTestFails(ida, &error_tests);
    IDAGetNumStepSolveFails(ida, &solves);
    IDAGetNumNonlinSolvIters(ida, &iterations);
    IDAGetNumLinSolvSetups(ida, &setups);
    count(error_tests + solves, iterations, setups);
  }

  static Cause cause_of(int flag) {
    switch (flag) {
      case IDA_ERR_FAIL:
        return Cause::kErrorTest;
      case IDA_RES_FAIL:
      case IDA_REP_RES_ERR:
      case IDA_FIRST_RES_FAIL:
        return Cause::kModel;
      case IDA_CONV_FAIL:
      case IDA_LSETUP_FAIL:
      case IDA_LSOLVE_FAIL:
      case IDA_LINIT_FAIL:
      case IDA_NLS_SETUP_FAIL:
      case IDA_NLS_FAIL:
        return Cause::kNewton;
      default:
        return Cause::kOther;
    }
  }

  VectorOwner xdot_;
  const double share_;  // of the tolerances
  NewtonMatrix newton_;
  std::vector<double> f_;  // only for difference Jacobians of the explicit forms
  std::unique_ptr<void, IdaDelete> memory_;
};

}  // namespace

std::unique_ptr<Stepper> make_ida(std::string_view, const Equations& equations,
                                  const SolverOptions& options) {
  return std::make_unique<Ida>(equations, options);
}

}  // namespace arges
