// Literals, references, calls, constructors.

#include "arges/parse/parser_impl.h"

namespace arges::lang {

using K = TokenKind;

const Expr* Parser::missing_expression() {
  Expr* e = arena_.make<Expr>();
  e->range = {begin(), begin()};
  return e;
}

const Expr* Parser::primary() {
  const std::uint32_t from = begin();
  const auto literal = [&](ExprKind k) -> const Expr* {
    const Token& t = take();
    auto* e = node<LiteralExpr>(k, from);
    e->text = text(t.range());
    return e;
  };
  const auto plain = [&](ExprKind k) -> const Expr* {
    take();
    return node<Expr>(k, from);
  };
  switch (kind()) {
    case K::kIdentifier:
    case K::kDot:
      return reference_or_call();
    case K::kInteger:
      return literal(ExprKind::kInteger);
    case K::kReal:
      return literal(ExprKind::kReal);
    case K::kString:
      return literal(ExprKind::kString);
    case K::kTrue:
      return plain(ExprKind::kTrue);
    case K::kFalse:
      return plain(ExprKind::kFalse);
    case K::kLeftParen:
      return tuple();
    case K::kLeftBrace:
      return array();
    case K::kLeftBracket:
      return matrix();
    case K::kDer:
    case K::kInitial:
    case K::kPure:
      if (peek() == K::kLeftParen) return call(keyword_reference());
      break;
    case K::kEnd:
      if (subscript_depth_ > 0) return plain(ExprKind::kEnd);
      break;
    case K::kIf:
      if (recovering_) break;
      mild_error(here(Code::kIfNeedsParentheses,
                      "an if-expression inside an expression needs "
                      "parentheses")
                     .suggest("write `a + (if c then x else y)`"));
      return if_expression();
    default:
      break;
  }
  if (!recovering_) {
    Diagnostic d = here(Code::kExpectedExpression, "expected an expression, found " + found());
    if (is(K::kEnd) && (peek() == K::kRightBracket || peek() == K::kRightParen)) {
      d.note("`end` stands for the last index only inside `[...]`");
    } else if (is(K::kEqual)) {
      d.suggest("equality is tested with `==`");
    } else if (is(K::kStar) && at_ != first_ && at_[-1].kind == K::kStar) {
      d.suggest("the power is written `a ^ b`");
    } else if (is_keyword(kind()) && !is(K::kEnd)) {
      d.note("`" + std::string(text(at_->range())) + "` is a keyword");
    }
    error(std::move(d));
  }
  return missing_expression();
}

const ReferenceExpr* Parser::keyword_reference() {
  const Token& t = take();
  List<ReferencePart> parts(*this);
  parts.add({keyword_as_identifier(t), {}});
  auto* e = node<ReferenceExpr>(ExprKind::kReference, t.begin);
  e->parts = parts.done();
  return e;
}

const ReferenceExpr* Parser::component_reference() {
  const std::uint32_t from = begin();
  const bool global = accept(K::kDot);
  List<ReferencePart> parts(*this);
  do {
    ReferencePart part;
    part.name = identifier("a name");
    if (is(K::kLeftBracket)) part.subscripts = subscripts();
    parts.add(part);
  } while (!recovering_ && accept(K::kDot));
  auto* e = node<ReferenceExpr>(ExprKind::kReference, from);
  e->parts = parts.done();
  e->global = global;
  return e;
}

const Expr* Parser::reference_or_call() {
  const ReferenceExpr* reference = component_reference();
  return is(K::kLeftParen) ? call(reference) : reference;
}

ExprList Parser::subscripts() {
  const Token& open = take();
  ++subscript_depth_;
  List<const Expr*> list(*this);
  do {
    if (is(K::kColon) && (peek() == K::kComma || peek() == K::kRightBracket)) {
      const std::uint32_t from = begin();
      take();
      list.add(node<Expr>(ExprKind::kColon, from));
    } else {
      list.add(expression());
    }
  } while (accept(K::kComma));
  --subscript_depth_;
  expect_close(K::kRightBracket, open);
  return list.done();
}

std::span<const ForIndex> Parser::for_indices() {
  List<ForIndex> list(*this);
  do {
    ForIndex index;
    index.name = identifier("the name of an index");
    index.range = accept(K::kIn) ? expression() : nullptr;
    list.add(index);
  } while (accept(K::kComma));
  return list.done();
}

const Expr* Parser::call(const ReferenceExpr* callee) {
  const Token& open = take();
  // `end` in the arguments of a call in a subscript still belongs to that subscript.
  List<const Expr*> positional(*this);
  List<NamedArgument> named(*this);
  std::span<const ForIndex> iterators;
  if (!is(K::kRightParen)) {
    do {
      if (is(K::kIdentifier) && peek() == K::kEqual) {
        NamedArgument argument;
        argument.name = identifier("a name");
        take();
        argument.value = function_argument();
        named.add(argument);
        continue;
      }
      if (!named.empty() && !recovering_) {
        mild_error(
            here(Code::kPositionalAfterNamed, "a positional argument cannot follow a named one"));
      }
      positional.add(function_argument());
      if (is(K::kFor) && positional.size() == 1 && named.empty()) {
        take();
        iterators = for_indices();
        break;
      }
    } while (accept(K::kComma));
  }
  expect_close(K::kRightParen, open);
  auto* e = node<CallExpr>(ExprKind::kCall, callee->range.begin);
  e->callee = callee;
  e->positional = positional.done();
  e->named = named.done();
  e->iterators = iterators;
  return e;
}

const Expr* Parser::function_argument() {
  return is(K::kFunction) ? partial_application() : expression();
}

const Expr* Parser::partial_application() {
  const Nested nested(*this);
  if (!nested) return missing_expression();
  const std::uint32_t from = begin();
  take();
  const Name function = name(true);
  List<NamedArgument> named(*this);
  if (is(K::kLeftParen)) {
    const Token& open = take();
    if (!is(K::kRightParen)) {
      do {
        NamedArgument argument;
        argument.name = identifier("the name of an argument");
        expect(K::kEqual, Code::kUnexpectedToken, "after the name of this argument");
        argument.value = function_argument();
        named.add(argument);
      } while (accept(K::kComma));
    }
    expect_close(K::kRightParen, open);
  } else {
    expect(K::kLeftParen, Code::kUnexpectedToken, "after the name of the function");
  }
  auto* e = node<PartialExpr>(ExprKind::kPartial, from);
  e->function = function;
  e->named = named.done();
  return e;
}

// ( [expression] { , [expression] } ) and a suffix.
const Expr* Parser::tuple() {
  const Token& open = take();
  List<const Expr*> list(*this);
  if (!is(K::kRightParen)) {
    do {
      list.add(is(K::kComma) || is(K::kRightParen) ? nullptr : expression());
    } while (accept(K::kComma));
  }
  expect_close(K::kRightParen, open);
  auto* e = node<TupleExpr>(ExprKind::kTuple, open.begin);
  e->elements = list.done();
  const bool indexed = is(K::kLeftBracket);
  if (!indexed && !(is(K::kDot) && peek() == K::kIdentifier)) return e;
  ExprList indices;
  Identifier member;
  if (indexed) {
    indices = subscripts();
  } else {
    take();
    member = identifier("a name");
  }
  auto* s = node<SuffixExpr>(ExprKind::kSuffix, open.begin);
  s->base = e;
  s->subscripts = indices;
  s->member = member;
  return s;
}

const Expr* Parser::array() {
  const Token& open = take();
  List<const Expr*> list(*this);
  std::span<const ForIndex> iterators;
  if (is(K::kRightBrace)) {
    mild_error(here(Code::kEmptyArray, "an array constructor cannot be empty")
                   .suggest("an empty array is written `fill(0, 0)` or `zeros(0)`"));
  } else {
    do {
      list.add(expression());
      if (is(K::kFor) && list.size() == 1) {
        take();
        iterators = for_indices();
        break;
      }
    } while (accept(K::kComma));
  }
  expect_close(K::kRightBrace, open);
  auto* e = node<ArrayExpr>(ExprKind::kArray, open.begin);
  e->elements = list.done();
  e->iterators = iterators;
  return e;
}

ExprList Parser::expression_list(TokenKind close) {
  List<const Expr*> list(*this);
  if (is(close)) return {};
  do {
    list.add(expression());
  } while (accept(K::kComma));
  return list.done();
}

const Expr* Parser::matrix() {
  const Token& open = take();
  List<ExprList> rows(*this);
  if (is(K::kRightBracket)) {
    mild_error(here(Code::kEmptyArray, "a matrix cannot be empty")
                   .suggest("an empty matrix is written `zeros(0, 0)`"));
  } else {
    do {
      rows.add(expression_list(K::kRightBracket));
    } while (!recovering_ && accept(K::kSemicolon));
  }
  expect_close(K::kRightBracket, open);
  auto* e = node<MatrixExpr>(ExprKind::kMatrix, open.begin);
  e->rows = rows.done();
  return e;
}

}  // namespace arges::lang
