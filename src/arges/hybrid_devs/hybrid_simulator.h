#pragma once
// The simulator of hybrid DEVS.

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "arges/devs/simulator.h"
#include "arges/hybrid/context.h"
#include "arges/hybrid/event_monitor.h"
#include "arges/hybrid/mode_equations.h"
#include "arges/hybrid/run_options.h"
#include "arges/hybrid/sliding.h"
#include "arges/hybrid/zeno_guard.h"
#include "arges/hybrid_devs/condition_sides.h"
#include "arges/hybrid_devs/continuous_part.h"
#include "arges/solvers/stepper.h"

namespace arges::hybrid_devs {

struct HybridStatistics {
  SolverStatistics solver;
  std::int64_t phases = 0;        // continuous ones
  std::int64_t collections = 0;   // of the continuous parts, after changes of structure
  std::int64_t state_events = 0;  // components that ran their state transition
};

// Runs a model of atomics, coupled models and hybrid atomics: a devs::Simulator for the events, a
// solver for what flows between them.
//
//   repeat
//     discrete:    while something is due now: one step of the devs::Simulator
//     continuous:  collect the continuous parts of all components, if the structure has changed;
//                  start the solver anew, if a hybrid component has had a transition;
//                  integrate to the next due time or the end, at most to the first state event
//     state event: the components concerned run their state transitions, in the order of components
//   until the end
//
// A state event comes before everything else that is due at its time; one within some units in the
// last place of a due time is at that time. A condition that a transition lets pass zero fires as
// well, right after that step or state event, each time it does (ConditionSides).
//
// A state that is NaN or infinite after a transition ends the run at once, a rate or an output that
// is so where the solver arrives: kNonFinite. Events that accumulate or chatter (ZenoGuard) end it
// as kZeno unless options.on_zeno is kGo, or is kStick and a component comes to rest there: then
// its states on which the condition depends, and those that move these, stand still until a change
// sets them, moves the condition, or would lift it. Every failure has the last time that was
// reached and the path of a component; where only the solver failed, it is that of the states that
// change fastest.
class HybridSimulator {
 public:
  // Of the options: start_time, solver, numerics, interval (of samples), max_steps, max_events,
  // on_zeno.
  // Throws UserError for an unknown solver.
  explicit HybridSimulator(const devs::Model& model, const RunOptions& options = {});

  // All that happens up to `end`; then the clock stands there. Failures end the run with a status.
  RunStatus run_until(double end);
  double time() const { return t_; }
  double next_discrete() { return discrete_.next_time(); }
  const RunStatus& status() const { return status_; }
  // After kZeno: the time towards which events accumulate; else NaN.
  double accumulation() const { return accumulation_; }
  // What was done about events that accumulate (kStick).
  const std::vector<std::string>& notes() const { return notes_; }

  // The state of a component at time(), its x included.
  template <class M>
  const typename M::State& state(const M& model) const {
    return discrete_.state(model);
  }
  devs::Simulator& discrete() { return discrete_; }
  HybridStatistics statistics() const;
  const std::string& solver() const { return solver_; }  // the one that was taken last

  // Called in the order of time with states up to date: at multiples of the interval (0: at the end
  // of each step of the solver), and at each time at which something happens, before it does. At a
  // multiple at which something happens: before it and after it.
  void set_sampler(std::function<void(double)> sampler) { sampler_ = std::move(sampler); }

 private:
  struct Fired {
    std::uint32_t component;
    const devs::Model* model;
    int condition;
    bool rising;
  };

  static constexpr int kMostTurns = 1000;

  void go_on_until(double end);
  bool step_discrete();
  void collect();
  void adopt(const EventMonitor& monitor, const ContinuousPart& part);
  void refresh();

  // hybrid_flow.cc
  void flow_to(double limit);
  bool flow_on(double limit);
  bool is_due_at(double limit, double t);
  double end_of_step(double limit) const;
  void begin_instant();
  void arrive(double t, const double* x);
  void sample_until(double until);
  void sample_without_flow(double until);
  double shortest_search() const;
  bool is_nan_at(double t, EventId condition);

  // hybrid_events.cc
  void start(double limit);
  std::vector<Crossing> take_position(const double* xdot, double limit);
  void tell_monitor();
  void look_at_conditions();
  std::vector<Crossing> passed_by_transitions();
  void note_turns();
  std::vector<double> rates() const;
  void fire(std::vector<Crossing> crossings, bool located);
  void run_state_transitions(std::span<const Crossing> crossings);
  bool settles(const Crossing& crossing);

  // hybrid_failures.cc
  void fail(RunReason reason, const std::string& message, const std::string& component = "");
  void stay_at(double t);
  void step_failed(StepStatus status);
  void fail_non_finite();
  bool states_are_finite();
  bool is_finite_at(double t, const double* x);
  double last_finite_time(double from);
  std::string fastest();
  bool suspects_stiffness() const;
  std::string way_out_of_stiffness() const;

  // hybrid_zeno.cc
  using EventKey = std::tuple<std::uint32_t, const devs::Model*, int, bool>;  // as in Fired
  void check_zeno();
  void go_on(const ContinuousPart::Entry& entry, Crossing crossing, const ZenoGuard& guard,
             bool sinks, bool creeps);
  void stop_for_zeno(const EventKey& event, ZenoFinding finding, bool acts);
  EventKey leader(const EventKey& event) const;

  // hybrid_rest.cc
  struct Rest {  // of a component on one of its conditions
    EventKey event;
    Surface::Member member;
    std::vector<std::uint8_t> own;  // which of its states stand still
    std::vector<double> x;          // its states, and the condition, there
    double g;
  };
  bool begin_rest(const EventKey& event);
  const ContinuousPart::Entry* entry_of(const EventKey& event) const;
  std::vector<double> conditions() const;
  void hold();
  void hold_again();
  bool is_disturbed(const Rest& rest) const;
  void review_rests();
  void leave_rests(bool at_least_one);
  double search_window() const;
  double exit_time();

  RunOptions options_;
  devs::Simulator discrete_;
  std::unique_ptr<ContinuousPart> part_;
  Context context_;
  std::unique_ptr<ModeEquations> equations_;
  std::unique_ptr<Stepper> stepper_;
  std::unique_ptr<EventMonitor> monitor_;
  std::string solver_;
  double t_;
  std::vector<double> x_, x_sample_;
  std::vector<devs::Clock> last_;  // transitions of the entries, when the solver was started
  std::int64_t structure_changes_ = -1;
  bool needs_start_ = true;
  double first_step_end_ = devs::kInfinity;
  ConditionSides sides_;           // at t_
  std::vector<Fired> fired_;       // at t_
  std::size_t watched_ = 0;        // so many of them have been told to their guards
  int turns_ = 0;                  // state events one after the other, and nothing else, at t_
  std::vector<double> x_arrived_;  // x when the clock came to t_; empty: of another structure
  std::map<EventKey, ZenoGuard> guards_;
  std::vector<Rest> rests_;
  std::unique_ptr<Sliding> resting_;       // null: nothing rests
  std::vector<Surface::Member> released_;  // now; the monitor is told when it takes position
  std::vector<std::string> notes_;
  double accumulation_ = std::numeric_limits<double>::quiet_NaN();
  std::int64_t samples_ = 0;
  std::function<void(double)> sampler_;
  HybridStatistics statistics_;
  RunStatus status_;
  bool failed_ = false;
};

}  // namespace arges::hybrid_devs
