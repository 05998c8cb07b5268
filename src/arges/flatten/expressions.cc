// Expressions: literals, operators, constructors.

#include <charconv>
#include <cmath>

#include "arges/base/saturated.h"
#include "arges/expr/text.h"
#include "arges/flatten/evaluator.h"
#include "arges/flatten/run_time_vectors.h"
#include "arges/lex/lexer.h"
#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;
using diag::Diagnostic;

void Evaluator::allow(std::size_t elements, diag::Span where) {
  if (elements > instances_.limits().elements) {
    fail(Code::kTooLarge, "this value is too large: " + std::to_string(elements) + " elements",
         where);
  }
  evaluations_ += elements / 8;
  if (++evaluations_ > instances_.limits().evaluations) {
    fail(Code::kTooLarge, "the values before the run take too long to compute", where);
  }
}

void Evaluator::count_turn(const Context& c, TextRange loop) {
  if (++turns_ <= instances_.limits().turns) return;
  throw Exhausted{Diagnostic(Code::kTooLarge,
                             "the loops of the model have more than " +
                                 std::to_string(instances_.limits().turns) + " turns",
                             instances_.span(c.scope, loop), "in this loop")};
}

Value Evaluator::eval(const Expr& e, const Context& c) {
  if (evaluations_ >= instances_.limits().evaluations) allow(0, span(c, e));
  ++evaluations_;
  Value v = evaluated(e, c);
  if (v.elements.size() > 8) allow(v.elements.size(), span(c, e));
  return v;
}

Value Evaluator::evaluated(const Expr& e, const Context& c) {
  switch (e.kind) {
    case ExprKind::kInteger:
    case ExprKind::kReal:
    case ExprKind::kString:
      return literal(as<LiteralExpr>(e), c);
    case ExprKind::kTrue:
      return scalar_value(pool(), pool().boolean(true));
    case ExprKind::kFalse:
      return scalar_value(pool(), pool().boolean(false));
    case ExprKind::kEnd:
      if (c.end < 0) fail(Code::kBadSubscript, "`end` outside of a subscript", span(c, e));
      return scalar_value(pool(), pool().integer(c.end));
    case ExprKind::kReference:
      return reference(as<ReferenceExpr>(e), c);
    case ExprKind::kCall: {
      std::vector<Value> all = call(as<CallExpr>(e), c);
      if (all.empty()) fail(Code::kWrongArguments, "this call has no result", span(c, e));
      return std::move(all[0]);
    }
    case ExprKind::kUnary:
      return unary(as<UnaryExpr>(e), c);
    case ExprKind::kChain: {
      const auto& operation = as<ChainExpr>(e);
      try {
        return chain(operation, c);
      } catch (const Failure& why) {
        const auto& all = operation.operators;
        if (!RunTimeVectors::may_be(*this, why, c) ||
            std::find(all.begin(), all.end(), BinaryOp::kMultiply) == all.end()) {
          throw;
        }
        if (auto v = RunTimeVectors::product(*this, operation, c, why)) return *v;
        throw;
      }
    }
    case ExprKind::kIf:
      return if_expr(as<IfExpr>(e), c);
    case ExprKind::kRange:
      return range(as<RangeExpr>(e), c);
    case ExprKind::kArray:
      return array(as<ArrayExpr>(e), c);
    case ExprKind::kMatrix:
      return matrix(as<MatrixExpr>(e), c);
    case ExprKind::kTuple: {
      const auto& t = as<TupleExpr>(e);
      if (t.elements.size() != 1 || t.elements[0] == nullptr) {
        fail(Code::kTypeMismatch, "a list of results cannot stand here", span(c, e));
      }
      return eval(*t.elements[0], c);
    }
    case ExprKind::kSuffix:
      return suffix(as<SuffixExpr>(e), c);
    case ExprKind::kPartial:
      return partial_application(as<PartialExpr>(e), c);
    case ExprKind::kColon:
    case ExprKind::kMissing:
      break;
  }
  fail(Code::kTypeMismatch, "an expression is needed here", span(c, e));
}

std::vector<Value> Evaluator::eval_all(const Expr& e, const Context& c) {
  if (e.kind == ExprKind::kCall) return call(as<CallExpr>(e), c);
  return {eval(e, c)};
}

