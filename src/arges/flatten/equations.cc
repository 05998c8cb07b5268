// Equations and sections.

#include <algorithm>
#include <map>
#include <optional>

#include "arges/flatten/flattener.h"
#include "arges/flatten/statement_maker.h"
#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;
using FlatStatement = ::arges::Statement;

void Flattener::sections(Instance& i) {
  for (std::size_t p = 0; p < i.parts.size(); ++p) {
    const ClassDef* def = instances_.tree().definition(*i.parts[p].node);
    if (def == nullptr) continue;
    Context c;
    c.scope = {&i, static_cast<int>(p)};
    for (const Section& s : def->sections) {
      const bool initial =
          s.kind == SectionKind::kInitialEquation || s.kind == SectionKind::kInitialAlgorithm;
      c.in_when = initial;
      if (s.kind == SectionKind::kEquation || s.kind == SectionKind::kInitialEquation) {
        Sink sink;
        sink.initial = initial;
        equations(s.equations, c, sink);
        if (initial) only_at_start(sink);
        auto& to = initial ? model_.initial_equations : model_.equations;
        to.insert(to.end(), sink.equations.begin(), sink.equations.end());
        model_.equations.insert(model_.equations.end(), sink.effects.begin(), sink.effects.end());
        for (FlatAssert& a : sink.asserts) model_.asserts.push_back(a);
        for (WhenClause& w : sink.whens) model_.whens.push_back(std::move(w));
      } else if (s.kind == SectionKind::kAlgorithm || s.kind == SectionKind::kInitialAlgorithm) {
        FlatAlgorithm algorithm;
        algorithm.origin = e_.origin(c, s.range);
        const auto owner = s.statements.empty()
                               ? std::nullopt
                               : machines_.marked_block(s.statements.back()->description, c);
        if (owner) algorithm.origin.component = *owner;
        attempt([&] {
          StatementMaker maker(e_, initial);
          for (const Statement* text : s.statements) {
            const std::size_t before = algorithm.body.size();
            maker.make({&text, 1}, c, algorithm.body);
            if (algorithm.body.size() != before + 1) continue;
            const FlatStatement& made = algorithm.body.back();
            if (made.kind == FlatStatement::Kind::kAssert) {
              e_.check_assert(made.value, made.message, made.level,
                              instances_.span(c.scope, text->range));
            }
          }
          maker.keep_unreached(algorithm.body);
          if (algorithm.body.empty()) return;
          (initial ? model_.initial_algorithms : model_.algorithms).push_back(std::move(algorithm));
        });
      }
    }
  }
}

void Flattener::equations(EquationList list, const Context& c, Sink& out) {
  for (const Equation* e : list) {
    const std::size_t equations = out.equations.size(), effects = out.effects.size(),
                      asserts = out.asserts.size(), whens = out.whens.size();
    attempt([&] { equation(*e, c, out); });
    const std::optional<StringId> owner = machines_.marked_block(e->description, c);
    if (!owner) continue;
    for (std::size_t i = equations; i < out.equations.size(); ++i)
      out.equations[i].origin.component = *owner;
    for (std::size_t i = effects; i < out.effects.size(); ++i)
      out.effects[i].origin.component = *owner;
    for (std::size_t i = asserts; i < out.asserts.size(); ++i)
      out.asserts[i].origin.component = *owner;
    for (std::size_t i = whens; i < out.whens.size(); ++i) out.whens[i].origin.component = *owner;
  }
}

