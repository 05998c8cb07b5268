// Folding and local simplification: what ExprPool::make does before it makes a node.

#include <algorithm>
#include <cmath>

#include "arges/expr/pool.h"
#include "arges/expr/scalar_ops.h"

namespace arges {

ExprId ExprPool::fold(Op op, std::span<const ExprId> args) {
  for (const ExprId a : args) {
    if (!is_constant(a)) return {};
  }
  double value;
  if (args.size() == 1 && op != Op::kNoEvent && op != Op::kToString) {
    value = scalar::unary(op, this->value(args[0]));
  } else if (args.size() == 2 && op != Op::kSample && op != Op::kDelay && op != Op::kSmooth &&
             op != Op::kHomotopy) {
    value = scalar::binary(op, type_of(op, args), this->value(args[0]), this->value(args[1]));
  } else {
    return {};
  }
  // 1 / 0, Integers that no double holds, and the like stay, to fail where and when they are
  // evaluated.
  if (!std::isfinite(value)) return {};
  const ScalarType type = type_of(op, args);
  switch (type) {
    case ScalarType::kBoolean:
      return boolean(value != 0);
    case ScalarType::kInteger:
    case ScalarType::kEnumeration:
      return constant(Op::kInteger, type, value);
    default:
      return real(value);
  }
}

// The simpler expression, or an invalid id.
ExprId ExprPool::simplify(Op op, std::span<const ExprId> args) {
  const ExprId folded = fold(op, args);
  if (folded.valid()) return folded;
  const auto is = [&](std::size_t i, double v) { return is_value(args[i], v); };
  const auto op_of = [&](std::size_t i) { return (*this)[args[i]].op; };
  // An Integer operand may not take the place of a Real result (nor the other way): its type shows.
  const auto keep = [&](ExprId e) { return (*this)[e].type == type_of(op, args) ? e : ExprId{}; };
  // One operand decides, and no other has to be kept.
  const auto decides = [&](std::size_t i, double v) {
    return is(i, v) && std::ranges::none_of(args, [this](ExprId a) { return is_kept(a); });
  };
  switch (op) {
    case Op::kNeg:
      if (op_of(0) == Op::kNeg) return arg(args[0], 0);
      break;
    case Op::kNot:
      if (op_of(0) == Op::kNot) return arg(args[0], 0);
      break;
    case Op::kAdd:
      if ((*this)[args[0]].type == ScalarType::kString) break;
      if (is(0, 0)) return keep(args[1]);
      if (is(1, 0)) return keep(args[0]);
      if (op_of(1) == Op::kNeg) return sub(args[0], arg(args[1], 0));
      break;
    case Op::kSub:
      if (is(1, 0)) return keep(args[0]);
      if (is(0, 0)) return keep(neg(args[1]));
      if (op_of(1) == Op::kNeg) return add(args[0], arg(args[1], 0));
      break;
    case Op::kMul:
      if (decides(0, 0) || decides(1, 0))
        return type_of(op, args) == ScalarType::kInteger ? integer(0) : real(0);
      if (is(0, 1)) return keep(args[1]);
      if (is(1, 1)) return keep(args[0]);
      if (is(0, -1)) return keep(neg(args[1]));
      if (is(1, -1)) return keep(neg(args[0]));
      break;
    case Op::kDiv:
      if (decides(0, 0) && !is(1, 0)) return real(0);
      if (is(1, 1)) return keep(args[0]);
      if (is(1, -1)) return keep(neg(args[0]));
      break;
    case Op::kPow:
      if (is(1, 1)) return keep(args[0]);
      if (decides(1, 0)) return real(1);
      break;
    case Op::kAnd:
      if (decides(0, 0) || decides(1, 0)) return boolean(false);
      if (is(0, 1)) return args[1];
      if (is(1, 1)) return args[0];
      if (args[0] == args[1]) return args[0];
      break;
    case Op::kOr:
      if (decides(0, 1) || decides(1, 1)) return boolean(true);
      if (is(0, 0)) return args[1];
      if (is(1, 0)) return args[0];
      if (args[0] == args[1]) return args[0];
      break;
    case Op::kIf:
      if (is_constant(args[0])) return value(args[0]) != 0 ? keep(args[1]) : keep(args[2]);
      if (args[1] == args[2]) return args[1];
      break;
    case Op::kNoEvent:
      if (is_leaf(op_of(0)) || op_of(0) == Op::kNoEvent) return args[0];
      break;
    case Op::kSmooth:
      if (is_leaf(op_of(1))) return args[1];
      break;
    case Op::kHomotopy:
      if (args[0] == args[1]) return args[0];
      break;
    default:
      break;
  }
  return {};
}

}  // namespace arges
