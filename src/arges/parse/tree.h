#pragma once
// The syntax tree of a Modelica file: classes, elements, modifications, equations, statements.
// Conventions as in expression.h. The grammar is appendix A.2 of the specification 3.6; the names
// of the nodes follow it.

#include <memory>
#include <span>
#include <string_view>

#include "arges/parse/arena.h"
#include "arges/parse/expression.h"

namespace arges::lang {

struct Modification;
struct ClassDef;
struct Equation;
struct Statement;

// annotation(...). Half of the tokens of large libraries are annotations, so they are not parsed
// unless ParseOptions asks for it: `range` is the whole clause, whose parentheses balance, and
// parse_annotation (parser.h) reads it later.
struct Annotation {
  TextRange range;
  std::uint32_t open = 0;  // its `(`
  const Modification* parsed = nullptr;
};

// A description: "text" + "text" annotation(...). The strings keep their quotes.
struct Description {
  std::span<const std::string_view> strings;
  const Annotation* annotation = nullptr;
};

// ---- components and modifications ----

enum class Connecting : std::uint8_t { kNone, kFlow, kStream };
enum class Variability : std::uint8_t { kNone, kDiscrete, kParameter, kConstant };
enum class Causality : std::uint8_t { kNone, kInput, kOutput };

struct TypePrefix {
  Connecting connecting = Connecting::kNone;
  Variability variability = Variability::kNone;
  Causality causality = Causality::kNone;
};

struct Component {
  TextRange range;
  Identifier name;
  ExprList subscripts;
  const Modification* modification;  // null: none
  const Expr* condition;             // null: always there
  Description description;
};

struct ComponentClause {
  TextRange range;
  TypePrefix prefix;
  Name type;
  ExprList subscripts;
  std::span<const Component> components;
};

// constrainedby T(...) with its description.
struct Constraint {
  TextRange range;
  Name type;
  const Modification* modification;
  Description description;
};

enum class ArgumentKind : std::uint8_t {
  kModify,           // x.y(...) = e
  kClass,            // [redeclare] [replaceable] type T = ...
  kComponent,        // [redeclare] [replaceable] T x(...)
  kBreakElement,     // break x (Modelica 3.7, extends only)
  kBreakConnection,  // break connect(a, b)
};

struct Argument {
  ArgumentKind kind;
  TextRange range;
  bool redeclare = false;
  bool each = false;
  bool final = false;
  bool replaceable = false;
  Name name;  // kModify, kBreakElement
  const Modification* modification = nullptr;
  const ClassDef* class_def = nullptr;
  const ComponentClause* component = nullptr;  // with one component
  const Constraint* constraint = nullptr;
  const Expr* connection[2] = {nullptr, nullptr};
  Description description;
};

// (arguments) = value. `has_arguments` tells () from nothing.
struct Modification {
  TextRange range;
  std::span<const Argument> arguments;
  const Expr* value = nullptr;
  bool has_arguments = false;
  bool is_break = false;  // = break
};

// ---- equations and statements ----

enum class EquationKind : std::uint8_t { kMissing, kEqual, kCall, kConnect, kIf, kFor, kWhen };
enum class StatementKind : std::uint8_t {
  kMissing,
  kAssign,
  kCall,
  kBreak,
  kReturn,
  kIf,
  kFor,
  kWhile,
  kWhen
};

template <class Item>
struct Branch {
  const Expr* condition;  // null: else
  std::span<const Item* const> body;
};

struct Equation {
  EquationKind kind;
  TextRange range;
  Description description;
  // kEqual: left = right. kConnect: connect(left, right). kCall: left is a CallExpr.
  const Expr* left = nullptr;
  const Expr* right = nullptr;
  // kIf: if, elseif..., else. kWhen: when, elsewhen... kFor: one, its condition null.
  std::span<const Branch<Equation>> branches;
  std::span<const ForIndex> indices;  // kFor
};
using EquationList = std::span<const Equation* const>;

struct Statement {
  StatementKind kind;
  TextRange range;
  Description description;
  // kAssign: left := right; the left side is a reference, a call of der, or a tuple. kCall: left.
  const Expr* left = nullptr;
  const Expr* right = nullptr;
  // As in Equation; kWhile: one branch with its condition.
  std::span<const Branch<Statement>> branches;
  std::span<const ForIndex> indices;
};
using StatementList = std::span<const Statement* const>;

// ---- classes ----

enum class ImportKind : std::uint8_t {
  kQualified,    // import A.B.C;
  kRenamed,      // import D = A.B.C;
  kUnqualified,  // import A.B.*;
  kList,         // import A.B.{C, D};
};

struct Import {
  TextRange range;
  ImportKind kind;
  Identifier alias;  // kRenamed
  Name name;
  std::span<const Identifier> list;  // kList
  Description description;
};

struct Extends {
  TextRange range;
  Name type;
  const Modification* modification;
  const Annotation* annotation;
};

enum class ElementKind : std::uint8_t {
  kImport,
  kExtends,
  kClass,
  kComponents,
  kParameterEquation,  // Base Modelica: parameter equation guess(x) = e
};

struct Element {
  ElementKind kind;
  TextRange range;
  bool redeclare = false;
  bool final = false;
  bool inner = false;
  bool outer = false;
  bool replaceable = false;
  const Import* import = nullptr;
  const Extends* extends = nullptr;
  const ClassDef* class_def = nullptr;
  const ComponentClause* components = nullptr;
  const Constraint* constraint = nullptr;
  const Equation* equation = nullptr;  // kParameterEquation
};

enum class SectionKind : std::uint8_t {
  kFirst,  // the elements before any keyword: public
  kPublic,
  kProtected,
  kEquation,
  kInitialEquation,
  kAlgorithm,
  kInitialAlgorithm,
};

struct Section {
  SectionKind kind;
  TextRange range;
  std::span<const Element> elements;
  EquationList equations;
  StatementList statements;
};

// external "C" y = f(a, b) annotation(...).
struct External {
  TextRange range;
  std::string_view language;    // with quotes; empty when it is not written
  const ReferenceExpr* result;  // null
  Identifier function;          // empty when there is no call
  ExprList arguments;
  const Annotation* annotation;
};

struct EnumLiteral {
  Identifier name;
  Description description;
};

enum class ClassKind : std::uint8_t {
  kClass,
  kModel,
  kRecord,
  kOperatorRecord,
  kBlock,
  kConnector,
  kExpandableConnector,
  kType,
  kPackage,
  kFunction,
  kOperatorFunction,
  kOperator,
};
std::string_view spelling(ClassKind kind);
constexpr bool is_connector(ClassKind kind) {
  return kind == ClassKind::kConnector || kind == ClassKind::kExpandableConnector;
}

enum class Purity : std::uint8_t { kNone, kPure, kImpure };

enum class ClassForm : std::uint8_t {
  kLong,         // model M ... end M
  kExtends,      // model extends M(...) ... end M
  kShort,        // type T = input Real[3](...)
  kEnumeration,  // type E = enumeration(a, b)
  kDerivative,   // function g = der(f, x, y)
};

struct ClassDef {
  TextRange range;
  ClassKind kind;
  ClassForm form;
  Purity purity = Purity::kNone;
  bool encapsulated = false;
  bool partial = false;
  bool any_enumeration = false;            // enumeration(:)
  bool constant_function = false;          // Base Modelica: pure constant function
  Causality causality = Causality::kNone;  // kShort
  Identifier name;
  Description description;  // strings; the annotation of a long class is the one before `end`
  const Modification* modification = nullptr;  // kExtends, kShort
  // kLong, kExtends
  std::span<const Section> sections;
  const External* external = nullptr;
  // kShort, kDerivative
  Name base;
  ExprList subscripts;
  std::span<const Identifier> variables;  // kDerivative
  std::span<const EnumLiteral> literals;  // kEnumeration
};

struct StoredClass {
  const ClassDef* class_def;
  bool final = false;
};

// A file.
struct StoredDefinition {
  TextRange range;
  bool is_base_modelica = false;  // the first line is `//! base 0.1.0` (MCP-0031)
  bool has_within = false;
  Name within;  // empty: `within;`
  std::span<const StoredClass> classes;
};

// A file and the memory of its nodes. The SourceFile must outlive it.
struct SyntaxTree {
  const SourceFile* file = nullptr;
  const StoredDefinition* root = nullptr;
  std::unique_ptr<Arena> arena;
};

}  // namespace arges::lang
