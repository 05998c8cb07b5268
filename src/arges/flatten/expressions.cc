// Expressions: literals, operators, constructors.

#include <charconv>
#include <cmath>

#include "arges/base/saturated.h"
#include "arges/base/stack_room.h"
#include "arges/expr/text.h"
#include "arges/flatten/evaluator.h"
#include "arges/flatten/operator_records.h"
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

// The stack ends. Nobody may try on: each who does would come here again.
[[noreturn]] static void fail_too_long(diag::Span where) {
  Diagnostic d(Code::kTooLarge,
               "this follows from a chain of values, sizes, loops or calls that is too long", where,
               "the chain has come to here");
  d.suggest(
      "put what the elements of the chain are into an array, or give some of them as numbers");
  throw Exhausted{std::move(d)};
}

Value Evaluator::eval(const Expr& e, const Context& c) {
  if (evaluations_ >= instances_.limits().evaluations) allow(0, span(c, e));
  if (stack_is_short()) fail_too_long(span(c, e));
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
      if (c.end_size.valid()) return scalar_value(pool(), c.end_size);
      if (c.end < 0) fail(Code::kBadSubscript, "`end` outside of a subscript", span(c, e));
      return position_value(c.end, c.end_type);
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

ExprId Evaluator::eval_text(const Expr& message, std::string_view of, const Context& c) {
  const ExprId text = eval_scalar(message, c);
  if (pool()[text].type != ScalarType::kString) {
    fail(Code::kTypeMismatch, "the message of " + in_quotes(of) + " is a String", span(c, message));
  }
  return text;
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
    if (v.is_record()) {
      if (auto r = OperatorRecords(*this, c, span(c, e)).unary("'not'", v)) return *r;
    }
    if (v.type != ScalarType::kBoolean || v.is_record()) {
      fail(Code::kTypeMismatch, "`not` needs a Boolean", span(c, e));
    }
    return map(Op::kNot, v);
  }
  if (v.is_record()) {
    if (e.op == UnaryOp::kPlus) return v;
    if (auto r = OperatorRecords(*this, c, span(c, e)).unary("'-'", v)) return *r;
  }
  if (v.kind != Value::Kind::kArray ||
      (v.type != ScalarType::kReal && v.type != ScalarType::kInteger && !v.elements.empty())) {
    fail(Code::kTypeMismatch, "the sign needs a number", span(c, e));
  }
  if (e.op == UnaryOp::kMinus || e.op == UnaryOp::kElementMinus) return map(Op::kNeg, v);
  return v;
}

// Names that nobody has declared are told all at once.
void Evaluator::add_unknown_names(ExprList others, const Context& c, Failure& why) {
  if (why.diagnostic.code != Code::kUnknownName) return;
  for (const Expr* e : others) {
    try {
      eval(*e, c);
    } catch (Failure& f) {
      if (f.diagnostic.code != Code::kUnknownName) continue;
      why.more.push_back(std::move(f.diagnostic));
      for (Diagnostic& d : f.more) why.more.push_back(std::move(d));
    }
  }
}

Value Evaluator::chain(const ChainExpr& e, const Context& c) {
  std::size_t at = 0;  // the operand that is looked at
  try {
    return chain(e, c, at);
  } catch (Failure& why) {
    add_unknown_names(e.operands.subspan(at + 1), c, why);
    throw;
  }
}

Value Evaluator::chain(const ChainExpr& e, const Context& c, std::size_t& at) {
  Value v = eval(*e.operands[0], c);
  for (std::size_t i = 0; i < e.operators.size(); ++i) {
    const BinaryOp op = e.operators[i];
    // What a constant decides is not looked at: b may have no meaning in `n > 0 and x[n] > 1`.
    if (v.is_scalar() && v.type == ScalarType::kBoolean && pool().is_constant(v.scalar())) {
      const bool value = pool().value(v.scalar()) != 0;
      if ((op == BinaryOp::kAnd && !value) || (op == BinaryOp::kOr && value)) continue;
    }
    at = i + 1;
    const Value b = eval(*e.operands[at], c);
    const TextRange range = diag::join(e.operands[0]->range, e.operands[i + 1]->range);
    const diag::Span where = instances_.span(c.scope, range);
    if (v.is_record() || b.is_record()) {
      const std::string symbol = "'" + std::string(spelling(op)) + "'";
      if (auto r = OperatorRecords(*this, c, where).binary(symbol, v, b)) {
        v = std::move(*r);
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
      fail(Code::kTypeMismatch, in_quotes(spelling(op)) + " needs Booleans", where);
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
  if (!have_common_type(a, b)) {
    fail(Code::kTypeMismatch, type_text(a) + " cannot be compared with " + type_text(b), where);
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
  std::vector<const Expr*> texts;  // of the values
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
    texts.push_back(&value);
    decided = pool().is_value(cond, 1);
  };
  for (const IfExprBranch& b : e.branches) add_case(b.condition, *b.value);
  add_case(nullptr, *e.otherwise);
  if (values.empty()) fail(Code::kTypeMismatch, "no case of this expression applies", span(c, e));
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (values[k].kind != values[0].kind || values[k].dims != values[0].dims)
      return case_of_known_condition(e, c, values[0], values[k], span(c, *texts[k]));
    check_common_type(values[0], values[k], "the cases of this `if`", span(c, *texts[k]));
  }
  Value v = values.back();
  for (std::size_t i = values.size() - 1; i-- > 0;) {
    v = choose(conditions[i], values[i], v, span(c, e));
  }
  return v;
}

// Cases of different sizes: parameters must decide.
Value Evaluator::case_of_known_condition(const IfExpr& e, const Context& c, const Value& first,
                                         const Value& other, diag::Span where) {
  for (const IfExprBranch& b : e.branches) {
    try {
      const Value known = eval_constant(*b.condition, c);
      if (pool().value(known.scalar()) != 0) return eval(*b.value, c);
    } catch (const Failure& why) {
      // In functions sizes may be known only when they run: others look at that.
      if (why.diagnostic.code != Code::kNotConstant || c.in_function) throw;
      check_common_type(first, other, "the cases of this `if`", where);
      throw Failure{Diagnostic(Code::kSizeMismatch,
                               "the cases of this `if` have different sizes: " +
                                   size_text(first.dims) + " and " + size_text(other.dims),
                               where)
                        .label(span(c, *b.condition), "not known before the run")};
    }
  }
  return eval(*e.otherwise, c);
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
    check_element(values[0], values.back(), span(c, *x));
  }
  if (values.empty()) return array_value(pool(), {0}, {});
  return stacked(values);
}

void Evaluator::check_element(const Value& first, const Value& v, diag::Span where) {
  check_common_type(first, v, "the elements of an array", where);
  if (v.dims != first.dims)
    fail(Code::kSizeMismatch, "the elements of an array have different sizes", where);
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
      check_common_type(parts[0][0], parts.back().back(), "the elements of a matrix", span(c, *x));
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
    fail(Code::kUnknownElement, "this value has no field " + in_quotes(e.member.text), span(c, e));
  }
  return *field;
}

}  // namespace arges::lang
