#include "arges/flatten/statement_maker.h"

#include <algorithm>
#include <unordered_set>

#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;

namespace {

bool has_break(StatementList list) {
  for (const Statement* s : list) {
    if (s->kind == StatementKind::kBreak) return true;
    if (s->kind == StatementKind::kFor || s->kind == StatementKind::kWhile) continue;
    for (const Branch<Statement>& b : s->branches) {
      if (has_break(b.body)) return true;
    }
  }
  return false;
}

bool may_break(const FlatStatement& s) {
  if (s.kind == FlatStatement::Kind::kBreak) return true;
  if (s.kind != FlatStatement::Kind::kIf) return false;
  return std::any_of(s.branches.begin(), s.branches.end(), [](const FlatStatement::Branch& b) {
    return std::any_of(b.body.begin(), b.body.end(), may_break);
  });
}

}  // namespace

void StatementMaker::make(StatementList list, const Context& c, std::vector<FlatStatement>& out) {
  for (const Statement* s : list) make(*s, c, out);
}

void StatementMaker::make(const Statement& s, const Context& c, std::vector<FlatStatement>& out) {
  const auto simple = [&](FlatStatement::Kind kind) {
    FlatStatement f;
    f.kind = kind;
    f.origin = e_.origin(c, s.range);
    out.push_back(std::move(f));
  };
  switch (s.kind) {
    case StatementKind::kMissing:
      return;
    case StatementKind::kAssign: {
      if (s.left->kind != ExprKind::kTuple) {
        assign(e_.eval(*s.left, c), e_.eval(*s.right, c), c, s.range, out);
        return;
      }
      const auto& targets = as<TupleExpr>(*s.left).elements;
      const std::vector<Value> values = e_.eval_all(*s.right, c);
      if (targets.size() > values.size()) {
        fail(Code::kWrongArguments,
             "this call has " + std::to_string(values.size()) + " results, not " +
                 std::to_string(targets.size()),
             e_.span(c, *s.right));
      }
      std::vector<ExprId> t;
      std::vector<ExprId> v;
      std::vector<ScalarType> types;
      for (std::size_t i = 0; i < targets.size(); ++i) {
        if (targets[i] == nullptr) continue;
        collect(e_.eval(*targets[i], c), values[i], e_.span(c, *targets[i]), t, v, types);
      }
      assign_scalars(std::move(t), std::move(v), types, c, s.range, out);
      return;
    }
    case StatementKind::kCall:
      return make_call(s, c, out);
    case StatementKind::kBreak:
      return simple(FlatStatement::Kind::kBreak);
    case StatementKind::kReturn:
      return simple(FlatStatement::Kind::kReturn);
    case StatementKind::kIf:
      return make_if(s, c, out);
    case StatementKind::kFor:
      return make_for(s, 0, c, out);
    case StatementKind::kWhile: {
      FlatStatement f;
      f.kind = FlatStatement::Kind::kWhile;
      f.origin = e_.origin(c, s.range);
      f.value = e_.eval_boolean(*s.branches[0].condition, c);
      f.branches.emplace_back();
      make(s.branches[0].body, c, f.branches[0].body);
      out.push_back(std::move(f));
      return;
    }
    case StatementKind::kWhen:
      return make_when(s, c, out);
  }
}

void StatementMaker::make_if(const Statement& s, const Context& c,
                             std::vector<FlatStatement>& out) {
  FlatStatement f;
  f.kind = FlatStatement::Kind::kIf;
  f.origin = e_.origin(c, s.range);
  for (const Branch<Statement>& b : s.branches) {
    FlatStatement::Branch branch;
    if (b.condition != nullptr) {
      const ExprId condition = e_.eval_boolean(*b.condition, c);
      if (e_.pool().is_value(condition, 0)) continue;
      if (!e_.pool().is_value(condition, 1)) branch.conditions.push_back(condition);
    }
    try {
      make(b.body, c, branch.body);
    } catch (const Failure&) {
      // x[1] of an array without elements, behind a condition that excludes it.
      if (b.condition == nullptr) throw;
      const std::optional<Value> known = e_.try_constant(*b.condition, c);
      if (!known || e_.pool().value(known->scalar()) != 0) throw;
      continue;
    }
    const bool last = branch.conditions.empty();
    if (last && f.branches.empty()) {
      out.insert(out.end(), branch.body.begin(), branch.body.end());
      return;
    }
    f.branches.push_back(std::move(branch));
    if (last) break;
  }
  if (!f.branches.empty()) out.push_back(std::move(f));
}

