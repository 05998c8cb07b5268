// libFuzzer: any bytes go through lexer, parser, printer and formatter. What must hold:
//   - no crash, no hang, memory in proportion to the input;
//   - every range lies in the file, and the tokens with what lies between them are the text;
//   - both clients show any diagnostics;
//   - a text without errors prints to one that parses to the same tree, and formatting changes
//     neither tokens nor, the second time, anything.

#include <cstdint>
#include <string>

#include "arges/diag/json_client.h"
#include "arges/diag/text_client.h"
#include "arges/parse/dump.h"
#include "arges/parse/format.h"
#include "arges/parse/parser.h"
#include "arges/parse/print.h"
#include "require.h"

namespace {

using namespace arges;
using namespace arges::lang;
using arges::fuzz::require;

void check_round_trips(const TokenList& tokens, const SyntaxTree& tree) {
  diag::Diagnostics diagnostics;
  const SourceFile printed("printed", print(tree));
  const SyntaxTree again = parse(printed, diagnostics, {.annotations = true});
  require(!diagnostics.has_errors(), "the printed tree parses");
  require(dump(tree) == dump(again), "parse-print-parse is the identity");
  const SourceFile formatted("formatted", format(tokens));
  const TokenList formatted_tokens = lex(formatted, diagnostics);
  require(formatted_tokens.tokens.size() == tokens.tokens.size(), "formatting keeps tokens");
  for (std::size_t i = 0; i < tokens.tokens.size(); ++i) {
    require(tokens.file->text(tokens.tokens[i].range()) ==
                formatted.text(formatted_tokens.tokens[i].range()),
            "formatting keeps tokens");
  }
  require(format(formatted_tokens) == formatted.text(), "formatting is idempotent");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const SourceFile file("fuzz.mo", std::string(reinterpret_cast<const char*>(data), size));
  diag::Diagnostics diagnostics;
  const TokenList tokens = lex(file, diagnostics);
  require(join(tokens) == file.text(), "tokens and white space are the text");
  diag::Diagnostics lazily;
  parse(file, lazily);
  diag::Diagnostics found(5);  // showing hundreds would take all the time
  const SyntaxTree tree = parse(file, found, {.annotations = true});
  for (const diag::Diagnostic& d : found.list()) {
    require(
        d.primary.span.range.begin <= d.primary.span.range.end && d.primary.span.range.end <= size,
        "ranges lie in the file");
  }
  to_text(found, {.colour = true});
  to_json(found);
  dump(tree);
  print(tree);
  if (!found.has_errors()) check_round_trips(tokens, tree);
  return 0;
}
