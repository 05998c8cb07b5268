#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <arkode/arkode_arkstep.h>
#include <arkode/arkode_erkstep.h>

#include "arges/solvers/factories.h"
#include "arges/solvers/stiffness_probe.h"
#include "arges/solvers/sundials_matrix.h"

namespace arges {

namespace {

// ERKStep and ARKStep have the same calls under two names.
struct Erk {
  static constexpr bool kImplicit = false;
  static constexpr std::string_view kName = "arkode-erk";

  static void* create(ARKRhsFn f, double t, N_Vector x, SUNContext context) {
    return ERKStepCreate(f, t, x, context);
  }
  static bool set_method(void* ark) {
    // Dormand-Prince: the best constants of the fifth-order tables, and its last stage is the first
    // of the next step.
    return ERKStepSetTableNum(ark, ARKODE_DORMAND_PRINCE_7_4_5) == ARK_SUCCESS;
  }
  static void destroy(void* ark) { ERKStepFree(&ark); }
  static int restart(void* ark, ARKRhsFn f, double t, N_Vector x) {
    return ERKStepReInit(ark, f, t, x);
  }
  static constexpr auto evolve = &ERKStepEvolve;
  static constexpr auto derivative = &ERKStepGetDky;
  static constexpr auto set_user_data = &ERKStepSetUserData;
  static constexpr auto set_tolerance = &ERKStepSStolerances;
  static constexpr auto set_tolerances = &ERKStepSVtolerances;
  static constexpr auto set_max_steps = &ERKStepSetMaxNumSteps;
  static constexpr auto set_max_failures = &ERKStepSetMaxErrTestFails;
  static constexpr auto set_max_step = &ERKStepSetMaxStep;
  static constexpr auto set_first_step = &ERKStepSetInitStep;
  static constexpr auto set_fixed_step = &ERKStepSetFixedStep;
  static constexpr auto set_stop_time = &ERKStepSetStopTime;
  static constexpr auto set_degree = &ERKStepSetInterpolantDegree;
  static constexpr auto current_step = &ERKStepGetCurrentStep;
  static constexpr auto error_test_failures = &ERKStepGetNumErrTestFails;
  static constexpr auto local_errors = &ERKStepGetEstLocalErrors;
  static constexpr auto error_weights = &ERKStepGetErrWeights;
#if SUNDIALS_VERSION_MAJOR < 7
  static constexpr auto set_error_handler = &ERKStepSetErrHandlerFn;
#endif
};

struct Dirk {
  static constexpr bool kImplicit = true;
  static constexpr std::string_view kName = "arkode-dirk";