void StatementMaker::make_for(const Statement& s, std::size_t at, const Context& c,
                              std::vector<FlatStatement>& out) {
  if (at == s.indices.size()) {
    make(s.branches[0].body, c, out);
    return;
  }
  const ForIndex& index = s.indices[at];
  ExprPool& pool = e_.pool();
  if (function_ != nullptr && index.range != nullptr && index.range->kind == ExprKind::kRange) {
    const auto& range = as<RangeExpr>(*index.range);
    const std::size_t locals = function_->locals.size();
    try {
      FlatStatement f;
      f.kind = FlatStatement::Kind::kFor;
      f.origin = e_.origin(c, s.range);
      f.first = e_.eval_scalar(*range.start, c);
      f.step = range.step == nullptr ? pool.integer(1) : e_.eval_scalar(*range.step, c);
      f.last = e_.eval_scalar(*range.stop, c);
      const ScalarType type = pool[f.first].type;
      FlatLocal local;
      local.name = std::string(index.name.text) + "$" + std::to_string(locals);
      local.type = type;
      f.local = LocalId{static_cast<std::int32_t>(locals)};
      function_->locals.push_back(std::move(local));
      const Frame frame{c.frame, index.name.text, scalar_value(pool, pool.local(f.local, type))};
      Context inner = c;
      inner.frame = &frame;
      f.branches.emplace_back();
      make_for(s, at + 1, inner, f.branches[0].body);
      out.push_back(std::move(f));
      return;
    } catch (const Failure&) {
      function_->locals.resize(locals);  // sizes depend on the loop: unroll it
    }
  }
  const bool breaks = at + 1 == s.indices.size() && has_break(s.branches[0].body);
  Flag broken;
  if (breaks) {
    broken.value = temporary(ScalarType::kBoolean);
    assign_one(broken.value, pool.boolean(false), c, s.range, out);
    broken.set = out.back();
    broken.set.value = pool.boolean(true);
  }
  Context structural = c;
  structural.structural = true;
  const IndexUse use = find_use(index.name.text, s.branches[0].body);
  for (Value& v : e_.range_values(index, structural, &use)) {
    const Frame frame{c.frame, index.name.text, std::move(v)};
    Context inner = c;
    inner.frame = &frame;
    if (!breaks) {
      make_for(s, at + 1, inner, out);
      continue;
    }
    std::vector<FlatStatement> turn;
    make_for(s, at + 1, inner, turn);
    replace_breaks(turn, broken);
    out.push_back(unless(broken, std::move(turn)));
  }
}

FlatStatement StatementMaker::unless(const Flag& broken, std::vector<FlatStatement> body) {
  FlatStatement f;
  f.kind = FlatStatement::Kind::kIf;
  f.origin = broken.set.origin;
  f.branches.push_back({{e_.pool().make(Op::kNot, {broken.value})}, std::move(body)});
  return f;
}

// In a loop that is unrolled: `break` sets a flag, and what could run behind it asks for the flag.
void StatementMaker::replace_breaks(std::vector<FlatStatement>& list, const Flag& broken) {
  const auto first = std::find_if(list.begin(), list.end(), may_break);
  if (first == list.end()) return;
  std::vector<FlatStatement> rest(std::next(first), list.end());
  list.erase(std::next(first), list.end());
  if (list.back().kind == FlatStatement::Kind::kBreak) {
    list.back() = broken.set;
    return;  // the rest is never reached
  }
  for (FlatStatement::Branch& b : list.back().branches) replace_breaks(b.body, broken);
  if (rest.empty()) return;
  replace_breaks(rest, broken);
  list.push_back(unless(broken, std::move(rest)));
}

void StatementMaker::make_when(const Statement& s, const Context& c,
                               std::vector<FlatStatement>& out) {
  if (in_when_ || function_ != nullptr) {
    fail(Code::kBadEquation, "`when` cannot stand in another `when` or in a function",
         e_.instances().span(c.scope, s.range));
  }
  in_when_ = true;
  FlatStatement f;
  f.kind = FlatStatement::Kind::kWhen;
  f.origin = e_.origin(c, s.range);
  for (const Branch<Statement>& b : s.branches) {
    FlatStatement::Branch branch;
    const Value v = e_.eval(*b.condition, c);
    if (v.dims.size() > 1 || v.type != ScalarType::kBoolean) {
      fail(Code::kTypeMismatch, "the condition of `when` is a Boolean or a vector of them",
           e_.span(c, *b.condition));
    }
    branch.conditions = v.elements;
    make(b.body, c, branch.body);
    f.branches.push_back(std::move(branch));
  }
  in_when_ = false;
  out.push_back(std::move(f));
}

