#pragma once
// Expressions of the text to scalar expressions of the flat model.
//
// Arrays and records are taken apart: eval() gives one scalar expression for each element. In
// structural mode every parameter is replaced by its value, so that the result is a literal or the
// attempt fails (E0302); sizes, conditions of components and ranges of loops are found this way.
//
// A call of a function is executed symbolically where its body is a straight line (or all its
// arguments are literals), else it becomes a call of a FlatFunction, one for each combination of
// array sizes.

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "arges/flat/flat_model.h"
#include "arges/flatten/index_use.h"
#include "arges/flatten/instances.h"

namespace arges {
class CallEvaluator;
}

namespace arges::lang {

// Iteration variables, from the inside out.
struct Frame {
  const Frame* outer = nullptr;
  std::string_view name;
  Value value;
};

// What a dimension of an array is declared by, and so subscripted with.
struct IndexType {
  ScalarType type = ScalarType::kInteger;
  ClassNode* enumeration = nullptr;
};

struct Context {
  Scope scope;
  const Frame* frame = nullptr;
  bool structural = false;
  bool in_function = false;  // or another place without events
  bool of_size = false;      // or of a binding: before any statement of the function
  bool in_when = false;      // or at the start: values of an instant
  int end = -1;              // the size that `end` stands for
  ExprId end_size{};         // that one, when it is known only when the function runs
  IndexType end_type{};      // and as what
};

// pre(v), edge(v), change(v) outside of `when`, or der(v): whether v may stand there is known when
// all that sets it is.
struct OperatorUse {
  VarId variable;
  bool of_rate = false;  // der
  diag::Span where;
};

// Differs for values of different types or sizes.
std::string shape_key(const Value& v);

// 'a.b[1]' of Base Modelica without its quotes.
std::string plain_name(std::string_view name);

// A value for one element of an array of parameters that is not from the text of the model.
struct GivenElement {
  const Expr* value = nullptr;
  TextRange range;  // of the whole: p[2] = 5
  Scope scope{};    // where the value is looked up
  bool used = false;
};

class Evaluator final : public StructuralEvaluator {
 public:
  Evaluator(Instances& instances, FlatModel& model);

  Value eval(const Expr& e, const Context& c);
  // Before an array of so many elements is made: fails when it is too large, and counts the work.
  void allow(std::size_t elements, diag::Span where);
  // At each turn of a loop that makes equations, connections or statements: ends the flattening
  // when there are too many.
  void count_turn(const Context& c, TextRange loop);
  ExprId eval_scalar(const Expr& e, const Context& c);
  ExprId eval_boolean(const Expr& e, const Context& c);
  // All results of an expression: several for a call of a function with several outputs.
  std::vector<Value> eval_all(const Expr& e, const Context& c);
  // A call for its effect: one scalar that depends on the call, or nothing when nothing is left to
  // do.
  Value record_of_constants(const Expr& e, const Context& c);
  void refuse_running(const Value& v, diag::Span where);
  ExprId delayed(ExprId x, ExprId time, std::optional<ExprId> longest);
  // The message of an assert or terminate.
  ExprId eval_text(const Expr& message, std::string_view of, const Context& c);
  std::vector<Value> eval_effect(const CallExpr& e, const Context& c);
  // A variable of type Clock, or what makes one.
  bool is_clock(const Value& v);
  // A hidden variable to assign such a scalar to.
  ExprId effect_variable();
  // A hidden Real variable that equals an expression.
  ExprId auxiliary_variable(const char* prefix, ExprId value);
  // The literal that the expression stands for, or a failure.
  Value eval_constant(const Expr& e, const Context& c);
  // The same without the failure: nothing when it depends on variables.
  std::optional<Value> try_constant(const Expr& e, const Context& c);
  // The values of a for-range.
  std::vector<Value> range_values(const ForIndex& index, const Context& c,
                                  const IndexUse* use = nullptr);

  // Calls body for all combinations of the indices from number `at` on.
  void iterate(std::span<const ForIndex> indices, std::size_t at, const Context& c,
               const std::function<void(const Context&)>& body,
               const std::function<IndexUse(std::string_view)>& use = {});

  // Component that a reference means; elements of arrays of components when subscripts choose one.
  // Null when a condition has removed it.
  struct Place {
    std::vector<Instance*> instances;  // row by row
    Dims dims;
    Instance* first = nullptr;  // what the first part of the name means
    bool disabled = false;
    // Of a basic type: which elements, from 0.
    std::vector<std::vector<std::size_t>> offsets;
  };
  Place place(const ReferenceExpr& r, const Context& c);

