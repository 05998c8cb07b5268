// Errors and how the parser goes on after them.

#include <algorithm>

#include "arges/diag/in_quotes.h"
#include "arges/parse/parser_impl.h"

namespace arges::lang {

using K = TokenKind;
using diag::in_quotes;

namespace {

bool opens_block(K k) { return k == K::kIf || k == K::kFor || k == K::kWhile || k == K::kWhen; }

std::string describe(const Opening& o) {
  return opens_block(o.kind) ? in_quotes(spelling(o.kind))
                             : in_quotes(std::string(spelling(o.kind)) + " " + std::string(o.name));
}

std::string end_of(const Opening& o) {
  return "end " + std::string(opens_block(o.kind) ? spelling(o.kind) : o.name);
}

}  // namespace

Parser::Parser(const TokenList& tokens, Arena& arena, diag::Diagnostics& diagnostics,
               const ParseOptions& options)
    : arena_(arena),
      diagnostics_(diagnostics),
      options_(options),
      file_(tokens.file),
      source_(tokens.file->text()),
      first_(tokens.tokens.data()),
      last_(first_ + tokens.tokens.size() - 1),
      at_(first_),
      lexer_reports_(tokens.reported),
      truncated_(tokens.truncated),
      base_modelica_(source_.substr(0, 9) == "//! base ") {}

bool Parser::on_new_line() const {
  return at_ == first_ || source_.substr(previous_end(), begin() - previous_end()).find('\n') !=
                              std::string_view::npos;
}

std::string Parser::found() const {
  switch (kind()) {
    case K::kEndOfFile:
      return "the end of the file";
    case K::kString:
      return "a string";
    case K::kEnd:
      if (peek() == K::kIdentifier || opens_block(peek())) {
        return in_quotes(std::string("end ").append(text(at_[1].range())));
      }
      return "`end`";
    default:
      return at_->range().size() <= 40 ? in_quotes(text(at_->range())) : "this";
  }
}

Diagnostic Parser::here(Code code, std::string message, std::string label) const {
  return Diagnostic(code, std::move(message), span(at_->range()), std::move(label));
}

void Parser::error(Diagnostic d) {
  mild_error(std::move(d));
  recovering_ = true;
}

void Parser::mild_error(Diagnostic d) {
  // A second error at the same token is nearly always a consequence of the first.
  if (recovering_ || gave_up_ || reported_ == at_) return;
  reported_ = at_;
  // So is one at the end of a file that a string or comment has swallowed.
  if (is(K::kEndOfFile) && truncated_) return;
  const auto lexer = std::lower_bound(lexer_reports_.begin(), lexer_reports_.end(), previous_end());
  if (lexer != lexer_reports_.end() && *lexer < std::max(at_->end, at_->begin + 1)) return;
  diagnostics_.report(std::move(d));
  if (++errors_ == kMaxErrors) {
    diagnostics_.report(here(Code::kTooManyErrors,
                             "too many errors: the rest of this file is not "
                             "looked at"));
    give_up();
  }
}

void Parser::give_up() {
  gave_up_ = true;
  recovering_ = true;
  at_ = last_;
}

void Parser::too_deep() {
  if (!gave_up_) {
    diagnostics_.report(
        here(Code::kNestingTooDeep,
             "this is nested more than " + std::to_string(kMaxNesting) + " levels deep")
            .suggest("split the expression or class into named parts"));
  }
  give_up();
}

bool Parser::expect(K k, Code code, std::string_view where) {
  if (accept(k)) return true;
  if (!recovering_) {
    error(here(code, "expected " + in_quotes(spelling(k)) + " " + std::string(where) + ", found " +
                         found()));
  }
  return false;
}

void Parser::expect_close(K close, const Token& open) {
  if (accept(close)) return;
  if (recovering_) return;
  error(
      here(Code::kUnclosedBracket, "expected " + in_quotes(spelling(close)) + ", found " + found())
          .label(span(open.range()), "opened here"));
}

void Parser::expect_header_end(K k, Code code, std::string_view head) {
  if (accept(k)) return;
  if (!recovering_) {
    const TextRange after{previous_end(), previous_end()};
    mild_error(Diagnostic(code,
                          "missing " + in_quotes(spelling(k)) + " after the head of this " +
                              in_quotes(head),
                          span(after), "insert " + in_quotes(spelling(k)) + " here")
                   .fix(span(after), " " + std::string(spelling(k))));
  }
  // `do` and `{` are what people who come from other languages write here.
  if (!recovering_ && (is(K::kIdentifier) && text(at_->range()) == "do")) {
    take();
    return;
  }
  // Go on behind the `then` or `loop` when it still comes in this clause.
  for (const Token* t = at_; t < last_ && t->kind != K::kSemicolon && t->kind != K::kEnd; ++t) {
    if (t->kind != k) continue;
    at_ = t + 1;
    recovering_ = gave_up_;
    return;
  }
  if (recovering_) {
    // Only the head is lost; the body is looked at.
    while (!is(K::kSemicolon) && !is(K::kEnd) && !is(K::kEndOfFile)) take();
    accept(K::kSemicolon);
    recovering_ = gave_up_;
  }
}

bool Parser::begins_section() const {
  switch (kind()) {
    case K::kEquation:
    case K::kAlgorithm:
    case K::kPublic:
    case K::kProtected:
    case K::kExternal:
      return true;
    case K::kInitial:
      return peek() == K::kEquation || peek() == K::kAlgorithm;
    default:
      return false;
  }
}

// What ends a list of equations or statements.
bool Parser::ends_list() const {
  switch (kind()) {
    case K::kEnd:
    case K::kElse:
    case K::kElseif:
    case K::kElsewhen:
    case K::kEndOfFile:
    case K::kAnnotation:
      return true;
    default:
      return begins_section();
  }
}

void Parser::semicolon(std::string_view what) {
  if (accept(K::kSemicolon)) return;
  if (!recovering_) {
    const TextRange after{previous_end(), previous_end()};
    const bool plausible = on_new_line() || ends_list();
    Diagnostic d(Code::kMissingSemicolon,
                 plausible ? "expected `;` after this " + std::string(what)
                           : "expected `;` after this " + std::string(what) + ", found " + found(),
                 plausible ? span(after) : span(at_->range()), plausible ? "insert `;` here" : "");
    if (plausible) d.fix(span(after), ";");
    if (plausible) {
      mild_error(std::move(d));
      return;
    }
    error(std::move(d));
  }
  synchronise();
}

// To the next place where an element, equation or statement may begin.
void Parser::synchronise() {
  recovering_ = gave_up_;
  while (!is(K::kEndOfFile)) {
    if (accept(K::kSemicolon)) return;
    if (begins_section()) return;
    switch (kind()) {
      case K::kEnd:
        // Not `end` as a subscript.
        if (peek() == K::kIdentifier || opens_block(peek())) return;
        break;
      case K::kElse:
      case K::kElseif:
      case K::kElsewhen:
        return;
      default:
        // A block that begins on a new line begins something new.
        if ((opens_block(kind()) || is(K::kConnect) || is(K::kAnnotation)) && on_new_line()) return;
    }
    take();
  }
}

void Parser::missing_end(const Opening& opening) {
  if (!opens_block(opening.kind) && opening.name.empty()) return;  // reported at its head
  Diagnostic d =
      here(Code::kMissingEnd, "expected " + in_quotes(end_of(opening)) + ", found " + found());
  d.label(span(opening.range), "this " + describe(opening) + " is not closed");
  if (opening.kind == K::kIf) {
    d.suggest("`else if` begins another `if` with its own `end if`; `elseif` does not");
  }
  mild_error(std::move(d));
}

// `end` of something else. When something further out waits for it, the inner `end` is missing.
// Otherwise it is taken for ours.
void Parser::wrong_end(const Opening& opening) {
  const K next = peek();
  const std::string_view name = next == K::kIdentifier ? text(at_[1].range()) : "";
  for (std::size_t i = open_.size(); i-- > 0;) {
    const Opening& o = open_[i];
    if (opens_block(o.kind) ? o.kind == next : (next == K::kIdentifier && o.name == name)) {
      missing_end(opening);
      return;
    }
  }
  const TextRange range{at_->begin, at_[1].end};
  if (next == K::kIdentifier || opens_block(next)) {
    const bool names = next == K::kIdentifier && !opens_block(opening.kind);
    mild_error(Diagnostic(names ? Code::kWrongEndName : Code::kWrongEnd,
                          in_quotes(text(range)) + " does not match " + describe(opening),
                          span(range), "expected " + in_quotes(end_of(opening)))
                   .label(span(opening.range), "opened here")
                   .fix(span(range), end_of(opening)));
    take();
    take();
    return;
  }
  mild_error(here(Code::kWrongEnd, "expected " + in_quotes(end_of(opening)) + ", found only `end`")
                 .label(span(opening.range), "opened here")
                 .fix(span(at_->range()), end_of(opening)));
  take();
}

void Parser::expect_end(const Opening& opening) {
  if (is(K::kEnd) && peek() == opening.kind) {
    take();
    take();
  } else if (is(K::kEnd)) {
    wrong_end(opening);
  } else {
    missing_end(opening);
  }
}

void Parser::expect_class_end(const Opening& opening) {
  if (is(K::kEnd) && peek() == K::kIdentifier && text(at_[1].range()) == opening.name) {
    take();
    take();
  } else if (is(K::kEnd)) {
    wrong_end(opening);
  } else {
    missing_end(opening);
  }
}

}  // namespace arges::lang