void StatementMaker::make_call(const Statement& s, const Context& c,
                               std::vector<FlatStatement>& out) {
  const auto& call = as<CallExpr>(*s.left);
  const std::string_view name =
      call.callee->parts.size() == 1 ? call.callee->parts[0].name.text : std::string_view();
  FlatStatement f;
  f.origin = e_.origin(c, s.range);
  if (name == "assert") {
    f.kind = FlatStatement::Kind::kAssert;
    f.value = e_.eval_boolean(e_.argument(call, 0, "condition", c), c);
    if (e_.pool().is_value(f.value, 1)) return;
    const Expr& message = e_.argument(call, 1, "message", c);
    f.message = e_.eval_scalar(message, c);
    if (e_.pool()[f.message].type != ScalarType::kString) {
      fail(Code::kTypeMismatch, "the message of `assert` is a String", e_.span(c, message));
    }
    if (const Expr* level = e_.optional_argument(call, 2, "level")) {
      const Value v = e_.eval_constant(*level, c);
      if (e_.pool().value(v.scalar()) == 1) f.level = AssertionLevel::kWarning;
    }
  } else if (name == "terminate") {
    f.kind = FlatStatement::Kind::kTerminate;
    f.message = e_.eval_scalar(e_.argument(call, 0, "message", c), c);
  } else if (name == "reinit") {
    const Value target = e_.eval(e_.argument(call, 0, "", c), c);
    const Value value = e_.eval(e_.argument(call, 1, "", c), c);
    if (target.dims != value.dims || target.elements.size() != value.elements.size()) {
      fail(Code::kSizeMismatch, "the sizes do not fit", e_.span(c, call));
    }
    for (std::size_t i = 0; i < target.elements.size(); ++i) {
      f.kind = FlatStatement::Kind::kReinit;
      f.target = e_.as_variable(target.elements[i], "reinit", e_.span(c, call));
      f.value = e_.convert(value.elements[i], ScalarType::kReal);
      out.push_back(f);
    }
    return;
  } else {
    for (const Value& v : e_.eval_effect(call, c)) {
      assign_one(temporary(v.type), v.scalar(), c, s.range, out);
    }
    return;
  }
  out.push_back(std::move(f));
}

void StatementMaker::collect(const Value& target, const Value& value, diag::Span where,
                             std::vector<ExprId>& targets, std::vector<ExprId>& values,
                             std::vector<ScalarType>& types) {
  if (target.is_record() != value.is_record() ||
      (target.is_record() && target.fields.size() != value.fields.size())) {
    fail(Code::kTypeMismatch, "a record can be assigned only a record of its kind", where);
  }
  if (target.is_record()) {
    for (const auto& [name, field] : target.fields) {
      const Value* v = value.field(name);
      if (v == nullptr) fail(Code::kTypeMismatch, "the value lacks " + quoted(name), where);
      collect(field, *v, where, targets, values, types);
    }
    return;
  }
  const Value fit = e_.fitted(value, target.dims, false, target.type, where);
  targets.insert(targets.end(), target.elements.begin(), target.elements.end());
  values.insert(values.end(), fit.elements.begin(), fit.elements.end());
  types.insert(types.end(), target.elements.size(), target.type);
}

void StatementMaker::assign(const Value& target, const Value& value, const Context& c,
                            TextRange range, std::vector<FlatStatement>& out) {
  std::vector<ExprId> targets;
  std::vector<ExprId> values;
  std::vector<ScalarType> types;
  collect(target, value, e_.instances().span(c.scope, range), targets, values, types);
  assign_scalars(std::move(targets), std::move(values), types, c, range, out);
}

bool StatementMaker::uses(ExprId root, const std::vector<ExprId>& targets) {
  const ExprPool& pool = e_.pool();
  std::unordered_set<std::int32_t> nodes, arrays;
  for (const ExprId t : targets) {
    nodes.insert(t.index);
    if (pool[t].op == Op::kElement) arrays.insert(pool[t].index);
  }
  std::vector<ExprId> stack{root};
  std::unordered_set<std::int32_t> seen;
  while (!stack.empty()) {
    const ExprId e = stack.back();
    stack.pop_back();
    if (!seen.insert(e.index).second) continue;
    const ExprNode& node = pool[e];
    if (nodes.count(e.index) > 0) return true;
    if (node.op == Op::kElement && arrays.count(node.index) > 0) return true;
    for (const ExprId a : pool.args(e)) stack.push_back(a);
  }
  return false;
}

