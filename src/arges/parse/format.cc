#include "arges/parse/format.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace arges::lang {
namespace {

using K = TokenKind;

bool opens(K k) { return k == K::kLeftParen || k == K::kLeftBracket || k == K::kLeftBrace; }
bool closes(K k) { return k == K::kRightParen || k == K::kRightBracket || k == K::kRightBrace; }

bool is_class_keyword(K k) {
  switch (k) {
    case K::kClass:
    case K::kModel:
    case K::kRecord:
    case K::kBlock:
    case K::kConnector:
    case K::kType:
    case K::kPackage:
    case K::kFunction:
    case K::kOperator:
      return true;
    default:
      return false;
  }
}

// Could an operand end with this token? Then a following sign is an operator.
bool ends_operand(K k) {
  switch (k) {
    case K::kIdentifier:
    case K::kInteger:
    case K::kReal:
    case K::kString:
    case K::kTrue:
    case K::kFalse:
    case K::kEnd:
      return true;
    default:
      return closes(k);
  }
}

bool is_sign(K k) {
  return k == K::kPlus || k == K::kMinus || k == K::kDotPlus || k == K::kDotMinus;
}

class Formatter {
 public:
  explicit Formatter(const TokenList& list) : tokens_(list.tokens), text_(list.file->text()) {}

  std::string run() {
    out_.reserve(text_.size() + text_.size() / 8);
    for (i_ = 0; i_ < tokens_.size(); ++i_) {
      const std::uint32_t done = i_ == 0 ? 0 : tokens_[i_ - 1].end;
      // What stands behind the header is no part of it, comments included.
      if (in_header_ && brackets_.empty()) class_header();
      trivia(text_.substr(done, tokens_[i_].begin - done));
      if (kind() == K::kEndOfFile) break;
      token();
    }
    while (!out_.empty() && (out_.back() == '\n' || out_.back() == ' ')) out_.pop_back();
    if (!out_.empty()) out_ += '\n';
    return std::move(out_);
  }

 private:
  K kind() const { return tokens_[i_].kind; }
  K kind(std::size_t ahead) const {
    return i_ + ahead < tokens_.size() ? tokens_[i_ + ahead].kind : K::kEndOfFile;
  }
  K previous() const { return i_ == 0 ? K::kEndOfFile : tokens_[i_ - 1].kind; }

  // ---- white space and comments ----

  void trivia(std::string_view blank) {
    lines_ = 0;
    spaced_comment_ = false;
    std::size_t p = 0;
    while (p < blank.size()) {
      if (blank[p] == '\n') {
        ++lines_;
        ++p;
      } else if (blank[p] == '/' && p + 1 < blank.size() &&
                 (blank[p + 1] == '/' || blank[p + 1] == '*')) {
        const bool line = blank[p + 1] == '/';
        std::size_t end = line ? blank.find('\n', p) : blank.find("*/", p + 2) + 2;
        end = std::min(end, blank.size());
        comment(blank.substr(p, end - p), line);
        p = end;
      } else {
        ++p;
      }
    }
  }

  void comment(std::string_view text, bool line) {
    while (line && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) {
      text.remove_suffix(1);
    }
    if (lines_ > 0 || out_.empty()) {
      break_line(indentation());
    } else if (out_.back() != ' ') {
      out_ += ' ';
    }
    out_ += text;
    lines_ = 0;
    spaced_comment_ = true;
  }

  void break_line(int indent) {
    while (!out_.empty() && out_.back() == ' ') out_.pop_back();
    if (!out_.empty()) out_.append(lines_ > 1 ? 2 : 1, '\n');
    out_.append(static_cast<std::size_t>(2 * std::max(indent, 0)), ' ');
    ++line_;
  }

  // ---- structure ----

  int indentation() const {
    int lines = 0;
    for (std::size_t k = 0; k < brackets_.size(); ++k) {
      if (k == 0 || brackets_[k] != brackets_[k - 1]) ++lines;
    }
    return blocks_ + (item_start_ && lines == 0 ? 0 : 1) + std::max(lines - 1, 0);
  }

  // Where the line that begins with the current token is indented.
  int indentation_of_token() const {
    if (brackets_.empty() && item_start_) {
      switch (kind()) {
        case K::kEnd:
        case K::kElse:
        case K::kElseif:
        case K::kElsewhen:
        case K::kPublic:
        case K::kProtected:
        case K::kEquation:
        case K::kAlgorithm:
          return blocks_ - 1;
        case K::kInitial:
          if (kind(1) == K::kEquation || kind(1) == K::kAlgorithm) {
            return blocks_ - 1;
          }
          break;
        default:
          break;
      }
    }
    if (closes(kind()) && !brackets_.empty()) return indentation() - 1;
    return indentation();
  }