  static void* create(ARKRhsFn f, double t, N_Vector x, SUNContext context) {
    return ARKStepCreate(nullptr, f, t, x, context);
  }
  static bool set_method(void* ark) {
    return ARKStepSetTableNum(ark, ARKODE_ESDIRK547L2SA_7_4_5, ARKODE_ERK_NONE) == ARK_SUCCESS &&
           // The derivatives of the stages from the stage equations: f of a stage would carry the
           // error of Newton's iteration times the stiffness.
           ARKStepSetDeduceImplicitRhs(ark, SUNTRUE) == ARK_SUCCESS &&
           // Stages start from the last step's polynomial, of lower degree where it reaches far.
           ARKStepSetPredictorMethod(ark, 2) == ARK_SUCCESS;
  }
  static void destroy(void* ark) { ARKStepFree(&ark); }
  static int restart(void* ark, ARKRhsFn f, double t, N_Vector x) {
    return ARKStepReInit(ark, nullptr, f, t, x);
  }
  static constexpr auto evolve = &ARKStepEvolve;
  static constexpr auto derivative = &ARKStepGetDky;
  static constexpr auto set_user_data = &ARKStepSetUserData;
  static constexpr auto set_tolerance = &ARKStepSStolerances;
  static constexpr auto set_tolerances = &ARKStepSVtolerances;
  static constexpr auto set_max_steps = &ARKStepSetMaxNumSteps;
  static constexpr auto set_max_failures = &ARKStepSetMaxErrTestFails;
  static constexpr auto set_max_step = &ARKStepSetMaxStep;
  static constexpr auto set_first_step = &ARKStepSetInitStep;
  static constexpr auto set_fixed_step = &ARKStepSetFixedStep;
  static constexpr auto set_stop_time = &ARKStepSetStopTime;
  static constexpr auto set_degree = &ARKStepSetInterpolantDegree;
  static constexpr auto current_step = &ARKStepGetCurrentStep;
  static constexpr auto error_test_failures = &ARKStepGetNumErrTestFails;
  static constexpr auto local_errors = &ARKStepGetEstLocalErrors;
  static constexpr auto error_weights = &ARKStepGetErrWeights;
#if SUNDIALS_VERSION_MAJOR < 7
  static constexpr auto set_error_handler = &ARKStepSetErrHandlerFn;
#endif
};

// One ARKODE integrator: its memory and, for implicit methods, its Newton matrix.
template <typename Api>
class ArkodeMemory {
 public:
  ArkodeMemory(ModelCalls& calls, const SolverOptions& options, SundialsContext& context,
               N_Vector x)
      : calls_(calls) {
    const Equations& equations = calls.equations();
    memory_.reset(Api::create(&rhs, 0, x, context));
    require_sundials(memory_ != nullptr, "the creation of ARKODE");
#if SUNDIALS_VERSION_MAJOR < 7
    context.silence(Api::set_error_handler, memory_.get());
#endif
    bool ok = Api::set_method(get()) && Api::set_user_data(get(), this) == ARK_SUCCESS;
    const double atol = options.effective_atol();
    const VectorOwner tolerances = make_tolerances(context, equations, atol);
    ok = ok && (tolerances ? Api::set_tolerances(get(), options.rtol, tolerances.get())
                           : Api::set_tolerance(get(), options.rtol, atol)) == ARK_SUCCESS;
    ok = ok && Api::set_max_steps(get(), -1) == ARK_SUCCESS;  // unlimited: the caller counts
    ok = ok && Api::set_max_failures(get(), kLongSteps) == ARK_SUCCESS;
    ok = ok && Api::set_degree(get(), 3) == ARK_SUCCESS;
    if (std::isfinite(options.max_step))
      ok = ok && Api::set_max_step(get(), options.max_step) == ARK_SUCCESS;
    if constexpr (Api::kImplicit) {
      newton_.emplace(equations, options.linear_algebra, context, x);
      ok = ok && ARKStepSetLinearSolver(get(), newton_->solver(), newton_->matrix()) == ARK_SUCCESS;
      ok = ok && ARKStepSetJacFn(get(), &jacobian) == ARK_SUCCESS;
    }
    require_sundials(ok, "the set-up of ARKODE");
  }

  void* get() const { return memory_.get(); }
  int restart(double t, N_Vector x) { return Api::restart(get(), &rhs, t, x); }

 private:
  struct Delete {
    void operator()(void* memory) const { Api::destroy(memory); }
  };

  static int rhs(sunrealtype t, N_Vector x, N_Vector f, void* self) {
    return static_cast<ArkodeMemory*>(self)->calls_.rhs(t, N_VGetArrayPointer(x),
                                                        N_VGetArrayPointer(f));
  }

  static int jacobian(sunrealtype t, N_Vector x, N_Vector f, SUNMatrix matrix, void* self, N_Vector,
                      N_Vector, N_Vector) {
    auto& ark = *static_cast<ArkodeMemory*>(self);
    double h = 0;
    Api::current_step(ark.get(), &h);
    return ark.newton_->fill(ark.calls_, matrix, t, N_VGetArrayPointer(x), nullptr,
                             N_VGetArrayPointer(f), 0, h);
  }

  ModelCalls& calls_;
  std::optional<NewtonMatrix> newton_;
  std::unique_ptr<void, Delete> memory_;
};

// A Runge-Kutta method of ARKODE behind the Stepper interface.
//
// ARKODE interpolates with cubics, or asks f again at interpolated points, which is worthless for
// stiff problems. Here a second integrator takes single steps from t_old() to any s: that is
// retake(), and its state and derivative in the middle of the step, found once when first needed,
// make the dense output a Hermite polynomial of degree 5, with an error of O(h^6) as the step has.
//
// ARKODE gives up when f fails in an explicit stage; this stepper then starts again at t() with a
// quarter of the step, up to kRetries times.
template <typename Api>
class Arkode final : public SundialsStepper {
 public:
  Arkode(const Equations& equations, const SolverOptions& options)
      : SundialsStepper(Api::kName, equations, options),
        options_(options),
        main_(calls_, options, context_, current()) {
    if constexpr (!Api::kImplicit)
      stiffness_.emplace(equations, StiffnessProbe::Counts::kAnyMotion);
  }

