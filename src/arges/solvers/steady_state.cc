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
constexpr int kPolishingSteps = 20;
// A variable below this part of its nominal value may be zero.
constexpr double kMayBeZero = 1e-8;
// Newton corrections, relative: small enough, and the largest answer to a residual of 1 of a matrix
// that is not taken for singular.
constexpr double kSmallCorrection = 1e-6;
constexpr double kRegular = 1e12;
constexpr int kDeflatedSteps = 60;

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
        constant_row(equations.size(), false),
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

  double nominal(int j) const { return equations.nominal().empty() ? 1 : equations.nominal()[j]; }
  double size(int j) const { return std::max(std::abs(data(x)[j]), nominal(j)); }

  // f and sum_j |J_ij| * sizes_j at x. False: the equations cannot be evaluated there.
  bool add_up_rows(const std::vector<double>& sizes, std::vector<double>& row) {
    const int n = equations.size();
    if (call_equations(x.get(), f.get(), this) != 0) return false;
    std::vector<double> values(newton.evaluator().values_size());
    if (calls.jacobian(newton.evaluator(), time, data(x), nullptr, data(f), 0, 0, values.data()) !=
        0)
      return false;
    row.assign(n, 0);
    const SparsityPattern* pattern = equations.sparsity();
    for (int j = 0; j < n; ++j) {
      const int begin = pattern == nullptr ? 0 : pattern->column_start[j];
      const int end = pattern == nullptr ? n : pattern->column_start[j + 1];
      for (int k = begin; k < end; ++k) {
        const int i = pattern == nullptr ? k : pattern->row[k];
        const double entry = pattern == nullptr ? values[std::size_t(j) * n + k] : values[k];
        row[i] += std::abs(entry) * sizes[j];
      }
    }
    return true;
  }

  // Scales of the variables and of the rows at x. False: the equations cannot be evaluated there.
  bool measure() {
    const int n = equations.size();
    std::vector<double> sizes, row;
    for (int j = 0; j < n; ++j) sizes.push_back(size(j));
    if (!add_up_rows(sizes, row)) return false;
    for (int j = 0; j < n; ++j) data(x_scale)[j] = 1 / sizes[j];
    for (int i = 0; i < n; ++i) {
      constant_row[i] = !(row[i] > 0);
      data(f_scale)[i] = constant_row[i] ? 1 : 1 / row[i];
    }
    return true;
  }

  // Whether f at x is small beside its terms, as far as slopes times values tell them. Rows that
  // depend on nothing have only their residual.
  bool terms_balance() {
    std::vector<double> sizes, row;
    for (int j = 0; j < equations.size(); ++j) sizes.push_back(std::abs(data(x)[j]));
    if (!add_up_rows(sizes, row)) return false;
    for (int i = 0; i < equations.size(); ++i) {
      if (!(std::abs(data(f)[i]) <= kClosed * (constant_row[i] ? 1 : row[i]))) return false;
    }
    return true;
  }

  // The same with zeros for what may be zero: there the terms are as small as their rest.
  bool terms_balance_with_zeros() {
    const int n = equations.size();
    const std::vector<double> kept(data(x), data(x) + n);
    for (int j = 0; j < n; ++j) {
      if (std::abs(kept[j]) <= kMayBeZero * nominal(j)) data(x)[j] = 0;
    }
    const bool balanced = terms_balance();
    std::copy_n(kept.data(), n, data(x));
    return balanced;
  }

  // step = J^-1 f at x.
  bool newton_step() {
    return call_jacobian(x.get(), f.get(), newton.matrix(), this, nullptr, nullptr) == 0 &&
           SUNLinSolSetup(newton.solver(), newton.matrix()) == 0 &&
           SUNLinSolSolve(newton.solver(), newton.matrix(), step.get(), f.get(), 0) == 0;
  }

  double relative_step() const {
    double largest = 0;
    for (int j = 0; j < equations.size(); ++j) {
      const double part = std::abs(data(step)[j]) / size(j);
      if (!(part <= largest)) largest = part;  // not a number is too large
    }
    return largest;
  }

  bool correction_is_small() {
    if (call_equations(x.get(), f.get(), this) != 0 || !newton_step()) return false;
    if (!(relative_step() <= kSmallCorrection)) return false;
    // The answers to residuals of 1 in all rows, of two patterns of signs.
    for (const unsigned pattern : {1u, 3u}) {
      for (int i = 0; i < equations.size(); ++i) {
        const bool minus = (static_cast<unsigned>(i) & pattern) == pattern;
        data(f)[i] = (minus ? -1 : 1) / data(f_scale)[i];
      }
      if (SUNLinSolSolve(newton.solver(), newton.matrix(), step.get(), f.get(), 0) != 0 ||
          !(relative_step() <= kRegular))
        return false;
    }
    return true;
  }

  // Leaves f at x.
  bool stands_still() {
    const bool still = terms_balance() || terms_balance_with_zeros() || correction_is_small();
    return call_equations(x.get(), f.get(), this) == 0 && still;
  }

  // The gradient of log prod (1 + 1 / |x - known|^2) times `step`.
  double deflation(const std::vector<std::vector<double>>& known) const {
    double sum = 0;
    for (const std::vector<double>& other : known) {
      double square = 0, along = 0;
      for (int j = 0; j < equations.size(); ++j) {
        const double unit = std::max(std::abs(other[j]), nominal(j));
        const double away = (data(x)[j] - other[j]) / unit;
        square += away * away;
        along += away * data(step)[j] / unit;
      }
      if (square > 0) sum -= 2 * along / (square * (square + 1));
    }
    return sum;
  }

  // Newton's method for the deflated equations, whose step is that of the equations themselves
  // with another length: d = -J^-1 f / (1 + grad(log M) J^-1 f).
  void go_away_from(const std::vector<std::vector<double>>& known) {
    constexpr double kLongestStep = 10;
    if (call_equations(x.get(), f.get(), this) != 0) return;
    for (int k = 0; k < kDeflatedSteps; ++k) {
      if (!newton_step()) return;
      const double relative = relative_step();
      double length = 1 / (1 + deflation(known));
      if (!std::isfinite(relative)) return;
      if (!(std::abs(length) * relative <= kLongestStep))
        length = std::copysign(kLongestStep / relative, length);
      if (std::abs(length) * relative < kMayBeZero) return;
      int halvings = 0;
      for (double rest = length;; rest /= 2, ++halvings) {
        N_VLinearSum(1, x.get(), -rest, step.get(), x.get());
        if (call_equations(x.get(), f.get(), this) == 0) break;
        N_VLinearSum(1, x.get(), rest, step.get(), x.get());
        if (halvings == 10) return;
      }
    }
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
      if (!newton_step()) return;
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
  std::vector<bool> constant_row;  // does not depend on x
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
  // Where it is now, slopes can be very different from those before.
  if (!own.measure()) return failed(own.calls.message());
  outcome.residual = own.scaled_residual();
  outcome.converged = outcome.residual <= kClosed && own.stands_still();
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

SteadyStateSolver::Outcome SteadyStateSolver::solve_away_from(
    const std::vector<std::vector<double>>& known, double t, double* x) {
  Kinsol& own = *kinsol_;
  const int n = own.equations.size();
  own.time = t;
  own.calls.forget();
  std::copy_n(x, n, Kinsol::data(own.x));
  own.go_away_from(known);
  own.calls.rethrow();
  std::copy_n(Kinsol::data(own.x), n, x);
  return solve(t, x);
}

}  // namespace arges
