#pragma once
// The simulator of hybrid DEVS.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "arges/devs/simulator.h"
#include "arges/hybrid/context.h"
#include "arges/hybrid/event_monitor.h"
#include "arges/hybrid/mode_equations.h"
#include "arges/hybrid/run_options.h"
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
// last place of a due time is at that time. A condition that a discrete transition lets pass zero
// fires as well, right after that step.
class HybridSimulator {
 public:
  // Of the options: start_time, solver, numerics, interval (of samples), max_steps, max_events.
  // Throws UserError for an unknown solver.
  explicit HybridSimulator(const devs::Model& model, const RunOptions& options = {});

  // All that happens up to `end`; then the clock stands there. Failures end the run with a status,
  // and with the path of the component where there is one.
  RunStatus run_until(double end);
  double time() const { return t_; }
  double next_discrete() { return discrete_.next_time(); }
  const RunStatus& status() const { return status_; }

  // The state of a component at time(), its x included.
  template <class M>
  const typename M::State& state(const M& model) const {
    return discrete_.state(model);
  }
  devs::Simulator& discrete() { return discrete_; }
  HybridStatistics statistics() const;
  const std::string& solver() const { return solver_; }  // the one that was taken last

  // Called in the order of time with states up to date: at multiples of the interval (0: at the end
  // of each step of the solver), and at each time at which something happens, before it does.
  void set_sampler(std::function<void(double)> sampler) { sampler_ = std::move(sampler); }

 private:
  struct Fired {
    std::uint32_t component;
    const devs::Model* model;
    int condition;
    bool rising;
  };
  // What a condition was before a step.
  struct Before {
    std::uint32_t component;
    const devs::Model* model;
    int condition;
    double g;
  };

  void go_on_until(double end);
  bool step_discrete();
  void collect();
  void refresh();
  void start();
  void flow_to(double limit);
  void arrive(double t, const double* x);
  void sample_until(double until);
  void fire(std::span<const Crossing> crossings);
  void fire_chained(const std::vector<Before>& before);
  std::vector<Before> conditions_now();
  bool has_fired(std::uint32_t component, const devs::Model* model, int condition,
                 bool rising) const;
  void fail(RunReason reason, const std::string& message, const std::string& component = "");

  RunOptions options_;
  devs::Simulator discrete_;
  std::unique_ptr<ContinuousPart> part_;
  Context context_;
  std::unique_ptr<ModeEquations> equations_;
  std::unique_ptr<Stepper> stepper_;
  std::unique_ptr<EventMonitor> monitor_;
  std::string solver_;
  double t_;
  std::vector<double> x_, g_, x_sample_;
  std::vector<devs::Clock> last_;  // transitions of the entries, when the solver was started
  std::int64_t structure_changes_ = -1;
  bool needs_start_ = true;
  double first_step_end_ = devs::kInfinity;
  std::vector<Fired> fired_;  // at t_
  std::int64_t samples_ = 0;
  std::function<void(double)> sampler_;
  HybridStatistics statistics_;
  RunStatus status_;
  bool failed_ = false;
};

}  // namespace arges::hybrid_devs
