#pragma once
// The continuous parts of all hybrid components of a running model, as one system of equations.

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "arges/base/error.h"
#include "arges/devs/simulator.h"
#include "arges/hybrid/system.h"
#include "arges/hybrid_devs/fixed_point.h"
#include "arges/hybrid_devs/hybrid_atomic.h"

namespace arges::hybrid_devs {

bool is_continuous(const devs::PortInfo& port);

// What a function of a component threw.
class ComponentError : public EvaluationError {
 public:
  ComponentError(std::string path, const std::string& what, bool recoverable)
      : EvaluationError(path + ": " + what, recoverable), path_(std::move(path)) {}
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Holds as long as the structure of the model and the number of states of each component do. The
// vector x of the system is that of all components, one after the other; condition k of a component
// is an event of the system. To evaluate anything at (t, x):
//
//   for each Moore component:                       y = outputs(x)        along the couplings into
//   u for each Mealy component, in dependency order:  y = outputs(x, u)     likewise then
//   derivatives(x, u) or conditions(x, u) of each component
//
// Mealy components that depend on each other in a circle (an algebraic loop) stand in that order as
// one: their outputs are the solution of the equations that they make (FixedPoint). While a solver
// moves, it is the one next to that of the last step, elsewhere any, first the one next to what was
// before. A loop without a solution, or with infinitely many, is an EvaluationError.
//
// A component's rates depend on its own states, and on those of the components whose outputs drive
// its inputs, through Mealy ones further on: that is the structure which solvers see. Single rows
// (derivatives_of) and conditions evaluate the outputs on which they depend, no others.
class ContinuousPart final : public HybridSystem {
 public:
  explicit ContinuousPart(devs::Simulator& simulator);

  struct Entry {
    std::uint32_t component;
    const devs::Model* model;
    const ContinuousBehaviour* behaviour;
    void* state;
    std::size_t first_x = 0, x_count = 0;
    std::size_t first_g = 0, g_count = 0;
    std::size_t first_port = 0;    // into input_begin_
    std::size_t first_output = 0;  // into values_ and targets_
  };
  const std::vector<Entry>& entries() const { return entries_; }
  std::size_t state_count() const { return x_count_; }
  std::size_t condition_count() const { return g_count_; }
  // Which component and which of its conditions an event is.
  std::pair<std::size_t, int> owner(EventId event) const;

  // Between the states of the components and x.
  void read(std::vector<double>& x) const;
  void write(const double* x) const;
  // The rates of these states are zero (empty: of none), but where free() is not 0.
  void hold_still(std::vector<std::uint8_t> states) { still_ = std::move(states); }
  DiscreteId free() const { return free_; }
  // Components still have as many states as when this was made.
  bool fits() const;

  // What is evaluated from now on: trial points of a solver that makes steps (follow() says which
  // are taken), points of one that makes moves, or other things (kNone).
  enum class Motion { kNone, kSteps, kMoves };
  void set_motion(Motion motion) const;
  // A solver has come here.
  void follow(const Point& at) const;
  // Where the solutions of loops begin: to be kept while something else is tried.
  std::vector<double> anchors() const { return loops_.empty() ? std::vector<double>() : anchors_; }
  void set_anchors(const std::vector<double>& anchors) const {
    if (!loops_.empty()) anchors_ = anchors;
  }
  // Loops begin where they were in another part, as far as components are the same.
  void begin_loops_as(const ContinuousPart& before);

  // An exception of a component's function is a ComponentError.
  void derivatives(const Point& at, Rates xdot) const override;
  void derivatives_of(std::span<const int> rows, const Point& at, double* f) const override;
  void conditions(const Point& at, Conditions g) const override;
  // Evaluates the outputs that nobody reads, for non_finite().
  void look_at_unread(const Point& at) const;
  // The component whose function threw last; empty: none did.
  const std::string& broken() const { return broken_; }

  // A rate or an output that is NaN or infinite, of a component whose own states and inputs were
  // finite: where it comes from. It is for the solver to avoid such points; what was last seen is
  // kept until it is forgotten.
  struct NonFinite {
    const Entry* entry = nullptr;  // null: nothing
    bool is_output = false;
    std::size_t index = 0;  // of the state or the port
    double value = 0, t = 0;
  };
  const NonFinite& non_finite() const { return non_finite_; }
  void forget_non_finite() const { non_finite_ = {}; }
  std::string describe(const NonFinite& what) const;
  const std::string& path(const Entry& entry) const {
    return paths_[static_cast<std::size_t>(&entry - entries_.data())];
  }

