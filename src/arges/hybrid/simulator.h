#pragma once
// Runs a hybrid model.

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arges/base/interrupt.h"
#include "arges/hybrid/consistency.h"
#include "arges/hybrid/event_monitor.h"
#include "arges/hybrid/mode_equations.h"
#include "arges/hybrid/pacer.h"
#include "arges/hybrid/row_writer.h"
#include "arges/hybrid/run_options.h"
#include "arges/hybrid/sliding.h"
#include "arges/hybrid/system.h"
#include "arges/hybrid/update.h"
#include "arges/hybrid/zeno_guard.h"
#include "arges/results/sink.h"
#include "arges/solvers/stepper.h"

namespace arges {

// The values with which a run begins when nothing is overridden.
Context make_context(const HybridSystem& system);
// Sets a parameter, an input, or the start value of a discrete variable or of a state, by name.
// Throws UserError with the near names when there is none.
void set_value(const HybridSystem& system, Context& context, const std::string& name, double value);

// Throws UserError unless the variable may have this value: its type, its limits.
void check_value(const VariableInfo& variable, double value);

// Simulates one model. The object keeps its solvers and buffers, so that many runs of one model
// cost no set-up.
//
//   run(initial):
//     initial instant (initialize, consistent values, timers due at the start)
//     until the stop time:
//       step to the stop time or the next timer at most; look into the step for state events
//       record what lies before the event, or the whole step
//       event or timer: one instant (docs/guide/time-and-events.md), then restart
//
// Failures end the run with a status, exceptions of the model included; what was recorded until
// then is finished properly. Exceptions come out only for misuse (ApiError, UserError before the
// run has begun) and from the sink (IoError).
class Simulator {
 public:
  Simulator(const HybridSystem& system, RunOptions options);
  ~Simulator();

  RunResult run(const Context& initial, ResultSink* sink = nullptr);
  const RunOptions& options() const { return options_; }
  // The columns of this model's results, with the parameter values of a context.
  ResultLayout layout(const Context& context) const { return rows_.layout(context); }

 private:
  struct ModeRuntime;  // equations, consistency solver and steppers of one mode
  struct Due {         // an event or timer that is to run at this instant
    int priority;
    bool is_timer;
    int index;
    bool rising;
  };

  struct LastChange {  // what an event changed when it fired last
    Context before, after;
  };

  ModeRuntime& runtime(ModeId mode);
  Stepper& stepper();
  void begin(const Context& initial, ResultSink* sink);
  void begin_sink();
  void initial_instant();
  void last_instant();
  void watch_step(const Stepper& stepper);
  void remember_until(Stepper& stepper, double until);
  void consider_other_modes();
  void loop();
  void advance();
  void after_step(Stepper& stepper);
  void record_until(Stepper& stepper, double until);
  void show_curve_until(Stepper& stepper, double until);
  void project_step(Stepper& stepper);
  double next_row_time() const;
  void check_outputs(double t, const double* x);
  std::string what_is_not_finite(double t, const double* x);
  void go_back_to_what_is_known();
  void take_rates(const Stepper& stepper, double t);
  std::span<const double> row_at(double t, const double* x, const double* xdot);
  void record_row(double t, const double* x, const double* xdot);
  void instant(std::span<const Crossing> crossings, bool at_start);
  void run_pass(int iteration);
  bool needs_effect(const Due& due) const;
  void count_and_log(std::size_t done, bool effect);
  std::size_t listed_under(std::size_t due, std::size_t done) const;
  bool has_effect(const Context& since) const;
  void note_turn(Crossing crossing);
  std::span<const Crossing> look_ahead();
  bool would_turn(EventMonitor::Undecided undecided, const Stepper& stepper, double t);
  void settle(Update& update, int iteration);
  bool all_finite(const char* what, const std::string& culprit);
  bool make_consistent();
  bool changed_since(const Context& before) const;
  void note_changes(const Context& before, const Context& after, EventRecord& record) const;
  void take_due_timers();
  const double* rates(const ModeEquations& equations);
  void restart_solver(double h);
  bool becomes_stiff(const Stepper& stepper);
  void arm_monitor();
  double end_of_coincidence(double t) const;
  double due_time(std::size_t timer) const;
  bool comes_before(std::size_t timer) const;
  double next_due();
  double find_next_due() const;
  double next_output(double t) const;
  ActivityMeter* activity_meter();
  void check_zeno(std::span<const Crossing> crossings);
  void go_on(Crossing crossing, const ZenoGuard& guard, bool sinks, bool creeps);
  ZenoGuard& guard_of(Crossing crossing);
  std::string busiest(std::span<const Crossing> crossings);
  Crossing leader(Crossing crossing);
  void chatter_at_one_instant(Crossing crossing);
  bool can_stick();
  void stop_or_stick(Crossing crossing, ZenoFinding finding, bool alone);
  void begin_sliding(Crossing crossing, ZenoFinding finding, bool alone);
  Surface rest_on(Crossing crossing);
  Surface slide_on(Crossing crossing, const LastChange& own);
  void note_change(Crossing crossing, const Context& before);
  const LastChange& last_change(Crossing crossing) const;
  void leave_surfaces(Stepper& stepper, double t);
  void review_surfaces();
  bool still_holds(const Surface& surface) const;
  bool stays_in_place(const Surface& surface, double tolerance) const;
  void hold_relations();
  int latched_side(EventId event) const;
  bool is_armed_at_rest(const Surface::Member& member) const;
  bool release_left_surfaces(bool at_least_one);
  void release(std::size_t surface);
  void place_released();
  void rebuild_sliding();
  double slide_window() const;
  void log_sliding(const Surface& surface, const char* what);
  bool limit_reached() const;
  std::string faster_way(const char* otherwise) const;
  void check_limits();
  void end(RunReason reason, std::string message, std::string component = "");
  void step_failed(const Stepper& stepper, StepStatus status);
  bool cross_domain_edge();
  void gather_statistics();
  void gather_activity();
  void finish(ResultSink* sink);