std::vector<Value> Evaluator::eval_effect(const CallExpr& e, const Context& c) {
  std::vector<Value> all = call(e, c);
  for (const Value& v : all) {
    std::vector<ExprId> scalars;
    append_scalars(v, scalars);
    for (const ExprId x : scalars) {
      if (pool()[x].op == Op::kResult) return {scalar_value(pool(), x)};
    }
  }
  return {};
}

ExprId Evaluator::eval_scalar(const Expr& e, const Context& c) {
  const Value v = eval(e, c);
  if (!v.is_scalar()) fail(Code::kSizeMismatch, "a scalar is needed here", span(c, e));
  return v.scalar();
}

ExprId Evaluator::eval_boolean(const Expr& e, const Context& c) {
  const Value v = eval(e, c);
  if (!v.is_scalar() || v.type != ScalarType::kBoolean) {
    fail(Code::kTypeMismatch, "a condition is a Boolean", span(c, e));
  }
  return v.scalar();
}

Value Evaluator::literal(const LiteralExpr& e, const Context& c) {
  if (e.kind == ExprKind::kString) return string_value(decode_string(e.text));
  double number = 0;
  const auto [end, error] = std::from_chars(e.text.data(), e.text.data() + e.text.size(), number);
  if (error == std::errc::result_out_of_range && e.text.find('-') == std::string_view::npos) {
    fail(Code::kTooLarge, "the number " + std::string(e.text) + " is too large", span(c, e));
  }
  if (e.kind == ExprKind::kInteger) {
    constexpr double kLargest = 9007199254740992;  // 2^53: above, not every Integer is a double
    if (number > kLargest) {
      throw Failure{Diagnostic(Code::kTooLarge,
                               "the Integer " + std::string(e.text) + " is too large", span(c, e))
                        .suggest("write a Real, such as 1e20")};
    }
    return scalar_value(pool(), pool().integer(saturated<std::int64_t>(number)));
  }
  return scalar_value(pool(), pool().real(number));
}

Value Evaluator::unary(const UnaryExpr& e, const Context& c) {
  Value v = eval(*e.operand, c);
  if (e.op == UnaryOp::kNot) {
    if (v.type != ScalarType::kBoolean || v.is_record()) {
      fail(Code::kTypeMismatch, "`not` needs a Boolean", span(c, e));
    }
    return map(Op::kNot, v);
  }
  if (v.is_record()) {
    if (e.op == UnaryOp::kPlus) return v;
    if (auto r = operator_record("'-'", {v}, c, span(c, e))) return *r;
  }
  if (v.kind != Value::Kind::kArray ||
      (v.type != ScalarType::kReal && v.type != ScalarType::kInteger && !v.elements.empty())) {
    fail(Code::kTypeMismatch, "the sign needs a number", span(c, e));
  }
  if (e.op == UnaryOp::kMinus || e.op == UnaryOp::kElementMinus) return map(Op::kNeg, v);
  return v;
}

Value Evaluator::chain(const ChainExpr& e, const Context& c) {
  Value v = eval(*e.operands[0], c);
  for (std::size_t i = 0; i < e.operators.size(); ++i) {
    const BinaryOp op = e.operators[i];
    // What a constant decides is not looked at: b may have no meaning in `n > 0 and x[n] > 1`.
    if (v.is_scalar() && v.type == ScalarType::kBoolean && pool().is_constant(v.scalar())) {
      const bool value = pool().value(v.scalar()) != 0;
      if ((op == BinaryOp::kAnd && !value) || (op == BinaryOp::kOr && value)) continue;
    }
    const Value b = eval(*e.operands[i + 1], c);
    const TextRange range = diag::join(e.operands[0]->range, e.operands[i + 1]->range);
    const diag::Span where = instances_.span(c.scope, range);
    if (v.is_record() || b.is_record()) {
      if (auto r = operator_record("'" + std::string(spelling(op)) + "'", {v, b}, c, where)) {
        v = *r;
        continue;
      }
    }
    check_equality(op, v, b, c, where);
    v = binary(op, v, b, where);
  }
  return v;
}

