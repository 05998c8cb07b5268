// Assignments of algorithms and functions.

#include <map>
#include <unordered_set>

#include "arges/flatten/function_maker.h"
#include "arges/flatten/run_time_vectors.h"
#include "arges/flatten/statement_maker.h"

namespace arges::lang {

using diag::Code;

// The index of a loop may be kept in a local; it cannot be assigned all the same.
void StatementMaker::check_no_index(const Expr& target, const Context& c) {
  if (target.kind != ExprKind::kReference || as<ReferenceExpr>(target).global) return;
  const std::string_view name = as<ReferenceExpr>(target).parts[0].name.text;
  for (const Frame* f = c.frame; f != nullptr; f = f->outer) {
    if (f->name == name)
      fail(Code::kBadTarget, in_quotes(name) + " is the index of a loop", e_.span(c, target));
  }
}

void StatementMaker::make_assign(const Statement& s, const Context& c,
                                 std::vector<FlatStatement>& out) {
  if (s.left->kind != ExprKind::kTuple) {
    const Value value = e_.eval(*s.right, c);
    check_no_index(*s.left, c);
    set_size(*s.left, value, c);
    assign(e_.eval(*s.left, c), value, c, s.range, out);
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
    check_no_index(*targets[i], c);
    set_size(*targets[i], values[i], c);
    collect(e_.eval(*targets[i], c), values[i], e_.span(c, *targets[i]), t, v, types);
  }
  assign_scalars(std::move(t), std::move(v), types, c, s.range, out);
  return;
}

void StatementMaker::set_size(const Expr& target, const Value& value, const Context& c) {
  if (function_ == nullptr || target.kind != ExprKind::kReference || value.dims.empty()) return;
  const auto& r = as<ReferenceExpr>(target);
  if (r.parts.size() != 1 || !r.parts[0].subscripts.empty() || c.scope.instance == nullptr) return;
  Slot* slot = e_.instances().find(*c.scope.instance, r.parts[0].name.text);
  if (slot == nullptr || slot->kind != MemberKind::kComponent || slot->instance == nullptr) return;
  Instance& i = *slot->instance;
  if (!Instances::is_open(i) || i.given) return;
  if (i.basic == Basic::kNone) throw OpenSize{std::string(slot->name), value.dims};
  if (!i.local.valid()) return;
  i.dims = value.dims;
  function_->locals[static_cast<std::size_t>(i.local.index)].dims.assign(i.dims.begin(),
                                                                         i.dims.end());
}

// A := zeros(n, m), ones or fill, where the sizes of A are known only when the function runs: a
// loop for each dimension.
bool StatementMaker::assign_filled(const Statement& s, const Context& c,
                                   std::vector<FlatStatement>& out) {
  if (s.right->kind != ExprKind::kCall) return false;
  const auto& target = as<ReferenceExpr>(*s.left);
  const std::vector<ExprId> sizes = e_.run_time_sizes(target, c);
  const auto& call = as<CallExpr>(*s.right);
  const std::string_view name =
      call.callee->parts.size() == 1 ? call.callee->parts[0].name.text : std::string_view();
  const std::size_t first = name == "fill" ? 1 : 0;
  if (sizes.size() < 2 || (name != "zeros" && name != "ones" && name != "fill") ||
      call.positional.size() != first + sizes.size() || !call.named.empty()) {
    return false;
  }
  ExprPool& pool = e_.pool();
  const Value array = *e_.run_time_array(target, c);
  const Value value = name == "fill" ? e_.eval(*call.positional[0], c)
                                     : scalar_value(pool, pool.integer(name == "ones" ? 1 : 0));
  const Value fit =
      e_.fitted(value, {}, false, array.type, e_.span(c, *s.right), array.enumeration);
  const Origin origin = e_.origin(c, s.range);
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    const ExprId size = e_.eval_scalar(*call.positional[first + d], c);
    if (size != sizes[d]) out.push_back(RunTimeVectors::check(e_, sizes[d], size, origin));
  }
  const ExprId kept = temporary(array.type);  // the value may be made of elements
  assign_one(kept, fit.scalar(), c, s.range, out);
  std::vector<ExprId> at;
  std::vector<FlatStatement>* body = &out;
  for (const ExprId size : sizes) {
    FlatStatement f;
    f.kind = FlatStatement::Kind::kFor;
    f.origin = origin;
    f.local = add_local("$at", ScalarType::kInteger);
    f.first = f.step = pool.integer(1);
    f.last = size;
    at.push_back(pool.local(f.local, ScalarType::kInteger));
    f.branches.emplace_back();
    body->push_back(std::move(f));
    body = &body->back().branches[0].body;
  }
  const LocalId local{pool[array.scalar()].index};
  assign_one(pool.element(local, at, array.type), kept, c, s.range, *body);
  return true;
}