  const HybridSystem& system_;
  RunOptions options_;
  std::vector<std::unique_ptr<ModeRuntime>> modes_;
  RowWriter rows_;
  EventMonitor monitor_;
  std::vector<ZenoGuard> zeno_;  // two for each event: falling, rising

  Context context_;     // the values now; context_.x follows the stepper only at instants
  Context before_;      // left limit of the present instant
  Context pass_begin_;  // before the present pass
  Context pass_;        // before the present action
  Context round_;       // before the present round of discrete equations
  std::vector<double> xdot_, x_row_;
  std::vector<Due> due_;
  std::optional<double> next_due_;    // of the timers; empty: one of them may have been set since
  std::vector<EventRecord> records_;  // of the present pass
  std::vector<Crossing> immediate_;
  std::optional<Crossing> last_fired_;  // in this run

  // While the policy `stick` holds the model on surfaces.
  struct Released {
    EventId event;
    int side;
    bool fresh;
  };
  std::vector<Surface> surfaces_;
  std::unique_ptr<Sliding> sliding_, old_sliding_;  // old: until the solver has been restarted
  std::unique_ptr<Stepper> sliding_stepper_, old_sliding_stepper_;
  std::vector<Released> released_;
  std::vector<LastChange> last_changes_;  // as zeno_; only for `stick`

  ResultSink* sink_ = nullptr;
  bool sink_begun_ = false;
  RunResult result_;
  Pacer pacer_;
  bool ended_ = false;
  bool restart_needed_ = false;
  bool changed_nothing_ = false;  // the last instant, of state events in a step
  Stepper* stepper_ = nullptr;
  double edge_progress_ = 0;   // cross_domain_edge: a failure before that is another one
  bool has_left_row_ = false;  // of the present instant: it was written before
  double first_step_end_ = 0;  // the first step after an event may have to be short; else infinity
  std::int64_t output_index_ = 0;
  std::size_t listed_index_ = 0;  // of options_.rows_at
  double interval_ = 0;
  double last_row_ = 0;        // time of the last row written
  bool wants_curves_ = false;  // the sink
  double shown_until_ = 0;     // curves
  double known_until_ = 0;     // all steps until here were looked at and recorded
  std::chrono::steady_clock::time_point wall_start_, last_progress_;
  std::int64_t steps_ = 0;   // a method that makes moves counts those
  std::int64_t passes_ = 0;  // of the loop over steps
  Interrupt interrupt_;      // of the present run
  bool has_memory_ = false;  // of the model
  double remembered_ = 0;    // up to here
};

// One run from the declared values: the shortest way.
RunResult simulate(const HybridSystem& system, const RunOptions& options,
                   ResultSink* sink = nullptr);

}  // namespace arges
