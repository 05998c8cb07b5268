// When-equations.

#include <algorithm>

#include "arges/flatten/flattener.h"
#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;

void Flattener::when_equation(const Equation& e, const Context& c, Sink& out) {
  WhenClause w;
  w.origin = e_.origin(c, e.range);
  for (const Branch<Equation>& b : e.branches) {
    WhenBranch branch;
    const Value v = e_.eval(*b.condition, c);
    if (v.kind != Value::Kind::kArray || v.dims.size() > 1 || v.type != ScalarType::kBoolean) {
      fail(Code::kTypeMismatch, "the condition of `when` is a Boolean or a vector of them",
           e_.span(c, *b.condition));
    }
    branch.conditions = v.elements;
    Context body = c;
    body.in_when = true;
    if (e_.is_clock(v)) {
      clocked_equations(b.body, body, branch.actions, out);
    } else {
      when_actions(b.body, body, branch.actions);
    }
    w.branches.push_back(std::move(branch));
  }
  check_when_branches(w, instances_.span(c.scope, e.range));
  out.whens.push_back(std::move(w));
}

// With a clock an equation may have any form: what is not solved for a variable gets one, which
// ticks with the clock, for its right side.
void Flattener::clocked_equations(EquationList list, const Context& c,
                                  std::vector<WhenAction>& actions, Sink& out) {
  for (const Equation* e : list) {
    const bool is_general = e->kind == EquationKind::kEqual && e->left->kind != ExprKind::kTuple &&
                            e->left->kind != ExprKind::kReference;
    if (!is_general) {
      when_action(*e, c, actions);
      continue;
    }
    const diag::Span where = instances_.span(c.scope, e->range);
    const Value left = e_.eval(*e->left, c), right = e_.eval(*e->right, c);
    e_.check_common_type(left, right, "the sides of an equation", where);
    const Value fit = e_.fitted(right, left.dims, false, left.type, where, left.enumeration);
    for (std::size_t i = 0; i < left.elements.size(); ++i) {
      FlatVariable side;
      side.name = "$side" + std::to_string(model_.variables.size());
      side.type = fit.type;
      side.variability = decltype(side.variability)::kDiscrete;
      side.hidden = true;
      WhenAction a;
      a.origin = e_.origin(c, e->range);
      a.target = model_.add(std::move(side));
      a.value = fit.elements[i];
      actions.push_back(a);
      out.equations.push_back({left.elements[i], model_.ref(a.target), a.origin});
    }
  }
}

void Flattener::when_actions(EquationList list, const Context& c, std::vector<WhenAction>& out) {
  for (const Equation* e : list) when_action(*e, c, out);
}

void Flattener::when_action(const Equation& e, const Context& c, std::vector<WhenAction>& out) {
  const diag::Span where = instances_.span(c.scope, e.range);
  switch (e.kind) {
    case EquationKind::kMissing:
      return;
    case EquationKind::kEqual: {
      check_when_target(*e.left, c);
      if (e.left->kind == ExprKind::kTuple && as<TupleExpr>(*e.left).elements.size() != 1) {
        const auto& targets = as<TupleExpr>(*e.left).elements;
        const std::vector<Value> values = e_.eval_all(*e.right, c);
        if (targets.size() > values.size()) {
          fail(Code::kWrongArguments, "this call has fewer results", where);
        }
        for (std::size_t i = 0; i < targets.size(); ++i) {
          if (targets[i] != nullptr) {
            when_assign(e_.eval(*targets[i], c), values[i], c, e.range, out);
          }
        }
        return;
      }
      when_assign(e_.eval(*e.left, c), e_.eval(*e.right, c), c, e.range, out);
      return;
    }
    case EquationKind::kFor: {
      Context structural = c;
      structural.structural = true;
      e_.iterate(
          e.indices, 0, structural,
          [&](const Context& inner) {
            e_.count_turn(c, e.range);
            Context body = inner;
            body.structural = false;
            when_actions(e.branches[0].body, body, out);
          },
          [&](std::string_view n) { return find_use(n, e.branches[0].body); });
      return;
    }
    case EquationKind::kIf:
      return when_if(e, c, out);
    case EquationKind::kCall: {
      const auto& call = as<CallExpr>(*e.left);
      const std::string_view name =
          call.callee->parts.size() == 1 ? call.callee->parts[0].name.text : std::string_view();
      WhenAction a;
      a.origin = e_.origin(c, e.range);
      if (name == "reinit") {
        const Value target = e_.eval(e_.argument(call, 0, "", c), c);
        const Value value = e_.eval(e_.argument(call, 1, "", c), c);
        if (target.dims != value.dims) fail(Code::kSizeMismatch, "the sizes do not fit", where);
        e_.check_common_type(target, value, "the arguments of `reinit`", where);
        for (std::size_t i = 0; i < target.elements.size(); ++i) {
          a.kind = WhenAction::Kind::kReinit;
          a.target = e_.as_variable(target.elements[i], "reinit", where);
          a.value = e_.convert(value.elements[i], ScalarType::kReal);
          out.push_back(a);
        }
        return;
      }
      if (name == "assert") {
        const FlatAssert made = make_assert(call, c, e.range);
        a.kind = WhenAction::Kind::kAssert;
        a.value = made.condition;
        a.message = made.message;
        a.level = made.level;
      } else if (name == "terminate") {
        a.kind = WhenAction::Kind::kTerminate;
        a.message = e_.eval_text(e_.argument(call, 0, "message", c), name, c);
      } else {
        for (const Value& v : e_.eval_effect(call, c)) {
          a.target = e_.pool().var(e_.effect_variable());
          a.value = v.scalar();
          out.push_back(a);
        }
        return;
      }
      out.push_back(a);
      return;
    }
    case EquationKind::kConnect:
    case EquationKind::kWhen:
      fail(Code::kBadEquation, "this cannot stand inside of `when`", where);
  }
}

