#include "arges/lex/lexer.h"

#include <array>
#include <cstring>
#include <string>

#include "arges/diag/utf8.h"

namespace arges::lang {
namespace {

using diag::Code;
using diag::Diagnostic;

constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr std::array<bool, 256> make_word_table() {
  std::array<bool, 256> table{};
  for (int c = 0; c < 256; ++c) {
    table[static_cast<std::size_t>(c)] =
        c < 128 && (is_letter(static_cast<char>(c)) || is_digit(static_cast<char>(c)));
  }
  return table;
}
constexpr std::array<bool, 256> kWordTable = make_word_table();
bool is_word(char c) { return kWordTable[static_cast<unsigned char>(c)]; }

// The escapes of the specification: \' \" \? \\ \a \b \f \n \r \t \v
bool is_escape(char c) { return c != '\0' && std::strchr("'\"?\\abfnrtv", c) != nullptr; }

// Characters that word processors and keyboards produce, and what was probably meant. A string
// quote has kind kString, a space kEndOfFile.
struct Lookalike {
  char32_t c;
  std::string_view meant;
  TokenKind kind;
};
constexpr Lookalike kLookalikes[] = {
    {0x00A0, " ", TokenKind::kEndOfFile},  {0x2009, " ", TokenKind::kEndOfFile},
    {0x202F, " ", TokenKind::kEndOfFile},  {0x3000, " ", TokenKind::kEndOfFile},
    {0x201C, "\"", TokenKind::kString},    {0x201D, "\"", TokenKind::kString},
    {0x201E, "\"", TokenKind::kString},    {0x00AB, "\"", TokenKind::kString},
    {0x00BB, "\"", TokenKind::kString},    {0x2212, "-", TokenKind::kMinus},
    {0x2013, "-", TokenKind::kMinus},      {0x2014, "-", TokenKind::kMinus},
    {0x00D7, "*", TokenKind::kStar},       {0x00B7, "*", TokenKind::kStar},
    {0x22C5, "*", TokenKind::kStar},       {0x00F7, "/", TokenKind::kSlash},
    {0x2264, "<=", TokenKind::kLessEqual}, {0x2265, ">=", TokenKind::kGreaterEqual},
    {0x2260, "<>", TokenKind::kNotEqual},  {0xFF1B, ";", TokenKind::kSemicolon},
    {0xFF08, "(", TokenKind::kLeftParen},  {0xFF09, ")", TokenKind::kRightParen},
    {0xFF0C, ",", TokenKind::kComma},
};

const Lookalike* find_lookalike(char32_t c) {
  for (const Lookalike& l : kLookalikes) {
    if (l.c == c) return &l;
  }
  return nullptr;
}

class Lexer {
 public:
  Lexer(const SourceFile& file, TextRange range, diag::Diagnostics& diagnostics)
      : file_(file),
        diagnostics_(diagnostics),
        first_(file.text().data()),
        last_(first_ + range.end),
        at_(first_ + range.begin) {
    list_.file = &file;
    list_.tokens.reserve(range.size() / 8 + 16);
  }

  // What concerns the file as a whole.
  void begin_file() {
    check_encoding();
    if (file_.text().substr(0, 3) == "\xEF\xBB\xBF") {
      report(Code::kByteOrderMark, "the file starts with a byte order mark", 0, 3);
      at_ += 3;
    }
  }

  TokenList run() {
    while (skip_blank()) next();
    list_.tokens.push_back({offset(last_), offset(last_), TokenKind::kEndOfFile});
    return std::move(list_);
  }

 private:
  std::uint32_t offset(const char* p) const { return static_cast<std::uint32_t>(p - first_); }

  Diagnostic make(Code code, std::string message, std::uint32_t begin, std::uint32_t end) const {
    return Diagnostic(code, std::move(message), {&file_, {begin, end}});
  }
  void report(Code code, std::string message, std::uint32_t begin, std::uint32_t end) {
    diagnostics_.report(make(code, std::move(message), begin, end));
  }