void Flattener::equation(const Equation& e, const Context& c, Sink& out) {
  switch (e.kind) {
    case EquationKind::kMissing:
      return;
    case EquationKind::kConnect:
      if (out.initial) {
        fail(Code::kBadEquation, "`connect` cannot stand among initial equations",
             instances_.span(c.scope, e.range));
      }
      return;
    case EquationKind::kEqual:
      return equal(e, c, out);
    case EquationKind::kCall:
      return call_equation(e, c, out);
    case EquationKind::kIf:
      return if_equation(e, c, out);
    case EquationKind::kFor: {
      Context structural = c;
      structural.structural = true;
      e_.iterate(
          e.indices, 0, structural,
          [&](const Context& inner) {
            e_.count_turn(c, e.range);
            Context body = inner;
            body.structural = c.structural;
            for (const Equation* x : e.branches[0].body) equation(*x, body, out);
          },
          [&](std::string_view n) { return find_use(n, e.branches[0].body); });
      return;
    }
    case EquationKind::kWhen:
      if (out.initial) {
        fail(Code::kBadEquation, "`when` cannot stand among initial equations",
             instances_.span(c.scope, e.range));
      }
      return when_equation(e, c, out);
  }
}

void Flattener::equal(const Equation& e, const Context& c, Sink& out) {
  if (e.left->kind == ExprKind::kTuple && as<TupleExpr>(*e.left).elements.size() != 1) {
    const auto& targets = as<TupleExpr>(*e.left).elements;
    const std::vector<Value> values = e_.eval_all(*e.right, c);
    if (targets.size() > values.size()) {
      fail(Code::kWrongArguments,
           "this call has " + std::to_string(values.size()) + " results, not " +
               std::to_string(targets.size()),
           e_.span(c, *e.right));
    }
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (targets[i] != nullptr) equate(e_.eval(*targets[i], c), values[i], c, e.range, out);
    }
    return;
  }
  equate(e_.eval(*e.left, c), e_.eval(*e.right, c), c, e.range, out);
}

void Flattener::equate(const Value& a, const Value& b, const Context& c, TextRange range,
                       Sink& out) {
  const diag::Span where = instances_.span(c.scope, range);
  if (a.kind == Value::Kind::kFunction || b.kind == Value::Kind::kFunction) {
    fail(Code::kTypeMismatch, "a class is no value", where);
  }
  if (a.is_record() || b.is_record()) {
    if (!a.is_record() || !b.is_record() || a.fields.size() != b.fields.size()) {
      fail(Code::kTypeMismatch, "the sides of this equation are different records", where);
    }
    for (const auto& [name, field] : a.fields) {
      const Value* other = b.field(name);
      if (other == nullptr) {
        fail(Code::kTypeMismatch, "the field " + in_quotes(name) + " is missing on one side",
             where);
      }
      equate(field, *other, c, range, out);
    }
    return;
  }
  if (a.dims != b.dims) {
    const auto text = [](const Dims& d) {
      if (d.empty()) return std::string("a scalar");
      std::string s = "[";
      for (std::size_t i = 0; i < d.size(); ++i) s += (i > 0 ? ", " : "") + std::to_string(d[i]);
      return s + "]";
    };
    if (!(a.elements.empty() && b.elements.empty())) {
      fail(Code::kSizeMismatch,
           "the sides of this equation have different sizes: " + text(a.dims) + " and " +
               text(b.dims),
           where);
    }
  }
  const auto number = [](ScalarType t) {
    return t == ScalarType::kReal || t == ScalarType::kInteger;
  };
  if (!a.elements.empty() && a.type != b.type && !(number(a.type) && number(b.type))) {
    fail(Code::kTypeMismatch,
         "the sides of this equation are " + std::string(to_string(a.type)) + " and " +
             std::string(to_string(b.type)),
         where);
  }
  if (a.enumeration != nullptr && b.enumeration != nullptr &&
      !instances_.same_enumeration(*a.enumeration, *b.enumeration)) {
    fail(Code::kTypeMismatch,
         "the sides of this equation are of " + in_quotes(a.enumeration->path()) + " and of " +
             in_quotes(b.enumeration->path()),
         where);
  }
  const bool real = a.type == ScalarType::kReal || b.type == ScalarType::kReal;
  const ScalarType type = real ? ScalarType::kReal : a.type;
  const Origin origin = e_.origin(c, range);
  for (std::size_t i = 0; i < a.elements.size(); ++i) {
    FlatEquation f{};
    f.lhs = e_.convert(a.elements[i], type);
    f.rhs = e_.convert(b.elements[i], type);
    f.origin = origin;
    // An equation between literals that is true gives nothing.
    if (f.lhs == f.rhs && e_.pool().is_constant(f.lhs)) continue;
    out.equations.push_back(f);
  }
}

