#pragma once
// The one interface of all integration methods.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arges/solvers/equations.h"
#include "arges/solvers/options.h"

namespace arges {

enum class StepStatus {
  kOk,
  kStepTooSmall,
  kNewtonFailed,
  kNonFinite,         // f or a state became NaN or infinite, and shorter steps did not help
  kEvaluationFailed,  // the model threw EvaluationError, and shorter steps did not help
};

// An integration method bound to one set of Equations. A stepper is made once per mode and then
// reused: start() neither allocates nor analyses structure again.
//
//   start(t0, x0, h)                       begin at (t0, x0); forget the past
//   loop: step(limit)                      one accepted step, t_old() -> t(), never beyond `limit`
//         interpolate(s, x)                dense output, t_old() <= s <= t()
//         retake(s, x)                     the step again, ending exactly at s: event states at the
//         full order
//
// After kOk, t() > t_old(), and t() == limit exactly when the limit was hit. After any other status
// the state is the last good one (that before the step, or after some of its moves), message() says
// why, and the stepper may be started anew. No call throws but start() on misuse, and step()
// allocates nothing.
class Stepper {
 public:
  virtual ~Stepper() = default;

  // `h` is the first step to try; 0 lets the method choose. For kImplicit and kSemiExplicit, x and
  // xdot must be consistent; xdot may be null for kExplicit and kSemiExplicit.
  virtual void start(double t, const double* x, const double* xdot, double h) = 0;
  virtual StepStatus step(double limit) = 0;
  virtual void interpolate(double t, double* x) const = 0;

  // x' along the dense output, for equations from which it cannot be computed (kImplicit). False:
  // not available.
  virtual bool interpolate_rates(double t, double* xdot) const;

  // Methods that make many small moves in one step keep dense output for the last of them only (and
  // for t_old()): it is smooth from here to t(). They look for sign changes of
  // Equations::conditions() on the way and end the step there.
  virtual bool makes_moves() const { return false; }
  virtual double smooth_from() const { return t_old_; }
  // The stepper has looked at the conditions, and none is near its root since smooth_from().
  virtual bool keeps_clear_of_roots() const { return false; }
  // What Equations::conditions() said at smooth_from() and at t(), where the stepper has asked;
  // null: it has not.
  virtual const double* conditions_at_begin() const { return nullptr; }
  virtual const double* conditions_at_end() const { return nullptr; }
  // From now on each step ends with its first move, whatever the conditions do there: one of them
  // has not been seen on its side yet, and the stepper knows of no sides.
  virtual void end_at_each_move(bool) {}
  // At its beginning a step moves the states as the equations at these states say. Else they follow
  // companions beside them, and a shorter step goes the same way.
  virtual bool sets_out_along_equations() const { return true; }
  // The state at t() carries the rounding of times from here on.
  virtual double anchor() const { return t_old_; }
  // The number of moves in the last step.
  virtual std::int64_t moves() const { return 1; }
  // Those of one state since the stepper was made.
  virtual std::int64_t moves_of(int) const { return 0; }

  // One-step methods: integrate from t_old() to s in (t_old(), t()] in a single step of the method,
  // into x, without changing the stepper's own position. Returns false when the method cannot
  // (multistep) or the step fails; then the caller takes interpolate().
  virtual bool retake(double s, double* x);

  // Multistep methods take short steps along a smooth history, so event detection may use that
  // history; one-step methods can take long steps, and detection looks inside each of them.
  virtual bool is_multistep() const = 0;
  // Order of the method (of the solution that is carried on); the highest one for variable-order
  // methods.
  virtual int order() const = 0;
  // An explicit method that finds the problem stiff says so (after a number of suspicious steps);
  // never for implicit ones.
  virtual bool suspects_stiffness() const { return false; }
  // The method looks after constraints itself (Equations::constraints): nobody else should.
  virtual bool keeps_constraints() const { return false; }
  // The step the method would like to take next: a good first step after an event that changed
  // little.
  virtual double next_step() const = 0;

  double t_old() const { return t_old_; }
  double t() const { return t_; }
  const double* x() const { return x_; }  // at t()
  const SolverStatistics& statistics() const { return stats_; }
  const std::string& message() const { return message_; }

 protected:
  double t_old_ = 0;
  double t_ = 0;
  const double* x_ = nullptr;
  mutable SolverStatistics stats_;  // dense output may evaluate f
  std::string message_;
};

// What `arges solvers` shows, and what make_stepper() understands.
struct SolverInfo {
  std::string_view name;
  std::string_view
      family;  // "fixed step", "explicit Runge-Kutta", "Rosenbrock", "SUNDIALS multistep", ...
  int order;   // highest
  bool adaptive;
  bool implicit;                 // good for stiff problems
  bool semi_explicit_dae;        // solves M x' = f(t, x)
  bool implicit_dae;             // solves 0 = F(t, x, x')
  bool quantised;                // states are quantised, not time: the tolerances are quanta
  std::string_view description;  // one line
};

const std::vector<SolverInfo>& solver_catalogue();
// Throws UserError with the near names when there is no such solver.
const SolverInfo& find_solver(std::string_view name);
bool can_solve(const SolverInfo& solver, EquationForm form);

// Throws UserError when the name is unknown, when the options do not fit (a fixed-step method
// without step), or when the method cannot solve this form of equations; the message names solvers
// that can.
std::unique_ptr<Stepper> make_stepper(std::string_view name, const Equations& equations,
                                      const SolverOptions& options);

// The choice behind `auto`, with the reason in words.
struct SolverChoice {
  std::string name;
  std::string reason;
};
// Looks at the form and size of the equations and at the spectrum of df/dx at (t, x).
SolverChoice choose_solver(const Equations& equations, const SolverOptions& options, double t,
                           const double* x, double horizon);

}  // namespace arges