ExprId StatementMaker::temporary(ScalarType type) {
  if (function_ != nullptr) {
    FlatLocal local;
    local.name = "$t" + std::to_string(function_->locals.size());
    local.type = type;
    function_->locals.push_back(std::move(local));
    return e_.pool().local(LocalId{static_cast<std::int32_t>(function_->locals.size()) - 1}, type);
  }
  FlatVariable v;
  v.name = "$t" + std::to_string(e_.model().variables.size());
  v.type = type;
  v.hidden = true;
  if (type != ScalarType::kReal) v.variability = decltype(v.variability)::kDiscrete;
  if (initial_) {
    v.variability = decltype(v.variability)::kParameter;
    v.fixed = false;
  }
  return e_.model().ref(e_.model().add(std::move(v)));
}

// All values are those before the assignment.
void StatementMaker::assign_scalars(std::vector<ExprId> targets, std::vector<ExprId> values,
                                    const std::vector<ScalarType>& types, const Context& c,
                                    TextRange range, std::vector<FlatStatement>& out) {
  if (targets.size() > 1 && targets.size() < 2000) {
    bool crossing = false;
    for (std::size_t i = 0; i < values.size() && !crossing; ++i) {
      if (!is_literal(e_.pool(), values[i]) && values[i] != targets[i]) {
        crossing = uses(values[i], targets);
      }
    }
    if (crossing) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        const ExprId t = temporary(types[i]);
        assign_one(t, values[i], c, range, out);
        values[i] = t;
      }
    }
  }
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (values[i] != targets[i]) assign_one(targets[i], values[i], c, range, out);
  }
}

void StatementMaker::assign_one(ExprId target, ExprId value, const Context& c, TextRange range,
                                std::vector<FlatStatement>& out) {
  ExprPool& pool = e_.pool();
  FlatStatement f;
  f.origin = e_.origin(c, range);
  f.value = value;
  switch (pool[target].op) {
    case Op::kVar:
      f.target = pool.var(target);
      if (e_.model()[f.target].variability <= decltype(FlatVariable::variability)::kParameter &&
          e_.model()[f.target].fixed.value_or(true)) {
        fail(Code::kBadTarget,
             quoted(e_.model()[f.target].name) + " cannot be assigned: it is a " +
                 std::string(to_string(e_.model()[f.target].variability)),
             e_.instances().span(c.scope, range));
      }
      break;
    case Op::kLocal:
      f.local = LocalId{pool[target].index};
      if (function_ != nullptr && f.local.index < function_->inputs) {
        fail(Code::kBadTarget, "an input of a function cannot be assigned",
             e_.instances().span(c.scope, range));
      }
      break;
    case Op::kElement: {
      f.local = LocalId{pool[target].index};
      const auto subs = pool.args(target);
      f.subscripts.assign(subs.begin(), subs.end());
      break;
    }
    case Op::kIndex: {
      // An element of an array that is chosen when the model runs: one branch for each.
      f.kind = FlatStatement::Kind::kIf;
      f.value = {};
      const std::vector<ExprId> args(pool.args(target).begin(), pool.args(target).end());
      const auto size = static_cast<int>(args.size()) - 1;
      for (int k = 1; k <= size; ++k) {
        FlatStatement::Branch& branch = f.branches.emplace_back();
        branch.conditions = {pool.make(Op::kEqual, {args[0], pool.integer(k)})};
        assign_one(args[static_cast<std::size_t>(k)], value, c, range, branch.body);
      }
      FlatStatement& check = f.branches.emplace_back().body.emplace_back();
      check.kind = FlatStatement::Kind::kAssert;
      check.origin = f.origin;
      check.value = pool.boolean(false);
      const ExprId subscript = pool.make(Op::kToString, {args[0]});
      check.message = pool.add(
          pool.add(pool.string("subscript "), subscript),
          pool.string(" of the array that is assigned is not in 1 .. " + std::to_string(size)));
      break;
    }
    default:
      fail(Code::kBadTarget, "this cannot be assigned", e_.instances().span(c.scope, range));
  }
  out.push_back(std::move(f));
}

}  // namespace arges::lang
