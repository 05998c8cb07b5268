#include "arges/flatten/run_time_vectors.h"

#include <algorithm>
#include <array>

#include "arges/flatten/outlined_fold.h"
#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;

namespace {

constexpr std::string_view kHere = "$at";  // no name of a text

// Predefined functions of one scalar.
bool is_elementwise(std::string_view name) {
  constexpr std::array<std::string_view, 18> kNames = {
      "abs",  "sign", "sqrt", "floor", "ceil", "integer", "sin", "cos", "tan",
      "asin", "acos", "atan", "sinh",  "cosh", "tanh",    "exp", "log", "log10"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

ReferenceExpr named(const ReferencePart& part, TextRange range) {
  ReferenceExpr r;
  r.kind = ExprKind::kReference;
  r.range = range;
  r.parts = {&part, 1};
  return r;
}

// A position that no function has a local for: OutlinedFold gives it one.
ExprId position(Evaluator& e) {
  return e.pool().local(LocalId{OutlinedFold::kFirstPosition + e.made_positions++},
                        ScalarType::kInteger);
}

}  // namespace

bool RunTimeVectors::may_be(const Evaluator& evaluator, const Failure& why, const Context& c) {
  const Code code = why.diagnostic.code;
  return evaluator.function_around != nullptr && !c.structural && !why.tried &&
         (code == Code::kNotConstant || code == Code::kNotSupported);
}

RunTimeVectors::Item RunTimeVectors::make(const Expr& e, const Context& c) {
  if (e.kind == ExprKind::kTuple) {
    const auto& t = as<TupleExpr>(e);
    if (t.elements.size() == 1 && t.elements[0] != nullptr) return make(*t.elements[0], c);
  }
  // What is made of parts first by its parts, else as it is: to try both at each level would double
  // the work at each.
  const bool by_parts = e.kind == ExprKind::kChain || e.kind == ExprKind::kUnary ||
                        e.kind == ExprKind::kIf ||
                        (e.kind == ExprKind::kCall && as<CallExpr>(e).callee->parts.size() == 1 &&
                         is_elementwise(as<CallExpr>(e).callee->parts[0].name.text));
  std::optional<Failure> failure;
  try {
    return by_parts ? of_parts(e, c) : whole(e, c);
  } catch (const Failure& f) {
    if (f.tried) throw;
    failure = f;
  }
  if (!by_parts) return of_parts(e, c);
  const FunctionAround none(e_, nullptr);
  try {
    return whole(e, c);
  } catch (const Failure&) {
    throw Failure(*failure);
  }
}

// A scalar, or a vector of a length that is known.
RunTimeVectors::Item RunTimeVectors::whole(const Expr& e, const Context& c) {
  Value v = e_.eval(e, c);
  if (v.kind == Value::Kind::kArray && v.dims.empty()) return {false, {}, {}, std::move(v)};
  if (v.kind != Value::Kind::kArray || v.dims.size() != 1 || v.elements.empty()) {
    fail(Code::kNotSupported,
         "this cannot stand beside a vector whose length is known only during the run",
         e_.span(c, e));
  }
  if (e.kind == ExprKind::kReference) return reference(as<ReferenceExpr>(e), c);
  const ExprId size = e_.pool().integer(v.dims[0]);
  Item item{true, size, size, v};
  item.element.dims.clear();
  item.element.elements = {e_.pool().index(e_.pool().intern(print(e)), at_, v.elements)};
  return item;
}

RunTimeVectors::Item RunTimeVectors::of_parts(const Expr& e, const Context& c) {
  switch (e.kind) {
    case ExprKind::kReference:
      return reference(as<ReferenceExpr>(e), c);
    case ExprKind::kRange:
      return range(as<RangeExpr>(e), c);
    case ExprKind::kChain:
      return chain(as<ChainExpr>(e), c);
    case ExprKind::kIf:
      return choice(as<IfExpr>(e), c);
    case ExprKind::kCall:
      return call(as<CallExpr>(e), c);
    case ExprKind::kArray: {
      const auto& a = as<ArrayExpr>(e);
      if (a.iterators.size() == 1) return comprehension(*a.elements[0], a.iterators[0], c);
      break;
    }
    case ExprKind::kUnary: {
      const auto& u = as<UnaryExpr>(e);
      Item item = make(*u.operand, c);
      if (u.op == UnaryOp::kNot) break;
      if (u.op == UnaryOp::kMinus || u.op == UnaryOp::kElementMinus)
        item.element.elements = {e_.pool().neg(item.element.scalar())};
      return item;
    }
    default:
      break;
  }
  fail(Code::kNotSupported, "this cannot be a vector whose length is known only during the run",
       e_.span(c, e));
}

// first + (at - 1) step
RunTimeVectors::Item RunTimeVectors::range(const RangeExpr& e, const Context& c) {
  ExprPool& pool = e_.pool();
  const Value first = e_.eval(*e.start, c);
  const ExprId last = e_.eval_scalar(*e.stop, c);
  const ExprId step = e.step == nullptr ? pool.integer(1) : e_.eval_scalar(*e.step, c);
  for (const ExprId x : {first.scalar(), last, step}) {
    if (pool[x].type != ScalarType::kInteger) {
      fail(Code::kNotSupported, "a range whose length is known only during the run is of Integers",
           e_.span(c, e));
    }
  }
  const ExprId distance = pool.sub(last, first.scalar());
  const ExprId steps =
      pool.is_value(step, 1) ? distance : pool.make(Op::kToInteger, {pool.div(distance, step)});
  Item item;
  item.is_vector = true;
  item.length = pool.make(Op::kMax, {pool.integer(0), pool.add(steps, pool.integer(1))});
  const ExprId behind = pool.mul(pool.sub(at_, pool.integer(1)), step);
  item.element = scalar_value(pool, pool.is_value(step, 1) && pool.is_value(first.scalar(), 1)
                                        ? at_
                                        : pool.add(first.scalar(), behind));
  return item;
}

RunTimeVectors::Item RunTimeVectors::reference(const ReferenceExpr& r, const Context& c) {
  ExprPool& pool = e_.pool();
  std::vector<ReferencePart> parts(r.parts.begin(), r.parts.end());
  std::vector<std::vector<const Expr*>> lists(parts.size());
  const ReferencePart here{{kHere, r.range.begin}, {}};
  const ReferenceExpr position = named(here, r.range);
  Item item;
  Value index;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    ReferenceExpr so_far = r;  // without the subscripts of this part
    std::vector<ReferencePart> some(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(k));
    some.push_back({parts[k].name, {}});
    so_far.parts = some;
    const Frame frame{c.frame, kHere, item.is_vector ? index : Value{}};
    Context with = c;
    if (item.is_vector) with.frame = &frame;
    const std::vector<ExprId> open = e_.run_time_sizes(so_far, with);
    std::vector<ExprId> all = open;
    if (open.empty()) {
      for (const int size : e_.shape(so_far, with)) all.push_back(pool.integer(size));
    }
    const ExprList given = parts[k].subscripts;
    for (std::size_t d = 0; d < all.size(); ++d) {
      const ExprId size = all[d];
      Context inner = c;
      inner.end = open.empty() ? static_cast<int>(pool.value(size)) : -1;
      inner.end_size = open.empty() ? ExprId{} : size;
      const Expr* s = d < given.size() ? given[d] : nullptr;
      Item chosen;
      if (s == nullptr || s->kind == ExprKind::kColon) {
        chosen = {true, size, size, scalar_value(pool, at_)};
      } else if (s->kind == ExprKind::kRange) {
        chosen = range(as<RangeExpr>(*s), inner);
      } else {
        chosen = make(*s, inner);
      }
      if (!chosen.is_vector) {
        lists[k].push_back(s);
        continue;
      }
      if (item.is_vector) {
        fail(Code::kNotSupported, "a matrix whose size is known only during the run",
             e_.span(c, r));
      }
      chosen.most = size;
      index = chosen.element;
      item = std::move(chosen);
      lists[k].push_back(&position);
    }
    parts[k].subscripts = lists[k];
  }
  ReferenceExpr element = r;
  element.parts = parts;
  const Frame frame{c.frame, kHere, index};
  Context with = c;
  if (item.is_vector) with.frame = &frame;
  item.element = e_.eval(element, with);
  if (!item.element.is_scalar()) {
    fail(Code::kNotSupported, "this cannot be a vector whose length is known only during the run",
         e_.span(c, r));
  }
  return item;
}

void RunTimeVectors::agree(Item& a, const Item& b) {
  if (!b.is_vector) return;
  if (a.is_vector && a.length != b.length) checks_.push_back({a.length, b.length});
  if (!a.is_vector) a.length = b.length;
  if (!a.is_vector || !a.most.valid()) a.most = b.most;
  a.is_vector = true;
}

RunTimeVectors::Item RunTimeVectors::joined(BinaryOp op, const Item& a, const Item& b,
                                            diag::Span where) {
  const bool product = op == BinaryOp::kMultiply && a.is_vector && b.is_vector;
  const bool fits =
      op == BinaryOp::kElementAdd || op == BinaryOp::kElementSubtract ||
      op == BinaryOp::kElementMultiply || op == BinaryOp::kElementDivide ||
      op == BinaryOp::kElementPower || op == BinaryOp::kMultiply ||
      (op == BinaryOp::kDivide && !b.is_vector) ||
      ((op == BinaryOp::kAdd || op == BinaryOp::kSubtract) && a.is_vector == b.is_vector);
  if (!fits) fail(Code::kSizeMismatch, "this operator does not take these vectors", where);
  Item item = a;
  agree(item, b);
  item.element = e_.binary(product ? BinaryOp::kElementMultiply : op, a.element, b.element, where);
  return item;
}

RunTimeVectors::Item RunTimeVectors::chain(const ChainExpr& e, const Context& c) {
  Item item = make(*e.operands[0], c);
  for (std::size_t i = 0; i < e.operators.size(); ++i) {
    const Item next = make(*e.operands[i + 1], c);
    const TextRange range = diag::join(e.operands[0]->range, e.operands[i + 1]->range);
    const diag::Span where = e_.instances().span(c.scope, range);
    if (!item.is_vector && !next.is_vector) {
      item.element = e_.binary(e.operators[i], item.element, next.element, where);
      continue;
    }
    const bool product = e.operators[i] == BinaryOp::kMultiply && item.is_vector && next.is_vector;
    item = joined(e.operators[i], item, next, where);
    if (product) {
      item.element = fold("sum", item, c, range);
      item.is_vector = false;
    }
  }
  return item;
}

std::optional<Value> RunTimeVectors::product(Evaluator& evaluator, const ChainExpr& e,
                                             const Context& c, const Failure& why) {
  try {
    Item item = RunTimeVectors(evaluator, position(evaluator)).chain(e, c);
    if (!item.is_vector) return std::move(item.element);
  } catch (const Failure&) {
    throw Failure{why.diagnostic, true};
  }
  return std::nullopt;
}

RunTimeVectors::Item RunTimeVectors::choice(const IfExpr& e, const Context& c) {
  Item item = make(*e.otherwise, c);
  for (std::size_t i = e.branches.size(); i-- > 0;) {
    const ExprId condition = e_.eval_boolean(*e.branches[i].condition, c);
    Item taken = make(*e.branches[i].value, c);
    if (taken.is_vector != item.is_vector)
      fail(Code::kSizeMismatch, "the branches have different sizes", e_.span(c, e));
    taken.element = e_.choose(condition, taken.element, item.element, e_.span(c, e));
    if (taken.is_vector) {
      taken.length = e_.pool().if_else(condition, taken.length, item.length);
      taken.most = taken.most.valid() && item.most.valid()
                       ? e_.pool().make(Op::kMax, {taken.most, item.most})
                       : ExprId{};
    }
    item = std::move(taken);
  }
  return item;
}

RunTimeVectors::Item RunTimeVectors::call(const CallExpr& e, const Context& c) {
  ExprPool& pool = e_.pool();
  const std::string_view name =
      e.callee->parts.size() == 1 ? e.callee->parts[0].name.text : std::string_view();
  const auto length = [&](std::size_t i) {
    const ExprId n = e_.eval_scalar(*e.positional[i], c);
    if (pool[n].type != ScalarType::kInteger)
      fail(Code::kTypeMismatch, "a size is an Integer", e_.span(c, *e.positional[i]));
    return pool.make(Op::kMax, {pool.integer(0), n});
  };
  const std::size_t n = e.positional.size();
  if (e.named.empty() && e.iterators.empty()) {
    if ((name == "zeros" || name == "ones") && n == 1)
      return {true, length(0), {}, scalar_value(pool, pool.integer(name == "ones"))};
    if (name == "fill" && n == 2) {
      const Value v = e_.eval(*e.positional[0], c);
      if (v.is_scalar()) return {true, length(1), {}, v};
    }
    if (name == "linspace" && n == 3) {
      const ExprId a = e_.eval_scalar(*e.positional[0], c);
      const ExprId b = e_.eval_scalar(*e.positional[1], c);
      const ExprId points = e_.eval_scalar(*e.positional[2], c);
      const ExprId part = pool.div(pool.mul(pool.sub(b, a), pool.sub(at_, pool.integer(1))),
                                   pool.sub(points, pool.integer(1)));
      return {true,
              length(2),
              {},
              scalar_value(pool, e_.convert(pool.add(a, part), ScalarType::kReal))};
    }
    if (is_elementwise(name) && n == 1) {
      Item item = make(*e.positional[0], c);
      const ReferencePart here{{kHere, e.range.begin}, {}};
      const ReferenceExpr argument = named(here, e.range);
      const Expr* const list[] = {&argument};
      CallExpr one = e;
      one.positional = list;
      const Frame frame{c.frame, kHere, item.element};
      Context with = c;
      with.frame = &frame;
      item.element = e_.eval(one, with);
      return item;
    }
  }
  fail(Code::kNotSupported,
       "a vector whose length is known only during the run cannot be an argument or a result of " +
           in_quotes(print(*e.callee)),
       e_.span(c, e));
}

RunTimeVectors::Item RunTimeVectors::comprehension(const Expr& body, const ForIndex& index,
                                                   const Context& c) {
  if (index.range == nullptr || index.range->kind != ExprKind::kRange) {
    fail(Code::kNotSupported, "this range is known only during the run",
         e_.instances().span(c.scope, index.name.range()));
  }
  Item item = range(as<RangeExpr>(*index.range), c);
  const Frame frame{c.frame, index.name.text, item.element};
  Context inner = c;
  inner.frame = &frame;
  item.element = e_.eval(body, inner);
  if (!item.element.is_scalar()) {
    fail(Code::kNotSupported, "a matrix whose size is known only during the run", e_.span(c, body));
  }
  return item;
}

Value RunTimeVectors::fold(std::string_view name, const Item& item, const Context& c,
                           TextRange range) {
  OutlinedFold outlined(e_, name, at_, e_.origin(c, range));
  for (const auto& [a, b] : checks_) outlined.check(a, b);
  checks_.clear();
  return outlined.close(item.length, item.element, e_.instances().span(c.scope, range));
}

std::optional<Value> RunTimeVectors::reduced(Evaluator& evaluator, std::string_view name,
                                             const Expr& vector, const Context& c,
                                             const Failure& why) {
  try {
    RunTimeVectors v(evaluator, position(evaluator));
    const Item item = v.make(vector, c);
    if (item.is_vector) return v.fold(name, item, c, vector.range);
  } catch (const Failure&) {
    throw Failure{why.diagnostic, true};
  }
  return std::nullopt;
}

Value RunTimeVectors::reduced(Evaluator& evaluator, std::string_view name, const Expr& body,
                              const ForIndex& index, const Context& c, const Failure& why) {
  try {
    RunTimeVectors v(evaluator, position(evaluator));
    return v.fold(name, v.comprehension(body, index, c), c, body.range);
  } catch (const Failure&) {
    throw Failure{why.diagnostic, true};
  }
}

::arges::Statement RunTimeVectors::check(Evaluator& e, ExprId a, ExprId b, const Origin& origin) {
  ExprPool& pool = e.pool();
  ::arges::Statement s;
  s.kind = ::arges::Statement::Kind::kAssert;
  s.origin = origin;
  s.value = pool.make(Op::kEqual, {a, b});
  const auto text = [&](ExprId n) { return pool.make(Op::kToString, {n}); };
  s.message =
      pool.add(pool.add(pool.add(pool.string("vectors of "), text(a)), pool.string(" and ")),
               pool.add(text(b), pool.string(" elements do not fit" + place_text(pool, origin))));
  return s;
}

}  // namespace arges::lang
