// libFuzzer: any bytes go through the lexer. Tokens lie in the file, one behind the other, and with
// what lies between them they are the text; ranges of diagnostics lie in the file.

#include <cstdint>
#include <string>

#include "arges/lex/lexer.h"
#include "require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace arges;
  const diag::SourceFile file("fuzz.mo", std::string(reinterpret_cast<const char*>(data), size));
  diag::Diagnostics diagnostics;
  const lang::TokenList tokens = lang::lex(file, diagnostics);
  fuzz::require(join(tokens) == file.text(), "tokens and white space are the text");
  std::uint32_t at = 0;
  for (const lang::Token& token : tokens.tokens) {
    fuzz::require(at <= token.range().begin && token.range().begin <= token.range().end,
                  "tokens are in order");
    at = token.range().end;
  }
  fuzz::require(at <= size, "tokens lie in the file");
  for (const diag::Diagnostic& d : diagnostics.list()) {
    const diag::TextRange range = d.primary.span.range;
    fuzz::require(range.begin <= range.end && range.end <= size, "ranges lie in the file");
  }
  return 0;
}
