#pragma once
// The value of each operation on doubles: one definition for folding, evaluation and the virtual
// machine, so that all give the same bits. Boolean values are 0 and 1, and NaN where what is not a
// number was asked whether it is larger or smaller: no branch is right then.

#include <cmath>
#include <limits>

#include "arges/expr/op.h"

namespace arges::scalar {

inline constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
inline double sign(double a) { return a > 0 ? 1 : a < 0 ? -1 : a == a ? 0 : kNotANumber; }
inline double less(double a, double b) { return a < b ? 1 : a >= b ? 0 : kNotANumber; }
inline double less_equal(double a, double b) { return a <= b ? 1 : a > b ? 0 : kNotANumber; }
inline double negation(double a) { return a == 0 ? 1 : a == a ? 0 : kNotANumber; }
inline double both(double a, double b) {
  return a == 0 || b == 0 ? 0 : a == a && b == b ? 1 : kNotANumber;
}
inline double either(double a, double b) {
  const bool a_holds = a == a && a != 0, b_holds = b == b && b != 0;
  return a_holds || b_holds ? 1 : a == a && b == b ? 0 : kNotANumber;
}
inline double choose(double condition, double a, double b) {
  return condition == 0 ? b : condition == condition ? a : kNotANumber;
}
// What is not a number stays so, on either side.
inline double min(double a, double b) { return a < b || a != a ? a : b; }
inline double max(double a, double b) { return a > b || a != a ? a : b; }
inline double div(double a, double b) { return std::trunc(a / b); }
inline double mod(double a, double b) { return a - std::floor(a / b) * b; }
inline double rem(double a, double b) { return a - std::trunc(a / b) * b; }

// Of Integers, which are doubles as well: what a double cannot hold exactly is infinite, so that no
// digit is lost in silence: comparisons stay right, mod() of it is no number, and a variable that
// it comes to ends the run.
inline constexpr double kLargestWhole = 9007199254740991;  // 2^53 - 1
inline double whole_product(double a, double b) {
  const double p = a * b;
  return std::abs(p) <= kLargestWhole || std::fma(a, b, -p) == 0 ? p : p * INFINITY;
}
inline double whole_sum(double a, double b) {
  const double s = a + b;
  if (std::abs(s) <= kLargestWhole) return s;
  const double of_b = s - a, rest = (a - (s - of_b)) + (b - of_b);
  return rest == 0 ? s : s * INFINITY;
}

inline double pow(double a, double b) { return b == 2 ? a * a : std::pow(a, b); }

// Operations with one argument.
inline double unary(Op op, double a) {
  switch (op) {
    case Op::kNeg:
      return -a;
    case Op::kNot:
      return negation(a);
    case Op::kSin:
      return std::sin(a);
    case Op::kCos:
      return std::cos(a);
    case Op::kTan:
      return std::tan(a);
    case Op::kAsin:
      return std::asin(a);
    case Op::kAcos:
      return std::acos(a);
    case Op::kAtan:
      return std::atan(a);
    case Op::kSinh:
      return std::sinh(a);
    case Op::kCosh:
      return std::cosh(a);
    case Op::kTanh:
      return std::tanh(a);
    case Op::kExp:
      return std::exp(a);
    case Op::kLog:
      return std::log(a);
    case Op::kLog10:
      return std::log10(a);
    case Op::kSqrt:
      return std::sqrt(a);
    case Op::kAbs:
      return std::abs(a);
    case Op::kSign:
      return sign(a);
    case Op::kFloor:
    case Op::kToInteger:
      return std::floor(a);
    case Op::kCeil:
      return std::ceil(a);
    default:
      return std::nan("");
  }
}

// Operations with two arguments.
inline double binary(Op op, double a, double b) {
  switch (op) {
    case Op::kAdd:
      return a + b;
    case Op::kSub:
      return a - b;
    case Op::kMul:
      return a * b;
    case Op::kDiv:
      return a / b;
    case Op::kPow:
      return pow(a, b);
    case Op::kLess:
      return less(a, b);
    case Op::kLessEqual:
      return less_equal(a, b);
    case Op::kGreater:
      return less(b, a);
    case Op::kGreaterEqual:
      return less_equal(b, a);
    case Op::kEqual:
      return a == b ? 1 : 0;
    case Op::kNotEqual:
      return a != b ? 1 : 0;
    case Op::kAnd:
      return both(a, b);
    case Op::kOr:
      return either(a, b);
    case Op::kAtan2:
      return std::atan2(a, b);
    case Op::kMin:
      return min(a, b);
    case Op::kMax:
      return max(a, b);
    case Op::kDivInt:
      return div(a, b);
    case Op::kMod:
      return mod(a, b);
    case Op::kRem:
      return rem(a, b);
    default:
      return std::nan("");
  }
}

// With a result of the given type.
inline double binary(Op op, ScalarType type, double a, double b) {
  if (type == ScalarType::kInteger) {
    if (op == Op::kAdd) return whole_sum(a, b);
    if (op == Op::kSub) return whole_sum(a, -b);
    if (op == Op::kMul) return whole_product(a, b);
  }
  return binary(op, a, b);
}

}  // namespace arges::scalar
