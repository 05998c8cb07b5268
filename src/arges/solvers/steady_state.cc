#include "arges/solvers/steady_state.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <kinsol/kinsol.h>
#include <nvector/nvector_serial.h>

#include "arges/solvers/sundials_common.h"
#include "arges/solvers/sundials_matrix.h"

namespace arges {

namespace {

// Below this the iteration may stop anywhere; above, the equations do not close.
constexpr double kClosed = 1e-9;
// What Newton's method aims at; rounding rarely lets it get there.
constexpr double kAim = 1e-13;
constexpr int kPolishingSteps = 5;

// The equations of the steady state, in the form that the Newton matrix knows: df/dx alone.
class StandStill final : public Equations {
 public:
  explicit StandStill(const Equations& moving) : moving_(moving), still_(moving.size(), 0) {
    size_ = moving.size();
    form_ = EquationForm::kExplicit;
    autonomous_ = true;
    has_jacobian_ = moving.has_jacobian();
    sparsity_ = moving.sparsity();
    nominal_ = moving.nominal();
  }

  void rhs(double t, const double* x, double* f) const override {
    if (moving_.form() == EquationForm::kImplicit) {
      moving_.residual(t, x, still_.data(), f);
    } else {
      moving_.rhs(t, x, f);
    }
  }
  void residual(double, const double*, const double*, double*) const override {}
  void jacobian(double t, const double* x, const double*, double, double* values,
                double*) const override {
    moving_.jacobian(t, x, still_.data(), 0, values, nullptr);
  }
  std::string name(int i) const override { return moving_.name(i); }

 private:
  const Equations& moving_;
  std::vector<double> still_;
};

}  // namespace

struct SteadyStateSolver::Kinsol {
  explicit Kinsol(const Equations& moving)
      : equations(moving),
        calls(equations, statistics),
        x(context.make_vector(equations.size())),
        f(context.make_vector(equations.size())),
        step(context.make_vector(equations.size())),
        x_scale(context.make_vector(equations.size())),
        f_scale(context.make_vector(equations.size())),
        newton(equations, LinearAlgebra::kAuto, context, x.get()),
        memory(KINCreate(context)) {
    require_sundials(memory != nullptr, "KINCreate");
#if SUNDIALS_VERSION_MAJOR < 7
    context.silence(KINSetErrHandlerFn, memory);
    KINSetInfoHandlerFn(
        memory, [](const char*, const char*, char*, void*) {}, nullptr);
#endif
    KINInit(memory, &call_equations, x.get());
    KINSetUserData(memory, this);
    KINSetLinearSolver(memory, newton.solver(), newton.matrix());
    KINSetJacFn(memory, &call_jacobian);
    KINSetFuncNormTol(memory, kAim);
    KINSetScaledStepTol(memory, 1e-15);
    KINSetMaxSetupCalls(memory, 1);  // a new Jacobian in each iteration
    KINSetNumMaxIters(memory, 200);
  }
  ~Kinsol() { KINFree(&memory); }

  static double* data(const VectorOwner& v) { return N_VGetArrayPointer(v.get()); }

  static int call_equations(N_Vector at, N_Vector value, void* self) {
    auto& own = *static_cast<Kinsol*>(self);
    return own.calls.rhs(own.time, N_VGetArrayPointer(at), N_VGetArrayPointer(value));
  }

  static int call_jacobian(N_Vector at, N_Vector value, SUNMatrix to, void* self, N_Vector,
                           N_Vector) {
    auto& own = *static_cast<Kinsol*>(self);
    return own.newton.fill(own.calls, to, own.time, N_VGetArrayPointer(at), nullptr,
                           N_VGetArrayPointer(value), 0, 0);
  }