  void start(double t, const double* x, const double*, double h) override {
    begin(t, x, h);
    suggested_ = first_h_;
    restart(first_h_);
    middle_known_ = false;
  }

  StepStatus step(double limit) override {
    if (passes(limit)) return StepStatus::kStepTooSmall;
    double reached = 0;
    int flag = evolve(limit, reached);
    for (int retry = 0;
         retry < kRetries && flag < 0 && cause_of(flag) == Cause::kModel && calls_.curable_from(t_);
         ++retry) {
      const double h = current_step();
      if (!(h > 0)) break;
      ++stats_.rejected;
      restart(h / 4);
      flag = evolve(limit, reached);
    }
    if (flag < 0) return fail(cause_of(flag), flag);
    const StepStatus status = accept(reached, flag == ARK_TSTOP_RETURN);
    if (status != StepStatus::kOk) return status;
    middle_known_ = false;
    // A step that the limit cut short says nothing about the step to take.
    const double h = current_step();
    suggested_ = flag == ARK_TSTOP_RETURN ? std::max(h, suggested_) : h;
    if (stiffness_ && stiffness_->is_due())
      stiffness_->look(t_, x_, t_ - t_old_, kStabilityLimit, stats_.rhs);
    return StepStatus::kOk;
  }

  void interpolate(double t, double* x) const override {
    if (interpolate_end(t, x)) return;
    if (prepare_middle()) {
      hermite(t, x);
    } else {  // cubic; never seen, as a step shorter than an accepted one hardly fails
      N_VSetArrayPointer(x, view_.get());
      Api::derivative(main_.get(), t, 0, view_.get());
    }
  }

  bool retake(double s, double* x) override {
    if (!(s > t_old_) || s > t_) return false;
    if (s == t_) {
      std::copy_n(x_, size(), x);
      return true;
    }
    return probe_step(s, x);
  }

  bool is_multistep() const override { return false; }
  int order() const override { return 5; }
  double next_step() const override { return suggested_; }
  bool suspects_stiffness() const override {
    return stiffness_ && stiffness_->suspects_stiffness();
  }

 private:
  static constexpr double kStabilityLimit = 2.97;  // 0.9 of the interval of Dormand-Prince
  static constexpr int kRetries = 10;

  void restart(double h) {
    base_ = stats_;
    main_.restart(t_, current());
    Api::set_first_step(main_.get(), h);
    first_ = true;
    stop_set_ = false;
  }

  int evolve(double limit, double& reached) {
    void* ark = main_.get();
    if (stop_changes(limit)) Api::set_stop_time(ark, limit);
    if (first_ && first_too_close(limit)) Api::set_first_step(ark, limit - t_);
    const double target = first_ ? first_target(limit) : limit;
    int flag, idle = 0;
    do {
      flag = Api::evolve(ark, target, other(), &reached, ARK_ONE_STEP);
    } while (flag >= 0 && reached <= t_ && ++idle < kIdleSteps);
    count_all();
    return flag;
  }

  double current_step() const override {
    double h = 0;
    Api::current_step(main_.get(), &h);
    return h;
  }

  void error_terms(N_Vector errors, N_Vector weights) const override {
    Api::local_errors(main_.get(), errors);
    Api::error_weights(main_.get(), weights);
  }

  void count_all() {
    void* ark = main_.get();
    long error_tests = 0, solves = 0, iterations = 0, setups = 0;
    Api::error_test_failures(ark, &error_tests);
    if constexpr (Api::kImplicit) {
      ARKStepGetNumStepSolveFails(ark, &solves);
      ARKStepGetNumNonlinSolvIters(ark, &iterations);
      ARKStepGetNumLinSolvSetups(ark, &setups);
    }
    count(error_tests + solves, iterations, setups);
  }