Value Evaluator::binary(BinaryOp op, const Value& a, const Value& b, diag::Span where) {
  if (a.kind != Value::Kind::kArray || b.kind != Value::Kind::kArray) {
    fail(Code::kTypeMismatch, "this operator is not defined for records or functions", where);
  }
  const auto booleans = [&] {
    if (a.type != ScalarType::kBoolean || b.type != ScalarType::kBoolean) {
      fail(Code::kTypeMismatch, quoted(spelling(op)) + " needs Booleans", where);
    }
  };
  switch (op) {
    case BinaryOp::kOr:
      booleans();
      return elementwise(Op::kOr, a, b, where);
    case BinaryOp::kAnd:
      booleans();
      return elementwise(Op::kAnd, a, b, where);
    case BinaryOp::kLess:
      return relation(Op::kLess, a, b, where);
    case BinaryOp::kLessEqual:
      return relation(Op::kLessEqual, a, b, where);
    case BinaryOp::kGreater:
      return relation(Op::kGreater, a, b, where);
    case BinaryOp::kGreaterEqual:
      return relation(Op::kGreaterEqual, a, b, where);
    case BinaryOp::kEqual:
      return relation(Op::kEqual, a, b, where);
    case BinaryOp::kNotEqual:
      return relation(Op::kNotEqual, a, b, where);
    case BinaryOp::kAdd:
      return add(a, b, false, where);
    case BinaryOp::kSubtract:
      return add(a, b, true, where);
    case BinaryOp::kElementAdd:
      return elementwise(Op::kAdd, a, b, where);
    case BinaryOp::kElementSubtract:
      return elementwise(Op::kSub, a, b, where);
    case BinaryOp::kMultiply:
      return multiply(a, b, where);
    case BinaryOp::kDivide:
      if (!b.dims.empty()) fail(Code::kSizeMismatch, "the divisor of `/` is a scalar", where);
      return elementwise(Op::kDiv, a, b, where);
    case BinaryOp::kElementMultiply:
      return elementwise(Op::kMul, a, b, where);
    case BinaryOp::kElementDivide:
      return elementwise(Op::kDiv, a, b, where);
    case BinaryOp::kPower:
      return power(a, b, where);
    case BinaryOp::kElementPower:
      return elementwise(Op::kPow, a, b, where);
  }
  return a;
}

Value Evaluator::relation(Op op, const Value& a, const Value& b, diag::Span where) {
  if (!a.is_scalar() || !b.is_scalar()) {
    fail(Code::kSizeMismatch, "a relation compares scalars", where);
  }
  const auto number = [](ScalarType t) {
    return t == ScalarType::kReal || t == ScalarType::kInteger;
  };
  if (a.type != b.type && !(number(a.type) && number(b.type))) {
    fail(Code::kTypeMismatch,
         std::string(to_string(a.type)) + " cannot be compared with " +
             std::string(to_string(b.type)),
         where);
  }
  if (a.type == ScalarType::kString && is_constant(pool(), a) && is_constant(pool(), b)) {
    const int order = pool()
                          .text(StringId{pool()[a.scalar()].index})
                          .compare(pool().text(StringId{pool()[b.scalar()].index}));
    const bool result = op == Op::kEqual       ? order == 0
                        : op == Op::kNotEqual  ? order != 0
                        : op == Op::kLess      ? order < 0
                        : op == Op::kLessEqual ? order <= 0
                        : op == Op::kGreater   ? order > 0
                                               : order >= 0;
    return scalar_value(pool(), pool().boolean(result));
  }
  return scalar_value(pool(), pool().make(op, {a.scalar(), b.scalar()}));
}

