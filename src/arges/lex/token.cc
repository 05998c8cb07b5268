#include "arges/lex/token.h"

namespace arges::lang {

std::string_view spelling(TokenKind kind) {
  static constexpr std::string_view kText[] = {
#define ARGES_TOKEN(kind, text) text,
#include "arges/lex/tokens.def"
  };
  return kText[static_cast<std::size_t>(kind)];
}

bool is_keyword(TokenKind kind) { return kind >= TokenKind::kAlgorithm; }

}  // namespace arges::lang
