#pragma once
// How large the terms are that a value was made from.

#include "arges/expr/walk.h"

namespace arges {

// |e| without cancellation, S(e):
//
//   S(a + b) = S(a - b) = S(a) + S(b)      S(a b) = S(a) S(b)      S(a/b) = S(a)/|b|
//   S(-a) = S(a)      S(if c then a else b) = if c then S(a) else S(b)      S(e) = |e| of all
//   others
//
// A value e that is not far above the rounding of S(e) is nothing but rounding. Expressions are
// equal when nothing in them can cancel.
class TermSizes {
 public:
  explicit TermSizes(ExprPool& pool);
  ExprId operator()(ExprId e) { return size_(e); }
  // Whether there is a sum in it at all.
  bool may_cancel(ExprId e);

 private:
  ExprPool& pool_;
  ExprRewriter size_;
};

}  // namespace arges