  // One report for each kind, at the first place: a file in another encoding has thousands.
  void check_encoding() {
    const std::string_view text = file_.text();
    if (const std::size_t at = diag::find_invalid_utf8(text); at != std::string_view::npos) {
      const auto begin = static_cast<std::uint32_t>(at);
      diagnostics_.report(make(Code::kInvalidUtf8, "this byte is not valid UTF-8", begin, begin + 1)
                              .suggest("save the file as UTF-8"));
    }
    if (const std::size_t at = text.find('\0'); at != std::string_view::npos) {
      const auto begin = static_cast<std::uint32_t>(at);
      report(Code::kNulByte, "a zero byte in the text", begin, begin + 1);
    }
  }

  // White space and comments. False at the end of the text. The text is followed by a zero byte
  // (std::string), so looking one character ahead is safe.
  bool skip_blank() {
    while (at_ < last_) {
      switch (*at_) {
        case ' ':
        case '\t':
        case '\n':
        case '\r':
        case '\f':
        case '\v':
          ++at_;
          break;
        case '/':
          if (at_[1] == '/') {
            const void* end = std::memchr(at_, '\n', static_cast<std::size_t>(last_ - at_));
            at_ = end == nullptr ? last_ : static_cast<const char*>(end);
          } else if (at_[1] == '*') {
            skip_block_comment();
          } else {
            return true;
          }
          break;
        default:
          return true;
      }
    }
    return false;
  }

  void skip_block_comment() {
    const char* const begin = at_;
    at_ += 2;
    while (at_ < last_) {
      const void* star = std::memchr(at_, '*', static_cast<std::size_t>(last_ - at_));
      if (star == nullptr) break;
      at_ = static_cast<const char*>(star) + 1;
      if (at_ < last_ && *at_ == '/') {
        ++at_;
        return;
      }
    }
    at_ = last_;
    list_.truncated = true;
    diagnostics_.report(make(Code::kUnterminatedComment, "this comment does not end", offset(begin),
                             offset(begin) + 2)
                            .suggest("end it with `*/`; comments of this kind do not nest"));
  }

  void push(const char* begin, TokenKind kind) {
    list_.tokens.push_back({offset(begin), offset(at_), kind});
  }

  void next() {
    const char* const begin = at_;
    const char c = *at_;
    if (is_letter(c)) {
      do ++at_;
      while (is_word(*at_));
      push(begin, keyword_or_identifier({begin, static_cast<std::size_t>(at_ - begin)}));
    } else if (is_digit(c) || (c == '.' && is_digit(at_[1]))) {
      number();
    } else if (c == '"') {
      quoted('"', TokenKind::kString);
    } else if (c == '\'') {
      quoted('\'', TokenKind::kIdentifier);
    } else {
      symbol();
    }
  }

  void digits() {
    while (is_digit(*at_)) ++at_;
  }

  void number() {
    const char* const begin = at_;
    bool real = false;
    digits();
    if (*at_ == '.') {
      real = true;
      ++at_;
      digits();
    }
    bool malformed = false;
    if (*at_ == 'e' || *at_ == 'E') {
      real = true;
      ++at_;
      if (*at_ == '+' || *at_ == '-') ++at_;
      malformed = !is_digit(*at_);
      digits();
    }
    if (is_letter(*at_)) {
      malformed = true;
      while (is_word(*at_)) ++at_;
    }
    if (malformed) {
      list_.reported.push_back(offset(begin));
      const std::string text(begin, at_);
      diagnostics_.report(
          make(Code::kMalformedNumber, "`" + text + "` is neither a number nor a name",
               offset(begin), offset(at_))
              .suggest("an exponent needs digits (1e-3), a product its sign (2*x), and a name "
                       "starts with a letter"));
    }
    push(begin, real ? TokenKind::kReal : TokenKind::kInteger);
  }

