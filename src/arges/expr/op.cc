#include "arges/expr/op.h"

namespace arges {

std::string_view to_string(ScalarType type) {
  switch (type) {
    case ScalarType::kReal:
      return "Real";
    case ScalarType::kInteger:
      return "Integer";
    case ScalarType::kBoolean:
      return "Boolean";
    case ScalarType::kString:
      return "String";
    case ScalarType::kEnumeration:
      return "enumeration";
  }
  return "";
}

std::string_view to_string(Op op) {
  switch (op) {
    case Op::kReal:
    case Op::kInteger:
    case Op::kBoolean:
    case Op::kString:
    case Op::kVar:
    case Op::kLocal:
    case Op::kCall:
    case Op::kResult:
    case Op::kElement:
    case Op::kIndex:
    case Op::kIf:
      return "";
    case Op::kTime:
      return "time";
    case Op::kDer:
      return "der";
    case Op::kPre:
      return "pre";
    case Op::kEdge:
      return "edge";
    case Op::kChange:
      return "change";
    case Op::kInitial:
      return "initial";
    case Op::kTerminal:
      return "terminal";
    case Op::kNeg:
    case Op::kSub:
      return "-";
    case Op::kAdd:
      return "+";
    case Op::kMul:
      return "*";
    case Op::kDiv:
      return "/";
    case Op::kPow:
      return "^";
    case Op::kLess:
      return "<";
    case Op::kLessEqual:
      return "<=";
    case Op::kGreater:
      return ">";
    case Op::kGreaterEqual:
      return ">=";
    case Op::kEqual:
      return "==";
    case Op::kNotEqual:
      return "<>";
    case Op::kNot:
      return "not";
    case Op::kAnd:
      return "and";
    case Op::kOr:
      return "or";
    case Op::kSin:
      return "sin";
    case Op::kCos:
      return "cos";
    case Op::kTan:
      return "tan";
    case Op::kAsin:
      return "asin";
    case Op::kAcos:
      return "acos";
    case Op::kAtan:
      return "atan";
    case Op::kSinh:
      return "sinh";
    case Op::kCosh:
      return "cosh";
    case Op::kTanh:
      return "tanh";
    case Op::kExp:
      return "exp";
    case Op::kLog:
      return "log";
    case Op::kLog10:
      return "log10";
    case Op::kSqrt:
      return "sqrt";
    case Op::kAbs:
      return "abs";
    case Op::kSign:
      return "sign";
    case Op::kFloor:
      return "floor";
    case Op::kCeil:
      return "ceil";
    case Op::kToInteger:
      return "integer";
    case Op::kAtan2:
      return "atan2";
    case Op::kMin:
      return "min";
    case Op::kMax:
      return "max";
    case Op::kDivInt:
      return "div";
    case Op::kMod:
      return "mod";
    case Op::kRem:
      return "rem";
    case Op::kNoEvent:
      return "noEvent";
    case Op::kSmooth:
      return "smooth";
    case Op::kHomotopy:
      return "homotopy";
    case Op::kSemiLinear:
      return "semiLinear";
    case Op::kDelay:
      return "delay";
    case Op::kSample:
      return "sample";
    case Op::kToString:
      return "String";
  }
  return "";
}

bool is_leaf(Op op) { return op <= Op::kLocal; }

bool is_relation(Op op) { return op >= Op::kLess && op <= Op::kNotEqual; }

}  // namespace arges
