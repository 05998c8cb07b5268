#pragma once
// Detection and localisation of state events.

#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "arges/hybrid/influence_sizes.h"
#include "arges/hybrid/mode_equations.h"
#include "arges/hybrid/system.h"
#include "arges/solvers/stepper.h"

namespace arges {

struct Crossing {
  EventId event;
  bool rising;
};

// Follows the sides of all conditions of the active mode along a run, and finds the first crossing
// inside an accepted step (docs/guide/time-and-events.md says what counts as one). Allocates only
// when it is made.
//
// Each condition has a side, -1 or +1 (0: not known yet). After an event the side of a condition
// that stands on its own root is taken from the direction of motion; such a side is *fresh* until
// the condition has been seen there. Where no direction can be seen (a root that is left in second
// or higher order, or rest), the condition is *undecided*: the caller looks ahead (look_ahead) and
// decides. One that has rested on its root since it became active *waits*: it has no side until it
// leaves, and fires then. What *rests* is not taken from its root by rounding, which adds up along
// a run: it crosses when the motion leads it away there.
//
//   inspect(step):
//     values of all conditions at both ends of the step; NaN at the end?  -> not a number
//     windows = the step or, if it is longer than a window and a condition depends on time itself,
//       or bends where the states move straight on, the parts into which windows divide it
//     one window, all far from zero against the motion in a step, or (multistep) moving uniformly?
//       -> nothing
//     in each window
//     nodes = the ends, three interior points of the dense output, and every extremum between two
//       nodes that passes zero (two crossings in one step)
//     in the rest of a step also the way off a root and back before the first node
//     at the first node at which a condition is on another side than before
//       a fresh condition crosses before it was seen on its side     -> step too long
//       else localise between that node and the one before, to the last digits  -> event
//       in the first steps: the equations say that a condition which has just set out from its
//       root does not cross there as the dense output does           -> step too long
//     no such node  -> nothing
class EventMonitor {
 public:
  EventMonitor(const HybridSystem& system, int largest_dimension);

  // Forgets all sides: before a run. Conditions that depend on time itself are looked at several
  // times in each `window` of time, however long the steps are; those that bend while the states
  // move straight on, once, and as often as it takes to see how they move.
  void reset(double window, double rtol, double atol);

  // Instead of a reset(), for a system in whose place this one has come at (t, x): goes on with
  // what the monitor of that one knows. Event k was event event_of[k] there, state i state
  // state_of[i]; -1: it is new.
  void adopt(const EventMonitor& other, std::span<const int> event_of,
             std::span<const int> state_of, const ModeEquations& equations, double t,
             const double* x);

  // Takes position at (t, x) with slope xdot (null: unknown), in the equations' mode, after an
  // instant at which `fired` were handled. Returns the events that were not active before, stand
  // exactly on zero, and are about to cross: they fire at this instant, too. The slope can be given
  // as a function, which is called when a condition is near its root.
  using Slopes = std::function<const double*()>;
  std::span<const Crossing> restart(const ModeEquations& equations, double t, const double* x,
                                    const Slopes& slopes);
  std::span<const Crossing> restart(const ModeEquations& equations, double t, const double* x,
                                    const double* xdot) {
    return restart(equations, t, x, Slopes([xdot] { return xdot; }));
  }

  // After restart(): a condition stands on zero, and the slope does not say where it goes.
  struct Undecided {
    EventId event;
    bool fired;          // at this instant: it does not fire for leaving its root
    bool turns = false;  // its action turned it back (or stopped it), or would on its new side
    int side = 0;        // to which it leaves; 0: not seen yet
  };
  std::span<Undecided> undecided() { return undecided_; }
  // Along a step from the position of restart(): notes on which side undecided conditions are seen
  // first. Returns where the first of those that were not seen before was, or NaN.
  double look_ahead(const Stepper& stepper);
  // The same for some steps up to `limit` at most, as long as any are not seen: the solver has
  // started at the position of restart(), and is to be started anew after it. `turns`, if there is
  // one, is asked about those that have fired when they are seen at a time: Undecided::turns.
  using Turns = std::function<bool(const Undecided& each, double t)>;
  void look_along(Stepper& ahead, double limit, const Turns& turns);
  // Takes sides as the caller has found. Returns the events that fire at this instant.
  std::span<const Crossing> decide();