  void quoted(char quote, TokenKind kind) {
    const char* const begin = at_;
    ++at_;
    while (at_ < last_ && *at_ != quote) {
      if (*at_ == '\\' && at_ + 1 < last_) {
        if (!is_escape(at_[1])) unknown_escape();
        ++at_;
      } else if (kind == TokenKind::kIdentifier && (*at_ == '\n' || *at_ == '\r')) {
        unterminated_identifier(begin);
        return;
      }
      ++at_;
    }
    if (at_ >= last_) {
      at_ = last_;
      if (kind == TokenKind::kIdentifier) {
        unterminated_identifier(begin);
        return;
      }
      list_.truncated = true;
      diagnostics_.report(
          make(Code::kUnterminatedString, "this string does not end", offset(begin),
               offset(begin) + 1)
              .suggest("end it with `\"`; a double quote inside a string is written `\\\"`"));
    } else {
      ++at_;
      if (kind == TokenKind::kIdentifier && at_ - begin == 2) {
        report(Code::kMalformedIdentifier, "a quoted identifier cannot be empty", offset(begin),
               offset(at_));
      }
    }
    push(begin, kind);
  }

  void unterminated_identifier(const char* begin) {
    diagnostics_.report(make(Code::kMalformedIdentifier, "this quoted identifier does not end",
                             offset(begin), offset(at_))
                            .suggest("end it with `'` on the same line; strings stand in double "
                                     "quotes"));
    list_.reported.push_back(offset(at_));
    push(begin, TokenKind::kIdentifier);
  }

  void unknown_escape() {
    const auto here = offset(at_);
    const auto length = diag::decode(file_.text(), here + 1).length;
    diagnostics_.report(
        make(Code::kUnknownEscape,
             "`" + std::string(at_, static_cast<std::size_t>(1 + length)) +
                 "` is no escape sequence",
             here, here + 1 + length)
            .suggest("write a backslash as `\\\\`")
            .note("the escape sequences are \\' \\\" \\? \\\\ \\a \\b \\f \\n \\r \\t \\v"));
  }

  void symbol() {
    using K = TokenKind;
    const char* const begin = at_;
    const char n = at_[1];
    const auto one = [&](K kind) {
      at_ += 1;
      push(begin, kind);
    };
    const auto two = [&](K kind) {
      at_ += 2;
      push(begin, kind);
    };
    switch (*at_) {
      case '(':
        return one(K::kLeftParen);
      case ')':
        return one(K::kRightParen);
      case '[':
        return one(K::kLeftBracket);
      case ']':
        return one(K::kRightBracket);
      case '{':
        return one(K::kLeftBrace);
      case '}':
        return one(K::kRightBrace);
      case ';':
        return one(K::kSemicolon);
      case ',':
        return one(K::kComma);
      case ':':
        return n == '=' ? two(K::kAssign) : one(K::kColon);
      case '=':
        return n == '=' ? two(K::kEqualEqual) : one(K::kEqual);
      case '<':
        return n == '=' ? two(K::kLessEqual) : n == '>' ? two(K::kNotEqual) : one(K::kLess);
      case '>':
        return n == '=' ? two(K::kGreaterEqual) : one(K::kGreater);
      case '+':
        return one(K::kPlus);
      case '-':
        return one(K::kMinus);
      case '*':
        return one(K::kStar);
      case '/':
        return one(K::kSlash);
      case '^':
        return one(K::kCaret);
      case '.':
        switch (n) {
          case '+':
            return two(K::kDotPlus);
          case '-':
            return two(K::kDotMinus);
          case '*':
            return two(K::kDotStar);
          case '/':
            return two(K::kDotSlash);
          case '^':
            return two(K::kDotCaret);
          default:
            return one(K::kDot);
        }
      default:
        stray();
    }
  }

  // Reports a character that begins no lexical unit and goes on with what was probably meant.
  // Invalid UTF-8 and zero bytes are reported already.
  void stray() {
    const std::uint32_t begin = offset(at_);
    const diag::CodePoint c = diag::decode(file_.text(), begin);
    if (!c.valid || c.value == 0) {
      ++at_;
      list_.reported.push_back(begin);
      return;
    }
    if (foreign_operator(c.value)) return;
    if (const Lookalike* known = find_lookalike(c.value); known != nullptr) {
      at_ += c.length;
      lookalike(*known, begin);
    } else if (c.value >= 0x80) {
      foreign_letters();
    } else {
      while (at_ < last_ && *at_ == *(first_ + begin)) ++at_;
      const bool control = c.value < 0x20 || c.value == 0x7F;
      report(Code::kStrayCharacter,
             (control ? "this control character" : "`" + std::string(1, first_[begin]) + "`") +
                 " cannot stand here",
             begin, offset(at_));
    }
    list_.reported.push_back(begin);
  }

