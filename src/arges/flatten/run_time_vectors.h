#pragma once
// Vectors in functions whose length is known only when the function runs: a[1:n], fill(x, n).

#include <optional>

#include "arges/flatten/evaluator.h"
#include "arges/flatten/failure.h"

namespace arges::lang {

// Such a vector is never made. Where it stands in an assignment or a reduction, a loop runs over
// its elements: make() gives the element at position `at` as an expression. Operators and
// predefined functions of scalars are applied to elements; a vector that is an argument of another
// function is refused, and so are matrices with two such dimensions.
class RunTimeVectors {
 public:
  // `at`: the position, from 1, an Integer local.
  RunTimeVectors(Evaluator& evaluator, ExprId at) : e_(evaluator), at_(at) {}

  struct Item {
    bool is_vector = false;
    ExprId length;  // of a vector
    ExprId most;    // a bound of the length that holds when the function begins; or there is none
    Value element;  // a scalar
  };
  // Throws Failure.
  Item make(const Expr& e, const Context& c);
  // a[1:n] with the position in place of the range.
  Item reference(const ReferenceExpr& r, const Context& c);
  // The value of i for `i in 1:n` at the position.
  Item range(const RangeExpr& e, const Context& c);
  // Lengths that must agree.
  const std::vector<std::pair<ExprId, ExprId>>& checks() const { return checks_; }

  // sum, product, min or max of a vector: the call of a function that is made for it. Nothing when
  // it is none. `why`: what failed before; it is thrown again, marked as tried, when this fails
  // too.
  static std::optional<Value> reduced(Evaluator& evaluator, std::string_view name,
                                      const Expr& vector, const Context& c, const Failure& why);
  // sum(e for i in 1:n)
  static Value reduced(Evaluator& evaluator, std::string_view name, const Expr& body,
                       const ForIndex& index, const Context& c, const Failure& why);
  // a[1:n]*b[1:n] among other factors and terms. Nothing when a vector is left.
  static std::optional<Value> product(Evaluator& evaluator, const ChainExpr& e, const Context& c,
                                      const Failure& why);
  // Whether a failure may come from such a vector where they are allowed.
  static bool may_be(const Evaluator& evaluator, const Failure& why, const Context& c);
  // An assertion that two lengths agree.
  static ::arges::Statement check(Evaluator& evaluator, ExprId a, ExprId b, const Origin& origin);

 private:
  Item whole(const Expr& e, const Context& c);
  Item of_parts(const Expr& e, const Context& c);
  Item chain(const ChainExpr& e, const Context& c);
  Item choice(const IfExpr& e, const Context& c);
  Item call(const CallExpr& e, const Context& c);
  Item comprehension(const Expr& body, const ForIndex& index, const Context& c);
  Item joined(BinaryOp op, const Item& a, const Item& b, diag::Span where);
  void agree(Item& a, const Item& b);
  Value fold(std::string_view name, const Item& item, const Context& c, TextRange range);

  Evaluator& e_;
  ExprId at_;
  std::vector<std::pair<ExprId, ExprId>> checks_;
};

}  // namespace arges::lang