Value Evaluator::power(const Value& a, const Value& b, diag::Span where) {
  if (a.dims.empty() && b.dims.empty()) return elementwise(Op::kPow, a, b, where);
  if (a.dims.size() != 2 || a.dims[0] != a.dims[1] || !b.is_scalar() ||
      !pool().is_constant(b.scalar()) || pool().value(b.scalar()) < 0 ||
      pool().value(b.scalar()) != std::floor(pool().value(b.scalar()))) {
    fail(Code::kTypeMismatch, "`^` needs scalars, or a square matrix and a constant Integer",
         where);
  }
  const auto n = static_cast<std::size_t>(a.dims[0]);
  Value v = a;
  for (std::size_t i = 0; i < n * n; ++i) v.elements[i] = pool().real(i % (n + 1) == 0 ? 1 : 0);
  Value square = a;  // a^1, a^2, a^4, ...
  for (auto k = saturated<std::int64_t>(pool().value(b.scalar())); k > 0; k /= 2) {
    if (k % 2 == 1) v = multiply(v, square, where);
    if (k > 1) square = multiply(square, square, where);
  }
  return v;
}

Value Evaluator::if_expr(const IfExpr& e, const Context& c) {
  // From the last case to the first. A case that has no meaning (x[1] of an empty array) does no
  // harm when parameters exclude it.
  std::vector<ExprId> conditions;
  std::vector<Value> values;
  bool decided = false;
  const auto add_case = [&](const Expr* condition, const Expr& value) {
    if (decided) return;
    ExprId cond = pool().boolean(true);
    if (condition != nullptr) {
      cond = eval_boolean(*condition, c);
      if (pool().is_value(cond, 0)) return;
    }
    try {
      values.push_back(eval(value, c));
    } catch (const Failure&) {
      if (condition == nullptr) {
        // The else case: one of the conditions must hold.
        for (const IfExprBranch& b : e.branches) {
          const std::optional<Value> known = try_constant(*b.condition, c);
          if (known && pool().value(known->scalar()) != 0) return;
        }
        throw;
      }
      const std::optional<Value> known = try_constant(*condition, c);
      if (!known || pool().value(known->scalar()) != 0) throw;
      return;
    }
    conditions.push_back(cond);
    decided = pool().is_value(cond, 1);
  };
  for (const IfExprBranch& b : e.branches) add_case(b.condition, *b.value);
  add_case(nullptr, *e.otherwise);
  if (values.empty()) fail(Code::kTypeMismatch, "no case of this expression applies", span(c, e));
  // Cases of different sizes: parameters must decide.
  for (const Value& v : values) {
    if (v.kind == values[0].kind && v.dims == values[0].dims) continue;
    for (std::size_t i = 0; i < e.branches.size(); ++i) {
      const Value known = eval_constant(*e.branches[i].condition, c);
      if (pool().value(known.scalar()) != 0) return eval(*e.branches[i].value, c);
    }
    return eval(*e.otherwise, c);
  }
  Value v = values.back();
  for (std::size_t i = values.size() - 1; i-- > 0;) {
    v = choose(conditions[i], values[i], v, span(c, e));
  }
  return v;
}

Value Evaluator::range(const RangeExpr& e, const Context& c) {
  // The number of elements must be known.
  const auto end_point = [&](const Expr& x) {
    Value v = eval(x, c);
    if (!v.is_scalar()) fail(Code::kSizeMismatch, "the ends of a range are scalars", span(c, x));
    if (!pool().is_constant(v.scalar())) {
      ClassNode* enumeration = v.enumeration;
      v = eval_constant(x, c);
      if (enumeration != nullptr) v.enumeration = enumeration;
    }
    return v;
  };
  const Value from = end_point(*e.start);
  const Value to = end_point(*e.stop);
  const Value step = e.step == nullptr ? Value{} : end_point(*e.step);
  const double a = pool().value(from.scalar());
  const double b = pool().value(to.scalar());
  const double s = e.step == nullptr ? 1 : pool().value(step.scalar());
  if (s == 0) fail(Code::kBadSubscript, "the step of a range is zero", span(c, e));
  const bool real = from.type == ScalarType::kReal || to.type == ScalarType::kReal ||
                    (e.step != nullptr && step.type == ScalarType::kReal);
  const double exact = (b - a) / s;
  const double n = std::floor(real ? exact + 1e-10 * std::abs(exact) : exact) + 1;
  if (!(n <= static_cast<double>(instances_.limits().elements))) {
    fail(Code::kTooLarge,
         "a range of " + value_text(ScalarType::kReal, n, 15) + " elements is too long",
         span(c, e));
  }
  Value v;
  v.type = real ? ScalarType::kReal : from.type;
  v.enumeration = from.enumeration;
  for (int i = 0; i < n; ++i) {
    const double x = a + i * s;
    v.elements.push_back(
        real                                 ? pool().real(x)
        : v.type == ScalarType::kEnumeration ? pool().enumeration(saturated<int>(x))
        : v.type == ScalarType::kBoolean     ? pool().boolean(x != 0)
                                             : pool().integer(saturated<std::int64_t>(x)));
  }
  v.dims = {static_cast<int>(v.elements.size())};
  return v;
}

