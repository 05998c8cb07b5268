#pragma once
// A model made from equations, as the kernel runs it.

#include <functional>
#include <memory>
#include <mutex>
#include <set>

#include "arges/causalize/causal_model.h"
#include "arges/compile/constraint_policy.h"
#include "arges/compile/constraint_solver.h"
#include "arges/compile/model_code.h"
#include "arges/compile/native_tier.h"
#include "arges/compile/row_slices.h"
#include "arges/compile/thread_places.h"
#include "arges/hybrid/system.h"

namespace arges {

class SwitchBand;

// A causal model on the register machine. States are the kernel's states; all other continuous
// variables are outputs; parameters can be set without compiling again (dependent ones are computed
// at the start, unless they were set themselves); discrete variables, relations and left limits are
// discretes, of which those that the user did not declare are hidden.
//
// Events. A relation of continuous operands is a discrete variable that only the kernel's event
// changes: it keeps its side between events. A relation between time and something discrete is
// changed by a timer. No event is looked for while nothing depends on a relation (`a and x > 0`
// while a is false); it then gets its left limit when the next instant begins. At an instant the
// kernel runs on_event() and on_timer(), which set relations and sample flags, and then settle()
// until nothing changes:
//
//   settle:  pre(v) := v for all v
//            evaluate all equations, discrete and continuous, in order, with these left limits,
//            again until all relations hold in the solution
//            reinit the states whose when fired; failed assertions end the run
//            sample flags := false; timers at what time is compared with
//
// which is the event iteration of Modelica: a when-clause fires in the first round in which its
// condition is true and was not before. A condition that switches again at the same instant must
// pass its root by a little: relations that stand on their switching point do not chatter.
//
// Start.  dependent parameters; start values; then the initial system, again until the relations
// that hold in its solution are those it was solved with. homotopy() is turned from simplified to
// actual in steps, each with its relations; where that fails, the actual equations are solved
// alone.
//
// Constraints among states (an index above one, docs/math/higher-index.md). All variables of such a
// constraint are states of the kernel, but some of them are computed: before anything is evaluated,
// the constraints are solved for them, from the kernel's values as guesses. Which ones are chosen
// so that they are well determined; an event changes the choice when it degenerates. The other way,
// ConstraintPolicy::kProject, is to integrate all of them and to project after each step.
//
// A warning is shown once in a run: assertions of that level, and loops that hold for more than one
// value of their unknowns (those are looked for at the start and at events). With delay() or
// spatialDistribution() the past of their arguments is kept here, for each thread: such a system
// takes part in one run of a thread at a time.
//
// Thread safe else; nonlinear loops start from the last solution found in the workspace at hand.
// When a step is taken back, from that at the end of the last accepted one: a trial that was too
// long may have come to another solution, which must not become that of the motion.
class CompiledSystem : public HybridSystem {
 public:
  explicit CompiledSystem(CausalModel model,
                          std::shared_ptr<const external::SharedLibraries> libraries = nullptr,
                          std::shared_ptr<external::Environment> environment = nullptr);
  ~CompiledSystem() override;

  // Which code runs the equations (at first the register machine); not while a run is on its way.
  // Native code that cannot be had is no error: native()->problem() says why.
  void set_tier(Tier tier);
  vm::NativeTier* native() const { return native_.get(); }
  // At first kSelect; not while a run is on its way.
  void set_constraints(ConstraintPolicy policy);

  void derivatives(const Point& at, Rates xdot) const override;
  // Of models with many states whose rates are plain expressions: only what these rates need.
  void derivatives_of(std::span<const int> rows, const Point& at, double* f) const override;
  // Symbolic. A column with an entry that is not finite (a root at zero, say) is found by
  // differences.
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

  // For one mode of several (SwitchingSystem).
  //
  // Solves for the start of this mode during a run, by CausalModel::entries[entry], with the values
  // of its given variables. Parameters are those of `now`. States that contradict constraints among
  // them are moved by as little as possible.
  void enter(std::size_t entry, std::span<const double> given, Update& now) const;
  // How a condition begins that stands on its switching point, rounding apart, when its mode is
  // entered: the motion decides. One that is about to hold holds; one that is about to fail
  // *leaves*: it holds until it has clearly failed, so that rounding does not make it hold again.
  enum class Standing : std::uint8_t { kNo, kHolds, kLeaves };
  // The relations on which a Boolean variable depends.
  std::vector<std::size_t> relations_of(VarId v) const;
  // After enter(), for a Boolean variable and its relations.
  Standing stand(VarId v, std::span<const std::size_t> relations, Update& now) const;
  // It has clearly failed: from now on its root counts again.
  void left_standing(std::span<const std::size_t> relations, double* z) const;
  // Values of variables at a point.
  void values_at(const Point& at, std::span<const VarId> variables, double* values) const;
  // Whether a Boolean variable that is discrete, a parameter or an input is true.
  bool is_true(VarId v, const Point& at) const;
  void forget_warnings() const;

