#pragma once
// The declared structure of a model: names, start values, modes, events. Everything about a model
// that is not a function.

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "arges/base/ids.h"
#include "arges/linear/sparsity.h"
#include "arges/results/sink.h"
#include "arges/solvers/equations.h"

namespace arges {

// What an event changed; the names in the event log are "SE-P", ...
// (docs/guide/time-and-events.md).
enum class EventKind {
  kParameter,  // SE-P
  kInput,      // SE-I
  kState,      // SE-X
  kFunction,   // SE-F
  kStructure,  // SE-S
  kOutput,     // SE-O
  kAlgorithm,  // SE-A
};
std::string_view to_string(EventKind kind);

// For models with constraints among their states.
enum class Projection {
  kNone,
  kRows,   // of what is shown: the rates hold them already
  kSteps,  // after each step, so that the run goes on from there
};

enum class Direction { kRising, kFalling, kBoth };

struct VariableInfo {
  std::string name;
  double start = 0;
  double nominal = 1;
  std::string unit;
  std::string description;
  ValueType type = ValueType::kReal;
  bool settable = true;  // of a parameter: may be given another value before a run
  // Values from outside are not beyond these.
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool hidden = false;        // of a discrete or parameter: not in results and event logs
  bool internal = false;      // of a discrete: nothing but other events asks for it
  bool hides_result = false;  // in results where its name is asked for only
  // What the model says it lies between during a run.
  double range_min = -std::numeric_limits<double>::infinity();
  double range_max = std::numeric_limits<double>::infinity();
};

struct EventInfo {
  std::string name;
  Direction direction = Direction::kBoth;
  ModeId mode;                    // invalid: in every mode
  int priority = 0;               // smaller goes first
  std::optional<EventKind> kind;  // empty: found by comparing before and after
  // Not logged or counted when the pass in which it fires changes internal variables alone.
  bool needs_effect = false;
  // Events with one number, not negative, stand on one expression or its negative (x < 0, x > 0):
  // where several of them cross together, that is one event.
  int expression = -1;
  // Never logged or counted: it belongs to the method, not to the model.
  bool bookkeeping = false;
  // Of a relation that remembers its side: the discrete variable with which it does, 1 above zero.
  DiscreteId latch;
};

struct TimerInfo {
  std::string name;
  double first =
      std::numeric_limits<double>::infinity();  // infinity: off until an action schedules it
  double period = 0;                            // 0: once
  int priority = 0;
  std::optional<EventKind> kind;
  bool needs_effect = false;  // as of an event
  bool acts_after = false;    // right after its time: at the stop time of a run not any more
};

// The variables and equations that exist together. Row i of the equations belongs to variable i.
struct ModeInfo {
  std::string name;
  int state_space =
      0;  // modes with the same number here have the same variables: going between them keeps x
  EquationForm form = EquationForm::kExplicit;
  std::vector<VariableInfo>
      states;  // differential and algebraic variables, in the order of declaration
  std::vector<std::uint8_t> differential;  // 1: x' = f; 0: 0 = f (empty when all are differential)
  std::vector<double> nominal;
  std::optional<SparsityPattern> sparsity;  // of df/dx
  bool has_jacobian = false;
  bool autonomous = false;
  RowAccess rows = RowAccess::kWhole;  // what there is besides derivatives()
  int constraints = 0;                 // among the states, besides the equations
};

// Defaults of an experiment with this model; the command line overrides them.
struct ExperimentInfo {
  double start_time = 0;
  double stop_time = 1;
  double rtol = 1e-6;
  std::string solver = "auto";
  double interval = 0;  // 0: 500 intervals
};

struct Schema {
  std::string name;
  std::string description;
  std::vector<VariableInfo> parameters, inputs, discretes, outputs;
  std::vector<ModeInfo> modes;
  std::vector<EventInfo> events;
  std::vector<TimerInfo> timers;
  ExperimentInfo experiment;
  bool acts_at_end = false;  // on_end() is wanted
  // Outputs and discretes are those of single modes: what is NaN does not exist at present, and
  // those of the same name (or that of a state of another mode) are one trajectory.
  bool shares_names = false;
  bool has_memory = false;                    // remember() and longest_step() are wanted
  bool watches = false;                       // watch() is wanted
  Projection projection = Projection::kNone;  // what project() is wanted for
};

}  // namespace arges
