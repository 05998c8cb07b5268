#pragma once
// Loops of algorithm sections whose way is known only when the model runs.

#include <map>
#include <unordered_map>

#include "arges/flatten/evaluator.h"

namespace arges::lang {

// Makes a function of statements of a model: its inputs are what they read, its outputs what they
// assign. An output has the value of before where the statements do not reach it. As in every
// function, relations make no events.
//
// The statements have variables of the model as targets, or locals of `function`, which has no
// inputs and outputs so far. An assignment to an element that is chosen when the model runs has
// neither: its only subscript is the choice (Op::kIndex).
class LoopFunction {
 public:
  LoopFunction(Evaluator& evaluator, FlatFunction function);

  struct Result {
    ExprId variable, value;
  };
  // Adds the function to the model. What the variables are behind the statements, in the order of
  // the variables; the values are over what they were before. Throws Failure.
  std::vector<Result> close(diag::Span where);

 private:
  using Statements = std::vector<::arges::Statement>;
  // Where a variable lies in the function: a scalar, or an element of an array.
  struct Place {
    LocalId local;
    std::vector<ExprId> subscripts;
  };

  void collect(const Statements& body);
  void collect(ExprId root);
  void collect_target(ExprId choice);
  // The array that a variable is an element of; null when it is a scalar.
  Instance* array_of(VarId v);
  // Only the model can compute it: it is an input, and must not depend on what the loop assigns.
  bool is_outside(ExprId e);
  void add_locals();
  void add_local(std::string name, ScalarType type, const Dims& dims);
  ExprId local_value(const Place& place, ScalarType type);
  ExprId mapped(ExprId root);
  ExprId map_leaf(ExprId e);
  ExprId map_choice(ExprId choice, const std::vector<ExprId>& args);
  void map(Statements& body);
  void map_target(::arges::Statement& s);

  Evaluator& e_;
  FlatFunction function_;
  diag::Span where_;
  std::unordered_map<std::int32_t, bool> seen_;
  // By variable and by expression: the order must not depend on hashes.
  std::map<std::int32_t, bool> variables_;           // assigned?
  std::map<std::int32_t, Instance*> arrays_;         // with a chosen element, by first variable
  std::map<std::int32_t, LocalId> outside_;          // other inputs, by expression
  std::map<std::int32_t, Place> before_, now_;       // of variables
  std::int32_t own_locals_ = 0;                      // where those of the statements begin
  std::unordered_map<std::int32_t, ExprId> mapped_;  // by expression
};

}  // namespace arges::lang
