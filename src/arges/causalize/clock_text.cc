#include "arges/causalize/clock_text.h"

#include "arges/causalize/model_error.h"

namespace arges {

void refuse_clocked(const ExprPool& pool, const std::string& what, const Origin& origin) {
  throw ModelError(diag::Code::kNotSupported, what + " are not supported yet",
                   {place_in_text(pool, origin, "")});
}

ClockedText take_apart(FlatModel& flat, ClockPartitions& partitions) {
  ClockedText text;
  const auto row = [&](ExprId lhs, ExprId rhs, const Origin& origin, bool defines) {
    const int node = partitions.new_node();
    partitions.scan(lhs, node);
    partitions.scan(rhs, node);
    text.rows.push_back({lhs, rhs, origin, defines, node});
    return node;
  };
  for (const FlatEquation& e : flat.equations) {
    if (partitions.is_clock(e.lhs) || partitions.is_clock(e.rhs)) {
      partitions.equal(e.lhs, e.rhs);
    } else {
      row(e.lhs, e.rhs, e.origin, e.defines);
    }
  }
  const auto assertion = [&](const FlatAssert& a) {
    const int node = partitions.new_node();
    partitions.scan(a.condition, node);
    partitions.scan(a.message, node);
    text.asserts.emplace_back(a, node);
    return node;
  };
  for (const FlatAssert& a : flat.asserts) assertion(a);
  std::vector<WhenClause> others;
  for (const WhenClause& w : flat.whens) {
    const auto& conditions = w.branches[0].conditions;
    if (conditions.size() != 1 || !partitions.is_clock(conditions[0])) {
      const int node = partitions.new_node();
      for (const WhenBranch& b : w.branches) {
        for (const ExprId c : b.conditions) partitions.scan(c, node);
        for (const WhenAction& a : b.actions) {
          if (a.target.valid()) partitions.join(a.target, node);
          for (const ExprId e : {a.value, a.message}) {
            if (e.valid()) partitions.scan(e, node);
          }
        }
      }
      text.when_nodes.push_back(node);
      others.push_back(w);
      continue;
    }
    if (w.branches.size() > 1) refuse_clocked(flat.pool, "`elsewhen` after a clock", w.origin);
    const int clock = partitions.clock_of(conditions[0]);
    for (const WhenAction& a : w.branches[0].actions) {
      int node = -1;
      if (a.kind == WhenAction::Kind::kAssign) {
        // (One that was made for a side of an equation may be known by the other side.)
        node = row(flat.ref(a.target), a.value, a.origin, !flat[a.target].hidden);
      } else if (a.kind == WhenAction::Kind::kAssert) {
        node = assertion({a.value, a.message, a.level, a.origin});
      } else if (a.kind == WhenAction::Kind::kTerminate) {
        const ExprId holds =
            a.value.valid() ? flat.pool.make(Op::kNot, {a.value}) : flat.pool.boolean(false);
        node = assertion({holds, a.message, a.level, a.origin, true});
      } else {
        refuse_clocked(flat.pool, "calls of `reinit` in a `when` with a clock", a.origin);
      }
      partitions.associate(node, clock);
    }
  }
  flat.whens = std::move(others);
  return text;
}

}  // namespace arges
