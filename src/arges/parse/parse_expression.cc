// Expressions by precedence climbing.

#include "arges/parse/parser_impl.h"

namespace arges::lang {

using K = TokenKind;

namespace {

// Precedence, lowest first. kNoOperator is below all.
enum Level : int { kNoOperator, kOrLevel, kAndLevel, kNotLevel, kRelation, kSum, kProduct, kPower };

struct OperatorInfo {
  Level level = kNoOperator;
  BinaryOp op = BinaryOp::kOr;
};

OperatorInfo operator_info(K kind) {
  switch (kind) {
    case K::kOr:
      return {kOrLevel, BinaryOp::kOr};
    case K::kAnd:
      return {kAndLevel, BinaryOp::kAnd};
    case K::kLess:
      return {kRelation, BinaryOp::kLess};
    case K::kLessEqual:
      return {kRelation, BinaryOp::kLessEqual};
    case K::kGreater:
      return {kRelation, BinaryOp::kGreater};
    case K::kGreaterEqual:
      return {kRelation, BinaryOp::kGreaterEqual};
    case K::kEqualEqual:
      return {kRelation, BinaryOp::kEqual};
    case K::kNotEqual:
      return {kRelation, BinaryOp::kNotEqual};
    case K::kPlus:
      return {kSum, BinaryOp::kAdd};
    case K::kMinus:
      return {kSum, BinaryOp::kSubtract};
    case K::kDotPlus:
      return {kSum, BinaryOp::kElementAdd};
    case K::kDotMinus:
      return {kSum, BinaryOp::kElementSubtract};
    case K::kStar:
      return {kProduct, BinaryOp::kMultiply};
    case K::kSlash:
      return {kProduct, BinaryOp::kDivide};
    case K::kDotStar:
      return {kProduct, BinaryOp::kElementMultiply};
    case K::kDotSlash:
      return {kProduct, BinaryOp::kElementDivide};
    case K::kCaret:
      return {kPower, BinaryOp::kPower};
    case K::kDotCaret:
      return {kPower, BinaryOp::kElementPower};
    default:
      return {};
  }
}

}  // namespace

std::string_view spelling(BinaryOp op) {
  static constexpr std::string_view kText[] = {
      "or", "and", "<",  "<=", ">", ">=", "==", "<>", "+",
      "-",  ".+",  ".-", "*",  "/", ".*", "./", "^",  ".^"};
  return kText[static_cast<std::size_t>(op)];
}

std::string_view spelling(UnaryOp op) {
  static constexpr std::string_view kText[] = {"+", "-", ".+", ".-", "not"};
  return kText[static_cast<std::size_t>(op)];
}

const Expr* Parser::expression() { return is(K::kIf) ? if_expression() : simple_expression(); }

const Expr* Parser::simple_expression() {
  const std::uint32_t from = begin();
  const Expr* first = binary(kOrLevel);
  if (!is(K::kColon)) return first;
  take();
  const Expr* second = binary(kOrLevel);
  const Expr* third = accept(K::kColon) ? binary(kOrLevel) : nullptr;
  auto* e = node<RangeExpr>(ExprKind::kRange, from);
  e->start = first;
  e->step = third == nullptr ? nullptr : second;
  e->stop = third == nullptr ? second : third;
  return e;
}

const Expr* Parser::if_expression() {
  const Nested nested(*this);
  if (!nested) return missing_expression();
  const std::uint32_t from = begin();
  const TextRange head = at_->range();
  List<IfExprBranch> branches(*this);
  do {
    take();
    const Expr* condition = expression();
    expect(K::kThen, Code::kMissingThen, "in this if-expression");
    branches.add({condition, expression()});
  } while (is(K::kElseif));
  const Expr* otherwise = nullptr;
  if (accept(K::kElse)) {
    otherwise = expression();
  } else {
    if (!recovering_) {
      error(here(Code::kMissingElse, "this if-expression has no `else`, found " + found())
                .label(span(head), "begins here")
                .suggest("an expression has a value in every case: add `else ...`"));
    }
    otherwise = missing_expression();
  }
  auto* e = node<IfExpr>(ExprKind::kIf, from);
  e->branches = branches.done();
  e->otherwise = otherwise;
  return e;
}

// binary(level): left { operator right } for operators that bind at least as tightly as `level`.
const Expr* Parser::binary(int level) {
  const Nested nested(*this);
  if (!nested) return missing_expression();
  const Expr* left = prefixed(level);
  for (;;) {
    const Level next = operator_info(kind()).level;
    if (next == kNoOperator || next < level) return left;
    left = chain(left, next);
  }
}

// left, then all operators of this level with their right sides.
const Expr* Parser::chain(const Expr* left, int level) {
  List<const Expr*> operands(*this);
  List<BinaryOp> operators(*this);
  operands.add(left);
  for (OperatorInfo next = operator_info(kind()); next.level == level;
       next = operator_info(kind())) {
    if (!operators.empty() && level == kRelation) {
      mild_error(here(Code::kChainedRelation, "relations cannot be chained")
                     .suggest("write `a < b and b < c`"));
    } else if (!operators.empty() && level == kPower) {
      mild_error(here(Code::kChainedPower, "powers cannot be chained")
                     .suggest("write `(a^b)^c` or `a^(b^c)`"));
    }
    take();
    operators.add(next.op);
    operands.add(binary(level + 1));
    if (recovering_) break;
  }
  auto* e = node<ChainExpr>(ExprKind::kChain, left->range.begin);
  e->operands = operands.done();
  e->operators = operators.done();
  return e;
}

// A sign stands before the first term of a sum only, `not` before a relation.
const Expr* Parser::prefixed(int level) {
  UnaryOp op = UnaryOp::kNot;
  switch (kind()) {
    case K::kNot:
      break;
    case K::kPlus:
      op = UnaryOp::kPlus;
      break;
    case K::kMinus:
      op = UnaryOp::kMinus;
      break;
    case K::kDotPlus:
      op = UnaryOp::kElementPlus;
      break;
    case K::kDotMinus:
      op = UnaryOp::kElementMinus;
      break;
    default:
      return primary();
  }
  const int own = op == UnaryOp::kNot ? kNotLevel : kSum;
  if (level > own) {
    const std::string sign(text(at_->range()));
    mild_error(here(Code::kMisplacedSign, "`" + sign + "` cannot stand directly after an operator")
                   .suggest("put parentheses around the signed operand, as in `a*(-b)`"));
  }
  const std::uint32_t from = begin();
  take();
  const Expr* operand = binary(level > own ? level : own + 1);
  auto* e = node<UnaryExpr>(ExprKind::kUnary, from);
  e->op = op;
  e->operand = operand;
  return e;
}

}  // namespace arges::lang
