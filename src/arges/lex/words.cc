// Keywords and the contents of strings.

#include <array>

#include "arges/lex/lexer.h"

namespace arges::lang {
namespace {

struct Keyword {
  std::string_view text;
  TokenKind kind;
};

// Sorted by the first letter; `kFirst[c - 'a']` is where letter c begins.
constexpr Keyword kKeywords[] = {
#define ARGES_TOKEN(kind, text)
#define ARGES_KEYWORD(kind, text) {text, TokenKind::kind},
#include "arges/lex/tokens.def"
};
constexpr std::size_t kCount = std::size(kKeywords);

constexpr std::array<std::uint8_t, 27> make_first() {
  std::array<std::uint8_t, 27> first{};
  std::size_t k = 0;
  for (int letter = 0; letter < 27; ++letter) {
    while (k < kCount && kKeywords[k].text[0] < 'a' + letter) ++k;
    first[static_cast<std::size_t>(letter)] = static_cast<std::uint8_t>(k);
  }
  return first;
}
constexpr std::array<std::uint8_t, 27> kFirst = make_first();

}  // namespace

TokenKind keyword_or_identifier(std::string_view word) {
  const char c = word[0];
  if (c < 'a' || c > 'z' || word.size() < 2 || word.size() > 13) return TokenKind::kIdentifier;
  const auto letter = static_cast<std::size_t>(c - 'a');
  for (std::size_t k = kFirst[letter]; k < kFirst[letter + 1]; ++k) {
    if (kKeywords[k].text == word) return kKeywords[k].kind;
  }
  return TokenKind::kIdentifier;
}

std::string join(const TokenList& list) {
  const std::string_view text = list.file->text();
  std::string out;
  out.reserve(text.size());
  std::uint32_t done = 0;
  for (const Token& t : list.tokens) {
    out += text.substr(done, t.begin - done);  // white space and comments
    out += text.substr(t.begin, t.end - t.begin);
    done = t.end;
  }
  return out;
}

std::string decode_string(std::string_view token) {
  std::string out;
  if (!token.empty() && token.front() == '"') token.remove_prefix(1);
  if (!token.empty() && token.back() == '"') token.remove_suffix(1);
  out.reserve(token.size());
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] != '\\' || i + 1 == token.size()) {
      out += token[i];
      continue;
    }
    switch (token[++i]) {
      case 'a':
        out += '\a';
        break;
      case 'b':
        out += '\b';
        break;
      case 'f':
        out += '\f';
        break;
      case 'n':
        out += '\n';
        break;
      case 'r':
        out += '\r';
        break;
      case 't':
        out += '\t';
        break;
      case 'v':
        out += '\v';
        break;
      default:
        out += token[i];
    }
  }
  return out;
}

}  // namespace arges::lang
