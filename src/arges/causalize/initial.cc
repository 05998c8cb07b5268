// The initial system.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "arges/causalize/guesses.h"
#include "arges/causalize/passes.h"
#include "arges/causalize/residual.h"
#include "arges/causalize/sorter.h"
#include "arges/expr/walk.h"

namespace arges {

namespace {

// Relations and floors as equations: what they are at the start. (An element may be there only
// where its relation matters.)
std::vector<CausalEquation> exact_relations(CausalModel& model) {
  FlatModel& flat = model.flat;
  ExprPool& pool = flat.pool;
  ExprWalker walker(pool);
  std::vector<CausalEquation> rows;
  for (const Relation& r : model.relations) {
    const auto nodes = walker.nodes(r.exact);
    const bool is_guarded = r.matters.valid() && std::ranges::any_of(nodes, [&](ExprId e) {
                              return pool[e].op == Op::kIndex;
                            });
    rows.push_back({flat.ref(r.var),
                    is_guarded ? pool.if_else(r.matters, r.exact, pool.boolean(false)) : r.exact,
                    {},
                    0,
                    true});
  }
  for (const FloorMemory& f : model.floors)
    rows.push_back({flat.ref(f.var), pool.make(Op::kFloor, {f.argument}), {}, 0, true});
  return rows;
}

// What fires at the start is what says initial(); during a run (`initial` false) nothing does.
ExprRewriter firing_at_start(CausalModel& model, bool initial) {
  ExprPool& pool = model.flat.pool;
  std::unordered_set<std::int32_t> fires;
  for (const ExprId e : model.when_fires) fires.insert(e.index);
  const ExprId flag = model.initial_flag.valid() ? model.flat.ref(model.initial_flag) : ExprId{};
  return ExprRewriter(pool, [&pool, fires, flag, initial](ExprId e, std::span<const ExprId>) {
    if (fires.count(e.index)) return pool.boolean(false);
    return e == flag ? pool.boolean(initial) : ExprId{};
  });
}

// reinit(x, value) at the start is the initial equation x = value.
std::vector<CausalEquation> initial_reinits(CausalModel& model) {
  ExprPool& pool = model.flat.pool;
  ExprRewriter rewrite = firing_at_start(model, true);
  std::vector<CausalEquation> rows;
  for (const ReinitAction& r : model.reinits) {
    if (const ExprId fires = rewrite(r.fires); pool.is_constant(fires) && pool.value(fires) != 0)
      rows.push_back({model.flat.ref(r.state), rewrite(r.value), model.flat[r.state].origin, 0});
  }
  return rows;
}

// The equations of the run as they are at the start, followed by the relations.
// During a run (`initial` false) nothing fires either, but initial() is false, and there may be a
// past of delays (`pasts`; empty: of none).
std::vector<CausalEquation> at_start(CausalModel& model, bool initial,
                                     const std::vector<Past>& pasts) {
  FlatModel& flat = model.flat;
  std::vector<CausalEquation> rows = model.equations;
  const std::vector<CausalEquation> relations = exact_relations(model);
  rows.insert(rows.end(), relations.begin(), relations.end());
  if (!model.delays.empty() || !model.transports.empty()) {  // there is no past yet
    std::unordered_map<std::int32_t, ExprId> at_present;     // of expressions
    for (std::size_t k = 0; k < model.delays.size(); ++k) {
      const bool has_past = !pasts.empty() && pasts[k] != Past::kBegins;
      if (!has_past) at_present[model.delays[k].value.index] = flat.ref(model.delays[k].input);
    }
    for (const Transport& t : model.transports) {
      at_present[t.outlets[0].index] = t.initial.front();
      at_present[t.outlets[1].index] = t.initial.back();
    }
    ExprRewriter present(flat.pool, [&](ExprId e, std::span<const ExprId>) {
      const auto found = at_present.find(e.index);
      return found != at_present.end() ? found->second : ExprId{};
    });
    for (CausalEquation& e : rows) {
      e.lhs = present(e.lhs);
      e.rhs = present(e.rhs);
    }
  }
  if (model.when_fires.empty() && !model.initial_flag.valid()) return rows;
  ExprRewriter rewrite = firing_at_start(model, initial);
  std::unordered_set<std::int32_t> lefts;
  for (const PreLink& p : model.pres) lefts.insert(flat.ref(p.pre).index);
  for (CausalEquation& row : rows) {
    row.rhs = rewrite(row.rhs);
    if (lefts.count(row.rhs.index)) row.defines = false;
  }
  return rows;
}

// The constraints among states, with the variables that follow from states replaced by what they
// are.
std::vector<CausalEquation> constraints_in_states(CausalModel& model) {
  ExprPool& pool = model.flat.pool;
  std::vector<CausalEquation> constraints = model.invariants;
  if (constraints.empty()) return constraints;
  std::vector<char> needed(model.flat.variables.size(), 0);
  ExprWalker walker(pool);
  const auto mark = [&](ExprId root) {
    for (const ExprId e : walker.nodes(root)) {
      if (pool[e].op == Op::kVar) needed[static_cast<std::size_t>(pool[e].index)] = 1;
    }
  };
  for (const CausalEquation& e : constraints) {
    mark(e.lhs);
    mark(e.rhs);
  }
  const auto assigns_needed = [&](const Block& b) {
    return b.tears.empty() && needed[static_cast<std::size_t>(b.inner[0].var.index)] != 0;
  };
  for (auto b = model.blocks.rbegin(); b != model.blocks.rend(); ++b) {
    if (assigns_needed(*b)) mark(b->inner[0].value);
  }
  std::unordered_map<std::int32_t, ExprId> value;
  ExprRewriter expand(pool, [&](ExprId e, std::span<const ExprId>) {
    const auto it = pool[e].op == Op::kVar ? value.find(pool[e].index) : value.end();
    return it != value.end() ? it->second : ExprId{};
  });
  for (const Block& b : model.blocks) {
    if (assigns_needed(b)) value[b.inner[0].var.index] = expand(b.inner[0].value);
  }
  for (CausalEquation& e : constraints) {
    e.lhs = expand(e.lhs);
    e.rhs = expand(e.rhs);
  }
  return constraints;
}

// The states, those last that constraints among states can best be solved for.
std::vector<VarId> states_by_freedom(CausalModel& model) {
  const std::vector<CausalEquation> constraints = constraints_in_states(model);
  std::vector<std::pair<double, VarId>> weighted;
  for (const StateLink& s : model.states) {
    double weight = 0;
    for (const CausalEquation& e : constraints)
      weight = std::max(weight, std::abs(factor_at_start(model.flat, e, s.state)));
    weighted.emplace_back(weight, s.state);
  }
  std::stable_sort(weighted.begin(), weighted.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<VarId> states;
  for (const auto& [weight, v] : weighted) states.push_back(v);
  return states;
}

// Parameters without a value of their own (fixed = false), and those computed from them.
std::vector<char> parameters_found_here(const CausalModel& model) {
  const FlatModel& flat = model.flat;
  std::vector<char> found(flat.variables.size(), 0);
  for (std::size_t i = 0; i < flat.variables.size(); ++i) {
    const FlatVariable& v = flat.variables[i];
    found[i] = model.role[i] == Role::kParameter && !v.fixed.value_or(true) && !v.binding.valid();
  }
  ExprWalker walker(flat.pool);
  for (const VarId v : model.parameter_order) {
    for (const ExprId e : walker.nodes(flat[v].binding)) {
      const bool uses =
          flat.pool[e].op == Op::kVar && found[static_cast<std::size_t>(flat.pool[e].index)] != 0;
      if (uses) found[static_cast<std::size_t>(v.index)] = 1;
    }
  }
  return found;
}

// Variables that are known at the start. (Relations: see solve_rows().)
std::vector<char> known_at_start(const CausalModel& model) {
  const FlatModel& flat = model.flat;
  std::vector<char> given(flat.variables.size(), 0);
  const auto mark = [&](VarId v) {
    if (v.valid()) given[static_cast<std::size_t>(v.index)] = 1;
  };
  const auto mark_condition = [&](const auto& c) {
    for (const VarId v : {c.var, c.hysteresis.band, c.hysteresis.switched, c.hysteresis.gap})
      mark(v);
  };
  for (const Relation& r : model.relations) mark_condition(r);
  for (const FloorMemory& f : model.floors) mark_condition(f);
  for (const SampleTimer& s : model.samples) mark(s.var);
  for (const TimeRelation& r : model.time_relations) mark(r.reached);
  for (const DelayLine& d : model.delays) {
    for (const VarId v : {d.passed, d.broken, d.next, d.back}) mark(v);
  }
  for (const Transport& t : model.transports) mark(t.front);
  mark(model.initial_flag);
  mark(model.terminal_flag);
  mark(model.memory);
  return given;
}

std::vector<VarId> unknowns_at_start(const CausalModel& model,
                                     const std::vector<char>& found_here) {
  const FlatModel& flat = model.flat;
  const std::vector<char> given = known_at_start(model);
  std::vector<VarId> unknowns;
  for (std::size_t i = 0; i < flat.variables.size(); ++i) {
    const Role role = model.role[i];
    if (given[i]) continue;
    if (role == Role::kAlgebraic || role == Role::kState || role == Role::kDiscrete ||
        found_here[i])
      unknowns.push_back(VarId{static_cast<std::int32_t>(i)});
  }
  return unknowns;
}

ExprId start_of(FlatModel& flat, VarId v) {
  ExprPool& pool = flat.pool;
  const FlatVariable& variable = flat[v];
  if (variable.start.valid()) return variable.start;
  if (variable.type == ScalarType::kBoolean) return pool.boolean(false);
  if (variable.type == ScalarType::kInteger) return pool.integer(0);
  if (variable.type == ScalarType::kString) return pool.string("");
  return variable.type == ScalarType::kEnumeration ? pool.enumeration(1) : pool.real(0);
}

// Rows in the order in which they are matched. What comes before `must_hold` has to find an
// unknown; what of the rest up to `wanted` finds none is `left`.
struct StartRows {
  std::vector<CausalEquation> rows;
  std::vector<CausalEquation> relations;
  std::size_t must_hold = 0, wanted = 0;

  // From at_start().
  StartRows(std::vector<CausalEquation> equations, std::size_t of_run)
      : rows(std::move(equations)) {
    const auto end = rows.begin() + static_cast<std::ptrdiff_t>(of_run);
    relations.assign(end, rows.end());
    rows.erase(end, rows.end());
  }
};

struct StartSystem {
  std::vector<CausalEquation> equations, left;
  std::vector<Block> blocks;
  std::vector<char> in_turn;  // of relations, then floors
  int defaults = 0;           // continuous variables that begin at a start value nobody asked for
};

// A square system: the first rows with their unknowns, then relations.
class SquareSystem {
 public:
  SquareSystem(CausalModel& model, const std::vector<VarId>& unknowns,
               const std::vector<CausalEquation>& relations)
      : sorter_(model, with_relations(model, unknowns, relations)),
        matching_{{}, std::vector<int>(sorter_.unknowns().size(), -1)} {}

  void add(const CausalEquation& e, int column, bool initial) {
    matching_.row_of_column[static_cast<std::size_t>(column)] = sorter_.rows();
    matching_.column_of_row.push_back(column);
    sorter_.add(e, sorter_.rows(), initial);
  }
  void add_relation(const CausalEquation& e, const ExprPool& pool) {
    add(e, sorter_.column(pool.var(e.lhs)), false);
  }

  // Rows that cannot be computed one after the other.
  std::vector<char> in_loops() const {
    std::vector<char> in_loop(static_cast<std::size_t>(sorter_.rows()), 0);
    const structure::Blocks order =
        structure::block_lower_triangular(sorter_.incidence(), matching_);
    for (int k = 0; k < order.count(); ++k) {
      for (const int row : order[k])
        in_loop[static_cast<std::size_t>(row)] = order[k].size() > 1 ? 1 : 0;
    }
    return in_loop;
  }
  std::vector<Block> blocks() {
    sorter_.check(matching_, "initial system");
    return sorter_.blocks(matching_, nullptr);
  }

 private:
  static std::vector<VarId> with_relations(const CausalModel& model, std::vector<VarId> unknowns,
                                           const std::vector<CausalEquation>& relations) {
    for (const CausalEquation& e : relations) unknowns.push_back(model.flat.pool.var(e.lhs));
    return unknowns;
  }

  SystemSorter sorter_;
  structure::Matching matching_;
};

// Relations are computed in their turn, as soon as what they compare is known: what is wrong with
// them may not be computable at all (water properties for the wrong phase). Those that the solution
// of a loop depends on, and which depend on it, are known here, and iterated from outside.
StartSystem solve_rows(CausalModel& model, const std::vector<VarId>& unknowns,
                       const StartRows& start) {
  const std::vector<CausalEquation>& rows = start.rows;
  SystemSorter sorter(model, unknowns);
  for (std::size_t i = 0; i < rows.size(); ++i)
    sorter.add(rows[i], static_cast<std::int32_t>(i), i >= start.must_hold);
  // The equations of the run keep the unknown that sort_equations() gave them: this leaves the
  // states and left limits free, so that the rest is found at once in the common case.
  structure::Matching matching{std::vector<int>(rows.size(), -1),
                               std::vector<int>(unknowns.size(), -1)};
  for (std::size_t i = 0; i < model.solved_for.size(); ++i) {
    const int c = sorter.column(model.solved_for[i]);
    matching.column_of_row[i] = c;
    matching.row_of_column[static_cast<std::size_t>(c)] = static_cast<int>(i);
  }
  std::vector<int> order(rows.size() - model.solved_for.size());
  std::iota(order.begin(), order.end(), static_cast<int>(model.solved_for.size()));
  structure::match_in_order(sorter.candidates(), order, matching);

  StartSystem made;
  const auto make_square = [&](const std::vector<CausalEquation>& relations) {
    SquareSystem square(model, unknowns, relations);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const int c = matching.column_of_row[i];
      if (c >= 0) square.add(rows[i], c, i >= start.must_hold);
    }
    for (const CausalEquation& e : relations) square.add_relation(e, model.flat.pool);
    return square;
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const int c = matching.column_of_row[i];
    if (c < 0) {
      if (i < start.wanted && i >= start.must_hold) made.left.push_back(rows[i]);
      continue;
    }
    if (i < start.wanted && i >= start.must_hold)
      check_integer_value(model, rows[i], unknowns[static_cast<std::size_t>(c)]);
    if (i >= start.wanted &&
        model.role_of(unknowns[static_cast<std::size_t>(c)]) != Role::kDiscrete)
      ++made.defaults;
    made.equations.push_back(rows[i]);
  }
  made.in_turn.assign(start.relations.size(), 0);
  std::vector<CausalEquation> in_turn;
  if (made.equations.size() == unknowns.size() && !start.relations.empty()) {
    const std::vector<char> in_loops = make_square(start.relations).in_loops();
    for (std::size_t i = 0; i < start.relations.size(); ++i) {
      if (in_loops[made.equations.size() + i] != 0) continue;
      made.in_turn[i] = 1;
      in_turn.push_back(start.relations[i]);
    }
  }
  made.blocks = make_square(in_turn).blocks();
  made.equations.insert(made.equations.end(), in_turn.begin(), in_turn.end());
  find_guesses(model, made.blocks, made.equations);
  return made;
}

// Relations that are not computed with the rest.
std::vector<CausalEquation> not_in_turn(const StartRows& start, const StartSystem& made) {
  std::vector<CausalEquation> list;
  for (std::size_t i = 0; i < start.relations.size(); ++i) {
    if (made.in_turn[i] == 0) list.push_back(start.relations[i]);
  }
  return list;
}

}  // namespace

// Unknown are all variables of the run, the states, the left limits, and parameters with fixed =
// false. Known are samples and flags, and relations inside of loops. Rows, in the order in which
// they are matched (what comes first wins):
//
//   1. the equations of the run, and pre(v) = v for the conditions of when, unless an initial
//      equation gives pre(v). A when does not fire unless it says initial(): v = pre(v) then stands
//      for it, which gives v or pre(v).
//   2. constraints among states; x = value for a reinit under initial(); v = start for fixed = true
//      (pre(v) = start when v is discrete), which are solved already; initial equations
//   3. pre(v) = start
//   4. x = start for the states that are still free and have a start value of their own; then for
//      other variables that the text differentiates and that have one; then for the other states,
//      then for anything else
//
// What of 2 finds no unknown should follow from the others, and is checked at the start.
void sort_initial_system(CausalModel& model) {
  FlatModel& flat = model.flat;
  ExprPool& pool = flat.pool;
  const std::vector<char> found_here = parameters_found_here(model);
  const std::vector<VarId> unknowns = unknowns_at_start(model, found_here);
  model.found_at_start = found_here;

  // Where a start value may be given from outside, pre(v) stands for it.
  ExprWalker walker(pool);
  const auto is_found_here = [&](ExprId start) {
    if (!start.valid()) return false;
    for (const ExprId e : walker.nodes(start)) {
      if (pool[e].op == Op::kVar && found_here[static_cast<std::size_t>(pool[e].index)])
        return true;
    }
    return false;
  };
  const auto given_start = [&](VarId v) {
    const Role role = model.role_of(v);
    if (is_found_here(flat[v].start)) return flat[v].start;
    return role == Role::kState || role == Role::kDiscrete ? pool.pre(v, flat[v].type)
                                                           : start_of(flat, v);
  };
  StartRows start(at_start(model, true, {}), model.equations.size());
  std::vector<CausalEquation>& rows = start.rows;
  // A left limit that the text gives is that.
  std::unordered_set<std::int32_t> given;
  for (const CausalEquation& e : model.initial_equations) given.insert({e.lhs.index, e.rhs.index});
  for (const PreLink& p : model.pres) {
    if (p.held_at_start && !given.count(flat.ref(p.pre).index))
      rows.push_back({flat.ref(p.pre), flat.ref(p.of), {}, 0, true});
  }
  for (const VarId v : unknowns) {
    if (found_here[static_cast<std::size_t>(v.index)] && flat[v].binding.valid())
      rows.push_back({flat.ref(v), flat[v].binding, flat[v].origin, 0});
  }
  start.must_hold = rows.size();
  rows.insert(rows.end(), model.invariants.begin(), model.invariants.end());
  const std::vector<CausalEquation> reinits = initial_reinits(model);
  rows.insert(rows.end(), reinits.begin(), reinits.end());
  for (const VarId v : unknowns) {
    if (flat[v].fixed.value_or(false) && model.role_of(v) != Role::kParameter &&
        model.role_of(v) != Role::kDiscrete)
      rows.push_back({flat.ref(v), given_start(v), flat[v].origin, 0});
  }
  for (const PreLink& p : model.pres) {
    if (flat[p.of].fixed.value_or(false) && model.role_of(p.of) == Role::kDiscrete)
      rows.push_back({flat.ref(p.pre), given_start(p.of), flat[p.of].origin, 0});
  }
  rows.insert(rows.end(), model.initial_equations.begin(), model.initial_equations.end());
  start.wanted = rows.size();
  for (const PreLink& p : model.pres) {
    if (!p.held_at_start) rows.push_back({flat.ref(p.pre), given_start(p.of), {}, 0});
  }
  const auto has_start = [&](VarId v) { return flat[v].start.valid() && !flat[v].start_of_type; };
  const auto start_rows = [&](const std::vector<VarId>& variables, bool with_start) {
    for (const VarId v : variables) {
      if (has_start(v) == with_start) rows.push_back({flat.ref(v), given_start(v), {}, 0});
    }
  };
  const std::vector<VarId> states = states_by_freedom(model);
  if (model.invariants.empty()) {
    start_rows(states, true);
    start_rows(model.dummy_states, true);
    start_rows(states, false);
  } else {  // in the order in which the constraints can be solved
    for (const VarId x : states) rows.push_back({flat.ref(x), given_start(x), {}, 0});
  }
  for (const VarId v : unknowns) {
    if (model.role_of(v) != Role::kState) rows.push_back({flat.ref(v), given_start(v), {}, 0});
  }

  StartSystem made = solve_rows(model, unknowns, start);
  guess_relations(model, made.blocks, not_in_turn(start, made));
  model.redundant_initial = std::move(made.left);
  if (made.defaults > 0) {
    model.warnings.push_back(fmt::format(
        "{} variable(s) without initial equation start at their start values", made.defaults));
  }
  model.declared_initial = std::exchange(model.initial_equations, std::move(made.equations));
  model.initial_blocks = std::move(made.blocks);
  model.initial_in_turn = std::move(made.in_turn);
}

// As at the start, with other rows after the equations of the run:
//
//   2. what the transition hands over
//   3. initial equations and fixed start values of the blocks that begin anew
//   4. what is kept from before; constraints among states
//   5. start values
//
// What finds no unknown is left out: a hand-over counts more than an initial equation, and values
// that contradict constraints are moved to where these hold.
void sort_entry(CausalModel& model, const EntrySpec& spec) {
  FlatModel& flat = model.flat;
  const std::vector<VarId> unknowns =
      unknowns_at_start(model, std::vector<char>(flat.variables.size(), 0));
  StartRows start(at_start(model, false, spec.pasts), model.equations.size());
  std::vector<CausalEquation>& rows = start.rows;
  const auto left_limit = [&](VarId v) {
    for (const PreLink& p : model.pres) {
      if (p.of == v) return p.pre;
    }
    return VarId{};
  };
  for (const PreLink& p : model.pres) {
    if (p.held_at_start) rows.push_back({flat.ref(p.pre), flat.ref(p.of), {}, 0, true});
  }
  start.must_hold = rows.size();
  EntrySystem entry;
  entry.pasts = spec.pasts;
  const auto give = [&](const std::vector<VarId>& list) {
    for (const VarId v : list) {
      entry.given.push_back(v);
      const bool is_discrete = model.role_of(v) == Role::kDiscrete;
      const VarId of = is_discrete ? left_limit(v) : v;
      if (of.valid()) rows.push_back({flat.ref(of), flat.pool.pre(v, flat[v].type), {}, 0});
    }
  };
  give(spec.handed);
  const auto begins = [&](const Origin& origin) {
    return spec.begins(origin.component.valid() ? flat.pool.text(origin.component) : std::string());
  };
  for (const CausalEquation& e : model.declared_initial) {
    if (begins(e.origin)) rows.push_back(e);
  }
  for (const VarId v : unknowns) {
    const Role role = model.role_of(v);
    if (!flat[v].fixed.value_or(false) || !spec.begins(flat[v].name)) continue;
    if (role == Role::kState || role == Role::kAlgebraic)
      rows.push_back({flat.ref(v),
                      role == Role::kState ? flat.pool.pre(v, flat[v].type) : start_of(flat, v),
                      flat[v].origin, 0});
  }
  give(spec.kept);
  rows.insert(rows.end(), model.invariants.begin(), model.invariants.end());
  const std::vector<CausalEquation> reinits = initial_reinits(model);
  rows.insert(rows.end(), reinits.begin(), reinits.end());
  start.wanted = rows.size();
  for (const PreLink& p : model.pres) {
    const bool has_slot = model.role_of(p.of) == Role::kDiscrete;
    if (!p.held_at_start)
      rows.push_back({flat.ref(p.pre),
                      has_slot ? flat.pool.pre(p.of, flat[p.of].type) : start_of(flat, p.of),
                      {},
                      0});
  }
  for (const StateLink& s : model.states)
    rows.push_back({flat.ref(s.state), flat.pool.pre(s.state, flat[s.state].type), {}, 0});
  for (const VarId v : unknowns) {
    if (model.role_of(v) == Role::kAlgebraic)
      rows.push_back({flat.ref(v), start_of(flat, v), {}, 0});
    if (model.role_of(v) == Role::kDiscrete)
      rows.push_back({flat.ref(v), flat.pool.pre(v, flat[v].type), {}, 0});
  }
  StartSystem made = solve_rows(model, unknowns, start);
  entry.equations = std::move(made.equations);
  entry.blocks = std::move(made.blocks);
  entry.in_turn = std::move(made.in_turn);
  model.entries.push_back(std::move(entry));
}

}  // namespace arges