int Flattener::chosen_branch(std::span<const Branch<Equation>> branches, const Context& c) {
  for (std::size_t i = 0; i < branches.size(); ++i) {
    if (branches[i].condition == nullptr) return static_cast<int>(i);
    const std::optional<Value> v = e_.try_constant(*branches[i].condition, c);
    if (!v) return -2;
    if (!v->is_scalar() || v->type != ScalarType::kBoolean) {
      fail(Code::kTypeMismatch, "a condition is a Boolean", e_.span(c, *branches[i].condition));
    }
    if (e_.pool().value(v->scalar()) != 0) return static_cast<int>(i);
  }
  return -1;
}

void Flattener::if_equation(const Equation& e, const Context& c, Sink& out) {
  const int chosen = chosen_branch(e.branches, c);
  if (chosen >= 0) {
    for (const Equation* x : e.branches[static_cast<std::size_t>(chosen)].body) {
      equation(*x, c, out);
    }
    return;
  }
  if (chosen == -1) return;
  std::vector<ExprId> conditions;
  std::vector<Sink> cases;
  for (const Branch<Equation>& b : e.branches) {
    ExprId condition = e_.pool().boolean(true);
    if (b.condition != nullptr) condition = e_.eval_boolean(*b.condition, c);
    if (e_.pool().is_value(condition, 0)) continue;
    Sink sink;
    sink.initial = out.initial;
    sink.conditional = true;
    for (const Equation* x : b.body) equation(*x, c, sink);
    conditions.push_back(condition);
    cases.push_back(std::move(sink));
    if (e_.pool().is_value(condition, 1)) break;
  }
  merge(conditions, cases, c, e.range, out);
}

void Flattener::merge(const std::vector<ExprId>& conditions, std::vector<Sink>& cases,
                      const Context& c, TextRange range, Sink& out) {
  ExprPool& pool = e_.pool();
  const diag::Span where = instances_.span(c.scope, range);
  const bool complete = !conditions.empty() && pool.is_value(conditions.back(), 1);
  if (!complete) {
    cases.emplace_back();
  }
  // An assert holds, and a call is made, where its case applies.
  ExprId before = pool.boolean(false);
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const ExprId mine = k < conditions.size() ? conditions[k] : pool.boolean(true);
    const ExprId applies = pool.make(Op::kAnd, {pool.make(Op::kNot, {before}), mine});
    for (FlatAssert& a : cases[k].asserts) {
      a.condition = pool.make(Op::kOr, {pool.make(Op::kNot, {applies}), a.condition});
      out.asserts.push_back(a);
    }
    for (FlatEquation& call : cases[k].effects) {
      call.rhs = e_.choose(applies, call.rhs, pool.integer(0));
      out.effects.push_back(call);
    }
    if (!cases[k].whens.empty()) {
      fail(Code::kNotSupported,
           "`when` inside of an `if` whose condition changes during the run is not supported yet",
           where);
    }
    before = pool.make(Op::kOr, {before, mine});
  }
  const std::size_t n = cases[0].equations.size();
  for (const Sink& s : cases) {
    if (s.equations.size() == n) continue;
    throw Failure{diag::Diagnostic(Code::kUnbalancedIf,
                                   "the cases of this `if` have " + std::to_string(n) + " and " +
                                       std::to_string(s.equations.size()) + " equations",
                                   where)
                      .note("the condition changes during the run, so the number must not")};
  }
  // The same left sides in another order?
  for (std::size_t k = 1; k < cases.size(); ++k) {
    std::map<std::int32_t, std::size_t> by_left;
    for (std::size_t j = 0; j < n; ++j) by_left[cases[k].equations[j].lhs.index] = j;
    std::vector<FlatEquation> ordered;
    if (by_left.size() == n) {
      for (std::size_t j = 0; j < n; ++j) {
        const auto it = by_left.find(cases[0].equations[j].lhs.index);
        if (it == by_left.end()) break;
        ordered.push_back(cases[k].equations[it->second]);
      }
    }
    if (ordered.size() == n) cases[k].equations = std::move(ordered);
  }
  for (std::size_t j = 0; j < n; ++j) {
    bool same = true;
    for (const Sink& s : cases) same = same && s.equations[j].lhs == cases[0].equations[j].lhs;
    const ScalarType type = pool[cases[0].equations[j].lhs].type;
    if (!same && type != ScalarType::kReal && type != ScalarType::kInteger) {
      fail(Code::kUnbalancedIf,
           "the cases of this `if` must define the same Boolean, String or enumeration variables",
           where);
    }
    const auto side = [&](std::size_t k) {
      const FlatEquation& f = cases[k].equations[j];
      return same ? f.rhs : pool.sub(f.lhs, f.rhs);
    };
    ExprId value = side(cases.size() - 1);
    for (std::size_t k = cases.size() - 1; k-- > 0;) {
      value = e_.choose(conditions[k], side(k), value);
    }
    FlatEquation f{};
    f.lhs = same ? cases[0].equations[j].lhs : pool.real(0);
    f.rhs = value;
    f.origin = cases[0].equations[j].origin;
    out.equations.push_back(f);
  }
}