  // One step of the method from t_old() to s by the second integrator.
  bool probe_step(double s, double* x) const {
    if (!probe_) probe_.emplace(calls_, options_, context_, current());
    if (probe_->restart(t_old_, other()) != ARK_SUCCESS) return false;
    Api::set_fixed_step(probe_->get(), s - t_old_);
    N_VSetArrayPointer(x, view_.get());
    double reached;
    const int flag = Api::evolve(probe_->get(), s, view_.get(), &reached, ARK_ONE_STEP);
    if (flag < 0) {
      calls_.rethrow();
      calls_.forget();
      context_.forget_error();
    }
    return flag >= 0;
  }

  bool prepare_middle() const {
    if (middle_known_) return true;
    const std::size_t n = size();
    dense_.resize(4 * n);
    double* middle = dense_.data();
    const double t_middle = 0.5 * (t_old_ + t_);
    if (!(t_old_ < t_middle && t_middle < t_) || !probe_step(t_middle, middle)) return false;
    const auto derivative = [&](void* ark, double t, double* to) {
      N_VSetArrayPointer(to, view_.get());
      Api::derivative(ark, t, 1, view_.get());
    };
    derivative(main_.get(), t_old_, middle + n);
    derivative(probe_->get(), t_middle, middle + 2 * n);
    derivative(main_.get(), t_, middle + 3 * n);
    middle_known_ = true;
    return true;
  }

  // The polynomial of degree 5 with the values and derivatives at t_old, in the middle and at t.
  // With u = 2 (t - middle) / h in (-1, 1), the basis is that of Hermite on -1, 0, 1.
  void hermite(double t, double* x) const {
    const int n = size();
    const double half = 0.5 * (t_ - t_old_);
    const double u = (t - (t_old_ + half)) / half, u2 = u * u;
    const double outer = 0.25 * u2;  // common to the end points
    const double a0 = outer * (1 - u) * (1 - u) * (4 + 3 * u);
    const double a1 = outer * (1 + u) * (1 + u) * (4 - 3 * u);
    const double am = (1 - u2) * (1 - u2);
    const double b0 = half * outer * (1 - u) * (1 - u) * (1 + u);
    const double b1 = -half * outer * (1 + u) * (1 + u) * (1 - u);
    const double bm = half * u * am;
    const double *start = x_old(), *middle = dense_.data();
    const double *d0 = middle + n, *dm = d0 + n, *d1 = dm + n;
    for (int i = 0; i < n; ++i)
      x[i] = a0 * start[i] + am * middle[i] + a1 * x_[i] + b0 * d0[i] + bm * dm[i] + b1 * d1[i];
  }

  static Cause cause_of(int flag) {
    switch (flag) {
      case ARK_ERR_FAILURE:
        return Cause::kErrorTest;
      case ARK_RHSFUNC_FAIL:
      case ARK_FIRST_RHSFUNC_ERR:
      case ARK_REPTD_RHSFUNC_ERR:
      case ARK_UNREC_RHSFUNC_ERR:
        return Cause::kModel;
      case ARK_CONV_FAILURE:
      case ARK_LSETUP_FAIL:
      case ARK_LSOLVE_FAIL:
      case ARK_LINIT_FAIL:
      case ARK_NLS_SETUP_FAIL:
      case ARK_NLS_OP_ERR:
        return Cause::kNewton;
      default:
        return Cause::kOther;
    }
  }

  const SolverOptions options_;
  ArkodeMemory<Api> main_;
  double suggested_ = 0;
  std::optional<StiffnessProbe> stiffness_;  // of the explicit method

  // Made when first needed, by retake() or interpolate().
  mutable std::optional<ArkodeMemory<Api>> probe_;
  mutable bool middle_known_ = false;
  mutable std::vector<double>
      dense_;  // x in the middle; x' at the start, in the middle, at the end
};

}  // namespace

std::unique_ptr<Stepper> make_arkode(std::string_view name, const Equations& equations,
                                     const SolverOptions& options) {
  if (name == Erk::kName) return std::make_unique<Arkode<Erk>>(equations, options);
  return std::make_unique<Arkode<Dirk>>(equations, options);
}

}  // namespace arges
