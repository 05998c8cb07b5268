#pragma once
// The kinds of expression nodes.

#include <cstdint>
#include <string_view>

namespace arges {

enum class ScalarType : std::uint8_t { kReal, kInteger, kBoolean, kString, kEnumeration };
std::string_view to_string(ScalarType type);

enum class Op : std::uint8_t {
  // Leaves.
  kReal,      // value
  kInteger,   // value; also enumeration literals (1, 2, ...)
  kBoolean,   // value: 0 or 1
  kString,    // string
  kVar,       // variable
  kTime,      //
  kDer,       // variable: its time derivative
  kPre,       // variable: its left limit
  kEdge,      // variable: v and not pre(v)
  kChange,    // variable: v <> pre(v)
  kInitial,   // initial()
  kTerminal,  // terminal()
  kLocal,     // local: a scalar of a function body
  // Arithmetic.
  kNeg,
  kAdd,
  kSub,
  kMul,
  kDiv,
  kPow,
  // Relations; on Reals those that make events outside noEvent().
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kNotEqual,
  // Logic.
  kNot,
  kAnd,
  kOr,
  kIf,  // condition, then, else
  // Functions of one argument.
  kSin,
  kCos,
  kTan,
  kAsin,
  kAcos,
  kAtan,
  kSinh,
  kCosh,
  kTanh,
  kExp,
  kLog,
  kLog10,
  kSqrt,
  kAbs,
  kSign,
  kFloor,      // floor, ceil, integer, div, mod, rem make events where they jump
  kCeil,       //
  kToInteger,  // integer(x): floor as an Integer
  // Functions of two arguments.
  kAtan2,
  kMin,
  kMax,
  kDivInt,  // div(x, y): quotient, truncated
  kMod,
  kRem,
  // Markers and operators.
  kNoEvent,     // e
  kSmooth,      // order, e
  kHomotopy,    // actual, simplified
  kSemiLinear,  // x, positive slope, negative slope
  kDelay,       // e, delay time [, largest delay time]
  kSample,      // start, interval: parameter expressions
  kToString,    // String: e, digits, length, left justified; or e, format
  // User functions.
  kCall,     // function; arguments in the order of its inputs, arrays element by element
  kResult,   // call; index of the scalar among the flattened outputs
  kElement,  // local array; subscripts, from 1
  // An array and a subscript that is known when the model runs.
  kIndex,  // string: what is indexed and where; subscript, then all elements
};

// The name of a built-in function ("sin"), the symbol of an operator ("+"), or "" for leaves.
std::string_view to_string(Op op);
bool is_leaf(Op op);
bool is_relation(Op op);

}  // namespace arges
