#pragma once
// The flat model: scalar variables and equations, as flattening leaves them and causalisation takes
// them.

#include <optional>
#include <string>
#include <vector>

#include "arges/expr/pool.h"
#include "arges/flat/machine.h"

namespace arges {

enum class FlatVariability : std::uint8_t { kConstant, kParameter, kDiscrete, kContinuous };
enum class Causality : std::uint8_t { kLocal, kInput, kOutput };
enum class StateSelect : std::uint8_t { kNever, kAvoid, kDefault, kPrefer, kAlways };
std::string_view to_string(FlatVariability variability);
std::string_view to_string(StateSelect select);

// Where an equation, variable or statement comes from: the component that holds it and the range in
// the model text. Both strings are interned in the model's pool; line 0: not known.
struct Origin {
  StringId component;  // "circuit.resistor1"; empty at the top level
  StringId file;
  std::int32_t line = 0, column = 0, end_line = 0, end_column = 0;
};

// " [file:line:column]", or nothing when that is not known.
std::string place_text(const ExprPool& pool, const Origin& origin);

// A scalar variable. Expressions that are not given are invalid ids. `name` is the Modelica
// component reference: "a.b[3].c".
//
// An Integer, Boolean, String or enumeration variable that is not a parameter is discrete, whatever
// the text says. A binding of a variable that is not a parameter or constant is an equation: the
// flattener turns it into one of FlatModel::equations and leaves `binding` invalid.
struct FlatVariable {
  std::string name;
  ScalarType type = ScalarType::kReal;
  FlatVariability variability = FlatVariability::kContinuous;
  Causality causality = Causality::kLocal;
  StateSelect state_select = StateSelect::kDefault;
  bool hidden = false;       // protected, made by a pass, or annotation(HideResult = true)
  bool hide_result = false;  // annotation(HideResult = true), of what it is in as well
  bool evaluate = false;     // parameter: final, annotation(Evaluate = true), or used structurally
  bool structural = false;   // of a parameter: its value has chosen equations
  bool is_clock = false;  // of type Clock (a Boolean here): what it means is up to lower_clocks()
  bool absent = false;    // belongs to a state of a machine that is not active
  bool start_of_type = false;  // `start` says the type, not the declaration or what uses it
  std::optional<bool> fixed;   // default: true for parameters and constants, else false
  ExprId start, nominal, min, max;
  ExprId binding;                 // of a parameter or constant, or the default value of an input
  std::int32_t enumeration = -1;  // index into FlatModel::enumerations
  std::string unit, display_unit, description;
  Origin origin;
};

struct Enumeration {
  std::string name;
  std::vector<std::string> literals;
};

// lhs = rhs; a residual has the constant 0 on one side. If-equations arrive as if-expressions.
struct FlatEquation {
  ExprId lhs, rhs;
  Origin origin;
  bool defines = false;  // lhs is a variable, and only this equation gives its value
};

enum class AssertionLevel : std::uint8_t { kError, kWarning };

struct FlatAssert {
  ExprId condition, message;  // Boolean, String
  AssertionLevel level = AssertionLevel::kError;
  Origin origin;
  bool terminates = false;  // `if not condition then terminate(message)`
};

// What a when-branch does, in the order of the text.
struct WhenAction {
  enum class Kind : std::uint8_t { kAssign, kReinit, kAssert, kTerminate };
  Kind kind = Kind::kAssign;
  VarId target;    // kAssign, kReinit
  ExprId value;    // kAssign, kReinit; kAssert: the condition; kTerminate: its condition, if any
  ExprId message;  // kAssert, kTerminate
  AssertionLevel level = AssertionLevel::kError;
  Origin origin;
};

// `when {c1, c2}` fires when any of its conditions becomes true.
struct WhenBranch {
  std::vector<ExprId> conditions;
  std::vector<WhenAction> actions;
};

// A when-equation: the first branch whose condition becomes true acts.
struct WhenClause {
  std::vector<WhenBranch> branches;
  Origin origin;
};

// A statement of an algorithm or of a function body. In an algorithm, targets are variables of the
// model (VarId; arrays are unrolled by the flattener, a loop over them too; a loop whose subscripts
// are not known then has to become a function); in a function they are locals, with subscripts.
struct Statement {
  enum class Kind : std::uint8_t {
    kAssign,     // target := value
    kIf,         // branches: the first whose condition holds; an invalid condition is `else`
    kFor,        // loop variable := first, first + step, ... last: body    (functions only)
    kWhile,      // condition: body
    kWhen,       // branches with `conditions` as in WhenBranch             (algorithms only)
    kBreak,      //
    kReturn,     //
    kReinit,     // target, value                                           (in kWhen)
    kAssert,     // value, message, level
    kTerminate,  // message
  };
  struct Branch {
    std::vector<ExprId> conditions;  // one, but for kWhen; empty: else
    std::vector<Statement> body;
  };
  Kind kind = Kind::kAssign;
  AssertionLevel level = AssertionLevel::kError;
  VarId target;                    // in algorithms
  LocalId local;                   // in functions: the target, or the loop variable
  std::vector<ExprId> subscripts;  // of the target; from 1
  ExprId value;                    // kAssign, kReinit, kWhile, kAssert (condition)
  ExprId message;
  ExprId first, step, last;      // kFor
  std::vector<Branch> branches;  // kIf, kWhen; kFor and kWhile: one branch, the body
  Origin origin;
};

// An algorithm section. What it assigns are its outputs: together they count as that many
// equations. On entry, discrete outputs have their pre() value, continuous ones their start value.
struct FlatAlgorithm {
  std::vector<Statement> body;
  Origin origin;
};

// A variable of a function. Arrays have fixed sizes: the flattener makes one function for each
// combination of argument sizes, so that `Real x[:]` has become `Real x[3]`. An array is stored
// flat, row by row: element (i, j) of a[n, m] is at (i - 1) * m + (j - 1); stride of the last
// subscript is 1.
struct FlatLocal {
  std::string name;
  ScalarType type = ScalarType::kReal;
  std::vector<std::int32_t> dims;  // empty: scalar
  ExprId initial;                  // scalar default or binding, over earlier locals; invalid: 0
  std::vector<ExprId> initial_elements;  // of an array; empty: zeros
  bool is_object = false;                // an ExternalObject: its type is Integer
  // Of an array whose sizes are computed when the function begins: one for each dimension, over
  // other locals; `dims` are 0. It is one scalar, which says where its elements lie and is the
  // argument for such an input (ExprPool::local).
  std::vector<ExprId> sizes;

