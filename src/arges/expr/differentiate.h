#pragma once
// Symbolic derivatives.

#include <functional>
#include <unordered_map>
#include <vector>

#include "arges/expr/pool.h"

namespace arges {

// Forward differentiation of expressions: given the derivative of every leaf, the derivative of
// every expression over them, as expressions of the same pool. Remembers what it has done, so that
// common parts are differentiated once.
//
//   Differentiator d(pool, [&](ExprId leaf) { return leaf == x ? pool.real(1) : ExprId{}; });
//   ExprId dfdx = d(f);                 // an invalid id means zero in the leaf function only
//
// Where a function has a kink (abs, min, max), the derivative of one side is taken, inside
// noEvent(). The derivative of what is piecewise constant is zero.
class Differentiator {
 public:
  using Leaf = std::function<ExprId(ExprId leaf)>;
  // The derivative of a result of a user function, given those of the call's arguments (invalid:
  // zero). Invalid when it has none: then a UserError names the function by its number.
  using Call = std::function<ExprId(ExprId result, std::span<const ExprId> darguments)>;

  Differentiator(ExprPool& pool, Leaf leaf, Call call = {})
      : pool_(pool), leaf_(std::move(leaf)), call_(std::move(call)) {}

  // The derivative; the constant 0 where it vanishes.
  ExprId operator()(ExprId root);

 private:
  ExprId derive(ExprId e, std::span<const ExprId> d);
  ExprId sum(ExprId a, ExprId b);

  ExprPool& pool_;
  Leaf leaf_;
  Call call_;
  std::unordered_map<std::int32_t, ExprId> memo_;  // invalid: zero
  std::vector<ExprId> stack_;
};

}  // namespace arges
