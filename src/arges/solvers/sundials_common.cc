#include "arges/solvers/sundials_common.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

#include <fmt/format.h>
#include <nvector/nvector_serial.h>

#include "arges/base/error.h"
#include "arges/solvers/failure_messages.h"
#include "arges/solvers/sundials_vector.h"

namespace arges {

SundialsContext::SundialsContext() {
#if SUNDIALS_VERSION_MAJOR < 7
  require_sundials(SUNContext_Create(nullptr, &context_) == 0, "SUNContext_Create");
#else
  require_sundials(SUNContext_Create(SUN_COMM_NULL, &context_) == 0, "SUNContext_Create");
  SUNContext_ClearErrHandlers(context_);
  SUNContext_PushErrHandler(context_, &keep_error, &error_);
#endif
}

SundialsContext::~SundialsContext() { SUNContext_Free(&context_); }

VectorOwner SundialsContext::make_vector(int n) const {
  VectorOwner vector(N_VNew_Serial(n, context_));
  if (!vector) throw std::bad_alloc();
  use_quick_operations(vector.get());
  return vector;
}

VectorOwner SundialsContext::make_view(int n) const {
  VectorOwner vector(N_VMake_Serial(n, nullptr, context_));
  if (!vector) throw std::bad_alloc();
  return vector;
}

#if SUNDIALS_VERSION_MAJOR < 7
void SundialsContext::keep_error(int code, const char*, const char*, char* text, void* kept) {
  if (code < 0) *static_cast<std::string*>(kept) = text;  // warnings are positive
}
#else
void SundialsContext::keep_error(int, const char*, const char*, const char* text, SUNErrCode code,
                                 void* kept, SUNContext) {
  if (code < 0 && text != nullptr) *static_cast<std::string*>(kept) = text;
}
#endif

void require_sundials(bool ok, const char* call) {
  if (!ok) throw ApiError(fmt::format("{} failed", call));
}

template <typename Evaluation>
int ModelCalls::guarded(double t, Evaluation&& evaluation) noexcept {
  try {
    return evaluation();
  } catch (const EvaluationError& error) {
    ++failures_;
    failure_ = Failure::kEvaluation;
    failure_t_ = t;
    failure_text_ = error.what();
    recoverable_ = error.recoverable();
    return recoverable_ ? 1 : -1;
  } catch (...) {
    failure_ = Failure::kException;
    recoverable_ = false;
    exception_ = std::current_exception();
    return -1;
  }
}

int ModelCalls::check_finite(double t, const double* f) noexcept {
  const int n = equations_.size();
  double sum = 0;  // 0 unless there is a NaN or an infinity
  for (int i = 0; i < n; ++i) sum += f[i] * 0.0;
  if (sum == 0) return 0;
  int i = 0;
  while (std::isfinite(f[i])) ++i;
  ++failures_;
  failure_ = Failure::kNonFinite;
  recoverable_ = true;
  failure_t_ = t;
  failure_value_ = f[i];
  failure_index_ = i;
  return 1;
}

int ModelCalls::rhs(double t, const double* x, double* f) noexcept {
  return guarded(t, [&] {
    ++statistics_.rhs;
    equations_.rhs(t, x, f);
    return check_finite(t, f);
  });
}

int ModelCalls::residual(double t, const double* x, const double* xdot, double* r) noexcept {
  return guarded(t, [&] {
    ++statistics_.rhs;
    if (equations_.form() == EquationForm::kImplicit) {
      equations_.residual(t, x, xdot, r);
    } else {
      equations_.rhs(t, x, r);
      const int n = equations_.size();
      for (int i = 0; i < n; ++i) r[i] -= equations_.is_differential(i) ? xdot[i] : 0.0;
    }
    return check_finite(t, r);
  });
}

int ModelCalls::jacobian(JacobianEvaluator& evaluator, double t, const double* x,
                         const double* xdot, const double* f, double c, double step,
                         double* values) noexcept {
  const std::int64_t before = evaluator.rhs_evaluations();
  const int result = guarded(t, [&] {
    ++statistics_.jacobians;
    if (equations_.form() == EquationForm::kImplicit) {
      evaluator.evaluate_implicit(t, x, xdot, f, c, step, values);
    } else {
      evaluator.evaluate(t, x, f, step, values, nullptr);
    }
    const int size = evaluator.values_size();
    double sum = 0;
    for (int k = 0; k < size; ++k) sum += values[k] * 0.0;
    if (sum == 0) return 0;
    int k = 0;
    while (std::isfinite(values[k])) ++k;
    failure_ = Failure::kNonFiniteJacobian;
    recoverable_ = true;
    failure_t_ = t;
    failure_value_ = values[k];
    failure_index_ = k;
    return 1;
  });
  statistics_.rhs += evaluator.rhs_evaluations() - before;
  return result;
}

StepStatus ModelCalls::status() const {
  switch (failure_) {
    case Failure::kNone:
      return StepStatus::kOk;
    case Failure::kNonFinite:
    case Failure::kNonFiniteJacobian:
      return StepStatus::kNonFinite;
    case Failure::kEvaluation:
    case Failure::kException:
      break;
  }
  return StepStatus::kEvaluationFailed;
}

std::string ModelCalls::message() const {
  switch (failure_) {
    case Failure::kNonFinite:
      if (equations_.form() != EquationForm::kImplicit)
        return non_finite_slope_message(equations_, failure_index_, failure_value_, failure_t_);
      return fmt::format("the residual of equation '{}' is {} near t = {:.17g}",
                         equations_.name(failure_index_), failure_value_, failure_t_);
    case Failure::kNonFiniteJacobian: {
      const SparsityPattern* pattern = equations_.sparsity();
      int column = 0;
      int row = 0;
      if (pattern == nullptr) {
        column = failure_index_ / equations_.size();
        row = failure_index_ % equations_.size();
      } else {
        while (pattern->column_start[column + 1] <= failure_index_) ++column;
        row = pattern->row[failure_index_];
      }
      return fmt::format("the derivative of the equation of '{}' by '{}' is {} near t = {:.17g}",
                         equations_.name(row), equations_.name(column), failure_value_, failure_t_);
    }
    case Failure::kEvaluation:
      return evaluation_message(failure_text_, failure_t_, false);
    case Failure::kNone:
    case Failure::kException:
      break;
  }
  return {};
}

void ModelCalls::rethrow() {
  if (failure_ == Failure::kException) {
    failure_ = Failure::kNone;
    std::rethrow_exception(std::exchange(exception_, nullptr));
  }
}

VectorOwner make_tolerances(const SundialsContext& context, const Equations& equations,
                            double atol) {
  const std::span<const double> nominal = equations.nominal();
  if (nominal.empty()) return nullptr;
  VectorOwner tolerances = context.make_vector(equations.size());
  double* to = N_VGetArrayPointer(tolerances.get());
  for (int i = 0; i < equations.size(); ++i) to[i] = atol * std::abs(nominal[i]);
  return tolerances;
}

SundialsStepper::SundialsStepper(std::string_view name, const Equations& equations,
                                 const SolverOptions& options)
    : name_(name),
      calls_(equations, stats_),
      view_(context_.make_view(equations.size())),
      x_vectors_{context_.make_vector(equations.size()), context_.make_vector(equations.size())},
      initial_step_(options.step) {
  for (const VectorOwner& vector : x_vectors_) N_VConst(0, vector.get());
  x_ = N_VGetArrayPointer(current());
}

void SundialsStepper::begin(double t, const double* x, double h) {
  double* to = N_VGetArrayPointer(current());
  std::copy_n(x, size(), to);
  if (started_) ++stats_.restarts;
  started_ = true;
  t_ = t_old_ = t;
  x_ = to;
  first_h_ = h > 0 ? h : initial_step_;
  first_ = true;
  stop_set_ = false;
  base_ = stats_;
  calls_.forget();
  context_.forget_error();
  message_.clear();
  begin_window(t);
  creeping_windows_ = 0;
  longest_step_ = 0;
}

bool SundialsStepper::stop_changes(double limit) {
  if (stop_set_ && limit == stop_) return false;
  stop_ = limit;
  stop_set_ = true;
  return true;
}

double SundialsStepper::first_target(double limit) const {
  return std::isfinite(limit) ? limit : t_ + std::max(1.0, std::abs(t_));
}

bool SundialsStepper::first_too_close(double limit) const {
  constexpr double kEps = std::numeric_limits<double>::epsilon();
  return limit - t_ < 4 * kEps * std::max(std::abs(t_), std::abs(limit));
}

bool SundialsStepper::passes(double limit) {
  if (limit > t_) return false;
  message_ = limit_passed_message(t_, limit);
  return true;
}

StepStatus SundialsStepper::accept(double reached, bool at_stop) {
  if (!(reached > t_)) {
    if (calls_.failed_from(t_)) return fail(Cause::kModel, 0);
    message_ = no_progress_message(t_, current_step());
    return StepStatus::kStepTooSmall;
  }
  const bool troubled =
      calls_.failures() != window_failures_ || stats_.rejected != window_rejected_;
  if (troubled && creeps(reached)) return give_up(reached);
  if (at_stop) stop_set_ = false;
  first_ = false;
  ++stats_.steps;
  longest_step_ = std::max(longest_step_, reached - t_);
  t_old_ = t_;
  t_ = reached;
  current_ = 1 - current_;
  x_ = N_VGetArrayPointer(current());
  return StepStatus::kOk;
}

void SundialsStepper::begin_window(double t) {
  window_begin_ = t;
  window_steps_ = 0;
  window_failures_ = calls_.failures();
  window_rejected_ = stats_.rejected;
}

// Where the solution comes to the end of its domain, short steps that do not leave it can follow
// each other without end. Asked in windows of steps, after a failure in them. A model that fails
// says enough in one window; attempts that the integrator rejects, in several.
bool SundialsStepper::creeps(double reached) {
  constexpr double kHardly = 1e-8, kOfLongest = 1e-4;
  if (++window_steps_ < kWindow) return false;
  const double moved = reached - window_begin_;
  const bool hardly_moves =
      moved <= kHardly * std::abs(reached) && moved <= kOfLongest * longest_step_;
  const bool fails = calls_.failures() - window_failures_ >= kWindow / 4;
  const bool rejects = stats_.rejected - window_rejected_ >= kWindow / 4;
  creeping_windows_ = hardly_moves && (fails || rejects) ? creeping_windows_ + 1 : 0;
  begin_window(reached);
  return creeping_windows_ >= (fails ? 1 : kCreepingWindows);
}

StepStatus SundialsStepper::give_up(double reached) {
  const std::string where =
      fmt::format("the last {} steps got no further than t = {:.17g}", kWindow, reached);
  if (calls_.failed_from(window_begin_ - longest_step_)) {
    message_ = fmt::format("{} ({})", calls_.message(), where);
    return calls_.status();
  }
  message_ = fmt::format(
      "{}, and many attempts failed: look for a singularity, or a discontinuity that is not "
      "declared as an event, or take a looser tolerance or another solver",
      where);
  return StepStatus::kStepTooSmall;
}

bool SundialsStepper::interpolate_end(double t, double* x) const {
  if (t > t_old_ && t < t_) return false;
  std::copy_n(t >= t_ ? x_ : x_old(), size(), x);
  return true;
}

void SundialsStepper::count(long rejected, long iterations, long setups) {
  stats_.rejected = base_.rejected + rejected;
  stats_.newton_iterations = base_.newton_iterations + iterations;
  stats_.factorizations = base_.factorizations + setups;
}

StepStatus SundialsStepper::fail(Cause cause, int flag) {
  calls_.rethrow();
  if (calls_.failed_from(t_) && (cause == Cause::kModel || cause == Cause::kNewton)) {
    message_ = calls_.message();
    return calls_.status();
  }
  if (cause == Cause::kErrorTest) {
    const VectorOwner errors = context_.make_vector(size()), weights = context_.make_vector(size());
    error_terms(errors.get(), weights.get());
    const double *e = N_VGetArrayPointer(errors.get()), *w = N_VGetArrayPointer(weights.get());
    int worst = 0;
    for (int i = 1; i < size(); ++i) {
      if (std::abs(e[i] * w[i]) > std::abs(e[worst] * w[worst])) worst = i;
    }
    message_ = step_too_small_message(calls_.equations(), worst, t_, current_step());
    return StepStatus::kStepTooSmall;
  }
  message_ = context_.error().empty() ? fmt::format("{}: error {} of SUNDIALS", name_, flag)
                                      : fmt::format("{}: {}", name_, context_.error());
  return cause == Cause::kNewton ? StepStatus::kNewtonFailed : StepStatus::kStepTooSmall;
}

}  // namespace arges
