#pragma once
// Text to tokens.

#include <string>
#include <string_view>

#include "arges/diag/diagnostic.h"
#include "arges/lex/token.h"

namespace arges::lang {

// Never fails: what is no lexical unit is reported and left out (it then lies between two tokens,
// like white space). One pass, linear, no recursion.
TokenList lex(const SourceFile& file, diag::Diagnostics& diagnostics);
// The tokens of a part of the file that begins and ends at the bounds of tokens.
TokenList lex(const SourceFile& file, TextRange range, diag::Diagnostics& diagnostics);

// Tokens and what lies between them, joined: the text of the file, byte for byte.
std::string join(const TokenList& list);

// The characters that a string token (with its double quotes) stands for. Unknown escapes stand
// for the escaped character.
std::string decode_string(std::string_view token);

// The keyword that `word` is, or kIdentifier.
TokenKind keyword_or_identifier(std::string_view word);

}  // namespace arges::lang
