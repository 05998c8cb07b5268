#pragma once
// A model with state machines, as the kernel runs it.

#include <memory>

#include "arges/causalize/machine_modes.h"
#include "arges/compile/compiled_system.h"

namespace arges {

// Each combination of active blocks is a mode of the kernel, with its own states and equations,
// compiled when the model is made. All modes have the same parameters and inputs; discrete
// variables, relations, events and timers are those of a mode. The vector z of the kernel holds,
// one mode after the other, its discretes and the status of its transitions; then what blocks that
// can be resumed had when they were left. What does not exist at present is NaN.
//
// Transitions are taken when the discrete equations have settled:
//
//   settle:  one round of the discrete equations of the mode; if it changed anything, no more
//            the transitions in order (outer machines first, then by machine and priority):
//              immediate: fires while its condition holds
//              else:      is armed when its condition does not hold, fires when it is armed and
//              does
//            the first that fires:
//              values of the old mode: what is handed over, what is kept
//              go to the new mode; solve for its start (CompiledSystem::enter)
//
// One transition at a time: machines that run in parallel switch at the same instant one after the
// other, each from where the one before led. Two transitions from one block that fire together
// with the same priority end the run, and so do transitions without end at one instant.
//
// Thread safe like CompiledSystem.
class SwitchingSystem : public HybridSystem {
 public:
  // Throws ModeError.
  explicit SwitchingSystem(
      const FlatModel& whole,
      const std::shared_ptr<const external::SharedLibraries>& libraries = nullptr);
  ~SwitchingSystem() override;

  void set_tier(Tier tier);
  // Of all modes; not while a run is on its way.
  void set_constraints(ConstraintPolicy policy);
  // Of the first mode that has no native code although it should.
  std::string native_problem() const;

  void derivatives(const Point& at, Rates xdot) const override;
  void jacobian(const Point& at, const double* xdot, double c, JacobianEntries J) const override;
  void outputs(const Point& at, Outputs y) const override;
  NonFinite find_non_finite(const Point& at) const override;
  void conditions(const Point& at, Conditions g) const override;
  void initialize(Update& now) const override;
  void on_event(EventId event, Update& now) const override;
  void on_timer(TimerId timer, Update& now) const override;
  void settle(Update& now) const override;
  void on_end(Update& now) const override;
  void watch(const Point& at) const override;
  void remember(const Point& at) const override;
  void remember_step(const Passage& step) const override;
  double longest_step(const Point& at) const override;
  void scale_nominal(const Point& at, std::vector<double>& nominal) const override;
  void constraints(const Point& at, double* c) const override;
  bool constraint_jacobian(const Point& at, double* values) const override;
  void project(const Point& at, double* x) const override;

  const CompiledSystem& mode(std::size_t i) const { return *modes_[i].system; }
  std::size_t mode_count() const { return modes_.size(); }

 private:
  // Where a value comes from when a mode is entered.
  struct Source {
    int read = -1;    // number of Outgoing::reads, or
    int memory = -1;  // of what was kept when the block was left
    double sign = 1;
  };
  struct Arrival {
    int mode = -1;
    std::size_t entry = 0;
    std::vector<Source> sources;  // as EntrySystem::given
  };
  struct Outgoing {
    const FlatTransition* transition;
    int number;                              // of the transition
    VarId fires;                             // invalid: always_fires
    bool always = false;                     // the condition is a constant
    std::vector<std::size_t> relations;      // of the condition
    std::vector<VarId> reads;                // variables of the old mode
    Arrival fresh;                           // begins anew
    std::vector<Arrival> again;              // goes on, for each combination of states inside
    std::vector<std::pair<int, int>> saves;  // read -> memory
  };
  struct Mode {
    std::unique_ptr<CompiledSystem> system;
    std::vector<Outgoing> outgoing;
    std::size_t z = 0, status = 0, event = 0, timer = 0;  // where its part begins
    std::size_t discretes = 0, timers = 0;
    std::vector<int> outputs;  // number in the schema; -1: hidden
  };
  struct Scratch;
  class Part;
  class Builder;

  Point part(const Point& at) const;
  void take(const Mode& mode, const Outgoing& out, Update& now, Scratch& scratch) const;
  const Arrival& arrival(const Mode& mode, const Outgoing& out, const Context& now) const;
  const Outgoing* firing(const Mode& mode, Update& now) const;
  void set_status(const Mode& mode, const Outgoing& taken, const Mode& from, Context& now,
                  Scratch& scratch) const;
  void note_entered(std::int32_t top, std::size_t mode, Context& now) const;
  void keep_samples(const Mode& left, const Mode& next, const Context& now, Context& entered) const;
  void count_switch(Update& now, const Mode& mode, const Outgoing& out) const;
  bool holds(const Mode& mode, const Outgoing& out, const Context& now) const;

  FlatMachines machines_;
  std::vector<Configuration> configurations_;
  std::vector<Mode> modes_;
  std::vector<int> entered_;  // parameter of each state that holds when it was entered
  std::size_t memory_ = 0;    // where in z: values of blocks, then the mode in which each was left
  std::size_t left_ = 0;
  std::size_t count_ = 0;  // where in z: transitions at this instant, and the instant
  mutable ThreadPlaces<Scratch> idle_;
};

}  // namespace arges