  const CausalModel& model() const { return model_; }
  const ModelCode& code() const { return code_; }

 private:
  class Lease;
  void declare();
  void declare_variables(vm::Workspace& defaults);
  void declare_invariants();
  void place(vm::Workspace& w, const Point& at) const;
  // place(), with the constraints among states solved.
  void load(vm::Workspace& w, const Point& at) const;
  void compute_constrained_rates(const Point& at, Rates xdot) const;
  void choose_states(vm::Workspace& w, std::span<const char> kept = {}) const;
  double selection_condition(vm::Workspace& w, std::size_t set) const;
  void select_states(std::size_t set, Update& now) const;
  void keep_set_states(vm::Workspace& w, Update& now) const;
  bool selects() const { return constraints_ && policy_ == ConstraintPolicy::kSelect; }
  std::size_t selection_event() const { return model_.relations.size() + 2 * model_.floors.size(); }
  void compute_rates(const Point& at, Rates xdot) const;
  double nominal_value(ExprId e, const std::function<double(VarId)>& value_of,
                       double otherwise) const;
  void declare_slices();
  // Native code on the kernel's own arrays, without a copy. False: not possible.
  bool run_direct(const vm::Program& program, const Point& at, double* rates) const;
  void back_to_start(vm::Workspace& w) const;
  void begin(vm::Workspace& w, const vm::Program& system, std::span<const char> in_turn,
             double t) const;
  // `pasts` of delays; empty: all begin.
  void settle_start(vm::Workspace& w, const vm::Program& system, std::span<const char> in_turn,
                    double t, std::span<const Past> pasts) const;
  void begin_histories(vm::Workspace& w, double t, std::span<const Past> pasts) const;
  void resume_histories(vm::Workspace& w, double t, std::span<const Past> pasts) const;
  void copy_parameters(vm::Workspace& w, Update& now) const;
  void copy_variables(vm::Workspace& w, Update& now) const;  // states and discrete ones
  void finish_start(vm::Workspace& w, Update& now, std::span<const Past> pasts) const;
  void obey_constraints(vm::Workspace& w) const;
  double standing_tolerance(vm::Workspace& w, std::size_t relation) const;
  int heading(vm::Workspace& w, std::size_t relation, double tolerance, const Point& from) const;
  bool update_relations(vm::Workspace& w, std::span<const char> known = {}) const;
  bool correct_relations(vm::Workspace& w) const;
  double relation_condition(vm::Workspace& w, std::size_t i) const;
  bool matters(vm::Workspace& w, std::size_t relation) const;
  std::vector<char> unasked(vm::Workspace& w) const;
  void look_again(Update& now) const;
  bool rests_on_root(vm::Workspace& w, Update& now, std::size_t relation) const;
  bool take_back_at_rest(vm::Workspace& w, Update& now, std::size_t relation) const;
  void settle_relations(vm::Workspace& w, Update& now) const;
  bool settle_floors(vm::Workspace& w, Update& now, bool one_only,
                     std::vector<double>& arguments_before) const;
  void land_floor(vm::Workspace& w, Update& now, std::size_t i, double jump) const;
  std::vector<double> floor_arguments(const Context& c) const;
  double floor_slope(vm::Workspace& w, Update& now, std::size_t i) const;
  // Of relations, then of floors.
  const Hysteresis& hysteresis(std::size_t condition) const;
  SwitchBand band(std::size_t condition, Update& now) const;
  SwitchBand band(std::size_t condition, vm::Workspace& w) const;
  double scale(vm::Workspace& w, std::size_t condition) const;
  double run_span() const;
  void note_switch(std::size_t condition, Update& now) const;
  void cover_miss(std::size_t condition, std::size_t g_index, bool rises, Update& now) const;
  void switch_floor(std::size_t i, bool is_odd_event, Update& now) const;
  void narrow_bands(vm::Workspace& w, Update& now, const std::vector<double>& x_before) const;
  std::vector<double> conditions_ahead(const Context& now, const std::vector<double>& x) const;
  void check_redundant(vm::Workspace& w) const;
  void refuse_non_finite(vm::Workspace& w, const std::vector<VarId>& variables, bool free) const;
  // Of parameters; `free`: those that the initial system finds.
  void check_limits(vm::Workspace& w, bool free) const;
  void tell_open(std::span<const std::uint32_t> loops, double t) const;
  // What reinit() makes of a state.
  struct StateJump {
    std::size_t state;
    double to;
  };
  std::vector<StateJump> come_true(vm::Workspace& w, Update& now, const EntrySystem& system,
                                   std::span<const double> given) const;
  std::vector<StateJump> fired_reinits(vm::Workspace& w) const;
  void jump(vm::Workspace& w, Update& now, const std::vector<StateJump>& jumps) const;
  void check(vm::Workspace& w, Update& now) const;
  void check(vm::Workspace& w, Update& now, std::size_t i) const;
  // Of assertions: warns once a run, or throws.
  void tell_violated(vm::Workspace& w, std::size_t check, double t) const;
  std::string check_text(vm::Workspace& w, std::size_t check) const;
  void check_replaced(Update& now) const;
  std::vector<double> left_limits(vm::Workspace& w, const Update& now) const;
  void schedule_times(vm::Workspace& w, Update& now) const;
  void settle_once(Update& now) const;
  void follow_motion(const Point& at) const;
  void schedule_delays(vm::Workspace& w, Update& now) const;
  std::vector<double> delay_inputs(const Point& at) const;
  void note_breaks(Update& now) const;
  struct Motion;
  Motion motion(const Point& at, double step) const;
  double shortest_delay(const Point& at) const;
  void begin_profiles(vm::Workspace& w) const;
  void move_fronts(vm::Workspace& w) const;
  void remember_entering(vm::Workspace& w, double t) const;
  double longest_move(vm::Workspace& w) const;
  // Of a run.
  external::RunPast& past(double memory) const {
    return code_.tables.environment->past(static_cast<std::size_t>(memory));
  }
  external::History& history(double memory, std::size_t line) const {
    return past(memory).history(static_cast<std::size_t>(model_.delays[line].history));
  }
  external::History& history(vm::Workspace& w, std::size_t line) const {
    return history(at(w, model_.memory), line);
  }
  external::MovingProfile& profile(vm::Workspace& w, std::size_t k) const {
    return past(at(w, model_.memory)).profile(k);
  }
  void find_memory(vm::Workspace& w) const;
  TimerId delay_timer(std::size_t line) const {
    return {static_cast<std::int32_t>(model_.samples.size() + model_.time_relations.size() + line)};
  }
  void describe(VariableInfo& info, VarId v) const;
  DiscreteId discrete(VarId v) const;
  double& at(vm::Workspace& w, VarId v) const {
    return w[code_.slot[static_cast<std::size_t>(v.index)]];
  }