  std::int32_t size() const {
    std::int32_t n = 1;
    if (!sizes.empty()) return n;
    for (const std::int32_t d : dims) n *= d;
    return n;
  }
};

// An argument of an external function: a local as a whole, or an expression.
struct ExternalArgument {
  LocalId local;  // invalid: value
  ExprId value;
};

// A function that is declared as the derivative of another. Its arguments are those of the other,
// then the derivatives of the inputs `with`. Of order two it is the derivative of a derivative:
// the inputs `rates` must have the derivatives that the inputs `with` are.
struct FlatDerivative {
  FunctionId function;
  std::int32_t order = 1;
  std::vector<std::int32_t> with, rates;
  std::vector<std::int32_t> ignored;  // inputs whose change does not matter
};

// annotation(inverse(input = value)): what the only output of a function says about one of its
// inputs. Over the locals of the function.
struct FlatInverse {
  LocalId input;
  ExprId value;
};

// Functions whose external name begins so are operators of the model, which causalisation knows
// (spatialDistribution, those of clocks): they have no meaning in other functions.
inline constexpr std::string_view kModelOperator = "Arges_";

// locals: first the inputs, then the outputs, then the protected ones. Records are taken apart by
// the flattener. A call has one scalar argument for each element of the inputs and yields one
// scalar for each element of the outputs (ExprPool::result).
struct FlatFunction {
  std::string name;
  std::vector<FlatLocal> locals;
  std::int32_t inputs = 0;   // how many of the locals are inputs
  std::int32_t outputs = 0;  // and outputs
  std::vector<Statement> body;
  std::string external;  // name of the external function that does the work; body is empty then
  std::vector<ExternalArgument> external_arguments;
  LocalId external_result;  // invalid: it returns nothing
  FunctionId derivative;    // made from the body: inputs, then the derivatives of the Real ones
  std::vector<FlatDerivative> declared;  // of external ones, and those with noDerivative
  std::vector<FlatInverse> inverses;
  bool impure = false;
  std::int32_t smooth_order = 0;
  Origin origin;

  bool is_model_operator() const { return external.starts_with(kModelOperator); }
  std::int32_t input_scalars() const;
  std::int32_t output_scalars() const;
};

// annotation(experiment(...)); what is not given is empty.
struct FlatExperiment {
  std::optional<double> start_time, stop_time, tolerance, interval;
};

// Owns everything. VarId i is variables[i], FunctionId i is functions[i]. The model should be
// balanced (as many equations as unknowns), but need not: causalisation says what is wrong.
struct FlatModel {
  std::string name;  // of the class
  std::string description;
  ExprPool pool;
  std::vector<FlatVariable> variables;
  std::vector<Enumeration> enumerations;
  std::vector<FlatEquation> equations, initial_equations;
  std::vector<WhenClause> whens;
  std::vector<FlatAlgorithm> algorithms, initial_algorithms;
  std::vector<FlatAssert> asserts;
  std::vector<FlatFunction> functions;
  FlatMachines machines;
  FlatExperiment experiment;

  FlatVariable& operator[](VarId v) { return variables[static_cast<std::size_t>(v.index)]; }
  const FlatVariable& operator[](VarId v) const {
    return variables[static_cast<std::size_t>(v.index)];
  }
  VarId add(FlatVariable variable) {
    variables.push_back(std::move(variable));
    return VarId{static_cast<std::int32_t>(variables.size()) - 1};
  }
  // A reference to a variable, with its type.
  ExprId ref(VarId v) { return pool.variable(v, (*this)[v].type); }
};

}  // namespace arges
