// Whether discrete variables can be computed at events alone.

#include <unordered_map>

#include <fmt/format.h>

#include "arges/causalize/passes.h"

namespace arges {

namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

// What an expression does between events. Each node is looked at once, arguments first, as they
// have smaller numbers.
class BetweenEvents {
 public:
  explicit BetweenEvents(const CausalModel& model)
      : model_(model),
        pool_(model.flat.pool),
        nodes_(at(pool_.size())),
        left_limit_of_(model.flat.variables.size()),
        is_momentary_(model.flat.variables.size(), 0) {
    for (const PreLink& p : model.pres) left_limit_of_[at(p.pre.index)] = p.of;
    for (const SampleTimer& s : model.samples) is_momentary_[at(s.var.index)] = 1;
    for (const VarId flag : {model.initial_flag, model.terminal_flag}) {
      if (flag.valid()) is_momentary_[at(flag.index)] = 1;
    }
    for (const ExprId e : model.when_fires) nodes_[at(e.index)].is_momentary = true;
    for (std::int32_t i = 0; i < pool_.size(); ++i) look_at(ExprId{i});
  }

  bool changes(ExprId e) const { return nodes_[at(e.index)].changes; }

 private:
  struct Node {
    bool changes = false;       // between events, too
    bool is_momentary = false;  // false, but for single instants that are events
  };

  void look_at(ExprId e) {
    const ExprNode& node = pool_[e];
    const auto args = pool_.args(e);
    Node& n = nodes_[at(e.index)];
    const auto of = [&](std::size_t k) -> const Node& { return nodes_[at(args[k].index)]; };
    for (const ExprId a : args) n.changes = n.changes || changes(a);
    switch (node.op) {
      case Op::kTime:
        n.changes = true;
        break;
      case Op::kVar: {
        if (at(node.index) >= model_.role.size()) break;  // of no equation any more
        const Role role = model_.role[at(node.index)];
        n.changes = role == Role::kState || role == Role::kAlgebraic;
        n.is_momentary = is_momentary_[at(node.index)] != 0;
        break;
      }
      case Op::kBoolean:
        n.is_momentary = pool_.is_value(e, 0);
        break;
      case Op::kOr:
        n.is_momentary = of(0).is_momentary && of(1).is_momentary;
        break;
      case Op::kAnd:
        n.is_momentary = n.is_momentary || of(0).is_momentary || of(1).is_momentary ||
                         is_edge(args[0], args[1]) || is_edge(args[1], args[0]);
        break;
      case Op::kNotEqual:
        n.is_momentary = is_left_limit(args[0], args[1]) || is_left_limit(args[1], args[0]);
        break;
      case Op::kIf:
        // What stands in a branch that is taken at instants only may change.
        if (of(0).is_momentary) n.changes = of(2).changes;
        n.is_momentary = (of(0).is_momentary || of(1).is_momentary) && of(2).is_momentary;
        break;
      default:
        break;
    }
    if (n.is_momentary) n.changes = false;
  }

  // v and not pre(v): rising
  bool is_edge(ExprId v, ExprId other) const {
    return pool_[other].op == Op::kNot && is_left_limit(v, pool_.arg(other, 0));
  }
  bool is_left_limit(ExprId v, ExprId before) const {
    if (pool_[v].op != Op::kVar || pool_[before].op != Op::kVar) return false;
    const VarId of = left_limit_of_[at(pool_[before].index)];
    return of.valid() && of.index == pool_[v].index;
  }

  const CausalModel& model_;
  const ExprPool& pool_;
  std::vector<Node> nodes_;           // by expression
  std::vector<VarId> left_limit_of_;  // by variable
  std::vector<char> is_momentary_;    // by variable
};

// A function that is called for its effect is called at events: its hidden result says nothing.
bool is_done_at_events(const FlatVariable& v) { return v.hidden && v.name.starts_with("$done"); }

}  // namespace

void check_discrete_values(const CausalModel& model) {
  const FlatModel& flat = model.flat;
  std::vector<char> has_timer(flat.variables.size(), 0);
  for (const TimeRelation& r : model.time_relations) has_timer[at(r.var.index)] = 1;
  const BetweenEvents between(model);
  for (std::size_t i = 0; i < model.equations.size(); ++i) {
    const CausalEquation& e = model.equations[i];
    const VarId v = model.solved_for[i];
    if (model.role_of(v) != Role::kDiscrete || has_timer[at(v.index)] != 0) continue;
    if (is_done_at_events(flat[v])) continue;
    if (!between.changes(e.lhs) && !between.changes(e.rhs)) continue;
    const bool of_when = flat[v].name.starts_with("$when");
    const std::string what =
        of_when ? "the condition of this `when`" : fmt::format("`{}`", flat[v].name);
    throw ModelError(
        diag::Code::kChangesBetweenEvents,
        fmt::format("{} changes at events only, but follows here from what changes without events: "
                    "{}",
                    what, model.describe(e)),
        {place_in_text(flat.pool, e.origin, "")});
  }
}

void check_whens(const FlatModel& model) {
  struct Setter {
    const WhenClause* clause;
    const Origin* place;
  };
  std::unordered_map<std::int32_t, Setter> setters;  // by variable
  for (const WhenClause& clause : model.whens) {
    for (const WhenBranch& branch : clause.branches) {
      for (const WhenAction& action : branch.actions) {
        if (action.kind != WhenAction::Kind::kAssign) continue;
        const auto [it, is_new] =
            setters.try_emplace(action.target.index, Setter{&clause, &action.origin});
        if (is_new || it->second.clause == &clause) continue;
        throw ModelError(
            diag::Code::kTwoWhens,
            fmt::format("`{}` is set by two `when` equations", model[action.target].name),
            {place_in_text(model.pool, action.origin, ""),
             place_in_text(model.pool, *it->second.place, "the other one is here")});
      }
    }
  }
}

}  // namespace arges