  enum class Finding { kNothing, kEvent, kStepTooLong, kNotANumber };
  // Looks into the step, from where it is smooth to stepper.t().
  Finding inspect(Stepper& stepper);
  // After an event that changed nothing: goes on from the crossing, along the same dense output, so
  // that each of its crossings counts once. Events that follow are not before this one.
  Finding inspect_rest(Stepper& stepper);
  // A condition has not been seen on its side yet, or is not there any more: it may cross at once.
  bool any_leaves() const;
  // After such an event the solver starts anew, all the same, at its time and state.
  void stay_at_event();
  // At the end of a step in which nothing was found: a condition will cross so soon that rounding
  // alone decides whether it has. It counts as an event at stepper.t(): kEvent, else kNothing.
  Finding inspect_end(Stepper& stepper);
  // At (t, x), moving along `slope`: the time after which the first condition will be on its root,
  // by its mean rate over the time `back` before. Infinite: none moves to its root.
  double time_to_root(double t, const double* x, const double* slope, double back);
  // Between (t, x) and (t_after, x_after), on the straight line: the first crossing becomes the
  // event, x_before the neighbour that has not crossed. False: nothing crosses.
  bool take_event_between(double t, const double* x, double t_after, const double* x_after,
                          double* x_before);
  // After kEvent:
  double event_time() const { return event_time_; }
  // Rounding apart, the event is at t.
  bool event_is_at(double t) const { return std::abs(t - event_time_) <= event_accuracy_; }
  const double* event_state() const { return event_state_.data(); }
  std::span<const Crossing> crossings() const { return crossings_; }
  // The condition of a crossing sank through its root by rounding before it was seen on its side,
  // or was never farther from it than rounding since its last event turned it back.
  bool sank(EventId event) const { return sank_[event.index] != 0; }
  // A relation was no farther on the side from which it has crossed than rounding.
  bool hardly_left(EventId event) const { return hardly_left_[event.index] != 0; }
  // At (t, x), after restart(): the condition was off its root, since the crossing before the last
  // one, by more than 1e-8 of the states and nominal values makes of it. False: it was not, or that
  // is not known.
  bool swings(EventId event, double t, const double* x);
  // After kNotANumber: the event whose condition is NaN at the end of the step.
  EventId broken() const { return broken_; }

  // A suppressed event is not watched: the policy `stick` holds its condition at zero.
  void suppress(EventId event, bool on);

  // Puts an event that is watched (again) on a side of its root at (t, x), in the mode of the last
  // restart(): side 0 is that of its value; a fresh one leaves the root to this side, and is there
  // whatever the last digits say.
  void depart(EventId event, int side, bool fresh, double t, const double* x);

  // Before restart(): one without a side stands on its root, whatever the last digits say.
  void put_on_root(EventId event) { put_on_root_[event.index] = 1; }

  // Within an instant: marks an event as fired (it is on its new side now).
  void mark_fired(Crossing crossing);
  // After the action of a fired event: notes whether it turned the motion of its condition back, so
  // that a later action of the same instant that turns it forth again is found.
  void note_turn(const ModeEquations& equations, double t, const double* x, const double* xdot,
                 Crossing crossing);
  // The same by whoever else acted at this instant: its motion was turned back, or stopped.
  void note_turned_back(EventId event) { turned_back_[event.index] = 1; }
  // Before its action: notes whether the motion leads the condition across its root. An action that
  // stops this motion leaves the condition armed.
  void note_motion(const ModeEquations& equations, double t, const double* x, const double* xdot,
                   Crossing crossing);
  // The condition of an event is moved at (t, x) with slope xdot: up, down, or not (0); at which
  // speed, if one asks.
  int heading(const ModeEquations& equations, double t, const double* x, const double* xdot,
              EventId event, double* speed = nullptr);
  // The condition of one that has fired at (t, x) stays on its root: nothing moves it, with slope
  // xdot.
  bool any_rests(double t, const double* x, const double* xdot);
  // After actions changed something: the conditions that passed to a new side through it.
  std::span<const Crossing> chained(const ModeEquations& equations, double t, const double* x);

  // Conditions of the active mode that are evaluated at present, for messages.
  double value(EventId event) const { return g_[event.index]; }
  // After restart(): its condition is off its root by more than rounding.
  bool is_off_root(EventId event) const { return is_seen(event.index, g_[event.index]); }
  // After restart(): the event can fire again in the same direction, because the motion goes back
  // to where it came from.
  bool is_active(EventId event) const { return is_active_[event.index] != 0; }
  bool is_armed(Crossing crossing) const {
    return side_[crossing.event.index] == (crossing.rising ? -1 : 1);
  }
  bool any_active() const { return !active_.empty(); }