std::vector<Value> Evaluator::range_values(const ForIndex& index, const Context& c,
                                           const IndexUse* use) {
  if (index.range == nullptr && use != nullptr && use->reference != nullptr) {
    return implied_range(index, *use, c);
  }
  if (index.range == nullptr) {
    fail(Code::kNotSupported, "a `for` without a range is not supported yet",
         instances_.span(c.scope, index.name.range()));
  }
  Value v = eval(*index.range, c);
  if (v.kind == Value::Kind::kFunction) {
    instances_.expand(*v.record);
    std::vector<Value> out;
    if (v.record->enumeration != nullptr) {
      const std::size_t n = instances_.tree().definition(*v.record->enumeration)->literals.size();
      for (std::size_t i = 1; i <= n; ++i) {
        out.push_back(scalar_value(pool(), pool().enumeration(static_cast<std::int64_t>(i))));
        out.back().enumeration = v.record->enumeration;
      }
      return out;
    }
    if (v.record->type == ScalarType::kBoolean) {
      return {scalar_value(pool(), pool().boolean(false)),
              scalar_value(pool(), pool().boolean(true))};
    }
  }
  if (v.dims.size() != 1) {
    fail(Code::kSizeMismatch, "the range of `for` is a vector", span(c, *index.range));
  }
  std::vector<Value> out;
  for (int i = 1; i <= v.dims[0]; ++i) out.push_back(element_of(v, i));
  return out;
}

// `for i loop` over x[i]: all positions of that dimension of x.
std::vector<Value> Evaluator::implied_range(const ForIndex& index, const IndexUse& use,
                                            const Context& c) {
  ReferenceExpr r = *use.reference;
  std::vector<ReferencePart> parts(r.parts.begin(),
                                   r.parts.begin() + static_cast<std::ptrdiff_t>(use.part) + 1);
  parts.back().subscripts = {};
  r.parts = parts;
  const Dims dims = shape(r, c);
  if (use.dimension >= dims.size()) {
    fail(Code::kBadSubscript, "the range of " + quoted(index.name.text) + " cannot be found",
         instances_.span(c.scope, index.name.range()));
  }
  // A dimension by an enumeration or Boolean is run through in its own type.
  ClassNode* enumeration = nullptr;
  bool boolean = false;
  const Place p = place(r, c);
  if (!p.instances.empty() && p.instances[0]->text != nullptr) {
    const Instance& i = *p.instances[0];
    std::vector<const Expr*> all(i.text->subscripts.begin(), i.text->subscripts.end());
    if (i.slot != nullptr && i.slot->element != nullptr) {
      const ExprList more = i.slot->element->components->subscripts;
      all.insert(all.end(), more.begin(), more.end());
    }
    if (use.dimension < all.size() && all[use.dimension]->kind == ExprKind::kReference) {
      Context here;
      here.scope = i.text_scope;
      if (const auto v = try_constant(*all[use.dimension], here);
          v && v->kind == Value::Kind::kFunction) {
        instances_.expand(*v->record);
        enumeration = v->record->enumeration;
        boolean = v->record->type == ScalarType::kBoolean;
      }
    }
  }
  std::vector<Value> out;
  for (int k = 1; k <= dims[use.dimension]; ++k) {
    out.push_back(scalar_value(pool(), enumeration != nullptr ? pool().enumeration(k)
                                       : boolean              ? pool().boolean(k == 2)
                                                              : pool().integer(k)));
    out.back().enumeration = enumeration;
  }
  return out;
}

