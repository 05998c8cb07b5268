// What may be connected (specification, chapter 9.3), and what `when` may set.

#include <algorithm>
#include <iterator>

#include "arges/flatten/flattener.h"
#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;
using diag::Diagnostic;

// c1.c2.c3 with connectors, or m.c with a connector of a component m.
void Flattener::check_connection_form(const Expr& e, const Evaluator::Place& place,
                                      const Context& c) {
  if (place.instances.empty()) return;
  int others = 0;
  for (Instance* p = place.instances[0]; p != nullptr && p != c.scope.instance; p = p->parent) {
    if (p->index.empty() && p->basic == Basic::kNone && !is_connector(instances_.kind(*p))) {
      ++others;
    }
  }
  const auto& r = as<ReferenceExpr>(e);
  if (others > 1 && r.parts.size() > 2) {
    throw Failure{
        Diagnostic(Code::kConnectionForm,
                   in_quotes(print(e)) + " is a connector inside of a component's component",
                   e_.span(c, e))
            .suggest("connect it inside of " + in_quotes(r.parts[0].name.text) +
                     ", to a connector of its own")};
  }
}

// Two scalars, or arrays of them, that a connection joins.
void Flattener::check_connected(Instance& a, Instance& b, const Context& c, TextRange range) {
  const diag::Span where = instances_.span(c.scope, range);
  const auto names = [&] {
    return in_quotes(Instances::full_name(a)) + " and " + in_quotes(Instances::full_name(b));
  };
  const bool member =
      (a.parent != nullptr && is_bus(*a.parent)) || (b.parent != nullptr && is_bus(*b.parent));
  if (!member &&
      (a.prefix.causality == Causality::kNone) != (b.prefix.causality == Causality::kNone)) {
    fail(Code::kIncompatibleConnectors,
         names() + ": one is `input` or `output`, the other is neither", where);
  }
  const auto fixed = [](const Instance& i) {
    return i.prefix.variability >= Variability::kParameter ? i.prefix.variability
                                                           : Variability::kNone;
  };
  if (fixed(a) != fixed(b)) {
    fail(Code::kConnectedConstants, names() + " are not both parameters or both constants", where);
  }
  if (fixed(a) == Variability::kConstant &&
      e_.constant_value(a).elements != e_.constant_value(b).elements) {
    fail(Code::kConnectedConstants, names() + " are constants with different values", where);
  }
}

// What gives a signal to a connection: an output of a component, or an input of the model itself.
void Flattener::note_signal(VarId a, const Instance& ia, bool outside_a, VarId b,
                            const Instance& ib, bool outside_b, const Context& c, TextRange range) {
  const auto gives = [&](const Instance& i, bool outside) {
    // A protected input is none that others could give a value to.
    for (const Instance* p = &i; outside && p != nullptr && p != c.scope.instance; p = p->parent) {
      if (p->slot != nullptr && p->slot->is_protected) return false;
    }
    return i.prefix.causality == (outside ? Causality::kInput : Causality::kOutput);
  };
  if (ia.prefix.causality == Causality::kNone || ib.prefix.causality == Causality::kNone) return;
  signals_.push_back(
      {c.scope.instance, a, b, gives(ia, outside_a), gives(ib, outside_b), c.scope, range});
}

void Flattener::check_signals() {
  std::stable_sort(signals_.begin(), signals_.end(),
                   [](const Signal& x, const Signal& y) { return x.scope < y.scope; });
  for (std::size_t begin = 0; begin < signals_.size();) {
    std::size_t end = begin;
    UnionFind sets;
    std::unordered_map<std::int32_t, int> nodes;
    const auto node_of = [&](VarId v) {
      const auto [it, fresh] = nodes.try_emplace(v.index, sets.size());
      if (fresh) sets.add();
      return it->second;
    };
    for (; end < signals_.size() && signals_[end].scope == signals_[begin].scope; ++end) {
      sets.join(node_of(signals_[end].a), node_of(signals_[end].b));
    }
    std::unordered_map<int, VarId> sources;
    for (std::size_t i = begin; i < end; ++i) {
      const Signal& s = signals_[i];
      for (const auto& [v, gives] : {std::pair{s.a, s.gives_a}, std::pair{s.b, s.gives_b}}) {
        if (!gives) continue;
        const auto [it, fresh] = sources.try_emplace(sets.find(node_of(v)), v);
        if (fresh || it->second == v) continue;
        diagnostics_.report(Diagnostic(Code::kTwoSources,
                                       in_quotes(model_[it->second].name) + " and " +
                                           in_quotes(model_[v].name) +
                                           " both give the signal of this connection",
                                       instances_.span(s.text, s.range)));
        return;
      }
    }
    begin = end;
  }
}

// `when` sets variables of its own class and of records and connectors in it.
void Flattener::check_when_target(const Expr& target, const Context& c) {
  if (target.kind == ExprKind::kTuple) {
    for (const Expr* e : as<TupleExpr>(target).elements) {
      if (e != nullptr) check_when_target(*e, c);
    }
    return;
  }
  if (target.kind != ExprKind::kReference || as<ReferenceExpr>(target).parts.size() < 2) return;
  for (const Frame* f = c.frame; f != nullptr; f = f->outer) {
    if (f->name == as<ReferenceExpr>(target).parts[0].name.text) return;
  }
  Instance* i = e_.place(as<ReferenceExpr>(target), c).first;
  while (i != nullptr && i->is_array() && !i->items.empty()) i = i->items[0];
  if (i == nullptr || i->basic != Basic::kNone) return;
  const ClassKind what = instances_.kind(*i);
  if (what == ClassKind::kModel || what == ClassKind::kBlock) {
    fail(Code::kForeignWhenTarget,
         in_quotes(print(target)) + " belongs to a " + std::string(spelling(what)) +
             " and cannot be set by a `when` outside of it",
         e_.span(c, target));
  }
}

// All branches of a when-equation set the same variables (specification, 8.3.5).
void Flattener::check_when_branches(const WhenClause& clause, diag::Span where) {
  const auto targets = [&](const WhenBranch& branch) {
    std::vector<std::int32_t> found;
    for (const WhenAction& a : branch.actions) {
      const bool is_effect =
          a.kind == WhenAction::Kind::kAssign && model_[a.target].name.starts_with("$done");
      if (a.kind == WhenAction::Kind::kAssign && !is_effect) found.push_back(a.target.index);
    }
    std::sort(found.begin(), found.end());
    return found;
  };
  if (clause.branches.empty()) return;
  const std::vector<std::int32_t> first = targets(clause.branches[0]);
  for (const WhenBranch& branch : clause.branches) {
    const std::vector<std::int32_t> mine = targets(branch);
    const auto twice = std::adjacent_find(mine.begin(), mine.end());
    if (twice != mine.end()) {
      fail(Code::kWhenTargets,
           in_quotes(model_[VarId{*twice}].name) + " is set twice in one branch of this `when`",
           where);
    }
    std::vector<std::int32_t> differ;
    std::set_symmetric_difference(first.begin(), first.end(), mine.begin(), mine.end(),
                                  std::back_inserter(differ));
    if (differ.empty()) continue;
    const std::string name = model_[VarId{differ[0]}].name;
    throw Failure{
        Diagnostic(Code::kWhenTargets,
                   "the branches of this `when` set different variables: " + in_quotes(name) +
                       " is not in all of them",
                   where)
            .suggest("set it to " + in_quotes("pre(" + name + ")") + " where it does not change")};
  }
}

}  // namespace arges::lang
