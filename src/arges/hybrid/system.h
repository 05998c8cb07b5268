#pragma once
// The contract between a model and the kernel.

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "arges/hybrid/context.h"
#include "arges/hybrid/schema.h"

namespace arges {

class Update;

// Where the entries of df/dx go.
struct JacobianTarget {
  double* values;  // dense column-major, or in the order of the pattern
  double* dfdt;    // may be null
  int n;
  const SparsityPattern* pattern;  // null: dense
  mutable double scrap = 0;
};

// Entries of df/dx, by name: J(row, column) = value. Entries that are not written are zero. (As
// large as a pointer: it travels in a register.)
class JacobianEntries {
 public:
  explicit JacobianEntries(const JacobianTarget& target) : target_(&target) {}
  // In a sparse Jacobian, (row, column) must be in the declared pattern.
  double& operator()(StateId row, StateId column) const {
    if (target_->pattern != nullptr) return in_pattern(row, column);
    return target_->values[row.index + static_cast<std::ptrdiff_t>(target_->n) * column.index];
  }
  // df/dt of a row; ignored by autonomous models.
  double& dt(StateId row) const {
    return target_->dfdt != nullptr ? target_->dfdt[row.index] : target_->scrap;
  }
  // The raw values (dense column-major, or in pattern order), for generated code.
  double* values() const { return target_->values; }

 private:
  double& in_pattern(StateId row, StateId column) const;

  const JacobianTarget* target_;
};

// A continuous or hybrid model: const, without values of its own. The constructor declares what
// there is (states, parameters, events, ...), the virtual functions say how it moves:
//
//   between events   x' = f(t, x, p, u, z; m)      derivatives()
//                    0  = f(t, x, p, u, z; m)      derivatives(), rows of algebraic variables
//                    0  = F(t, x, x', p, u, z; m)  residual(), in a mode declared implicit
//                    y  = h(t, x, p, u, z; m)      outputs()
//                    g_k(t, x, p, u, z; m)         conditions(): state event k when it passes zero
//   at events        (x, p, u, z, m) := ...        on_event(), on_timer(), then settle() until
//                                                  nothing changes
//   at the start                                   initialize()
//
// Mode m selects which variables exist: a mode is declared with its own states, and on_event may go
// to another one. A model that declares no mode has one. What happens at one instant, and in which
// order: docs/guide/time-and-events.md.
//
// All functions must be pure: the kernel calls them at trial points, in any order, from any thread.
// They may throw EvaluationError. A function writes only the entries of its active mode.
class HybridSystem {
 public:
  virtual ~HybridSystem() = default;
  HybridSystem(const HybridSystem&) = delete;
  HybridSystem& operator=(const HybridSystem&) = delete;

  const Schema& schema() const { return schema_; }

  virtual void derivatives(const Point& at, Rates xdot) const;
  // Only called when declared (declare_rows): single rows of derivatives(), f[k] := that of state
  // rows[k], for methods that ask for few at a time. at.x holds what these rows read.
  virtual void derivatives_of(std::span<const int> rows, const Point& at, double* f) const;
  // The same along polynomials in time: at.x[i * order + k] is the coefficient of s^k of state i at
  // at.t + s, and f the same of the rates (PowerSeries in arges/qss/power_series.h computes with
  // them; RowwiseSystem writes these functions).
  virtual void series_of(std::span<const int> rows, int order, const Point& at, double* f) const;
  virtual void residual(const Point& at, const double* xdot, double* r) const;
  // Only called when declared. For an implicit mode, dF/dx + c * dF/dx'.
  virtual void jacobian(const Point& at, const double* xdot, double c, JacobianEntries J) const;
  virtual void outputs(const Point& at, Outputs y) const;
  virtual void conditions(const Point& at, Conditions g) const;
  // Which variable is not finite here, and the equation that makes it so, as the user wrote it and
  // with its place. Empty: all is finite, or the model cannot tell. For messages, and to find that
  // outputs have failed.
  struct NonFinite {
    std::string variable, equation;
  };
  virtual NonFinite find_non_finite(const Point& at) const;

