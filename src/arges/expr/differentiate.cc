#include "arges/expr/differentiate.h"

#include <cmath>

#include <fmt/format.h>

#include "arges/base/error.h"

namespace arges {

ExprId Differentiator::operator()(ExprId root) {
  std::vector<ExprId> d;
  stack_.push_back(root);
  while (!stack_.empty()) {
    const ExprId e = stack_.back();
    if (memo_.count(e.index) > 0) {
      stack_.pop_back();
      continue;
    }
    bool ready = true;
    const auto args = pool_.args(e);
    for (const ExprId a : args) {
      if (memo_.count(a.index) == 0) {
        stack_.push_back(a);
        ready = false;
      }
    }
    if (!ready) continue;
    stack_.pop_back();
    d.clear();
    for (const ExprId a : args) d.push_back(memo_[a.index]);
    const ExprId derivative = derive(e, d);
    memo_[e.index] = derivative.valid() && pool_.is_value(derivative, 0) ? ExprId{} : derivative;
  }
  const ExprId result = memo_[root.index];
  return result.valid() ? result : pool_.real(0);
}

// a + b, where either may be absent.
ExprId Differentiator::sum(ExprId a, ExprId b) {
  if (!a.valid()) return b;
  if (!b.valid()) return a;
  return pool_.add(a, b);
}

ExprId Differentiator::derive(ExprId e, std::span<const ExprId> d) {
  ExprPool& p = pool_;
  const ExprNode node = p[e];
  if (node.op == Op::kElement) return leaf_(e);
  if (is_leaf(node.op)) return p.is_constant(e) ? ExprId{} : leaf_(e);
  if (node.op == Op::kCall) return {};
  if (node.op == Op::kResult) {
    const ExprId call = p.arg(e, 0);
    const auto arguments = p.args(call);
    std::vector<ExprId> darguments;
    bool any = false;
    for (const ExprId a : arguments) {
      darguments.push_back(memo_[a.index]);
      any = any || darguments.back().valid();
    }
    if (!any) return {};
    const ExprId result = call_ ? call_(e, darguments) : ExprId{};
    if (!result.valid()) {
      throw UserError(
          fmt::format("function number {} has no derivative; give it annotation(derivative = ...)",
                      p[call].index));
    }
    return result;
  }
  bool any = false;
  for (const ExprId x : d) any = any || x.valid();
  if (!any) return {};
  const auto zero_if = [&](ExprId x) { return x.valid() ? x : p.real(0); };
  const ExprId a = p.arg(e, 0);
  const ExprId b = p.args(e).size() > 1 ? p.arg(e, 1) : ExprId{};
  const auto square = [&](ExprId x) { return p.mul(x, x); };
  const auto one = [&] { return p.real(1); };
  const auto choose = [&](ExprId condition, ExprId x, ExprId y) {
    return p.make(Op::kNoEvent, {p.if_else(condition, zero_if(x), zero_if(y))});
  };
  switch (node.op) {
    case Op::kNeg:
      return p.neg(d[0]);
    case Op::kAdd:
      return sum(d[0], d[1]);
    case Op::kSub:
      if (!d[1].valid()) return d[0];
      return d[0].valid() ? p.sub(d[0], d[1]) : p.neg(d[1]);
    case Op::kMul:
      return sum(d[0].valid() ? p.mul(d[0], b) : ExprId{},
                 d[1].valid() ? p.mul(a, d[1]) : ExprId{});
    case Op::kDiv:
      if (!d[1].valid()) return p.div(d[0], b);
      if (!d[0].valid()) return p.neg(p.div(p.mul(e, d[1]), b));
      return p.div(p.sub(d[0], p.mul(e, d[1])), b);
    case Op::kPow:
      if (!d[1].valid()) {
        if (p.is_constant(b)) {
          const ExprId lower = p.pow(a, p.real(p.value(b) - 1));
          return p.mul(p.mul(b, lower), d[0]);
        }
        return p.mul(p.mul(b, p.pow(a, p.sub(b, one()))), d[0]);
      }
      return p.mul(e, sum(p.mul(d[1], p.make(Op::kLog, {a})),
                          d[0].valid() ? p.div(p.mul(b, d[0]), a) : ExprId{}));
    case Op::kIf:
      if (!d[1].valid() && !d[2].valid()) return {};
      return p.if_else(a, zero_if(d[1]), zero_if(d[2]));
    case Op::kIndex: {
      std::vector<ExprId> elements;
      bool moves = false;
      for (const ExprId x : d.subspan(1)) {
        elements.push_back(zero_if(x));
        moves = moves || x.valid();
      }
      return moves ? p.index(StringId{node.index}, a, elements) : ExprId{};
    }
    case Op::kSin:
      return p.mul(p.make(Op::kCos, {a}), d[0]);
    case Op::kCos:
      return p.neg(p.mul(p.make(Op::kSin, {a}), d[0]));
    case Op::kTan:
      return p.mul(p.add(one(), square(e)), d[0]);
    case Op::kAsin:
      return p.div(d[0], p.make(Op::kSqrt, {p.sub(one(), square(a))}));
    case Op::kAcos:
      return p.neg(p.div(d[0], p.make(Op::kSqrt, {p.sub(one(), square(a))})));
    case Op::kAtan:
      return p.div(d[0], p.add(one(), square(a)));
    case Op::kSinh:
      return p.mul(p.make(Op::kCosh, {a}), d[0]);
    case Op::kCosh:
      return p.mul(p.make(Op::kSinh, {a}), d[0]);
    case Op::kTanh:
      return p.mul(p.sub(one(), square(e)), d[0]);
    case Op::kExp:
      return p.mul(e, d[0]);
    case Op::kLog:
      return p.div(d[0], a);
    case Op::kLog10:
      return p.div(d[0], p.mul(a, p.real(std::log(10.0))));
    case Op::kSqrt:
      return p.div(d[0], p.mul(p.real(2), e));
    case Op::kAbs:
      return choose(p.make(Op::kGreaterEqual, {a, p.real(0)}), d[0],
                    d[0].valid() ? p.neg(d[0]) : d[0]);
    case Op::kAtan2:
      return p.div(sum(d[0].valid() ? p.mul(b, d[0]) : ExprId{},
                       d[1].valid() ? p.neg(p.mul(a, d[1])) : ExprId{}),
                   p.add(square(a), square(b)));
    case Op::kMin:
      return choose(p.make(Op::kLess, {a, b}), d[0], d[1]);
    case Op::kMax:
      return choose(p.make(Op::kGreater, {a, b}), d[0], d[1]);
    case Op::kMod:  // a - floor(a / b) b
      return sum(d[0],
                 d[1].valid()
                     ? p.neg(p.mul(p.make(Op::kNoEvent, {p.make(Op::kFloor, {p.div(a, b)})}), d[1]))
                     : ExprId{});
    case Op::kRem:
      return sum(d[0], d[1].valid()
                           ? p.neg(p.mul(p.make(Op::kNoEvent, {p.make(Op::kDivInt, {a, b})}), d[1]))
                           : ExprId{});
    case Op::kNoEvent:
      return p.make(Op::kNoEvent, {d[0]});
    case Op::kSmooth: {
      const double order = p.is_constant(a) ? p.value(a) : 0;
      if (!d[1].valid()) return {};
      return order >= 1 ? p.make(Op::kSmooth, {p.integer(static_cast<int>(order) - 1), d[1]})
                        : d[1];
    }
    case Op::kHomotopy:
      return p.make(Op::kHomotopy, {zero_if(d[0]), zero_if(d[1])});
    case Op::kSemiLinear: {
      const ExprId slope = p.if_else(p.make(Op::kGreaterEqual, {a, p.real(0)}), b, p.arg(e, 2));
      return sum(d[0].valid() ? p.mul(slope, d[0]) : ExprId{},
                 p.make(Op::kSemiLinear, {a, zero_if(d[1]), zero_if(d[2])}));
    }
    default:  // relations, logic, floor, ...: piecewise constant
      return {};
  }
}

}  // namespace arges
