#include "arges/causalize/between_events.h"

#include "arges/base/index.h"

namespace arges {

BetweenEvents::BetweenEvents(const CausalModel& model)
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

void BetweenEvents::look_at(ExprId e) {
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

bool BetweenEvents::is_edge(ExprId v, ExprId other) const {
  return pool_[other].op == Op::kNot && is_left_limit(v, pool_.arg(other, 0));
}

bool BetweenEvents::is_left_limit(ExprId v, ExprId before) const {
  if (pool_[v].op != Op::kVar || pool_[before].op != Op::kVar) return false;
  const VarId of = left_limit_of_[at(pool_[before].index)];
  return of.valid() && of.index == pool_[v].index;
}

}  // namespace arges