 private:
  void collect(devs::Simulator& simulator);
  void connect(const devs::Simulator& simulator);
  void sort();
  void declare();
  void flow(double t, const double* x) const;

  // continuous_loops.cc
  struct Loop {
    std::vector<std::uint32_t> members;   // in the order in which they are computed
    std::vector<std::uint32_t> unknowns;  // outputs (in values_) that are read before that
    mutable FixedPoint solver;
  };
  void sort_loops(const std::vector<std::uint32_t>& open);
  void add_block(std::vector<std::uint32_t> members);
  std::vector<std::uint32_t> guess(const std::vector<std::uint32_t>& members);
  void solve(const Loop& loop, double t, const double* x) const;
  double go_round(const Loop& loop, double t, const double* x) const;
  bool is_driven(const Loop& loop, const double* x) const;
  [[noreturn]] void fail_to_solve(const Loop& loop, FixedPoint::Outcome outcome, double t) const;

  void compute_outputs(const Entry& entry, double t, const double* x) const;
  void compute_rates(const Entry& entry, double t, const double* x, std::span<double> dx) const;

  // continuous_rows.cc
  void prepare_rows();
  void declare_dependencies();
  template <class F>
  void for_each_dependency(std::uint32_t reader, const F& f) const;
  void bring_outputs(std::uint32_t of, double t, const double* x) const;
  void bring_inputs(const Entry& entry, double t, const double* x) const;
  std::uint32_t inputs_begin(const Entry& entry) const { return input_begin_[entry.first_port]; }
  std::uint32_t inputs_end(const Entry& entry) const {
    return input_begin_[entry.first_port + entry.model->ports(devs::PortSide::kIn).size()];
  }
  template <class F>
  void call(const Entry& entry, const F& f) const {
    try {
      f();
    } catch (...) {
      throw_from(entry);
    }
  }
  [[noreturn]] void throw_from(const Entry& entry) const;
  void look_at(const Entry& entry, bool is_output, std::span<const double> values, const Flow& at,
               bool with_inputs) const;
  Flow at(const Entry& entry, double t, const double* x, bool with_inputs) const {
    return {t,
            {x + entry.first_x, entry.x_count},
            with_inputs ? inputs_.data() : nullptr,
            input_begin_.data() + entry.first_port};
  }

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> order_;  // in which outputs are computed; loops stand together
  std::vector<Loop> loops_;
  std::vector<std::uint32_t> loop_of_;  // of the entries; devs::kNone
  mutable Motion motion_ = Motion::kNone;
  mutable std::vector<double> anchors_;  // of each output: where the solution of a loop begins
  std::size_t x_count_ = 0, g_count_ = 0;
  std::vector<std::uint32_t> input_begin_;  // of each input port of each entry, one more an entry
  struct Targets {
    std::uint32_t begin, end;
  };
  std::vector<Targets> targets_;  // of each output port: where in inputs_ its value goes
  std::vector<std::uint32_t> target_inputs_;
  mutable std::mutex evaluates_;  // a solver may do so from two threads
  mutable std::vector<double> inputs_, values_;
  std::vector<std::string> paths_;  // of the entries
  // Of each input: the entry and the output (in values_) that drive it.
  std::vector<std::uint32_t> source_entry_, source_output_;
  bool is_still(std::size_t row, const Point& at) const {
    return !still_.empty() && still_[row] != 0 && at[free_] == 0;
  }
  std::vector<std::uint8_t> still_;
  DiscreteId free_;
  std::vector<std::uint32_t> entry_of_row_;
  std::vector<std::uint32_t> unread_;  // entries with an output that nobody reads
  // What has been computed for the present call has its number.
  mutable std::uint64_t call_ = 0;
  mutable std::vector<std::uint64_t> outputs_of_call_, rates_of_call_;  // of the entries
  mutable std::vector<std::uint32_t> open_;
  mutable std::vector<double> rates_;
  mutable std::string broken_;
  mutable NonFinite non_finite_;
};

}  // namespace arges::hybrid_devs