  Value bound_value(const Binding& b, const Context& c);
  const Value& constant_value(Instance& instance);
  // Those of the instance, by position from 0. Fails when it is nothing that can be given.
  std::map<std::size_t, ExprId> given_of(Instance& i);
  // Fails when some were given to nothing. After all parameters have their values.
  void check_given();
  // What a component is declared to be, in a call or a function that is made. `b`: its binding.
  Value declared_value(Instance& instance, const Binding& b, const Context& c, diag::Span where);
  // A component as a value, all of it.
  Value instance_value(Instance& instance, const Context& c);
  VarId variable(Instance& instance);
  // The component that a variable is, or is an element of; null for those without a declaration.
  Instance* owner(VarId v);
  // Fails for parameters and constants that have their value from elsewhere.
  void check_assignable(VarId v, diag::Span where);
  // `value` for a component of these dimensions: checked, spread when `each`.
  Value fitted(Value value, const Dims& dims, bool each, ScalarType type, diag::Span where,
               ClassNode* enumeration = nullptr);

  // Whether two values can be elements of one array or cases of one `if`: numbers, or of one type.
  bool have_common_type(const Value& a, const Value& b);
  // Fails unless they have; `what` names them ("the cases of this `if`").
  void check_common_type(const Value& a, const Value& b, const std::string& what, diag::Span where);

  // The name of a variable that the expression depends on and that changes during the run (or, with
  // parameters_too, is no constant); empty when there is none.
  std::string changes(ExprId root, bool parameters_too = false);

  // An assertion that is false whatever happens is an error before the run.
  void check_assert(ExprId condition, ExprId message, AssertionLevel level, diag::Span where);

  int dimension(const Expr& e, Scope scope) override;
  bool condition(const Expr& e, Scope scope) override;
  Dims shape(const Binding& binding) override;
  Dims shape(const Expr& e, const Context& c);

  Instances& instances() { return instances_; }
  FlatModel& model() { return model_; }
  ExprPool& pool() { return model_.pool; }
  diag::Span span(const Context& c, const Expr& e) { return instances_.span(c.scope, e.range); }
  Origin origin(const Context& c, TextRange range);
  std::int32_t enumeration_index(ClassNode& node);

  // Elementwise, scalars spread.
  Value elementwise(Op op, const Value& a, const Value& b, diag::Span where);
  Value map(Op op, const Value& a);
  Value multiply(const Value& a, const Value& b, diag::Span where);
  Value add(const Value& a, const Value& b, bool negate, diag::Span where);
  ExprId sum(const std::vector<ExprId>& terms, ScalarType type);
  ExprId product(ExprId a, ExprId b);
  ExprId convert(ExprId e, ScalarType type);
  ExprId choose(ExprId condition, ExprId a, ExprId b);
  Value choose(ExprId condition, const Value& a, const Value& b, diag::Span where);
  Value string_value(std::string_view text) { return scalar_value(pool(), pool().string(text)); }

  const Expr& argument(const CallExpr& e, std::size_t i, std::string_view name, const Context& c);
  const Expr* optional_argument(const CallExpr& e, std::size_t i, std::string_view name);
  VarId as_variable(ExprId e, std::string_view operation, diag::Span where);
  // The results of a function of a record, such as equalityConstraint.
  std::vector<Value> call_member(Instance& record, std::string_view name,
                                 std::vector<std::optional<Value>> arguments, diag::Span where);

  // The function that is being made, when vectors may have lengths that are known only when it runs
  // (RunTimeVectors); else null.
  FlatFunction* function_around = nullptr;
  int made_positions = 0;                       // in such vectors
  const FlatFunction* function_made = nullptr;  // the innermost that is being made

  std::map<std::string, GivenElement> given_elements;  // by name: a.p[2,1]
  // The text is a flat model: quoted names are names of components.
  bool base_modelica = false;
  // What the graph of overconstrained connections says of a record: isRoot, rooted.
  std::unordered_map<const Instance*, std::pair<bool, bool>> roots;
  // Number of connections of a connector, for cardinality().
  std::unordered_map<const Instance*, int> cardinalities;
  // What flows into a connector, for inStream(); the flow that belongs to a stream variable.
  std::function<ExprId(VarId stream)> in_stream;
  std::function<ExprId(VarId stream, diag::Span where)> stream_flow;
  std::vector<OperatorUse> operator_uses;
  // What is to be said of the model, though it has a meaning.
  std::vector<diag::Diagnostic> warnings;
  // activeState(a) and timeInState().
  std::function<ExprId(std::string_view name, const CallExpr& e, const Context& c)> machine_builtin;
  // For der(expression): equations of auxiliary variables, and functions that were needed.
  std::vector<FlatEquation> auxiliary;