void Flattener::when_assign(const Value& target, const Value& value, const Context& c,
                            TextRange range, std::vector<WhenAction>& out) {
  const diag::Span where = instances_.span(c.scope, range);
  if (target.is_record() && value.is_record()) {
    for (const auto& [name, field] : target.fields) {
      const Value* v = value.field(name);
      if (v == nullptr) fail(Code::kTypeMismatch, "the value lacks " + in_quotes(name), where);
      when_assign(field, *v, c, range, out);
    }
    return;
  }
  const Value fit = e_.fitted(value, target.dims, false, target.type, where, target.enumeration);
  for (std::size_t i = 0; i < target.elements.size(); ++i) {
    if (e_.pool()[target.elements[i]].op != Op::kVar) {
      fail(Code::kBadEquation, "an equation in `when` has a variable on its left side", where);
    }
    WhenAction a;
    a.origin = e_.origin(c, range);
    a.target = e_.pool().var(target.elements[i]);
    a.value = fit.elements[i];
    // What is set at events only is discrete.
    FlatVariable& v = model_[a.target];
    if (v.variability == decltype(v.variability)::kContinuous) {
      v.variability = decltype(v.variability)::kDiscrete;
    }
    out.push_back(a);
  }
}

// Cases by a condition of the moment: every target gets an if-expression.
void Flattener::when_if(const Equation& e, const Context& c, std::vector<WhenAction>& out) {
  const int chosen = chosen_branch(e.branches, c);
  if (chosen >= 0) {
    return when_actions(e.branches[static_cast<std::size_t>(chosen)].body, c, out);
  }
  if (chosen == -1) return;
  ExprPool& pool = e_.pool();
  std::vector<ExprId> conditions;
  std::vector<std::vector<WhenAction>> cases;
  for (const Branch<Equation>& b : e.branches) {
    conditions.push_back(b.condition == nullptr ? pool.boolean(true)
                                                : e_.eval_boolean(*b.condition, c));
    cases.emplace_back();
    when_actions(b.body, c, cases.back());
  }
  std::vector<WhenAction> merged;  // targets in the order in which they appear
  ExprId before = pool.boolean(false);
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const ExprId applies = pool.make(Op::kAnd, {pool.make(Op::kNot, {before}), conditions[k]});
    before = pool.make(Op::kOr, {before, conditions[k]});
    for (WhenAction& a : cases[k]) {
      if (a.kind == WhenAction::Kind::kAssert) {
        a.value = pool.make(Op::kOr, {pool.make(Op::kNot, {applies}), a.value});
        out.push_back(a);
        continue;
      }
      if (a.kind == WhenAction::Kind::kTerminate) {
        a.value = a.value.valid() ? pool.make(Op::kAnd, {applies, a.value}) : applies;
        out.push_back(a);
        continue;
      }
      const bool known = std::any_of(merged.begin(), merged.end(), [&](const WhenAction& m) {
        return m.kind == a.kind && m.target == a.target;
      });
      if (!known) merged.push_back(a);
    }
  }
  for (WhenAction& m : merged) {
    const ScalarType type = model_[m.target].type;
    ExprId value =
        m.kind == WhenAction::Kind::kReinit ? model_.ref(m.target) : pool.pre(m.target, type);
    for (std::size_t k = cases.size(); k-- > 0;) {
      ExprId mine =
          m.kind == WhenAction::Kind::kReinit ? model_.ref(m.target) : pool.pre(m.target, type);
      for (const WhenAction& a : cases[k]) {
        if (a.kind == m.kind && a.target == m.target) mine = a.value;
      }
      value = e_.choose(conditions[k], mine, value);
    }
    m.value = value;
    out.push_back(m);
  }
}

}  // namespace arges::lang
