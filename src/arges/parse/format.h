#pragma once
// Modelica text, tidied: what `arges format` writes.

#include <string>

#include "arges/lex/token.h"

namespace arges::lang {

// Keeps every token, every comment and every line break of the text (of several empty lines, one),
// and sets the rest anew: two spaces of indentation for each class, block and continued line,
// spaces around operators except * / ^ and : , `=` without spaces inside brackets, none before
// commas and semicolons, none at the end of a line, one line end at the end of the file.
//
// The text must parse without errors. The result has the same tokens and comments, and
// format(format(x)) == format(x): every decision looks only at tokens and line breaks.
std::string format(const TokenList& tokens);

}  // namespace arges::lang
