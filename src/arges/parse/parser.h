#pragma once
// Tokens to syntax tree.

#include "arges/diag/diagnostic.h"
#include "arges/lex/lexer.h"
#include "arges/parse/tree.h"

namespace arges::lang {

// How deep parentheses, classes, equations and modifications may nest, all counted together. Deeper
// text is refused (E0128): the parser and all that walk its trees use the stack, and must not
// overflow 8 MB of it. The deepest text of the Modelica Standard Library has fewer than 40 levels.
constexpr int kMaxNesting = 500;

// A file with more errors is no longer looked at (E0129).
constexpr int kMaxErrors = 100;

struct ParseOptions {
  bool annotations = false;  // parse annotations now (else only their parentheses are checked)
};

// Never fails: it reports what is wrong and returns what it could read. After an error it goes on
// at the next `;`, `end` or keyword that begins a section, so that one run finds several errors.
// Linear in the size of the text.
SyntaxTree parse(const SourceFile& file, diag::Diagnostics& diagnostics,
                 const ParseOptions& options = {});

// Reads an annotation that parse() left alone, into the arena of its tree. Not safe for two threads
// on one tree.
const Modification* parse_annotation(const SyntaxTree& tree, const Annotation& annotation,
                                     diag::Diagnostics& diagnostics);

// One expression, for example a value on a command line; the whole text must be used.
struct ParsedExpression {
  const Expr* expr = nullptr;
  std::unique_ptr<Arena> arena;
};
ParsedExpression parse_expression(const SourceFile& file, diag::Diagnostics& diagnostics);

}  // namespace arges::lang
