#pragma once
// A reduction over a vector whose length is known only during the run, as a function.

#include <map>

#include "arges/flatten/evaluator.h"

namespace arges::lang {

// Makes a function of its own, so that it is computed where the expression needs it (in a branch,
// in the condition of a loop) and nowhere else. Its inputs are what the element and the length are
// made of; arrays are handed over as a whole.
class OutlinedFold {
 public:
  // Positions are locals from here on, which only the function of a fold has.
  static constexpr std::int32_t kFirstPosition = 1 << 24;

  // `name`: sum, product, min or max. `at`: the position in the vector.
  OutlinedFold(Evaluator& evaluator, std::string_view name, ExprId at, const Origin& origin);
  // Lengths that must agree.
  void check(ExprId a, ExprId b) { checks_.push_back({a, b}); }
  Value close(ExprId length, const Value& element, diag::Span where);

 private:
  ExprId mapped(ExprId root);
  void add_inputs(ExprId root);
  bool add_open_array(const ExprNode& node);
  LocalId add_local(std::string name, ScalarType type, std::vector<std::int32_t> dims);

  Evaluator& e_;
  std::string_view name_;
  ExprId at_;
  LocalId at_local_;
  FlatFunction function_;
  std::vector<ExprId> arguments_;
  std::map<std::int32_t, LocalId> arrays_;  // by local of the function around
  std::map<std::int32_t, LocalId> inputs_;  // by expression
  std::vector<std::pair<ExprId, ExprId>> checks_;
};

}  // namespace arges::lang