  // The unit in which nearness in time is measured within a step: the distance of doubles at the
  // end that is farther from zero. (Near t = 0 that of t itself would be far below what the states
  // can tell.)
  static double unit(const Stepper& stepper);
  // So many units in the last place, of time and of the states, are below what solvers resolve.
  static constexpr double kSimultaneous = 64;

 private:
  static constexpr int kInteriorNodes = 3;
  static constexpr int kMaxNodes = 16;
  static constexpr int kYoungSteps = 10;
  // Each time the step is an eighth: what has not been seen then sinks by rounding. (Steps that are
  // short enough not to show it lose the motion in the last digit, and grow again, without end.)
  static constexpr int kMostTooLong = 20;

  struct Heading;

  void activate(ModeId mode);
  void evaluate(double t, const double* x, double* g) const;
  void evaluate_inside(const Stepper& stepper, double t, double* g);
  double* node_values(int j) { return node_g_.data() + static_cast<std::size_t>(j) * event_count_; }
  bool far_from_all(double h) const;
  bool all_on_their_sides() const;
  bool straight_and_quiet(double h) const;
  bool depends_on_time(double t, const double* x, double h);
  Finding inspect_from(Stepper& stepper, double from);
  Finding inspect_known(Stepper& stepper, double from);
  Finding inspect_before_broken(Stepper& stepper, double from);
  void keep_broken(double t, double* g) const;
  bool bends(const Stepper& stepper, double from, double h);
  double window_length(const Stepper& stepper, double from, double h);
  bool nodes_show_motion(Stepper& stepper);
  Finding inspect_windows(Stepper& stepper, double from, double length);
  Finding inspect_halves(Stepper& stepper, double from, double to, bool at_end);
  Finding inspect_nodes(Stepper& stepper);
  void lay_nodes(Stepper& stepper, double from, double to, bool at_end);
  void add_hidden_extrema(Stepper& stepper);
  void add_peaks(Stepper& stepper);
  bool is_noise(int k, double g) const;
  double farthest(Stepper& stepper, int event, double a, double b);
  bool search_extremum(Stepper& stepper, int event, int side, double a, double b, double* t_found);
  void insert_node(int position, double t, const double* g);
  void localise(Stepper& stepper, int node);
  // What errors of the states, of `error(i)` each, do to the conditions at (t, x), where they are
  // g_.
  void choose_pushes(int largest_dimension);
  template <class Error>
  void measure(double t, const double* x, std::vector<double>& effect, const Error& error);
  void measure_rounding(double t, const double* x);
  void measure_start(double t, const double* x);
  void measure_tolerance(double t, const double* x);
  // At rest on its root since the last restart, and no farther than errors within the tolerances.
  bool is_at_rest(int k, double g) const { return rests_[k] != 0 && std::abs(g) <= rest_error_[k]; }
  bool is_held(int k, double g) const;
  void hold_resting(Stepper& stepper, int node);
  void review_rest(double t, const double* x);
  void forget_rest(const double* g);
  // Away from zero by more than rounding.
  bool is_seen(int k, double g) const { return g > rounding_[k] || g < -rounding_[k]; }
  void leave_fired(int k, Heading& heading);
  void leave_switched(int k, Heading& heading, bool jumped);
  void leave_quiet(int k, Heading& heading, bool never_left);
  void take_leave(int k, int side);
  void forget_unmoved(double t, const double* x);
  void set_fresh(int k, double from);
  void set_tolerant(int k);
  double resolution(double t) const;  // of time, while an event is localised
  double shortest_step(double t) const;
  bool crosses(int k, double g) const;
  bool still_leaves(int k, double g) const;
  bool any_crossing(const double* g) const;
  bool is_thrown_back(int k, Heading& heading);
  bool contradicts_motion(Stepper& stepper, double h);
  bool moves_away(const Crossing& crossing);
  Finding refuse_sinking(const Stepper& stepper);
  void take_as_event(const Stepper& stepper, double t);
  bool retake(Stepper& stepper, double lo, double hi, int lead);
  void raise_peaks(const Stepper& stepper);
  void collect(Stepper& stepper, int lead, bool retaken);
  bool have_left(const Stepper& stepper, int lead);
  void wait_for_ties(Stepper& stepper, int lead, bool retaken);
  void measure_roots(const Stepper& stepper, double t, const double* x);
  double root_accuracy(const Stepper& stepper, int k) const;
  static double nearness(const Stepper& stepper);
  bool is_near(int k, double time) const;
  bool is_due(int k) const;
  void follow(const double* g);

