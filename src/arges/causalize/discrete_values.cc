// Whether discrete variables can be computed at events alone.

#include <unordered_map>

#include <fmt/format.h>

#include "arges/base/index.h"
#include "arges/causalize/between_events.h"
#include "arges/causalize/passes.h"

namespace arges {

namespace {

// A function that is called for its effect is called at events: its hidden result says nothing.
bool is_done_at_events(const FlatVariable& v) { return v.hidden && v.name.starts_with("$done"); }

// The equation, unless it was made of statements: those are shown by their place.
std::string as_written(const CausalModel& model, const CausalEquation& e) {
  const bool has_made_names = model.equation_text(e).find('$') != std::string::npos;
  return has_made_names ? place_text(model.flat.pool, e.origin) : ": " + model.describe(e);
}

// No variable is the target of such actions in two clauses.
void check_setters(const FlatModel& model, WhenAction::Kind kind,
                   fmt::format_string<const std::string&> message) {
  struct Setter {
    const WhenClause* clause;
    const Origin* place;
  };
  std::unordered_map<std::int32_t, Setter> setters;  // by variable
  for (const WhenClause& clause : model.whens) {
    for (const WhenBranch& branch : clause.branches) {
      for (const WhenAction& action : branch.actions) {
        if (action.kind != kind) continue;
        const auto [it, is_new] =
            setters.try_emplace(action.target.index, Setter{&clause, &action.origin});
        if (is_new || it->second.clause == &clause) continue;
        throw ModelError(diag::Code::kTwoWhens, fmt::format(message, model[action.target].name),
                         {place_in_text(model.pool, action.origin, ""),
                          place_in_text(model.pool, *it->second.place, "the other one is here")});
      }
    }
  }
}

}  // namespace

bool mixes_types(const ExprPool& pool, const FlatEquation& e) {
  const auto is = [&](ScalarType type) {
    return pool[e.lhs].type == type || pool[e.rhs].type == type;
  };
  return is(ScalarType::kInteger) && is(ScalarType::kReal);
}

void check_integer_value(const CausalModel& model, const CausalEquation& e, VarId v) {
  const FlatModel& flat = model.flat;
  if (!e.mixes_types || flat[v].type != ScalarType::kInteger) return;
  throw ModelError(diag::Code::kTypeMismatch,
                   fmt::format("the Integer `{}` follows here from a Real{}; write integer(...)",
                               flat[v].name, as_written(model, e)),
                   {place_in_text(flat.pool, e.origin, "")});
}

void check_discrete_values(const CausalModel& model) {
  const FlatModel& flat = model.flat;
  std::vector<char> has_timer(flat.variables.size(), 0);
  for (const TimeRelation& r : model.time_relations) has_timer[at(r.var.index)] = 1;
  const BetweenEvents between(model);
  for (std::size_t i = 0; i < model.equations.size(); ++i) {
    const CausalEquation& e = model.equations[i];
    const VarId v = model.solved_for[i];
    check_integer_value(model, e, v);
    if (model.role_of(v) != Role::kDiscrete || has_timer[at(v.index)] != 0) continue;
    if (is_done_at_events(flat[v])) continue;
    if (!between.changes(e.lhs) && !between.changes(e.rhs)) continue;
    throw ModelError(
        diag::Code::kChangesBetweenEvents,
        fmt::format(
            "`{}` changes at events only, but follows here from what changes without events{}",
            flat[v].name, as_written(model, e)),
        {place_in_text(flat.pool, e.origin, "")});
  }
}

void check_whens(const FlatModel& model) {
  check_setters(model, WhenAction::Kind::kAssign, "`{}` is set by two `when` equations");
}

void check_reinits(const FlatModel& model) {
  check_setters(model, WhenAction::Kind::kReinit,
                "`{}` is set by `reinit` in two `when` equations");
}

}  // namespace arges
