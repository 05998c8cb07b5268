#pragma once
// Statements of algorithms and functions to those of the flat model.

#include "arges/flatten/evaluator.h"

namespace arges::lang {

using FlatStatement = ::arges::Statement;

// In a model, targets are variables, and loops are unrolled; one whose way is known only when the
// model runs becomes a function (LoopFunction). In a function, loops stay loops where sizes do not
// depend on them, and targets are locals.
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
  // assignments.cc
  void make_assign(const Statement& s, const Context& c, std::vector<FlatStatement>& out);
  void assign_vector(const Statement& s, const Context& c, std::vector<FlatStatement>& out);
  void make_if(const Statement& s, const Context& c, std::vector<FlatStatement>& out);
  // loop_statements.cc
  void make_while(const Statement& s, const Context& c, std::vector<FlatStatement>& out);
  void make_for(const Statement& s, std::size_t at, const Context& c,
                std::vector<FlatStatement>& out);
  // A loop over the elements of an array, in a function.
  bool make_for_elements(const Statement& s, std::size_t at, const Context& c,
                         std::vector<FlatStatement>& out);
  // The statement, or its indices from `at` on, as a function.
  void make_loop_function(const Statement& s, std::size_t at, const Context& c,
                          std::vector<FlatStatement>& out);
  bool may_be_function(std::span<const FlatStatement> list);
  struct Nested {
    explicit Nested(int& level) : n(level) { ++n; }
    ~Nested() { --n; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;
    int& n;
  };
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
  bool crosses(const std::vector<ExprId>& values, const std::vector<ExprId>& targets);
  // Of the function, with a name that no other local has.
  LocalId add_local(std::string_view name, ScalarType type, const Dims& dims = {});
  ExprId temporary(ScalarType type);

  Evaluator& e_;
  FlatFunction* function_ = nullptr;
  bool initial_ = false;
  bool in_when_ = false;
  bool in_loop_function_ = false;  // function_ is made of a loop of a model
  int loops_ = 0;                  // around the present statement
  int choices_ = 0;                // assignments to chosen elements so far
};

}  // namespace arges::lang
