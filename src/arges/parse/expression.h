#pragma once
// Expressions of the syntax tree.
//
// Nodes are plain immutable structs in an arena (tree.h), lists are spans, names are views into
// the source text. Each node knows its exact range. Parentheses stay visible (TupleExpr), so a
// tree prints back without any reasoning about precedence.

#include <cstdint>
#include <span>
#include <string_view>

#include "arges/lex/token.h"

namespace arges::lang {

// A name as written, with its quotes if it has them.
struct Identifier {
  std::string_view text;
  std::uint32_t begin = 0;

  TextRange range() const { return {begin, begin + static_cast<std::uint32_t>(text.size())}; }
};

// A.B.C, or .A.B.C when global.
struct Name {
  std::span<const Identifier> parts;
  TextRange range;
  bool global = false;
};

enum class ExprKind : std::uint8_t {
  kMissing,    // an expression should stand here; reported
  kInteger,    // LiteralExpr
  kReal,       // LiteralExpr
  kString,     // LiteralExpr
  kTrue,       // Expr
  kFalse,      // Expr
  kColon,      // Expr: the subscript `:`
  kEnd,        // Expr: `end` in a subscript
  kReference,  // ReferenceExpr
  kCall,       // CallExpr
  kUnary,      // UnaryExpr
  kChain,      // ChainExpr
  kIf,         // IfExpr
  kRange,      // RangeExpr
  kArray,      // ArrayExpr
  kMatrix,     // MatrixExpr
  kTuple,      // TupleExpr
  kSuffix,     // SuffixExpr
  kPartial,    // PartialExpr
};

struct Expr {
  ExprKind kind = ExprKind::kMissing;
  TextRange range;
};
using ExprList = std::span<const Expr* const>;

// The text of a number as written, or of a string with its double quotes (decode_string).
struct LiteralExpr : Expr {
  std::string_view text;
};

struct ReferencePart {
  Identifier name;
  ExprList subscripts;
};

// a.b[1].c, or .a.b.c when global. `time` is a reference like others.
struct ReferenceExpr : Expr {
  std::span<const ReferencePart> parts;
  bool global = false;
};

struct ForIndex {
  Identifier name;
  const Expr* range;  // null: `for i loop`, the range follows from the use
};

struct NamedArgument {
  Identifier name;
  const Expr* value;
};

// f(a, b, c = 1) or sum(x[i] for i in 1:n): then there is one positional argument. `der`,
// `initial` and `pure` are callees with that name.
struct CallExpr : Expr {
  const ReferenceExpr* callee;
  ExprList positional;
  std::span<const NamedArgument> named;
  std::span<const ForIndex> iterators;
};

enum class UnaryOp : std::uint8_t { kPlus, kMinus, kElementPlus, kElementMinus, kNot };

struct UnaryExpr : Expr {
  UnaryOp op;
  const Expr* operand;
};

enum class BinaryOp : std::uint8_t {
  kOr,
  kAnd,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kNotEqual,
  kAdd,
  kSubtract,
  kElementAdd,
  kElementSubtract,
  kMultiply,
  kDivide,
  kElementMultiply,
  kElementDivide,
  kPower,
  kElementPower,
};
std::string_view spelling(BinaryOp op);
std::string_view spelling(UnaryOp op);

// A run of operators of one precedence, to be read from the left: a + b - c is one node with three
// operands and two operators. So a sum of 100,000 terms is wide, not deep, and every tree is as
// shallow as the nesting of its text (kMaxNesting). Relations and powers have two operands.
struct ChainExpr : Expr {
  ExprList operands;
  std::span<const BinaryOp> operators;  // one fewer
};

struct IfExprBranch {
  const Expr* condition;
  const Expr* value;
};

struct IfExpr : Expr {
  std::span<const IfExprBranch> branches;  // if, then each elseif
  const Expr* otherwise;
};

struct RangeExpr : Expr {
  const Expr* start;
  const Expr* step;  // null when it is not written
  const Expr* stop;
};

// {a, b, c} or {x[i] for i in 1:n}.
struct ArrayExpr : Expr {
  ExprList elements;
  std::span<const ForIndex> iterators;
};

// [a, b; c, d].
struct MatrixExpr : Expr {
  std::span<const ExprList> rows;
};

// Parentheses. One element: just that. Otherwise results of a call, (a, , b): an omitted one is
// null. () is empty.
struct TupleExpr : Expr {
  ExprList elements;
};

// (e)[i] or (e).member.
struct SuffixExpr : Expr {
  const Expr* base;
  ExprList subscripts;
  Identifier member;  // empty when there are subscripts
};

// function f(a = 1): an argument that is a function.
struct PartialExpr : Expr {
  Name function;
  std::span<const NamedArgument> named;
};

// The node as the type that its kind stands for.
template <class T>
const T& as(const Expr& e) {
  return static_cast<const T&>(e);
}

}  // namespace arges::lang