  CausalModel model_;
  ModelCode code_;
  std::vector<std::uint32_t> output_slots_;
  vm::RowSlices slices_;               // of the rates
  std::vector<double> default_start_;  // of states, then of discretes
  std::vector<PreLink> algebraic_pres_;
  std::vector<std::ptrdiff_t> jacobian_at_;  // where each entry goes (not for df/dt)
  std::vector<char> holds_at_zero_;          // relations that are true when both sides are equal
  bool has_guards_ = false;                  // some relations do not always matter
  bool iterates_ = false;                    // some loops are not linear
  bool no_states_ = false;                   // the kernel wants one: $dummy
  bool nominal_varies_ = false;              // with parameters
  std::unique_ptr<vm::NativeTier> native_;
  std::unique_ptr<ConstraintSolver> constraints_;  // null: there are none
  ConstraintPolicy policy_ = ConstraintPolicy::kSelect;
  double decay_from_ = 0,
         decay_span_ = 1;  // of what the kernel's values of computed states are off
  mutable ThreadPlaces<vm::Workspace> idle_;
  mutable std::mutex warned_mutex_;
  mutable std::vector<char> warned_;           // of checks: shown in this run
  mutable std::set<std::string> warned_open_;  // the same of loops, by what they are
};

// Causalises and compiles.
std::unique_ptr<CompiledSystem> compile_system(FlatModel flat);

}  // namespace arges
