#pragma once
// Appends the text of nodes to a string; behind print.h.

#include <string>

#include "arges/parse/print.h"

namespace arges::lang {

class Printer {
 public:
  Printer(std::string& out, const SourceFile* file, const PrintOptions& options)
      : out_(out), file_(file), options_(options) {}

  void stored(const StoredDefinition& d);
  void class_def(const ClassDef& c);
  void expr(const Expr* e);
  void name(const Name& n);

 private:
  // print_expression.cc
  void list(ExprList l);
  void subscripts(ExprList l);
  void named(std::span<const NamedArgument> l, bool first);
  void indices(std::span<const ForIndex> l);
  void if_expr(const IfExpr& e);
  void call(const CallExpr& e);
  void reference(const ReferenceExpr& e);
  void matrix(const MatrixExpr& e);
  void tuple(const TupleExpr& e);

  // print_class.cc
  void line();
  void strings(std::span<const std::string_view> l);
  void description(const Description& d);
  void annotation(const Annotation* a);
  void sections(const ClassDef& c);
  void element(const Element& e);
  void import(const Import& i);
  void components(const ComponentClause& c);
  void component(const Component& c);
  void prefix(const TypePrefix& p);
  void constraint(const Constraint* c);
  void external(const External& e);
  void modification(const Modification* m, bool spaced);
  void argument(const Argument& a);

  // print_equation.cc
  void equation(const Equation& e);
  void statement(const Statement& s);
  template <class Item>
  void block(const Item& item, std::string_view word, std::string_view next);
  template <class Item>
  void for_block(const Item& item);
  void items(EquationList l);
  void items(StatementList l);

  Printer& put(std::string_view text) {
    out_ += text;
    return *this;
  }

  std::string& out_;
  const SourceFile* file_;
  const PrintOptions& options_;
  int indent_ = 0;
};

}  // namespace arges::lang
