#include <algorithm>
#include <array>
#include <cmath>

#include <idas/idas.h>
#include <idas/idas_ls.h>

#include "arges/base/error.h"
#include "arges/solvers/factories.h"
#include "arges/solvers/sundials_matrix.h"

namespace arges {

namespace {

struct IdaDelete {
  void operator()(void* memory) const { IDAFree(&memory); }
};

// IDAS behind the Stepper interface: variable-order BDF in the fixed-leading-coefficient form for
// 0 = F(t, x, x'). The explicit forms are solved as 0 = f(t, x) - M x'.
//
// Algebraic variables take part in the error test. Leaving them out helps with problems of higher
// index only; here the index is 1, and the user reads these variables and events look at them, so
// they deserve the same tolerance as the others.
//
// Two vectors take turns as the end of the step, as in the stepper of CVODES.
class Ida final : public Stepper {
 public:
  Ida(const Equations& equations, const SolverOptions& options)
      : calls_(equations, stats_),
        x_vectors_{context_.make_vector(equations.size()), context_.make_vector(equations.size())},
        xdot_(context_.make_vector(equations.size())),
        view_(context_.make_view(equations.size())),
        newton_(equations, options.linear_algebra, context_, x_vectors_[0].get()),
        initial_step_(options.step) {
    const N_Vector x = x_vectors_[0].get();
    N_VConst(0, x);
    N_VConst(0, xdot_.get());
    x_ = N_VGetArrayPointer(x);
    if (equations.form() != EquationForm::kImplicit && !equations.has_jacobian())
      f_.resize(equations.size());
    memory_.reset(IDACreate(context_));
    void* ida = memory_.get();
    require_sundials(ida != nullptr, "IDACreate");
#if SUNDIALS_VERSION_MAJOR < 7
    context_.silence(&IDASetErrHandlerFn, ida);
#endif
    bool ok = IDAInit(ida, &residual, 0, x, xdot_.get()) == IDA_SUCCESS;
    ok = ok && IDASetUserData(ida, this) == IDA_SUCCESS;
    const double atol = options.effective_atol();
    const VectorOwner tolerances = make_tolerances(context_, equations, atol);
    ok = ok && (tolerances ? IDASVtolerances(ida, options.rtol, tolerances.get())
                           : IDASStolerances(ida, options.rtol, atol)) == IDA_SUCCESS;
    ok = ok && IDASetLinearSolver(ida, newton_.solver(), newton_.matrix()) == IDA_SUCCESS;
    ok = ok && IDASetJacFn(ida, &jacobian) == IDA_SUCCESS;
    ok = ok && IDASetMaxNumSteps(ida, -1) == IDA_SUCCESS;  // unlimited: the caller counts
    if (std::isfinite(options.max_step))
      ok = ok && IDASetMaxStep(ida, options.max_step) == IDA_SUCCESS;
    require_sundials(ok, "the set-up of IDAS");
  }

  void start(double t, const double* x, const double* xdot, double h) override {
    void* ida = memory_.get();
    const int n = calls_.equations().size();
    const N_Vector to = x_vectors_[current_].get();
    std::copy_n(x, n, N_VGetArrayPointer(to));
    if (started_) ++stats_.restarts;
    started_ = true;
    message_.clear();
    context_.forget_error();
    calls_.forget();
    set_derivatives(t, x, xdot);
    base_ = stats_;
    IDAReInit(ida, t, to, xdot_.get());
    first_h_ = h > 0 ? h : initial_step_;
    IDASetInitStep(ida, first_h_);
    first_ = true;
    stop_set_ = false;
    t_ = t_old_ = t;
    x_ = N_VGetArrayPointer(to);
  }

  StepStatus step(double limit) override {
    void* ida = memory_.get();
    if (first_ && calls_.failed()) return fail(IDA_FIRST_RES_FAIL);  // x' could not be computed
    calls_.forget();
    // IDAS forgets the stop time when it gets there.
    if (!stop_set_ || limit != stop_) {
      IDASetStopTime(ida, limit);
      stop_ = limit;
      stop_set_ = true;
    }
    double target = limit;
    if (first_) {
      // The target only scales the first step, but must not be too close nor infinite.
      if (!std::isfinite(limit)) target = t_ + std::max(1.0, std::abs(t_));
      target = std::max(target, t_ + 1e-14 * std::abs(t_));
    }
    const N_Vector next = x_vectors_[1 - current_].get();
    double reached;
    const int flag = IDASolve(ida, target, &reached, next, xdot_.get(), IDA_ONE_STEP);
    count();
    if (flag < 0) return fail(flag);
    if (flag == IDA_TSTOP_RETURN) stop_set_ = false;
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
      IDAGetDky(memory_.get(), t, 0, view_.get());
    }
  }

  bool is_multistep() const override { return true; }
  int order() const override { return 5; }
  double next_step() const override {
    double h = first_h_;
    if (!first_) IDAGetCurrentStep(memory_.get(), &h);
    return h;
  }

 private:
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
                                      N_VGetArrayPointer(xdot), base, c, ida.next_step());
    if (ida.calls_.equations().form() != EquationForm::kImplicit)
      ida.newton_.subtract_mass(matrix, c);
    return flag;
  }

  // IDAS counts from its last restart.
  void count() {
    void* ida = memory_.get();
    long error_tests = 0, solves = 0, iterations = 0, setups = 0;
    IDAGetNumErrTestFails(ida, &error_tests);
    IDAGetNumStepSolveFails(ida, &solves);
    IDAGetNumNonlinSolvIters(ida, &iterations);
    IDAGetNumLinSolvSetups(ida, &setups);
    stats_.rejected = base_.rejected + error_tests + solves;
    stats_.newton_iterations = base_.newton_iterations + iterations;
    stats_.factorizations = base_.factorizations + setups;
  }

  StepStatus fail(int flag) {
    calls_.rethrow();
    StepStatus status = StepStatus::kStepTooSmall;
    switch (flag) {
      case IDA_RES_FAIL:
      case IDA_REP_RES_ERR:
      case IDA_FIRST_RES_FAIL:
        status = calls_.status();
        break;
      case IDA_CONV_FAIL:
      case IDA_LSETUP_FAIL:
      case IDA_LSOLVE_FAIL:
      case IDA_LINIT_FAIL:
      case IDA_NLS_SETUP_FAIL:
      case IDA_NLS_FAIL:
        // A Jacobian that cannot be evaluated is a failure of the model.
        status = calls_.failed() ? calls_.status() : StepStatus::kNewtonFailed;
        break;
      default:
        calls_.forget();
    }
    message_ = failure_message("ida", calls_, context_, flag);
    return status;
  }

  SundialsContext context_;
  ModelCalls calls_;
  std::array<VectorOwner, 2> x_vectors_;  // at t() and at t_old()
  int current_ = 0;
  VectorOwner xdot_;
  VectorOwner view_;
  NewtonMatrix newton_;
  std::vector<double> f_;  // only for difference Jacobians of the explicit forms
  std::unique_ptr<void, IdaDelete> memory_;

  double initial_step_;
  double first_h_ = 0;
  bool started_ = false;
  bool first_ = true;  // no step since start()
  bool stop_set_ = false;
  double stop_ = 0;
  SolverStatistics base_;  // at the last start()
};

}  // namespace

std::unique_ptr<Stepper> make_ida(std::string_view, const Equations& equations,
                                  const SolverOptions& options) {
  return std::make_unique<Ida>(equations, options);
}

}  // namespace arges
