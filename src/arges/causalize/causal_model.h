#pragma once
// The causal model: everything sorted, each unknown with the way to compute it.

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "arges/base/error.h"
#include "arges/causalize/model_error.h"
#include "arges/expr/print.h"
#include "arges/flat/flat_model.h"

namespace arges {

// What a variable of a causal model is.
enum class Role : std::uint8_t {
  kParameter,  // or constant: known before the run
  kInput,      // known
  kState,      // known to all equations but those of the initial system
  kDiscrete,   // changes at events only
  kAlgebraic,  // computed from the others; derivatives of states too
  kAlias,      // eliminated; computed for the results only
  kAbsent,     // of a block that is not active in this mode
};

// What keeps a condition from switching to and fro at one instant: it must pass its root by `band`,
// which is zero unless it last switched a moment ago (`switched`, and `gap` after the time before).
struct Hysteresis {
  VarId band, switched, gap;
  ExprId scale;  // size of what is compared
};

// A Boolean variable that stands for a relation with continuous operands. Between events it keeps
// its value; when g rises through zero it becomes true, when g falls, false. While `matters` is
// false, nothing depends on it: it keeps its value until the next event. While `asked` is false, it
// need not have a meaning: where g is NaN, it keeps its value.
struct Relation {
  VarId var;
  ExprId g;
  ExprId exact;  // the relation itself, for the start
  Hysteresis hysteresis;
  ExprId matters = {};  // over what changes at events only; invalid: always
  ExprId asked = {};    // the same, and over other relations
};

// A Boolean variable that stands for time >= threshold, where the threshold changes at events only:
// a timer is set to it, so that the event is exactly there. With `reached` it stands for
// time > threshold: at the threshold it becomes true when the timer has set that flag.
struct TimeRelation {
  VarId var, reached;  // reached: invalid for >=
  ExprId threshold;
};

// delay(input, duration): the past of `input` is kept, and `value` reads it. Where the input or its
// slope jumps, at events, it has a break: `broken` is the time of the last one. It comes out when
// time reaches it plus the duration; then `passed` is set to the time of the break.
// A timer says when, or, where the duration changes between events, the relations
// time - duration >= next and time - duration < back: such a duration may also grow faster than
// time, and then what has come out goes back.
struct DelayLine {
  std::int32_t history = 0;  // number of the past, which modes of one model share
  VarId input, passed, broken;
  VarId next, back;         // invalid when `fixed`
  VarId reached, returned;  // of the relations
  ExprId duration, longest;
  ExprId value;       // a call of the external function that reads; at the start: the input itself
  bool fixed = true;  // the duration changes at events only

  static constexpr double kNever = 1e100;  // `next` when no break is on its way
};

// (out0, out1) = spatialDistribution(ends[0], ends[1], position, forward, points, initial). What is
// at an end where nothing enters is `outlets[end]`, a call of the external function that reads the
// moving profile, up to its next break (a jump that has entered before): that one comes out when
// the distance travelled, position or -position, has reached `front`, where a relation makes an
// event.
struct Transport {
  VarId ends[2];
  VarId position, forward, front;
  VarId reached;  // of the relation
  ExprId outlets[2];
  std::vector<ExprId> points, initial;  // over parameters
};

// A Real variable that stands for floor(argument) of a continuous argument, constant between
// events.
struct FloorMemory {
  VarId var;
  ExprId argument;
  Hysteresis hysteresis;
  ExprId asked = {};  // as of a relation
};

// A Boolean variable that is true at start, start + interval, ...
struct SampleTimer {
  VarId var;
  ExprId start, interval;  // over parameters
};

// A variable that holds the left limit of another.
struct PreLink {
  VarId pre, of;
  bool held_at_start;  // at the start equal to `of` (conditions of when), else to its start value
};

struct StateLink {
  VarId state, derivative;
};

struct AliasLink {
  VarId var;
  ExprId value;  // ± a variable, or a constant
};

struct ReinitAction {
  ExprId fires;
  VarId state;
  ExprId value;
};

struct CheckAction {
  ExprId violated;  // Boolean
  ExprId message;
  AssertionLevel level = AssertionLevel::kError;
  Origin origin;
  bool terminates = false;  // terminate() instead of an error
};

// An equation of the sorted system, with the place it came from.
struct CausalEquation {
  ExprId lhs, rhs;
  Origin origin;
  int differentiated = 0;    // how often, by index reduction
  bool defines = false;      // lhs is a variable that must be computed by this equation
  bool mixes_types = false;  // of Integers and Reals: must not determine an Integer
};

// One step of the sorted system: var := value, or a loop that is solved for its unknowns.
//
//   loop:  guess the tears; assign the inner variables in order; residuals must become zero.
//          jacobian: d residual / d tear with the inner assignments taken into account; (row,
//          column, value), sorted by column, then row; zero entries left out.
struct Block {
  struct Assignment {
    VarId var;
    ExprId value;
  };
  struct Entry {
    std::int32_t row, column;
    ExprId value;
  };
  std::vector<Assignment> inner;  // of an assignment block: the only one
  std::vector<VarId> tears;       // empty: an assignment block
  std::vector<ExprId> residuals;
  std::vector<Entry> jacobian;  // empty although there are tears: by differences
  bool linear = false;
  // Of a loop of an initial system: with what its unknowns may begin, in this order.
  std::vector<Assignment> guesses;
  // And what that says of relations which depend on the loop, and it on them.
  std::vector<Assignment> relation_guesses;
  std::vector<std::int32_t>
      equations;  // that it solves: CausalModel::equations or initial_equations
};

// What becomes of the past of a delay when a mode is entered: there is none yet; it goes on; or it
// goes on and the value rested while its block was not active.
enum class Past : std::uint8_t { kBegins, kGoesOn, kRested };

// How a mode is entered during a run: what is known of it then.
struct EntrySpec {
  std::vector<VarId> handed;  // by the transition, before all initial equations
  std::vector<VarId> kept;    // from before, where no initial equation says otherwise
  // Whether the initial equations and fixed values of a component count: it begins anew.
  std::function<bool(const std::string& component)> begins;
  std::vector<Past> pasts;  // of CausalModel::delays
};

// A system for the start of a mode, in the order of solution. `given` are the variables with values
// from before, handed ones first.
struct EntrySystem {
  std::vector<VarId> given;
  std::vector<Past> pasts;  // of CausalModel::delays
  std::vector<CausalEquation> equations;
  std::vector<Block> blocks;
  std::vector<char> in_turn;  // as CausalModel::initial_in_turn
};

// Constraints that are solved together, for so many of the candidates as there are constraints; the
// others are the states proper. Which ones changes during a run (docs/math/higher-index.md).
struct ConstraintSet {
  std::vector<std::int32_t> rows;        // of CausalModel::invariants
  std::vector<std::int32_t> candidates;  // of CausalModel::states
  std::vector<VarId> solved;             // for each candidate: a Boolean, computed from the rows
};

// What `arges check` tells.
struct CausalStatistics {
  int equations = 0, unknowns = 0;  // of the flat model, with aliases
  int aliases = 0;
  int states = 0;
  int differentiated = 0;  // equations added by index reduction
  int dummies = 0;
  int blocks = 0;
  int loops = 0, largest_loop = 0;   // before tearing
  int tears = 0, largest_tears = 0;  // after
};

// Owns the flat model it was made from; variables were added to it (derivatives, relations, left
// limits, ...), whose names begin with '$' or are "der(...)".
struct CausalModel {
  FlatModel flat;
  std::vector<Role> role;  // by VarId
  std::vector<StateLink> states;
  std::vector<PreLink> pres;
  std::vector<Relation> relations;
  std::vector<TimeRelation> time_relations;
  std::vector<DelayLine> delays;
  std::vector<Transport> transports;
  std::vector<FloorMemory> floors;
  std::vector<SampleTimer> samples;
  std::vector<AliasLink> aliases;
  std::vector<ReinitAction> reinits;
  std::vector<CheckAction> checks;
  std::vector<VarId> parameter_order;  // parameters whose value is computed from others, in order
  VarId initial_flag, terminal_flag;   // invalid when not used
  VarId memory;  // discrete: which past is that of the run (external::Environment::past)
  std::vector<ExprId> when_fires;  // expressions that are true when a when-clause fires