void Evaluator::iterate(std::span<const ForIndex> indices, std::size_t at, const Context& c,
                        const std::function<void(const Context&)>& body,
                        const std::function<IndexUse(std::string_view)>& use) {
  if (at == indices.size()) {
    body(c);
    return;
  }
  IndexUse found;
  if (indices[at].range == nullptr && use) found = use(indices[at].name.text);
  for (Value& v : range_values(indices[at], c, &found)) {
    const Frame frame{c.frame, indices[at].name.text, std::move(v)};
    Context inner = c;
    inner.frame = &frame;
    iterate(indices, at + 1, inner, body, use);
  }
}

// {e for i in a, j in b}: the last index is the first dimension.
Value Evaluator::comprehension(const Expr& body, std::span<const ForIndex> indices, std::size_t at,
                               const Context& c) {
  if (at == 0) return eval(body, c);
  std::vector<Value> values;
  Frame frame{c.frame, indices[at - 1].name.text, {}};
  const IndexUse use = find_use(indices[at - 1].name.text, &body);
  for (Value& v : range_values(indices[at - 1], c, &use)) {
    frame.value = std::move(v);
    Context inner = c;
    inner.frame = &frame;
    values.push_back(comprehension(body, indices, at - 1, inner));
  }
  if (values.empty()) return array_value(pool(), {0}, {});
  return stacked(values);
}

Value Evaluator::array(const ArrayExpr& e, const Context& c) {
  if (!e.iterators.empty()) {
    return comprehension(*e.elements[0], e.iterators, e.iterators.size(), c);
  }
  std::vector<Value> values;
  for (const Expr* x : e.elements) {
    values.push_back(eval(*x, c));
    if (values.back().kind == Value::Kind::kFunction) {
      fail(Code::kTypeMismatch, "a value is needed here", span(c, *x));
    }
    if (values.back().dims != values[0].dims || values.back().kind != values[0].kind) {
      fail(Code::kSizeMismatch, "the elements of an array have different sizes", span(c, *x));
    }
  }
  if (values.empty()) return array_value(pool(), {0}, {});
  return stacked(values);
}

Value Evaluator::matrix(const MatrixExpr& e, const Context& c) {
  // All parts get as many dimensions as the largest has, but two at least (specification 10.4.2).
  std::vector<std::vector<Value>> parts;
  std::size_t dimensions = 2;
  for (const ExprList& row : e.rows) {
    if (row.empty()) fail(Code::kSizeMismatch, "a row of this matrix is empty", span(c, e));
    parts.emplace_back();
    for (const Expr* x : row) {
      parts.back().push_back(eval(*x, c));
      if (parts.back().back().kind != Value::Kind::kArray) {
        fail(Code::kTypeMismatch, "a matrix has parts of a basic type", span(c, *x));
      }
      dimensions = std::max(dimensions, parts.back().back().dims.size());
    }
  }
  // Equal but along the dimension in which the two are joined.
  const auto fit = [](Dims a, Dims b, std::size_t along) {
    a[along] = b[along] = 0;
    return a == b;
  };
  std::vector<Value> rows;
  for (std::size_t r = 0; r < parts.size(); ++r) {
    for (std::size_t i = 0; i < parts[r].size(); ++i) {
      Value& v = parts[r][i];
      while (v.dims.size() < dimensions) v.dims.push_back(1);
      if (!fit(v.dims, parts[r][0].dims, 1)) {
        fail(Code::kSizeMismatch, "the parts of a row have different heights",
             span(c, *e.rows[r][i]));
      }
    }
    rows.push_back(joined(parts[r], 1));
    if (!fit(rows.back().dims, rows[0].dims, 0)) {
      fail(Code::kSizeMismatch, "the rows of a matrix have different lengths", span(c, e));
    }
  }
  if (rows.empty()) fail(Code::kSizeMismatch, "this matrix has no rows", span(c, e));
  return joined(rows, 0);
}

Value Evaluator::suffix(const SuffixExpr& e, const Context& c) {
  const Value v = eval(*e.base, c);
  if (e.member.text.empty()) return apply(v, subscripts(e.subscripts, v.dims, c, span(c, e)));
  const Value* field = v.field(e.member.text);
  if (field == nullptr) {
    fail(Code::kUnknownElement, "this value has no field " + quoted(e.member.text), span(c, e));
  }
  return *field;
}

}  // namespace arges::lang
