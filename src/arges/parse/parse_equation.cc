// Equations and statements.

#include "arges/diag/in_quotes.h"
#include "arges/parse/parser_impl.h"

namespace arges::lang {

using K = TokenKind;
using diag::in_quotes;

// Two names in a row, as in `Real x` or `Modelica.Units.SI.Mass m`, or a prefix of declarations.
bool Parser::looks_like_declaration() const {
  switch (kind()) {
    case K::kParameter:
    case K::kConstant:
    case K::kDiscrete:
    case K::kInput:
    case K::kOutput:
    case K::kFlow:
    case K::kInner:
    case K::kOuter:
    case K::kFinal:
    case K::kReplaceable:
    case K::kRedeclare:
    case K::kImport:
    case K::kExtends:
    case K::kStream:
      return true;
    case K::kIdentifier:
      break;
    default:
      return false;
  }
  const Token* t = at_ + 1;
  while (t[0].kind == K::kDot && t[1].kind == K::kIdentifier) t += 2;
  return t->kind == K::kIdentifier;
}

// Words of other languages that would otherwise pass for names.
bool Parser::foreign_keyword() {
  if (!is(K::kIdentifier)) return false;
  static constexpr std::string_view kWords[][2] = {
      {"elif", "elseif"},    {"elsif", "elseif"},       {"elseIf", "elseif"},   {"endif", "end if"},
      {"endfor", "end for"}, {"endwhile", "end while"}, {"endwhen", "end when"}};
  for (const auto& word : kWords) {
    if (text(at_->range()) != word[0]) continue;
    error(here(Code::kForeignKeyword, in_quotes(word[0]) + " is no keyword of Modelica")
              .suggest("write " + in_quotes(word[1]))
              .fix(span(at_->range()), std::string(word[1])));
    return true;
  }
  return false;
}

EquationList Parser::equations() {
  List<const Equation*> list(*this);
  while (!ends_list()) {
    const Token* before = at_;
    list.add(equation());
    if (recovering_) {
      synchronise();
    } else {
      semicolon("equation");
    }
    if (at_ == before) take();
  }
  return list.done();
}

StatementList Parser::statements() {
  List<const Statement*> list(*this);
  while (!ends_list()) {
    const Token* before = at_;
    list.add(statement());
    if (recovering_) {
      synchronise();
    } else {
      semicolon("statement");
    }
    if (at_ == before) take();
  }
  return list.done();
}

const Equation* Parser::equation() {
  Equation* e = arena_.make<Equation>();
  e->kind = EquationKind::kMissing;
  const Nested nested(*this);
  if (!nested) return e;
  const std::uint32_t from = begin();
  switch (kind()) {
    case K::kIf:
      if_block(*e);
      break;
    case K::kFor:
      for_block(*e);
      break;
    case K::kWhen:
      when_block(*e);
      break;
    case K::kConnect:
      connect_equation(*e);
      break;
    case K::kWhile:
    case K::kBreak:
    case K::kReturn:
      mild_error(here(Code::kStatementAmongEquations,
                      in_quotes(text(at_->range())) + " is a statement, and these are equations")
                     .suggest("statements stand in an `algorithm` section"));
      statement();  // read and dropped
      break;
    default:
      simple_equation(*e);
  }
  e->description = description();
  e->range = since(from);
  return e;
}

void Parser::simple_equation(Equation& e) {
  // A variable may have such a name.
  if (peek() != K::kEqual && peek() != K::kAssign && peek() != K::kDot && foreign_keyword()) return;
  if (looks_like_declaration()) {
    error(
        here(Code::kDeclarationAmongEquations, "a declaration cannot stand among equations")
            .suggest("move it before `equation`, or begin a new `public` or `protected` section"));
    return;
  }
  e.left = simple_expression();
  if (is(K::kEqual) || is(K::kAssign)) {
    if (is(K::kAssign)) {
      mild_error(here(Code::kAssignmentAmongEquations, "`:=` assigns, and this is an equation")
                     .suggest("write `=`; assignments stand in an `algorithm` section")
                     .fix(span(at_->range()), "="));
    }
    take();
    e.kind = EquationKind::kEqual;
    e.right = expression();
    return;
  }
  e.kind = EquationKind::kCall;
  if (recovering_ || e.left->kind == ExprKind::kCall) return;
  if (is(K::kEqualEqual)) return;
  if (e.left->kind == ExprKind::kChain && as<ChainExpr>(*e.left).operators[0] == BinaryOp::kEqual) {
    error(Diagnostic(Code::kNotAnEquation, "a comparison is not an equation", span(e.left->range))
              .suggest("an equation is written with one `=`"));
    return;
  }
  error(Diagnostic(Code::kNotAnEquation, "expected `=` after this expression, found " + found(),
                   span(e.left->range), "an equation has two sides")
            .suggest("`left = right`, or the call of a function without results"));
}

void Parser::connect_equation(Equation& e) {
  e.kind = EquationKind::kConnect;
  take();
  if (!is(K::kLeftParen)) {
    expect(K::kLeftParen, Code::kUnexpectedToken, "after `connect`");
    e.left = missing_expression();
    e.right = missing_expression();
    return;
  }
  const Token& open = take();
  e.left = component_reference();
  expect(K::kComma, Code::kUnexpectedToken, "between the two connectors");
  e.right = component_reference();
  expect_close(K::kRightParen, open);
}

const Statement* Parser::statement() {
  Statement* s = arena_.make<Statement>();
  s->kind = StatementKind::kMissing;
  const Nested nested(*this);
  if (!nested) return s;
  const std::uint32_t from = begin();
  switch (kind()) {
    case K::kIf:
      if_block(*s);
      break;
    case K::kFor:
      for_block(*s);
      break;
    case K::kWhen:
      when_block(*s);
      break;
    case K::kWhile:
      while_block(*s);
      break;
    case K::kBreak:
      take();
      s->kind = StatementKind::kBreak;
      break;
    case K::kReturn:
      take();
      s->kind = StatementKind::kReturn;
      break;
    case K::kConnect:
      mild_error(here(Code::kConnectInAlgorithm, "`connect` cannot stand in an algorithm")
                     .suggest("connections belong into an `equation` section"));
      equation();  // read and dropped
      break;
    default:
      simple_statement(*s);
  }
  s->description = description();
  s->range = since(from);
  return s;
}

void Parser::simple_statement(Statement& s) {
  // A variable may have such a name.
  if (peek() != K::kEqual && peek() != K::kAssign && peek() != K::kDot && foreign_keyword()) return;
  if (looks_like_declaration()) {
    error(here(Code::kDeclarationAmongEquations, "a declaration cannot stand among statements")
              .suggest("move it before `algorithm`; local variables of a function are declared in "
                       "a `protected` section"));
    return;
  }
  s.left = simple_expression();
  if (is(K::kAssign) || is(K::kEqual)) {
    if (is(K::kEqual)) {
      mild_error(here(Code::kEqualsInAlgorithm, "`=` states an equation, and this is an algorithm")
                     .suggest("write `:=` to assign")
                     .fix(span(at_->range()), ":="));
    }
    const bool der = s.left->kind == ExprKind::kCall &&
                     as<CallExpr>(*s.left).callee->parts[0].name.text == "der";
    if (s.left->kind != ExprKind::kReference && s.left->kind != ExprKind::kTuple && !der) {
      mild_error(Diagnostic(Code::kNotAssignable, "the left side of `:=` must be a variable",
                            span(s.left->range)));
    }
    take();
    s.kind = StatementKind::kAssign;
    s.right = expression();
    if (s.left->kind == ExprKind::kTuple && s.right->kind != ExprKind::kCall && !recovering_) {
      mild_error(Diagnostic(Code::kNotAssignable,
                            "only the results of a call can be assigned to a list of variables",
                            span(s.right->range))
                     .label(span(s.left->range), "a list of variables"));
    }
    return;
  }
  s.kind = StatementKind::kCall;
  if (recovering_ || s.left->kind == ExprKind::kCall) return;
  error(Diagnostic(Code::kNotAStatement, "expected `:=` after this expression, found " + found(),
                   span(s.left->range), "this is no statement")
            .suggest("`variable := value`, or the call of a function"));
}

}  // namespace arges::lang