FlatAssert Flattener::make_assert(const CallExpr& call, const Context& c, TextRange range) {
  FlatAssert a;
  a.condition = e_.eval_boolean(e_.argument(call, 0, "condition", c), c);
  a.message = e_.eval_text(e_.argument(call, 1, "message", c), "assert", c);
  if (const Expr* level = e_.optional_argument(call, 2, "level")) {
    const Value v = e_.eval_constant(*level, c);
    if (e_.pool().value(v.scalar()) == 1) a.level = AssertionLevel::kWarning;
  }
  a.origin = e_.origin(c, range);
  return a;
}

void Flattener::call_equation(const Equation& e, const Context& c, Sink& out) {
  const auto& call = as<CallExpr>(*e.left);
  const std::string_view name =
      call.callee->parts.size() == 1 ? call.callee->parts[0].name.text : std::string_view();
  if (name == "assert") {
    FlatAssert a = make_assert(call, c, e.range);
    if (!out.conditional) e_.check_assert(a.condition, a.message, a.level, e_.span(c, call));
    if (!e_.pool().is_value(a.condition, 1)) out.asserts.push_back(a);
    return;
  }
  if (call.callee->parts.size() == 2 && call.callee->parts[0].name.text == "Connections") return;
  if (machines_.call(e, c, out.conditional || out.initial)) return;
  if (name == "reinit") {
    fail(Code::kBadEquation, "`reinit` stands inside of `when`", e_.span(c, call));
  }
  if (name == "terminate") {
    FlatAssert a;
    a.condition = e_.pool().boolean(false);
    a.message = e_.eval_text(e_.argument(call, 0, "message", c), "terminate", c);
    a.terminates = true;
    a.origin = e_.origin(c, e.range);
    out.asserts.push_back(a);
    return;
  }
  for (const Value& v : e_.eval_effect(call, c)) {
    FlatEquation f{};
    f.lhs = e_.effect_variable();
    f.rhs = v.scalar();
    f.origin = e_.origin(c, e.range);
    out.effects.push_back(f);
  }
}

void Flattener::only_at_start(Sink& sink) {
  ExprPool& pool = e_.pool();
  const ExprId start = pool.make(Op::kInitial, {});
  for (FlatAssert& a : sink.asserts) {
    a.condition =
        pool.make(Op::kNoEvent, {pool.make(Op::kOr, {pool.make(Op::kNot, {start}), a.condition})});
  }
  for (FlatEquation& call : sink.effects) call.rhs = pool.if_else(start, call.rhs, pool.integer(0));
}

}  // namespace arges::lang