  const HybridSystem& system_;
  const std::vector<EventInfo>& events_;
  int event_count_;
  const ModeEquations* equations_ = nullptr;
  ModeId mode_;

  std::vector<int> active_;  // indices of the events that are active in the mode
  std::vector<std::uint8_t> is_active_, suppressed_;
  std::vector<std::int8_t> side_;
  std::vector<std::uint8_t> fresh_;
  std::vector<double> agreed_g_;    // g of one that crossed with another and does not fire
  std::vector<std::uint8_t> sank_;  // at the last crossing it was fresh
  std::vector<std::uint8_t> hardly_left_;
  std::vector<double> fresh_from_;   // g where it became fresh: it does not sink below that
  std::vector<int> too_long_;        // so many steps were, since it became fresh
  std::vector<std::uint8_t> fired_;  // at the present instant
  std::vector<std::uint8_t> put_on_root_;
  std::vector<std::uint8_t> waits_;  // rests on its root without a side
  std::vector<std::uint8_t> rests_;  // nothing moved it off its root at the last restart
  std::vector<double> rest_error_;   // so far at most it is then off by errors
  bool any_rests_ = false;
  std::vector<std::uint8_t> was_moved_;   // to or from its root, before its own action
  std::vector<std::uint8_t> moved_away_;  // from its root, then
  std::vector<double> arrival_;           // at this speed
  std::vector<Undecided> undecided_;
  std::vector<std::uint8_t> located_;      // on its root in a step, at the present instant
  std::vector<std::uint8_t> thrown_back_;  // a relation, at the present instant
  // From its root, at the last restart: its side is known from the motion only, or it has crossed.
  enum : std::uint8_t { kByMotion = 1, kAcross = 2 };
  std::vector<std::uint8_t> set_out_;
  int young_steps_ = 0;  // so many steps from now on are the first after that
  std::vector<std::int8_t> side_at_begin_;
  std::vector<std::uint8_t> fresh_at_begin_;
  std::vector<double> xdot_try_;
  std::vector<std::uint8_t> turned_back_;  // or stopped, by its own action at the present instant
  std::vector<double> g_;                  // at the present position
  std::vector<double> rate_;               // mean slope of g in the last step, of length last_h_
  bool has_rate_ = false;
  double last_h_ = 0;
  double window_ = 0;
  int long_steps_ = -1;  // since a restart
  int straight_ = 0;     // so many of those that were tested were, in a row
  double rtol_ = 0, atol_ = 0;
  // What rounding of the states may do to each condition, and what errors within the tolerances.
  std::vector<double> rounding_, error_;
  std::vector<double> start_rounding_;  // of values that nothing has moved yet
  // A fresh condition may sink so far, and is not fresh any more when it is seen so far on its
  // side.
  std::vector<double> slack_, seen_at_;
  // How far one was seen on the side to which its event turned it back, or a relation on its side;
  // infinite: not known.
  std::vector<double> peak_;
  bool watches_peaks_ = false;  // some are known
  // When it crossed last: `peak_` then, and the larger of that and of the one before.
  std::vector<double> last_peak_, swing_;

  int node_count_ = 0;
  double node_t_[kMaxNodes];
  std::vector<double> node_g_;
  std::vector<double> g_lo_, g_hi_, g_try_;
  std::vector<double> g_end_;  // at the end of the step, while its windows are searched
  std::vector<double> x_try_, x_begin_;
  std::vector<double> pushes_;  // two for each state

  // Near their roots: how exactly the conditions are known, and their slopes.
  std::vector<double> blur_, slope_, x_size_;
  InfluenceSizes influence_;
  std::vector<std::uint8_t> is_tied_;  // it crosses at the event

  double event_time_ = 0;
  double event_accuracy_ = 0;  // to which that is known
  double earliest_ = 0;        // no event before this: that of the last one in the same step
  // Where the dense output has crossed, what it is there, and where it was before. (The step that
  // is taken again, whose time and state are those of the event, is another solution.)
  double dense_time_ = 0;
  std::vector<double> dense_g_, dense_noise_;
  std::vector<std::int8_t> side_before_;
  std::vector<std::uint8_t> fresh_before_;
  std::vector<int> passed_;  // at the beginning of what is looked at: they have just crossed there
  double least_distance_ = 0;
  std::vector<double> event_state_;
  std::vector<Crossing> crossings_;
  EventId broken_;
  // While a step is looked at in which conditions become NaN: what they are then, and since when.
  std::vector<double> kept_g_;
  bool keeps_broken_ = false;
  mutable double broken_since_ = 0;
};

}  // namespace arges