  std::vector<CausalEquation> equations;
  // Constraints among states, whose highest derivatives are among the equations.
  std::vector<CausalEquation> invariants;
  std::vector<ConstraintSet> constraint_sets;
  // The equations that index reduction differentiated, as they were; `differentiated` is how often.
  std::vector<CausalEquation> differentiated;
  std::vector<VarId> dummy_states;  // that the text differentiates, and that follow from others
  // Variables that the text differentiates, and that follow from preferred ones. They do not jump
  // at events.
  std::vector<VarId> replaced_states;
  // d invariant / d state; without entries although there are invariants: by differences.
  std::vector<Block::Entry> invariant_jacobian;
  std::vector<VarId> solved_for;  // the unknown that the matching gave to each equation
  std::vector<Block> blocks;      // continuous and discrete, sorted
  // The initial system: all of `equations`, then the initial ones; in the order of solution.
  std::vector<CausalEquation> initial_equations;
  std::vector<Block> initial_blocks;
  std::vector<char> initial_in_turn;              // relations, then floors, that it computes itself
  std::vector<CausalEquation> redundant_initial;  // should hold when all others do
  std::vector<CausalEquation> declared_initial;   // the initial equations of the text
  std::vector<EntrySystem> entries;               // of a mode that transitions lead to

  // What the text says where a variable stands for it that a pass has made (a relation, a floor).
  std::unordered_map<std::int32_t, ExprId> written;  // by VarId

  CausalStatistics statistics;
  std::vector<std::string> warnings;  // facts for who asks
  std::vector<ModelWarning> findings;

  Role role_of(VarId v) const { return role[static_cast<std::size_t>(v.index)]; }
  // Has no rate, and is no unknown that an equation could be solved for by Newton's method.
  // Parameters that the initial system computes: with fixed = false, and what depends on them.
  std::vector<char> found_at_start;
  bool is_found_at_start(VarId v) const {
    const auto i = static_cast<std::size_t>(v.index);
    return i < found_at_start.size() && found_at_start[i] != 0;
  }
  bool is_stepwise(VarId v) const {
    return role_of(v) == Role::kDiscrete || flat[v].type != ScalarType::kReal;
  }
  // What computes a variable that may have been eliminated: itself, ± another, or a constant.
  ExprId without_alias(VarId v);
  // For messages: as in the text, and no more than can be read.
  ExprNames names_to_read() const;
  std::string equation_text(const CausalEquation& equation) const;
  // "circuit.r1: v = R*i" and the place in the text.
  std::string describe(const CausalEquation& equation) const;
};

// The text of each stage: states, blocks in order, loops with their tears.
std::string to_text(const CausalModel& model);

}  // namespace arges
