#pragma once
// The parser behind parser.h: recursive descent for classes and equations, precedence climbing for
// expressions. One .cc file for each chapter of the grammar.
//
// Errors. error() reports and switches to `recovering_`: until the next synchronisation nothing
// more is reported, expect() fails quietly, and the functions run to their ends without consuming
// what they do not know. The loops over elements, equations and statements then synchronise.
// mild_error() reports a slip that is understood (a missing `;`), and parsing goes on at once.
// Every loop either consumes a token in each turn or ends.

#include <string>
#include <tuple>
#include <vector>

#include "arges/parse/parser.h"

namespace arges::lang {

using diag::Code;
using diag::Diagnostic;

// What a construct that ends with `end` is waiting for.
struct Opening {
  TokenKind kind;         // kIf, kFor, kWhile, kWhen, or the keyword of a class
  std::string_view name;  // of a class; else empty
  TextRange range;        // what to point at
};

class Parser {
 public:
  Parser(const TokenList& tokens, Arena& arena, diag::Diagnostics& diagnostics,
         const ParseOptions& options);

  const StoredDefinition* stored_definition();
  const Modification* annotation_only();
  const Expr* expression_only();

 private:
  // ---- tokens: parse_recovery.cc ----
  TokenKind kind() const { return at_->kind; }
  TokenKind peek() const { return kind() == TokenKind::kEndOfFile ? kind() : at_[1].kind; }
  bool is(TokenKind k) const { return at_->kind == k; }
  const Token& take() {
    const Token& t = *at_;
    if (t.kind != TokenKind::kEndOfFile) ++at_;
    return t;
  }
  bool accept(TokenKind k) {
    if (!is(k)) return false;
    ++at_;
    return true;
  }
  std::uint32_t begin() const { return at_->begin; }
  std::uint32_t previous_end() const { return at_ == first_ ? at_->begin : at_[-1].end; }
  TextRange since(std::uint32_t from) const {
    return {from, previous_end() > from ? previous_end() : from};
  }
  std::string_view text(TextRange r) const { return source_.substr(r.begin, r.size()); }
  diag::Span span(TextRange r) const { return {file_, r}; }
  bool on_new_line() const;
  std::string found() const;

  void error(Diagnostic d);
  void mild_error(Diagnostic d);
  Diagnostic here(Code code, std::string message, std::string label = {}) const;
  bool expect(TokenKind k, Code code, std::string_view where);
  void expect_close(TokenKind close, const Token& open);
  // `then` or `loop`.
  void expect_header_end(TokenKind k, Code code, std::string_view head);
  void semicolon(std::string_view what);
  void give_up();
  bool begins_section() const;
  bool ends_list() const;
  void synchronise();
  void expect_end(const Opening& opening);
  void wrong_end(const Opening& opening);
  void missing_end(const Opening& opening);
  void expect_class_end(const Opening& opening);

  // Counts nesting while it lives. False: too deep, reported, and the rest of the file is skipped.
  class Nested {
   public:
    explicit Nested(Parser& p) : parser_(p), ok_(++p.depth_ <= kMaxNesting) {
      if (!ok_) p.too_deep();
    }
    ~Nested() { --parser_.depth_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;
    explicit operator bool() const { return ok_; }

   private:
    Parser& parser_;
    bool ok_;
  };
  void too_deep();

  // A list under construction, on a stack that all lists of one element type share.
  template <class T>
  class List {
   public:
    explicit List(Parser& p)
        : stack_(std::get<std::vector<T>>(p.stacks_)), arena_(p.arena_), from_(stack_.size()) {}
    ~List() { stack_.resize(from_); }
    List(const List&) = delete;
    List& operator=(const List&) = delete;
    void add(const T& item) { stack_.push_back(item); }
    std::size_t size() const { return stack_.size() - from_; }
    bool empty() const { return size() == 0; }
    std::span<const T> done() const { return arena_.copy(stack_.data() + from_, size()); }

   private:
    std::vector<T>& stack_;
    Arena& arena_;
    std::size_t from_;
  };

  // ---- names and descriptions: parse_common.cc ----
  Identifier identifier(std::string_view what);
  Identifier keyword_as_identifier(const Token& token) const;
  Name name(bool may_be_global);
  std::span<const std::string_view> description_string();
  Description description();
  const Annotation* annotation_clause();
  const Annotation* optional_annotation() {
    return is(TokenKind::kAnnotation) ? annotation_clause() : nullptr;
  }

