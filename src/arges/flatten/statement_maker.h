#pragma once
// Statements of algorithms and functions to those of the flat model.

#include "arges/flatten/evaluator.h"

namespace arges::lang {

using FlatStatement = ::arges::Statement;

// In a model, loops are unrolled and targets are variables. In a function, loops stay loops where
// sizes do not depend on them, and targets are locals.
class StatementMaker {
 public:
  explicit StatementMaker(Evaluator& evaluator, bool initial = false)
      : e_(evaluator), initial_(initial) {}
  StatementMaker(Evaluator& evaluator, FlatFunction& function)
      : e_(evaluator), function_(&function) {}

  void make(StatementList list, const Context& c, std::vector<FlatStatement>& out);
  // v := value for the scalars of both.
  void assign(const Value& targets, const Value& values, const Context& c, TextRange range,
              std::vector<FlatStatement>& out);

 private:
  void make(const Statement& s, const Context& c, std::vector<FlatStatement>& out);
  void make_if(const Statement& s, const Context& c, std::vector<FlatStatement>& out);
  void make_for(const Statement& s, std::size_t at, const Context& c,
                std::vector<FlatStatement>& out);
  // What tells that a loop has ended early.
  struct Flag {
    ExprId value;
    FlatStatement set;  // value := true
  };
  FlatStatement unless(const Flag& broken, std::vector<FlatStatement> body);
  void replace_breaks(std::vector<FlatStatement>& list, const Flag& broken);
  void make_when(const Statement& s, const Context& c, std::vector<FlatStatement>& out);
  void make_call(const Statement& s, const Context& c, std::vector<FlatStatement>& out);
  void assign_scalars(std::vector<ExprId> targets, std::vector<ExprId> values,
                      const std::vector<ScalarType>& types, const Context& c, TextRange range,
                      std::vector<FlatStatement>& out);
  void assign_one(ExprId target, ExprId value, const Context& c, TextRange range,
                  std::vector<FlatStatement>& out);
  void collect(const Value& target, const Value& value, diag::Span where,
               std::vector<ExprId>& targets, std::vector<ExprId>& values,
               std::vector<ScalarType>& types);
  bool uses(ExprId root, const std::vector<ExprId>& targets);
  ExprId temporary(ScalarType type);

  Evaluator& e_;
  FlatFunction* function_ = nullptr;
  bool initial_ = false;
  bool in_when_ = false;
};

}  // namespace arges::lang