 private:
  friend class FunctionMaker;
  friend class SymbolicExecution;
  friend class StatementMaker;
  friend class RunTimeVectors;
  friend class OperatorRecords;
  friend class BeingEvaluated;
  struct Sub {
    Subscript fixed;
    // When the positions are known only during the run: one if fixed.scalar, else one or more.
    std::vector<ExprId> chosen;
    StringId what;  // for the message when one of these is out of range

    bool is_dynamic() const { return !chosen.empty(); }
  };

  // run_time_arrays.cc
  std::vector<ExprId> run_time_sizes(const ReferenceExpr& r, const Context& c);
  std::optional<Value> run_time_array(const Expr& e, const Context& c);
  Value run_time_element(Instance& i, const ReferenceExpr& r, std::size_t k, const Context& c);
  void check_run_time_argument(Instance& function, Slot& input, const Value& v, diag::Span where);
  // references.cc
  Value reference(const ReferenceExpr& r, const Context& c);
  static void check_unconditional(const Slot& slot, diag::Span where);
  void check_time(const Context& c, diag::Span where);
  Value component_value(Instance& i, const ReferenceExpr& r, std::size_t k, const Context& c);
  Value member_value(Instance& i, const ReferenceExpr& r, std::size_t k, const Context& c);
  Value leaf(Instance& i, const std::vector<Sub>& subs, const Context& c, diag::Span where);
  static std::optional<std::size_t> single(const std::vector<Sub>& subs, const Dims& dims);
  Value leaf_elements(Instance& i, const std::vector<Subscript>& subs);
  Value apply(const Value& v, const std::vector<Sub>& subs, std::size_t from = 0);
  ExprId element_of_local(ExprId position, const std::vector<ExprId>& choices);
  Value indexed(StringId what, ExprId position, const std::vector<Value>& elements);
  // `of`: what is subscripted, when it is a component.
  std::vector<Sub> subscripts(ExprList list, const Dims& dims, const Context& c, diag::Span where,
                              const Instance* of = nullptr);
  Resolved first_part(const ReferenceExpr& r, const Context& c);
  // Follows classes; returns the number of parts used, with `r` at the last of them.
  std::size_t follow_classes(const ReferenceExpr& e, Resolved& r, const Context& c);
  Dims reference_shape(const ReferenceExpr& r, const Context& c);
  void walk_place(Instance& i, const ReferenceExpr& r, std::size_t k, const Context& c, Place& out);
  Instance& child(Instance& i, const ReferenceExpr& r, std::size_t k, const Context& c);

  // expressions.cc
  Value literal(const LiteralExpr& e, const Context& c);
  Value unary(const UnaryExpr& e, const Context& c);
  Value chain(const ChainExpr& e, const Context& c);
  Value chain(const ChainExpr& e, const Context& c, std::size_t& at);
  void add_unknown_names(ExprList others, const Context& c, Failure& why);
  Value binary(BinaryOp op, const Value& a, const Value& b, diag::Span where);
  Value relation(Op op, const Value& a, const Value& b, diag::Span where);
  Value power(const Value& a, const Value& b, diag::Span where);
  Value if_expr(const IfExpr& e, const Context& c);
  Value case_of_known_condition(const IfExpr& e, const Context& c, const Value& first,
                                const Value& other, diag::Span where);
  void check_element(const Value& first, const Value& v, diag::Span where);
  Value range(const RangeExpr& e, const Context& c);
  Value array(const ArrayExpr& e, const Context& c);
  Value matrix(const MatrixExpr& e, const Context& c);
  Value suffix(const SuffixExpr& e, const Context& c);
  std::vector<Value> implied_range(const ForIndex& index, const IndexUse& use, const Context& c);
  Value comprehension(const Expr& body, std::span<const ForIndex> indices, std::size_t at,
                      const Context& c);