  // != && || ! of other languages.
  bool foreign_operator(char32_t c) {
    if (c != '&' && c != '|' && c != '!') return false;
    const char* const begin = at_;
    const bool unequal = c == '!' && at_[1] == '=';
    at_ += unequal || at_[1] == *at_ ? 2 : 1;
    const TokenKind kind = unequal    ? TokenKind::kNotEqual
                           : c == '&' ? TokenKind::kAnd
                           : c == '|' ? TokenKind::kOr
                                      : TokenKind::kNot;
    const std::string word(spelling(kind));
    diagnostics_.report(make(Code::kStrayCharacter,
                             "`" + std::string(begin, at_) + "` is no operator of Modelica",
                             offset(begin), offset(at_))
                            .suggest("write `" + word + "`")
                            .fix({&file_, {offset(begin), offset(at_)}}, word));
    push(begin, kind);
    return true;
  }

  void lookalike(const Lookalike& known, std::uint32_t begin) {
    const char* const first = first_ + begin;
    const std::uint32_t end = offset(at_);
    if (known.kind == TokenKind::kString) {
      // To the closing quote, when it is on the same line.
      for (const char* p = at_; p < last_ && *p != '\n'; ++p) {
        const diag::CodePoint c = diag::decode(file_.text(), offset(p));
        const Lookalike* close = find_lookalike(c.value);
        if (close == nullptr || close->kind != TokenKind::kString) continue;
        at_ = p + c.length;
        push(first, TokenKind::kString);
        break;
      }
    } else if (known.kind != TokenKind::kEndOfFile) {
      push(first, known.kind);
    }
    diagnostics_.report(
        make(Code::kStrayCharacter,
             known.kind == TokenKind::kEndOfFile
                 ? "this is another kind of space"
                 : "`" + std::string(first, end - begin) + "` is not `" + std::string(known.meant) +
                       "`",
             begin, end)
            .suggest("write " + std::string(known.kind == TokenKind::kEndOfFile
                                                ? "an ordinary space"
                                                : "`" + std::string(known.meant) + "`"))
            .fix({&file_, {begin, end}}, std::string(known.meant)));
  }

  // A name with letters that names cannot have, taken as a whole.
  void foreign_letters() {
    const bool continued = !list_.tokens.empty() && list_.tokens.back().end == offset(at_) &&
                           list_.tokens.back().kind == TokenKind::kIdentifier;
    const std::uint32_t begin = continued ? list_.tokens.back().begin : offset(at_);
    if (continued) list_.tokens.pop_back();
    while (at_ < last_) {
      const diag::CodePoint c = diag::decode(file_.text(), offset(at_));
      const bool letter = c.value < 0x80 ? is_word(*at_) : c.valid && !find_lookalike(c.value);
      if (!letter) break;
      at_ += c.length;
    }
    const std::string name(first_ + begin, at_);
    Diagnostic d = make(Code::kStrayCharacter,
                        name.size() <= 60 ? "`" + name + "` is no name" : "this is no name", begin,
                        offset(at_));
    diagnostics_.report(
        std::move(d).suggest("names use the letters a-z, A-Z, digits and `_`; other characters "
                             "belong into strings and comments"));
    push(first_ + begin, TokenKind::kIdentifier);
  }

  const SourceFile& file_;
  diag::Diagnostics& diagnostics_;
  const char* first_;
  const char* last_;
  const char* at_;
  TokenList list_;
};

}  // namespace

TokenList lex(const SourceFile& file, diag::Diagnostics& diagnostics) {
  Lexer lexer(file, {0, static_cast<std::uint32_t>(file.text().size())}, diagnostics);
  lexer.begin_file();
  return lexer.run();
}

TokenList lex(const SourceFile& file, TextRange range, diag::Diagnostics& diagnostics) {
  return Lexer(file, range, diagnostics).run();
}

}  // namespace arges::lang