// a[1:n] := b[1:n] with a length that is known only when the function runs: a loop, and a second
// one when elements of the target are read.
void StatementMaker::assign_vector(const Statement& s, const Context& c,
                                   std::vector<FlatStatement>& out) {
  if (assign_filled(s, c, out)) return;
  ExprPool& pool = e_.pool();
  const LocalId position = add_local("$at", ScalarType::kInteger);
  const ExprId at = pool.local(position, ScalarType::kInteger);
  RunTimeVectors vectors(e_, at);
  const RunTimeVectors::Item target = vectors.reference(as<ReferenceExpr>(*s.left), c);
  RunTimeVectors::Item value = vectors.make(*s.right, c);
  const diag::Span where = e_.instances().span(c.scope, s.range);
  if (!target.is_vector || !value.is_vector)
    fail(Code::kSizeMismatch, "a vector is assigned a vector", where);
  const Origin origin = e_.origin(c, s.range);
  for (const auto& [a, b] : vectors.checks())
    out.push_back(RunTimeVectors::check(e_, a, b, origin));
  if (target.length != value.length)
    out.push_back(RunTimeVectors::check(e_, target.length, value.length, origin));
  const auto loop = [&](ExprId to, ExprId from) {
    FlatStatement f;
    f.kind = FlatStatement::Kind::kFor;
    f.origin = origin;
    f.local = position;
    f.first = f.step = pool.integer(1);
    f.last = target.length;
    assign_one(to, from, c, s.range, f.branches.emplace_back().body);
    out.push_back(std::move(f));
  };
  const Value fit =
      e_.fitted(value.element, {}, false, target.element.type, where, target.element.enumeration);
  const ExprId to = target.element.scalar();
  if (!crosses({fit.scalar()}, {to})) return loop(to, fit.scalar());
  const LocalId kept = add_local("$kept", target.element.type, target.most);
  const ExprId place = pool.element(kept, {&at, 1}, target.element.type);
  loop(place, fit.scalar());
  loop(to, place);
}

void StatementMaker::make_value(const Instance& array, std::vector<FlatStatement>& out) {
  const Binding b = e_.instances().binding(array);
  if (b.expr == nullptr) return;
  const ReferencePart part{{array.name, b.expr->range.begin}, {}};
  ReferenceExpr target;
  target.kind = ExprKind::kReference;
  target.range = b.expr->range;
  target.parts = {&part, 1};
  Statement s;
  s.kind = StatementKind::kAssign;
  s.range = b.expr->range;
  s.left = &target;
  s.right = b.expr;
  Context c;
  c.scope = b.scope;
  c.in_function = true;
  assign_vector(s, c, out);
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
      if (v == nullptr) fail(Code::kTypeMismatch, "the value lacks " + in_quotes(name), where);
      collect(field, *v, where, targets, values, types);
    }
    return;
  }
  const Value fit = e_.fitted(value, target.dims, false, target.type, where, target.enumeration);
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

// Whether a value is, or is made of, one of the targets other than its own. A chosen element may be
// any of those that it is chosen from.
bool StatementMaker::crosses(const std::vector<ExprId>& values,
                             const std::vector<ExprId>& targets) {
  const ExprPool& pool = e_.pool();
  std::unordered_set<std::int32_t> nodes, arrays, seen;
  std::vector<ExprId> stack = targets;
  while (!stack.empty()) {
    const ExprId t = stack.back();
    stack.pop_back();
    if (!nodes.insert(t.index).second) continue;
    if (pool[t].op == Op::kElement) arrays.insert(pool[t].index);
    if (pool[t].op == Op::kIndex) {
      const auto elements = pool.args(t).subspan(1);
      stack.insert(stack.end(), elements.begin(), elements.end());
    }
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i >= targets.size() || values[i] != targets[i]) stack.push_back(values[i]);
  }
  while (!stack.empty()) {
    const ExprId e = stack.back();
    stack.pop_back();
    if (!seen.insert(e.index).second) continue;
    const ExprNode& node = pool[e];
    if (nodes.contains(e.index)) return true;
    if (node.op == Op::kElement && arrays.contains(node.index)) return true;
    for (const ExprId a : pool.args(e)) stack.push_back(a);
  }
  return false;
}

