#pragma once
// Operators and constructors of operator records (specification, chapter 14).

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "arges/flatten/evaluator.h"
#include "arges/flatten/failure.h"

namespace arges::lang {

// Finds the function that an operator of records means, and calls it:
//   1. the one function of the classes of both operands that takes them as they are
//   2. else the one that takes them after one of them has been converted by a constructor
//   3. else, for arrays, the operator of their elements; a product of matrices by '*' and '+'
// Two functions that fit are an error (E0349). Where none fits the result is empty.
class OperatorRecords {
 public:
  struct Arguments {
    std::vector<Value> positional;
    std::vector<std::pair<std::string_view, Value>> named;
  };

  OperatorRecords(Evaluator& evaluator, const Context& c, diag::Span where)
      : e_(evaluator), context_(c), where_(where) {}

  // `symbol` is in quotes, as the class of the operator is named: '+', or '.+'.
  std::optional<Value> unary(std::string_view symbol, const Value& v);
  std::optional<Value> binary(std::string_view symbol, const Value& a, const Value& b);
  std::optional<Value> sum(const Value& v);
  std::optional<Value> string(const Arguments& arguments);
  static bool has_constructor(Evaluator& evaluator, Instance& record);
  std::optional<Value> construct(Instance& record, const Arguments& arguments);

 private:
  using Functions = std::vector<Instance*>;
  using Matched = std::vector<std::optional<Value>>;
  // Arrays are as the function declares them, or it may be applied to their elements.
  enum class Shapes { kExact, kByElements };

  static Functions functions(Evaluator& evaluator, Instance* record, std::string_view symbol);
  Functions of(const Value& v, std::string_view symbol);
  Instance& type_of(Instance& function, Slot& input);
  bool same_record(Instance& a, Instance& b);
  bool fits(Instance& function, Slot& input, const Value& v, Shapes shapes, int& conversions);
  std::optional<Matched> match(Instance& function, const Arguments& arguments, Shapes shapes,
                               int& conversions);
  std::optional<Value> call_one(const Functions& candidates, const Arguments& arguments,
                                Shapes shapes);
  std::optional<Value> converted(Instance& function, const Value& a, const Value& b,
                                 std::size_t which);
  std::optional<Value> call(Instance& function, Matched arguments);
  [[noreturn]] void ambiguous(const Instance& one, const Instance& other);
  std::optional<Value> each(std::string_view symbol, const Value& a, const Value& b);
  std::optional<Value> product(const Value& a, const Value& b);

  Evaluator& e_;
  const Context& context_;
  diag::Span where_;
};

}  // namespace arges::lang
