// Names, descriptions, annotations.

#include "arges/parse/parser_impl.h"

namespace arges::lang {

using K = TokenKind;

Identifier Parser::identifier(std::string_view what) {
  if (is(K::kIdentifier)) {
    const Token& t = take();
    return {text(t.range()), t.begin};
  }
  if (recovering_) return {{}, begin()};
  Diagnostic d =
      here(Code::kExpectedIdentifier, "expected " + std::string(what) + ", found " + found());
  if (is_keyword(kind())) {
    const std::string word(text(at_->range()));
    d.note("`" + word + "` is a keyword").suggest("another name, or `'" + word + "'` in quotes");
    // A keyword where a name must stand, and after it what may follow a name.
    switch (peek()) {
      case K::kSemicolon:
      case K::kEqual:
      case K::kComma:
      case K::kLeftParen:
      case K::kLeftBracket:
      case K::kRightParen:
        if (is(K::kEnd)) break;
        mild_error(std::move(d));
        return keyword_as_identifier(take());
      default:
        break;
    }
  }
  error(std::move(d));
  return {{}, begin()};
}

Identifier Parser::keyword_as_identifier(const Token& token) const {
  return {text(token.range()), token.begin};
}

// A.B.C. A dot before `*` or `{` belongs to an import and is left alone.
Name Parser::name(bool may_be_global) {
  Name n;
  const std::uint32_t from = begin();
  if (may_be_global && accept(K::kDot)) n.global = true;
  List<Identifier> parts(*this);
  parts.add(identifier("a name"));
  while (is(K::kDot) && peek() != K::kStar && peek() != K::kLeftBrace) {
    take();
    parts.add(identifier("a name after `.`"));
    if (recovering_) break;
  }
  n.parts = parts.done();
  n.range = since(from);
  return n;
}

std::span<const std::string_view> Parser::description_string() {
  if (!is(K::kString)) return {};
  List<std::string_view> strings(*this);
  strings.add(text(take().range()));
  while (is(K::kPlus) && peek() == K::kString) {
    take();
    strings.add(text(take().range()));
  }
  if (is(K::kString) && !recovering_) {
    error(here(Code::kAdjacentStrings, "two strings in a row")
              .suggest("join them with `+`")
              .fix(span({previous_end(), previous_end()}), " +"));
  }
  return strings.done();
}

Description Parser::description() {
  Description d;
  d.strings = description_string();
  d.annotation = optional_annotation();
  return d;
}

const Annotation* Parser::annotation_clause() {
  const std::uint32_t from = begin();
  take();
  Annotation* a = arena_.make<Annotation>();
  if (!is(K::kLeftParen)) {
    expect(K::kLeftParen, Code::kUnexpectedToken, "after `annotation`");
    a->range = since(from);
    a->open = a->range.end;
    return a;
  }
  a->open = begin();
  if (options_.annotations) {
    a->parsed = class_modification();
    a->range = since(from);
    return a;
  }
  // Only the brackets are looked at. A bracket of the wrong kind is seen when it is parsed.
  const Token& open = *at_;
  int level = 0;
  do {
    switch (kind()) {
      case K::kLeftParen:
      case K::kLeftBrace:
      case K::kLeftBracket:
        ++level;
        break;
      case K::kRightParen:
      case K::kRightBrace:
      case K::kRightBracket:
        --level;
        break;
      case K::kEndOfFile:
        error(here(Code::kUnclosedBracket, "expected `)`, found the end of the file")
                  .label(span(open.range()), "opened here"));
        // Not all that follows shall be lost: go on at the next `;`. A second one like this would
        // cost another walk to the end of the file.
        a->range = {from, open.end};
        if (unclosed_annotation_) {
          give_up();
          return a;
        }
        unclosed_annotation_ = true;
        at_ = &open + 1;
        synchronise();
        recovering_ = true;
        return a;
      default:
        break;
    }
    ++at_;
  } while (level > 0);
  a->range = since(from);
  return a;
}

SyntaxTree parse(const SourceFile& file, diag::Diagnostics& diagnostics,
                 const ParseOptions& options) {
  const TokenList tokens = lex(file, diagnostics);
  SyntaxTree tree;
  tree.file = &file;
  tree.arena = std::make_unique<Arena>();
  tree.root = Parser(tokens, *tree.arena, diagnostics, options).stored_definition();
  return tree;
}

const Modification* parse_annotation(const SyntaxTree& tree, const Annotation& annotation,
                                     diag::Diagnostics& diagnostics) {
  if (annotation.parsed != nullptr) return annotation.parsed;
  const TokenList tokens = lex(*tree.file, annotation.range, diagnostics);
  const ParseOptions options{.annotations = true};
  return Parser(tokens, *tree.arena, diagnostics, options).annotation_only();
}

ParsedExpression parse_expression(const SourceFile& file, diag::Diagnostics& diagnostics) {
  const TokenList tokens = lex(file, diagnostics);
  ParsedExpression out;
  out.arena = std::make_unique<Arena>();
  const ParseOptions options;
  out.expr = Parser(tokens, *out.arena, diagnostics, options).expression_only();
  return out;
}

const Modification* Parser::annotation_only() {
  accept(K::kAnnotation);
  return class_modification();
}

const Expr* Parser::expression_only() {
  const Expr* e = expression();
  if (!is(K::kEndOfFile)) {
    error(here(Code::kUnexpectedToken, "expected the end of the expression, found " + found()));
  }
  return e;
}

}  // namespace arges::lang
