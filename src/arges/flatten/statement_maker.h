#pragma once
// Statements of algorithms and functions to those of the flat model.

#include "arges/flatten/evaluator.h"
#include "arges/flatten/nested.h"

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
  // The value of its declaration to an array whose size is known only when the function runs.
  void make_value(const Instance& array, std::vector<FlatStatement>& out);
  // v := value for the scalars of both.
  void assign(const Value& targets, const Value& values, const Context& c, TextRange range,
              std::vector<FlatStatement>& out);
  // Variables of a model that are assigned where the algorithm never comes: `body`, all of it,
  // determines them all the same.
  void keep_unreached(std::vector<FlatStatement>& body);

 private:
  void make(const Statement& s, const Context& c, std::vector<FlatStatement>& out);
  // assignments.cc
  void make_assign(const Statement& s, const Context& c, std::vector<FlatStatement>& out);
  void check_no_index(const Expr& target, const Context& c);
  // The first value of `y[:]` gives it its size.
  void set_size(const Expr& target, const Value& value, const Context& c);
  bool assign_filled(const Statement& s, const Context& c, std::vector<FlatStatement>& out);
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
  void check_loop(FlatFunction loop, const Context& c, TextRange range,
                  std::vector<FlatStatement>& out);
  bool may_be_function(std::span<const FlatStatement> list);
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
  void keep_positions(std::vector<ExprId>& targets, const Context& c, TextRange range,
                      std::vector<FlatStatement>& out);
  void assign_one(ExprId target, ExprId value, const Context& c, TextRange range,
                  std::vector<FlatStatement>& out);
  void collect(const Value& target, const Value& value, diag::Span where,
               std::vector<ExprId>& targets, std::vector<ExprId>& values,
               std::vector<ScalarType>& types);
  bool crosses(const std::vector<ExprId>& values, const std::vector<ExprId>& targets);
  // Of the function, with a name that no other local has.
  LocalId add_local(std::string_view name, ScalarType type, const Dims& dims = {});
  LocalId add_local(std::string_view name, ScalarType type, ExprId size);
  ExprId temporary(ScalarType type);
  // Those made since there were `kept`: the statements that assign them were taken back.
  void drop_temporaries(std::size_t kept);
  // unreached_targets.cc
  void add_unreached(StatementList list, const Context& c);
  void add_unreached_in_empty(const Statement& loop, std::size_t at, const Context& c);
  void add_unreached(const Expr& target, const Context& c);
  void add_unreached(const std::vector<FlatStatement>& list);
  void add_unreached(ExprId scalar);

  Evaluator& e_;
  FlatFunction* function_ = nullptr;
  bool initial_ = false;
  bool in_when_ = false;
  bool in_loop_function_ = false;   // function_ is made of a loop of a model
  int loops_ = 0;                   // around the present statement
  int choices_ = 0;                 // assignments to chosen elements so far
  std::vector<VarId> temporaries_;  // of the model
  std::vector<VarId> unreached_;
};

}  // namespace arges::lang
