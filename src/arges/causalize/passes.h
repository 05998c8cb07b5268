#pragma once
// The passes of causalisation, in the order in which causalize() runs them. Each takes the model as
// the one before left it, and can be run alone up to there by a test.

#include "arges/causalize/causal_model.h"

namespace arges {

// Throws ModelError for a variable that `reinit` sets in two when-equations. Before
// expand_algorithms(): statements may do so, one after the other.
void check_reinits(const FlatModel& model);

// Algorithm sections become equations by symbolic execution: v = what v is at the end, over what
// the variables were at the beginning.
void expand_algorithms(FlatModel& model);

// String variables are replaced by what their equations say. Throws ModelError for those that keep
// their value between events.
void substitute_strings(FlatModel& model);

// Equations that tick with clocks become when-clauses (docs/guide/models-in-modelica.md).
void lower_clocks(FlatModel& model);

// Parameters without a value get their start values.
void bind_starts(FlatModel& model);

// Constants, and parameters that are final or have Evaluate = true, are replaced in the equations
// by their values, as far as these follow from each other.
void fold_constants(FlatModel& model);

// Terms that cancel are left out of the equations: x + y - y = z. Before and after the aliases,
// which may be what cancels.
void cancel_terms(FlatModel& model);

// An equation all of whose terms another one has, times one factor, is subtracted from that:
// a + b + c = 0 and 3 z = a + b + c + d become ... and 3 z = d. By structure alone the first is an
// equation for a, the second one for b, which they do not determine.
void take_out_common_sums(FlatModel& model);

// Equations that are sums with integer factors, and depend on each other in all that is not a state
// although their structure does not show it (u1 = a - b, u2 = b - a): one of them becomes what is
// left of their sum (u1 + u2 = 0), which index reduction then sees.
void expose_hidden_constraints(FlatModel& model);

// x = y, x = -y, x = constant, and x = e where y = e: x is replaced everywhere.
void eliminate_aliases(CausalModel& model);

// Parameters in the order of evaluation. Throws UserError for a cycle.
void order_parameters(CausalModel& model);

// Throws ModelError for a variable that two when-equations set. After eliminate_aliases().
void check_whens(const FlatModel& model);

// Relations, floor(), sample(), pre(), when and der() become variables; when-clauses become
// equations of discrete variables, with reinit and checks apart.
void lower_events(CausalModel& model);

// Integers, Booleans and enumerations that change without events become algebraic variables, or get
// events of their own. After lower_events().
void find_running_values(CausalModel& model);

// In a mode of a state machine, equations of what is active use only what exists: else UserError.
void check_present(const CausalModel& model);

// States; differentiates equations and chooses dummy derivatives when the index is above one.
void select_states(CausalModel& model);

// Calls that were kept for their declared derivatives are replaced by what the functions compute,
// where that is one expression.
void inline_late(CausalModel& model);

// Matching and order; loops torn.
void sort_equations(CausalModel& model);

// Throws ModelError for a discrete variable whose equation changes between events. After
// sort_equations().
void check_discrete_values(const CausalModel& model);
// An Integer is no Real: an equation between both must not determine the Integer `v`.
bool mixes_types(const ExprPool& pool, const FlatEquation& e);
void check_integer_value(const CausalModel& model, const CausalEquation& e, VarId v);

// The system at the start: initial equations, fixed start values, free parameters.
void sort_initial_system(CausalModel& model);

// Adds the system by which a mode is entered during a run. After sort_initial_system().
void sort_entry(CausalModel& model, const EntrySpec& spec);

// When each relation matters: no event is looked for while nothing depends on it.
void find_guards(CausalModel& model);

// By variable: discrete ones that nothing but other events asks for. Their changes are no one's
// events.
std::vector<char> internal_variables(const CausalModel& model);

// Groups the constraints among states, and differentiates them.
void arrange_constraints(CausalModel& model);

// All of them.
CausalModel causalize(FlatModel flat);

}  // namespace arges