  // Scales of the variables and of the rows at x. False: the equations cannot be evaluated there.
  bool measure() {
    const int n = equations.size();
    if (call_equations(x.get(), f.get(), this) != 0) return false;
    std::vector<double> values(newton.evaluator().values_size());
    if (calls.jacobian(newton.evaluator(), time, data(x), nullptr, data(f), 0, 0, values.data()) !=
        0)
      return false;
    std::vector<double> row(n, 0);
    const SparsityPattern* pattern = equations.sparsity();
    for (int j = 0; j < n; ++j) {
      const double nominal = equations.nominal().empty() ? 1 : equations.nominal()[j];
      const double size = std::max(std::abs(data(x)[j]), nominal);
      data(x_scale)[j] = 1 / size;
      const int begin = pattern == nullptr ? 0 : pattern->column_start[j];
      const int end = pattern == nullptr ? n : pattern->column_start[j + 1];
      for (int k = begin; k < end; ++k) {
        const int i = pattern == nullptr ? k : pattern->row[k];
        const double entry = pattern == nullptr ? values[std::size_t(j) * n + k] : values[k];
        row[i] += std::abs(entry) * size;
      }
    }
    for (int i = 0; i < n; ++i) data(f_scale)[i] = row[i] > 0 ? 1 / row[i] : 1;
    return true;
  }

  double scaled_residual() const {
    double largest = 0;
    for (int i = 0; i < equations.size(); ++i)
      largest = std::max(largest, std::abs(data(f)[i]) * data(f_scale)[i]);
    return largest;
  }

  // Newton steps while they help; leaves f at x.
  void polish() {
    double before = scaled_residual();
    for (int k = 0; k < kPolishingSteps && before > 0; ++k) {
      if (call_jacobian(x.get(), f.get(), newton.matrix(), this, nullptr, nullptr) != 0) return;
      if (SUNLinSolSetup(newton.solver(), newton.matrix()) != 0) return;
      if (SUNLinSolSolve(newton.solver(), newton.matrix(), step.get(), f.get(), 0) != 0) return;
      N_VLinearSum(1, x.get(), -1, step.get(), x.get());
      const bool better = call_equations(x.get(), f.get(), this) == 0 && scaled_residual() < before;
      if (!better) {
        N_VLinearSum(1, x.get(), 1, step.get(), x.get());
        call_equations(x.get(), f.get(), this);
        return;
      }
      before = scaled_residual();
    }
  }

  StandStill equations;
  SolverStatistics statistics;
  SundialsContext context;
  ModelCalls calls;
  VectorOwner x, f, step, x_scale, f_scale;
  NewtonMatrix newton;
  void* memory;
  double time = 0;
};

SteadyStateSolver::SteadyStateSolver(const Equations& equations)
    : kinsol_(std::make_unique<Kinsol>(equations)) {}
SteadyStateSolver::~SteadyStateSolver() = default;

SteadyStateSolver::Outcome SteadyStateSolver::solve(double t, double* x) {
  Kinsol& own = *kinsol_;
  const int n = own.equations.size();
  Outcome outcome;
  if (n == 0) {
    outcome.converged = true;
    return outcome;
  }
  own.time = t;
  own.calls.forget();
  std::copy_n(x, n, Kinsol::data(own.x));
  const auto failed = [&](std::string message) {
    own.calls.rethrow();
    std::copy_n(Kinsol::data(own.x), n, x);
    outcome.message = std::move(message);
    return outcome;
  };
  if (!own.measure()) return failed(own.calls.message());
  own.context.forget_error();
  KINSol(own.memory, own.x.get(), KIN_LINESEARCH, own.x_scale.get(), own.f_scale.get());
  // What the flag of KINSOL says is less than what the residual at the end says.
  own.calls.forget();
  if (!own.measure()) return failed(own.calls.message());
  own.polish();
  outcome.residual = own.scaled_residual();
  outcome.converged = outcome.residual <= kClosed;
  if (!outcome.converged) {
    int worst = 0;
    for (int i = 1; i < n; ++i) {
      if (std::abs(Kinsol::data(own.f)[i]) * Kinsol::data(own.f_scale)[i] >
          std::abs(Kinsol::data(own.f)[worst]) * Kinsol::data(own.f_scale)[worst])
        worst = i;
    }
    return failed(fmt::format("Newton's method stopped where der({}) = {:.3g}",
                              own.equations.name(worst), Kinsol::data(own.f)[worst]));
  }
  own.calls.rethrow();
  std::copy_n(Kinsol::data(own.x), n, x);
  return outcome;
}

}  // namespace arges