  virtual void initialize(Update& now) const;
  virtual void on_event(EventId event, Update& now) const;
  virtual void on_timer(TimerId timer, Update& now) const;
  // One pass of the discrete equations; repeated until nothing changes.
  virtual void settle(Update& now) const;

  // At the end of a run that got there, before the discrete equations settle a last time.
  virtual void on_end(Update& now) const;
  // What must hold between events, too: looked at at the end of each accepted step. An
  // EvaluationError ends the run there.
  virtual void watch(const Point& at) const;
  // For models with a memory of their own, in the order of time: the start, all of each accepted
  // step, the point after each event.
  virtual void remember(const Point& at) const;
  // What is new of a step: its points are had from `at`, each until the next is asked for, and as
  // exact as the tolerances say.
  struct Passage {
    double from, until;
    std::function<Point(double t)> at;
    double rtol, atol;
  };
  virtual void remember_step(const Passage& step) const;
  // Constraints 0 = c that hold besides the equations: of an index-reduced DAE the given ones and
  // their derivatives. Only called when declared. The Jacobian is dense, column-major; false: take
  // differences.
  virtual void constraints(const Point& at, double* c) const;
  virtual bool constraint_jacobian(const Point& at, double* values) const;
  // For models with constraints among their states (Schema::projection): moves x onto them.
  virtual void project(const Point& at, double* x) const;
  // No step from here may be longer.
  virtual double longest_step(const Point& at) const;
  // The nominal values of the mode's states, which hold those that were declared, for the
  // parameters of a run. Of `at`, only p and the mode are set.
  virtual void scale_nominal(const Point& at, std::vector<double>& nominal) const;

 protected:
  explicit HybridSystem(std::string name, std::string description = "");

  // Each returns the id by which the model's functions use the thing. Names are Modelica component
  // references, unique within a mode; the same name in two modes is one trajectory in the results.
  ParameterId declare_parameter(const std::string& name, double value, const std::string& unit = "",
                                const std::string& description = "");
  InputId declare_input(const std::string& name, double value, const std::string& unit = "",
                        const std::string& description = "");
  DiscreteId declare_discrete(const std::string& name, double start,
                              ValueType type = ValueType::kReal,
                              const std::string& description = "");
  OutputId declare_output(const std::string& name, const std::string& unit = "",
                          const std::string& description = "");
  // The states declared from here on belong to this mode.
  ModeId declare_mode(const std::string& name, EquationForm form = EquationForm::kExplicit);
  // A mode with the same variables as `of` but other equations; its states are used by the same
  // ids, and keep their values when the model goes from one to the other.
  ModeId declare_variant(const std::string& name, ModeId of);
  StateId declare_state(const std::string& name, double start, const std::string& unit = "",
                        const std::string& description = "", double nominal = 1);
  // An algebraic variable: its row of derivatives() is a residual. `guess` starts the iteration for
  // consistent values.
  StateId declare_algebraic(const std::string& name, double guess, const std::string& unit = "",
                            const std::string& description = "", double nominal = 1);
  EventId declare_event(const std::string& name, Direction direction, ModeId only_in = {},
                        int priority = 0);
  TimerId declare_timer(const std::string& name, double first, double period = 0, int priority = 0);
  void declare_kind(EventId event, EventKind kind);
  // Facts about the current mode's f that make it faster.
  void declare_jacobian();
  void declare_autonomous();
  void declare_rows(RowAccess access);
  void declare_constraints(int count);
  void declare_sparsity(const std::vector<std::pair<StateId, StateId>>& row_column);
  void declare_experiment(const ExperimentInfo& experiment) { schema_.experiment = experiment; }

  Schema schema_;

 private:
  ModeInfo& current_mode();
};

}  // namespace arges
