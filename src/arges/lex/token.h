#pragma once
// The lexical units of Modelica 3.6 (specification, appendix A.1).

#include <cstdint>
#include <string_view>
#include <vector>

#include "arges/diag/source_file.h"

namespace arges::lang {

using diag::SourceFile;
using diag::TextRange;

enum class TokenKind : std::uint8_t {
#define ARGES_TOKEN(kind, text) kind,
#include "arges/lex/tokens.def"
};

// The text of a symbol or keyword; "identifier", "number", "string", "end of file" for the others.
std::string_view spelling(TokenKind kind);
bool is_keyword(TokenKind kind);

// Identifiers keep their quotes ('x y' is another name than x), strings their double quotes.
struct Token {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  TokenKind kind = TokenKind::kEndOfFile;

  TextRange range() const { return {begin, end}; }
};

// The tokens of a file, in order, the last being kEndOfFile. What lies between two tokens is
// white space and comments: with the text, tokens lose nothing.
struct TokenList {
  const SourceFile* file = nullptr;
  std::vector<Token> tokens;
  // The end of the file was swallowed by a string or comment that does not end: errors at the end
  // of the file are consequences.
  bool truncated = false;
  // Where the lexer has reported something: a parse error at such a place is a consequence.
  std::vector<std::uint32_t> reported;
};

}  // namespace arges::lang