  // value_types.cc
  static std::string type_text(const Value& v);
  static void check_number(const Value& v, diag::Span where);
  void check_operands(Op op, const Value& a, const Value& b, diag::Span where);
  void check_enumeration(ClassNode* wanted, const Value& v, diag::Span where);
  // subscripts.cc
  // Of a dimension; nothing when the declaration does not say.
  std::optional<IndexType> index_type(const Instance& i, std::size_t dimension);
  // The value that chooses the element at a position, from 1.
  Value position_value(int position, const IndexType& type);
  void check_subscript(const Instance& i, const std::optional<IndexType>& wanted, const Value& v,
                       diag::Span where);

  // operator_rules.cc
  bool stands_in_function(const Context& c);
  void check_model_operator(std::string_view name, const Context& c, diag::Span where);
  void check_equality(BinaryOp op, const Value& a, const Value& b, const Context& c,
                      diag::Span where);
  void check_outputs(Instance& function);
  void check_paths(Instance& function, const std::unordered_set<std::string_view>& assigned);

  // builtins.cc
  std::vector<Value> call(const CallExpr& e, const Context& c);
  Value builtin(std::string_view name, const CallExpr& e, const Context& c);
  std::optional<Value> array_builtin(std::string_view name, const CallExpr& e, const Context& c);
  ExprId left_limit(std::string_view name, ExprId x, const Context& c, diag::Span where);
  std::optional<Value> event_builtin(std::string_view name, const CallExpr& e, const Context& c);
  Value empty_reduction(std::string_view name, ScalarType type, ClassNode* enumeration);
  Value reduction(std::string_view name, const CallExpr& e, const Context& c);
  Value to_string_value(const CallExpr& e, const Context& c);
  Value evaluated(const Expr& e, const Context& c);
  int integer_argument(const Expr& e, const Context& c);
  ExprId number_argument(const Expr& e, const Context& c);
  ExprId derivative(ExprId e, const Context& c, diag::Span where);
  Value stream_builtin(std::string_view name, const CallExpr& e, const Context& c);
  // model_operators.cc
  ExprId operator_call(std::string_view name, const std::vector<Value>& arguments,
                       const std::vector<ScalarType>& results);
  std::vector<Value> spatial_distribution(const CallExpr& e, const Context& c);
  // clock_builtins.cc
  Value clock_constructor(const CallExpr& e, const Context& c);
  std::optional<Value> clock_builtin(std::string_view name, const CallExpr& e, const Context& c);
  // functions.cc
  std::vector<Value> call_function(ClassRef ref, const CallExpr& e, const Context& c);
  // `places`: of the arguments, where they are known.
  std::vector<Value> call_with(Instance& function, std::vector<std::optional<Value>> arguments,
                               const Context& c, diag::Span where,
                               const std::vector<diag::Span>& places = {});
  std::optional<std::vector<Value>> execute(Instance& function, const std::vector<Value>& arguments,
                                            bool constant);
  Value operator_record(Instance& record, const CallExpr& e, const Context& c);
  bool makes_events(ExprId e);
  void without_events(std::vector<Value>& results, const std::vector<Value>& arguments);
  std::vector<Value> flat_call(Instance& function, const std::vector<Value>& arguments,
                               diag::Span where);
  struct DerivativeAnnotation {
    const Argument* argument;
    Context context;
  };
  std::vector<DerivativeAnnotation> derivatives(Instance& function);
  // A function with one scalar result and a derivative with noDerivative: calls are kept until
  // index reduction has used it.
  bool follows_declaration(Instance& function);
  void declare_derivatives(FunctionId id, Instance& function, const std::vector<Value>& arguments,
                           diag::Span where);
  Value to_enumeration(ClassNode& enumeration, const CallExpr& e, const Context& c);
  // function g = der(f, x)
  std::vector<Value> partial_derivative(Instance& function, const std::vector<Identifier>& by,
                                        const std::vector<Value>& arguments, diag::Span where);
  using Arguments = std::vector<std::optional<Value>>;
  std::vector<Arguments> by_elements(Instance& function, const std::vector<Slot*>& formal,
                                     const Arguments& arguments, diag::Span where, Dims& applied);
  Value construct_record(Instance& record, const Arguments& arguments, diag::Span where);
  // The elements of a record that its constructor takes.
  static std::vector<Slot*> arguments_of(const Instance& record);
  // `partial`: a function value, whose fields are inputs that are given already.
  std::vector<std::optional<Value>> match_arguments(Instance& function, const CallExpr& e,
                                                    const Context& c,
                                                    const Value* partial = nullptr,
                                                    std::vector<diag::Span>* places = nullptr);
  Value partial_application(const PartialExpr& e, const Context& c);
  std::vector<Value> call_value(const Value& f, const CallExpr& e, const Context& c);
  // argument_sizes.cc
  static std::string call_key(const Instance& function,
                              const std::vector<std::optional<Value>>& arguments);
  Instance& input_frame(Instance& function, const std::vector<std::optional<Value>>& arguments);
  void check_argument_sizes(Instance& function, const std::vector<std::optional<Value>>& arguments,
                            const std::vector<diag::Span>& places, diag::Span where);
  std::vector<Slot*> inputs(Instance& function);
  std::vector<Slot*> outputs(Instance& function);
  int formal_dims(Instance& owner, Slot& slot);
  Value result_value(Instance& i, ExprId call, int& at, const Dims& outer);
  void give(Instance& component, const Value& v);
  // The literal that parameters with values make of an expression, or nothing.
  std::optional<ExprId> known_value(ExprId e);
  std::optional<std::vector<Value>> external_constant(Instance& function,
                                                      const std::vector<Value>& arguments,
                                                      diag::Span where);
  std::optional<std::vector<Value>> string_constant(std::string_view name,
                                                    const std::vector<Value>& arguments);
  // Literals in place of the results of a call.
  void put_literals(Value& v, const std::vector<double>& results);
  // resources.cc
  // The file that a text modelica://... names; nothing when it is none, or not known yet.
  std::optional<std::string> resource(const Value& v, diag::Span where);
  std::string resource_path(std::string_view uri, diag::Span where);
  std::string literal_name(ClassNode& enumeration, int ordinal);