  // ---- expressions: parse_expression.cc, parse_primary.cc ----
  const Expr* expression();
  const Expr* simple_expression();
  const Expr* if_expression();
  const Expr* binary(int level);
  const Expr* chain(const Expr* left, int level);
  const Expr* prefixed(int level);
  const Expr* primary();
  const Expr* tuple();
  const Expr* array();
  const Expr* matrix();
  const Expr* reference_or_call();
  const Expr* call(const ReferenceExpr* callee);
  const Expr* partial_application();
  const Expr* function_argument();
  const Expr* missing_expression();
  const ReferenceExpr* component_reference();
  const ReferenceExpr* keyword_reference();
  ExprList subscripts();
  ExprList expression_list(TokenKind close);
  std::span<const ForIndex> for_indices();
  template <class T>
  T* node(ExprKind k, std::uint32_t from) {
    T* n = arena_.make<T>();
    n->kind = k;
    n->range = since(from);
    return n;
  }

  // ---- equations and statements: parse_equation.cc, parse_statement.cc, parse_block.cc ----
  std::span<const Equation* const> body_of(const Equation*);
  std::span<const Statement* const> body_of(const Statement*);
  EquationList equations();
  StatementList statements();
  const Equation* equation();
  const Statement* statement();
  void simple_equation(Equation& e);
  void connect_equation(Equation& e);
  void simple_statement(Statement& s);
  bool looks_like_declaration() const;
  bool foreign_keyword();
  // Conditions with their equations or statements, up to `end`: `first` ... `next` ... [else].
  template <class Item>
  void branches(Item& item, TokenKind first, TokenKind next);
  template <class Item>
  void if_block(Item& item);
  template <class Item>
  void when_block(Item& item);
  template <class Item>
  void for_block(Item& item);
  void while_block(Statement& s);

  // ---- modifications: parse_modification.cc ----
  const Modification* modification();
  const Modification* class_modification(bool inheritance = false);
  void arguments(Modification& m, bool inheritance);
  Argument argument(bool inheritance);
  void break_argument(Argument& a);
  void redeclared(Argument& a);

  // ---- classes: parse_class.cc, parse_element.cc ----
  bool begins_class() const;
  const ClassDef* class_definition(bool short_only = false);
  void class_prefixes(ClassDef& c);
  void short_class(ClassDef& c);
  void enumeration(ClassDef& c);
  void derivative_class(ClassDef& c);
  void composition(ClassDef& c, const Opening& opening);
  bool section(List<Section>& sections, ClassDef& c);
  void external_clause(ClassDef& c);
  std::span<const Element> elements(ClassDef& c);
  bool class_annotation(ClassDef& c);
  bool element(Element& e);
  const Import* import_clause();
  const Extends* extends_clause();
  TypePrefix type_prefix();
  const ComponentClause* component_clause(bool single = false);
  Component component(bool conditional);
  const Constraint* constraint();
  const Equation* parameter_equation();

  Arena& arena_;
  diag::Diagnostics& diagnostics_;
  const ParseOptions& options_;
  const SourceFile* file_;
  std::string_view source_;
  const Token* first_;
  const Token* last_;  // end of file
  const Token* at_;
  const Token* reported_ = nullptr;  // where the last error was
  const std::vector<std::uint32_t>& lexer_reports_;
  bool truncated_;
  bool recovering_ = false;
  bool gave_up_ = false;
  bool base_modelica_ = false;
  bool unclosed_annotation_ = false;
  int errors_ = 0;
  int depth_ = 0;
  int subscript_depth_ = 0;
  std::vector<Opening> open_;
  std::tuple<std::vector<const Expr*>, std::vector<BinaryOp>, std::vector<ReferencePart>,
             std::vector<Identifier>, std::vector<std::string_view>, std::vector<NamedArgument>,
             std::vector<ForIndex>, std::vector<IfExprBranch>, std::vector<ExprList>,
             std::vector<const Equation*>, std::vector<const Statement*>,
             std::vector<Branch<Equation>>, std::vector<Branch<Statement>>, std::vector<Argument>,
             std::vector<Component>, std::vector<Element>, std::vector<Section>,
             std::vector<EnumLiteral>, std::vector<StoredClass>>
      stacks_;
};

}  // namespace arges::lang