// An array of so many elements, or of a size that is known only when the function runs.
LocalId StatementMaker::add_local(std::string_view name, ScalarType type, ExprId size) {
  if (is_literal(e_.pool(), size))
    return add_local(name, type, Dims{static_cast<int>(e_.pool().value(size))});
  const LocalId id = add_local(name, type, Dims{0});
  function_->locals.back().sizes = {size};
  return id;
}

LocalId StatementMaker::add_local(std::string_view name, ScalarType type, const Dims& dims) {
  FlatLocal local;
  local.name = std::string(name) + (name.starts_with('$') ? "" : "$") +
               std::to_string(function_->locals.size());
  local.type = type;
  local.dims.assign(dims.begin(), dims.end());
  function_->locals.push_back(std::move(local));
  return LocalId{static_cast<std::int32_t>(function_->locals.size()) - 1};
}

ExprId StatementMaker::temporary(ScalarType type) {
  if (function_ != nullptr) {
    return e_.pool().local(add_local("$t", type), type);
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
  temporaries_.push_back(e_.model().add(std::move(v)));
  return e_.model().ref(temporaries_.back());
}

void StatementMaker::drop_temporaries(std::size_t kept) {
  std::vector<FlatVariable>& variables = e_.model().variables;
  ExprPool& pool = e_.pool();
  for (; temporaries_.size() > kept; temporaries_.pop_back()) {
    const auto i = static_cast<std::size_t>(temporaries_.back().index);
    if (i + 1 == variables.size()) {
      variables.pop_back();
      continue;
    }
    // Others were made behind it.
    FlatVariable& v = variables[i];
    v.variability = FlatVariability::kConstant;
    v.fixed.reset();
    v.binding = v.type == ScalarType::kReal      ? pool.real(0)
                : v.type == ScalarType::kBoolean ? pool.boolean(false)
                : v.type == ScalarType::kString  ? pool.string("")
                : v.type == ScalarType::kInteger ? pool.integer(0)
                                                 : pool.enumeration(1);
  }
}

// Which elements are assigned is settled before the first of them is: p[p] := {1, 2}.
void StatementMaker::keep_positions(std::vector<ExprId>& targets, const Context& c, TextRange range,
                                    std::vector<FlatStatement>& out) {
  if (targets.size() < 2) return;
  ExprPool& pool = e_.pool();
  std::map<std::int32_t, ExprId> kept;
  // The same target; `what` gives the positions that it has.
  const auto with_positions = [&](auto&& self, ExprId target, auto what) -> ExprId {
    const Op op = pool[target].op;
    if (op != Op::kElement && op != Op::kIndex) return target;
    std::vector<ExprId> args(pool.args(target).begin(), pool.args(target).end());
    for (std::size_t k = 0; k < args.size(); ++k) {
      if (op == Op::kIndex && k > 0) {
        args[k] = self(self, args[k], what);
      } else if (!pool.is_constant(args[k])) {
        args[k] = what(args[k]);
      }
    }
    return op == Op::kIndex ? pool.rebuild(target, args)
                            : pool.element(LocalId{pool[target].index}, args, pool[target].type);
  };
  std::vector<ExprId> positions = targets;  // those before the positions cross nothing
  for (const ExprId t : targets) {
    with_positions(with_positions, t, [&](ExprId position) {
      if (kept.emplace(position.index, position).second) positions.push_back(position);
      return position;
    });
  }
  if (kept.empty() || !crosses(positions, targets)) return;
  for (auto& [index, position] : kept) {
    const ExprId t = temporary(pool[position].type);
    assign_one(t, position, c, range, out);
    position = t;
  }
  for (ExprId& t : targets) {
    t = with_positions(with_positions, t, [&](ExprId position) { return kept.at(position.index); });
  }
}

// All values are those before the assignment.
void StatementMaker::assign_scalars(std::vector<ExprId> targets, std::vector<ExprId> values,
                                    const std::vector<ScalarType>& types, const Context& c,
                                    TextRange range, std::vector<FlatStatement>& out) {
  keep_positions(targets, c, range, out);
  if (targets.size() > 1 && crosses(values, targets)) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const ExprId t = temporary(types[i]);
      assign_one(t, values[i], c, range, out);
      values[i] = t;
    }
  }
  for (std::size_t i = 0; i < targets.size(); ++i) {
    // y := y in a loop that becomes a function: what it gives is y, if it ends.
    if (values[i] != targets[i] || in_loop_function_) {
      assign_one(targets[i], values[i], c, range, out);
    } else {
      add_unreached(targets[i]);
    }
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
      e_.check_assignable(f.target, e_.instances().span(c.scope, range));
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
      ++choices_;
      if (in_loop_function_) {
        f.subscripts = {target};
        break;
      }
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