  bool opens_long_class() const {
    if (!is_class_keyword(kind())) return false;
    if (kind() == K::kOperator && (kind(1) == K::kFunction || kind(1) == K::kRecord)) return false;
    return kind(1) == K::kExtends || kind(2) != K::kEqual;
  }

  // After the name of a class come a modification (class extends) and a description; what follows
  // them is the first element.
  void class_header() {
    switch (kind()) {
      case K::kExtends:
      case K::kIdentifier:
        if (header_names_ > 0) {
          if (kind() == K::kIdentifier) --header_names_;
          return;
        }
        break;
      case K::kLeftParen:
      case K::kString:
        return;
      case K::kPlus:
        if (previous() == K::kString) return;
        break;
      default:
        break;
    }
    in_header_ = false;
    item_start_ = true;
  }

  void token() {
    if (lines_ > 0 || out_.empty()) {
      break_line(indentation_of_token());
    } else if ((spaced_comment_ || needs_space()) && out_.back() != ' ') {
      out_ += ' ';
    }
    const Token& t = tokens_[i_];
    out_ += text_.substr(t.begin, t.end - t.begin);
    after_unary_ = is_sign(kind()) && !ends_operand(previous());
    structure();
  }

  void structure() {
    const K k = kind();
    if (opens(k)) {
      brackets_.push_back(line_);
    } else if (closes(k)) {
      if (!brackets_.empty()) brackets_.pop_back();
    }
    if (!brackets_.empty()) return;
    const bool start = item_start_;
    item_start_ = false;
    switch (k) {
      case K::kSemicolon:
      case K::kThen:
      case K::kLoop:
        // `then` of an if-expression in the middle of an equation begins no equation.
        item_start_ = k == K::kSemicolon || block_head_;
        block_head_ = false;
        break;
      case K::kElse:
        item_start_ = start;
        break;
      case K::kElseif:
      case K::kElsewhen:
        block_head_ = start;
        break;
      case K::kPublic:
      case K::kProtected:
        item_start_ = true;
        break;
      case K::kEquation:
      case K::kAlgorithm:
        item_start_ = start || previous() == K::kInitial;
        break;
      case K::kIf:
      case K::kWhen:
      case K::kFor:
      case K::kWhile:
        if (start && previous() != K::kEnd) {
          ++blocks_;
          block_head_ = true;
        }
        break;
      case K::kEnd:
        if (start && blocks_ > 0) --blocks_;
        break;
      default:
        if (opens_long_class()) {
          ++blocks_;
          in_header_ = true;
          header_names_ = 1;
        }
    }
  }

  // ---- spaces ----

  bool needs_space() const {
    const K a = previous();
    const K b = kind();
    if (opens(a) || closes(b) || b == K::kSemicolon) return false;
    if (a == K::kComma || a == K::kSemicolon) return true;  // (a, , b)
    if (b == K::kComma) return false;
    if (a == K::kDot || b == K::kDot) return b == K::kDot && !ends_operand(a) && a != K::kEqual;
    if (a == K::kColon || b == K::kColon) return false;
    if (a == K::kDotStar && b != K::kIdentifier) return true;
    if (opens(b)) return space_before_bracket(a, b);
    if (a == K::kEqual || b == K::kEqual) return brackets_.empty();
    if (is_sign(a) && after_unary_) return false;
    if (is_tight(a) || is_tight(b)) return false;
    if (b == K::kDotStar && ends_import()) return false;
    return true;
  }

  static bool is_tight(K k) { return k == K::kStar || k == K::kSlash || k == K::kCaret; }

  // `.*` at the end of an import.
  bool ends_import() const { return kind(1) == K::kSemicolon || kind(1) == K::kString; }

  bool space_before_bracket(K a, K b) const {
    switch (a) {
      case K::kIdentifier:
        return b == K::kLeftBrace;
      case K::kRightBracket:
      case K::kRightParen:
      case K::kRightBrace:
      case K::kDer:
      case K::kInitial:
      case K::kPure:
      case K::kConnect:
      case K::kAnnotation:
      case K::kEnumeration:
        return false;
      case K::kEqual:
        return brackets_.empty();
      default:
        if (is_sign(a)) return !after_unary_;
        return !is_tight(a);
    }
  }

  const std::vector<Token>& tokens_;
  std::string_view text_;
  std::string out_;
  std::size_t i_ = 0;
  int lines_ = 0;  // line breaks since the last token or comment
  bool spaced_comment_ = false;
  int line_ = 0;
  bool item_start_ = true;
  bool block_head_ = false;
  bool in_header_ = false;
  bool after_unary_ = false;
  int header_names_ = 0;
  std::vector<int> brackets_;  // the line on which each open bracket stands
  int blocks_ = 0;             // open classes, ifs, fors, ...
};

}  // namespace

std::string format(const TokenList& tokens) { return Formatter(tokens).run(); }

}  // namespace arges::lang
