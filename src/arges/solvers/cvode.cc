#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <vector>

#include <cvodes/cvodes.h>
#include <cvodes/cvodes_ls.h>
#include <cvodes/cvodes_proj.h>

#include "arges/base/error.h"
#include "arges/linear/dense.h"
#include "arges/solvers/constraint_jacobian.h"
#include "arges/solvers/factories.h"
#include "arges/solvers/stiffness_probe.h"
#include "arges/solvers/sundials_matrix.h"
#include "arges/solvers/sundials_multistep.h"

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
// With BDF the error test has a share of the tolerances that depends on the order q:
//
//   share = (rtol / 1e-2)^(1 / (2 (q + 1)))
//
// The steps at order q are about n = rtol^(-1 / (q + 1)) for each unit of time in which the
// solution changes. Each leaves an error of about one tolerance behind, and those of n steps add up
// to sqrt(n) when their signs vary: with this share the sum is as many tolerances at 1e-12 as at
// 1e-4. It counts most after each start, where CVODES begins at order one: what the first steps
// leave in its history keeps the error at one tolerance in each step until order three, also where
// the solution is a parabola. So order two has the share of order one.
//
// Each start is a careful one (CarefulStart), but where a first step is given. With BDF the first
// steps grow by less than sqrt(3): at order two an error of the history becomes r^2 / 3 times as
// large in each step that is r times as long as the one before.
//
// The Newton matrix is made anew as soon as gamma = h / l1 is off by kStaleGamma. CVODES accepts
// one iteration where the correction is small, and then y is y_predicted + theta times the
// correction of BDF, theta = 2 / (1 + gamma / gamma_of_the_matrix) or that times the quotient. That
// is another method: at order 5 it is unstable from theta = 1.13 on, and CVODES lets gamma be off
// by 0.3.
//
// Constraints besides the equations (Equations::constraints) are kept by the BDF methods: at the
// end of each step CVODES asks for the nearest point on them, and corrects its history by the
// difference, so that no start is needed.
class Cvode final : public SundialsMultistep {
 public:
  Cvode(std::string_view name, const Equations& equations, const SolverOptions& options)
      : SundialsMultistep(name, equations, options),
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
    ok = ok && CVodeWFtolerances(cv, &weights) == CV_SUCCESS;
    ok = ok && CVodeSetLinearSolver(cv, newton_.solver(), newton_.matrix()) == CV_SUCCESS;
    ok = ok && CVodeSetJacFn(cv, &jacobian) == CV_SUCCESS;
    ok = ok && CVodeSetMaxNumSteps(cv, -1) == CV_SUCCESS;  // unlimited: the caller counts
    ok = ok && CVodeSetMaxErrTestFails(cv, kLongSteps) == CV_SUCCESS;
    ok = ok && CVodeSetEtaMaxFirstStep(cv, 2) == CV_SUCCESS;
    ok = ok && CVodeSetEtaMaxEarlyStep(cv, bdf_ ? kGrowth : 10) == CV_SUCCESS;
    ok = ok && CVodeSetNumStepsEtaMaxEarlyStep(cv, 60) == CV_SUCCESS;
    if (std::isfinite(options.max_step))
      ok = ok && CVodeSetMaxStep(cv, options.max_step) == CV_SUCCESS;
    ok = ok && CVodeSetDeltaGammaMaxLSetup(cv, kStaleGamma) == CV_SUCCESS;
    if (projects()) {
      ok = ok && CVodeSetProjFn(cv, &project) == CV_SUCCESS;
      ok = ok && CVodeSetProjErrEst(cv, 0) == CV_SUCCESS;
    }
    require_sundials(ok, "the set-up of CVODES");
    for (int order = 1; bdf_ && order <= 5; ++order)
      shares_[order] = share(rtol_, 0.5 / ((order > 2 ? order : 1) + 1));
    if (!bdf_) stiffness_.emplace(equations, StiffnessProbe::Counts::kDecay);
  }

  void start(double t, const double* x, const double*, double h) override {
    begin(t, x, h);
    at_plain_tolerances_ = !bdf_;
    care_for_start(true);
    restart();
  }

  StepStatus step(double limit) override {
    if (passes(limit)) return StepStatus::kStepTooSmall;
    double reached;
    int flag = advance_with_care(limit, reached);
    if (starting_ && !at_plain_tolerances_ && (flag < 0 || reached <= t_)) {
      at_plain_tolerances_ = true;  // the share is too tight for this start
      restart();
      flag = advance(limit, reached);
    }
    if (flag < 0) return fail(cause_of(flag), flag);
    if (!at_plain_tolerances_) choose_share();
    const StepStatus status = accept(reached, flag == CV_TSTOP_RETURN);
    if (stiffness_ && status == StepStatus::kOk && stiffness_->is_due())
      stiffness_->look(t_, x_, t_ - t_old_, stability_limit(), stats_.rhs);
    return status;
  }

  void interpolate(double t, double* x) const override {
    if (interpolate_end(t, x)) return;
    N_VSetArrayPointer(x, view_.get());
    CVodeGetDky(memory_.get(), t, 0, view_.get());
  }

  bool keeps_constraints() const override { return projects(); }
  int order() const override { return bdf_ ? 5 : 12; }
  bool suspects_stiffness() const override {
    return stiffness_ && stiffness_->suspects_stiffness();
  }

 private:
  static constexpr double kStaleGamma = 0.1;
  static constexpr double kGrowth = 1.7;  // of the first steps of BDF

  // Of h rho, for the Adams-Moulton methods: 0.9 of the stability interval on the real axis. Orders
  // one and two are stable everywhere, but a problem that lets them take such steps is one for BDF;
  // orders from eight on are taken for accuracy alone.
  double stability_limit() const {
    static constexpr double kLimits[] = {5.4, 5.4, 5.4, 5.4, 2.7, 1.65, 1.07, 0.69};
    int order = 0;
    CVodeGetLastOrder(memory_.get(), &order);
    return order < static_cast<int>(std::size(kLimits)) ? kLimits[order]
                                                        : std::numeric_limits<double>::infinity();
  }

  void restart() override {
    base_ = stats_;
    CVodeReInit(memory_.get(), t_, current());
    CVodeSetInitStep(memory_.get(), first_h_);  // 0 again means automatic
    first_ = true;
    stop_set_ = false;
    starting_ = true;
    share_ = at_plain_tolerances_ ? 1 : shares_[1];
  }

  int advance(double limit, double& reached) override {
    void* cv = memory_.get();
    if (stop_changes(limit)) CVodeSetStopTime(cv, limit);
    if (first_ && first_too_close(limit)) CVodeSetInitStep(cv, limit - t_);
    const double target = first_ ? first_target(limit) : limit;
    reached = t_;
    int flag, idle = 0;
    do {
      flag = CVode(cv, target, other(), &reached, CV_ONE_STEP);
    } while (flag >= 0 && reached <= t_ && ++idle < kIdleSteps);
    count_all();
    return flag;
  }

  // The share of the next step, from its order.
  void choose_share() {
    int order = 0;
    CVodeGetCurrentOrder(memory_.get(), &order);
    share_ = shares_[order];
    if (order > 2) starting_ = false;
  }

  static int weights(N_Vector x, N_Vector weights, void* self) {
    const auto& cvode = *static_cast<Cvode*>(self);
    return cvode.fill_weights(x, weights, cvode.share_);
  }

  static int rhs(sunrealtype t, N_Vector x, N_Vector f, void* self) {
    return static_cast<Cvode*>(self)->calls_.rhs(t, N_VGetArrayPointer(x), N_VGetArrayPointer(f));
  }

  static int jacobian(sunrealtype t, N_Vector x, N_Vector f, SUNMatrix matrix, void* self, N_Vector,
                      N_Vector, N_Vector) {
    auto& cvode = *static_cast<Cvode*>(self);
    return cvode.newton_.fill(cvode.calls_, matrix, t, N_VGetArrayPointer(x), nullptr,
                              N_VGetArrayPointer(f), 0, cvode.current_step());
  }

  bool projects() const { return bdf_ && calls_.equations().constraint_count() > 0; }

  // Gauss-Newton steps of least length, with lengths in units of the nominal values.
  static int project(sunrealtype t, N_Vector x, N_Vector correction, sunrealtype, N_Vector,
                     void* self) {
    constexpr int kSteps = 5;
    constexpr double kDone = 1e-2;  // of the tolerance
    const auto& cvode = *static_cast<Cvode*>(self);
    const Equations& equations = cvode.calls_.equations();
    const Eigen::Index n = equations.size(), m = equations.constraint_count();
    const Eigen::Map<const Eigen::VectorXd> from(N_VGetArrayPointer(x), n);
    Eigen::VectorXd at = from, c(m), nominal = Eigen::VectorXd::Ones(n);
    for (Eigen::Index i = 0; i < n && !equations.nominal().empty(); ++i)
      nominal[i] = std::abs(equations.nominal()[static_cast<std::size_t>(i)]);
    Eigen::MatrixXd C(m, n);
    try {
      for (int k = 0; k < kSteps; ++k) {
        equations.constraints(t, at.data(), c.data());
        evaluate_constraint_jacobian(equations, t, at.data(), C.data());
        C *= nominal.asDiagonal();
        const Eigen::VectorXd step = nominal.cwiseProduct(dense::least_squares(C, c).x.col(0));
        if (!step.allFinite()) return 1;
        at -= step;
        double size = 0;
        for (Eigen::Index i = 0; i < n; ++i) {
          const double atol = cvode.atol_[static_cast<std::size_t>(i)];
          size = std::max(size, std::abs(step[i]) / (cvode.rtol_ * std::abs(at[i]) + atol));
        }
        if (size <= kDone) break;
      }
    } catch (const EvaluationError&) {
      return 1;  // a shorter step may do
    }
    Eigen::Map<Eigen::VectorXd>(N_VGetArrayPointer(correction), n) = at - from;
    return 0;
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
  std::array<double, 6> shares_{};  // of the tolerances, by order
  double share_ = 1;                // of the present step
  bool starting_ = true;            // no step of order three yet
  bool at_plain_tolerances_ = false;
  std::optional<StiffnessProbe> stiffness_;  // of the Adams methods
  NewtonMatrix newton_;
  std::unique_ptr<void, CvodeDelete> memory_;
};

}  // namespace

std::unique_ptr<Stepper> make_cvode(std::string_view name, const Equations& equations,
                                    const SolverOptions& options) {
  return std::make_unique<Cvode>(name, equations, options);
}

}  // namespace arges
