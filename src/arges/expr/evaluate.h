#pragma once
// The value of an expression, directly: for tests, for messages, and for what is evaluated once.

#include <functional>
#include <string>

#include "arges/expr/pool.h"

namespace arges {

// `leaf` gives the value of every leaf that is not a constant (variables, time, der, pre, initial,
// ...) and of every result of a user function. noEvent, smooth, homotopy (the actual one) are
// transparent.
double evaluate(const ExprPool& pool, ExprId root, const std::function<double(ExprId)>& leaf);

// The same where some leaves are not known, which NaN stands for: what follows from the others,
// whatever these are (0 x = 0 and 0 / x = 0 for all finite x; `b and false`; two branches with one
// value), and NaN where nothing follows.
double evaluate_known(const ExprPool& pool, ExprId root, const std::function<double(ExprId)>& leaf);

// The value of a String expression: literals, concatenation, String(e); anything else as a number.
std::string evaluate_text(const ExprPool& pool, ExprId root,
                          const std::function<double(ExprId)>& leaf);

}  // namespace arges