  struct MemoKey {
    const Expr* expr;
    Instance* instance;
    int part;
    bool structural;
    bool operator==(const MemoKey&) const = default;
  };
  struct MemoHash {
    std::size_t operator()(const MemoKey& k) const {
      return std::hash<const void*>()(k.expr) * 31 + std::hash<const void*>()(k.instance) +
             static_cast<std::size_t>(k.part * 2 + (k.structural ? 1 : 0));
    }
  };

  Instances& instances_;
  FlatModel& model_;
  std::unordered_map<MemoKey, Value, MemoHash> memo_;
  std::map<std::int32_t, Instance*> owners_;  // of variables, by the first
  std::unordered_map<ClassNode*, std::int32_t> enumerations_;
  std::map<std::string, FunctionId> functions_;  // invalid: it cannot be made
  std::map<std::string, diag::Diagnostic> failed_functions_;
  std::unordered_map<ClassNode*, bool> no_inline_, follows_declaration_;
  std::unordered_map<std::int32_t, bool> makes_events_;
  // Values of actualStream(): times the flow they are continuous, and no event is needed.
  struct ActualStream {
    ExprId flow, inward, outward;
  };
  std::unordered_map<std::int32_t, ActualStream> actual_streams_;
  std::map<std::pair<ClassNode*, Instance*>, Instance*> function_classes_;
  std::vector<ClassNode*> executing_;
  std::vector<Instance*> being_evaluated_;  // each needs the next
  std::unordered_set<const ClassNode*> with_checked_outputs_;
  std::unordered_set<std::string> calls_that_fit_;  // by call_key(): their sizes
  std::unordered_set<const Expr*> integer_sizes_;   // names in declarations of arrays: no types
  int making_ = 0;                                  // functions being made
  std::uint64_t evaluations_ = 0;
  std::uint64_t turns_ = 0;
  std::shared_ptr<CallEvaluator> calls_;
  std::string no_value_;  // why the last call with literals has no value before the run
};

// Sets Evaluator::function_around as long as it lives.
class FunctionAround {
 public:
  FunctionAround(Evaluator& evaluator, FlatFunction* function)
      : e_(evaluator), before_(evaluator.function_around) {
    e_.function_around = function;
  }
  ~FunctionAround() { e_.function_around = before_; }
  FunctionAround(const FunctionAround&) = delete;
  FunctionAround& operator=(const FunctionAround&) = delete;

 private:
  Evaluator& e_;
  FlatFunction* before_;
};

// Sets Evaluator::function_made as long as it lives.
class FunctionMade {
 public:
  FunctionMade(Evaluator& evaluator, const FlatFunction* function)
      : e_(evaluator), before_(evaluator.function_made) {
    e_.function_made = function;
  }
  ~FunctionMade() { e_.function_made = before_; }
  FunctionMade(const FunctionMade&) = delete;
  FunctionMade& operator=(const FunctionMade&) = delete;

 private:
  Evaluator& e_;
  const FlatFunction* before_;
};

}  // namespace arges::lang
