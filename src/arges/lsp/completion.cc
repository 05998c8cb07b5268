#include "arges/lsp/completion.h"

#include <algorithm>
#include <cctype>

#include "arges/lex/lexer.h"

namespace arges::lsp {

using namespace lang;

namespace {

// The tokens before the place, read from their end.
class Backwards {
 public:
  explicit Backwards(const TokenList& list) : list_(list), at_(list.tokens.size() - 1) {}

  TokenKind kind() const { return at_ == 0 ? TokenKind::kEndOfFile : list_.tokens[at_ - 1].kind; }
  bool is(TokenKind k) const { return kind() == k; }
  std::string text() const { return std::string(list_.file->text(list_.tokens[at_ - 1].range())); }
  std::uint32_t end() const { return at_ == 0 ? 0 : list_.tokens[at_ - 1].end; }
  void back() { --at_; }

  // Skips (...), [...], {...} whose end is here. False: it has no beginning.
  bool skip_brackets() {
    int depth = 0;
    for (; at_ > 0; back()) {
      if (closes()) ++depth;
      if (opens() && --depth == 0) {
        back();
        return true;
      }
    }
    return false;
  }
  bool opens() const {
    return is(TokenKind::kLeftParen) || is(TokenKind::kLeftBracket) || is(TokenKind::kLeftBrace);
  }
  bool closes() const {
    return is(TokenKind::kRightParen) || is(TokenKind::kRightBracket) || is(TokenKind::kRightBrace);
  }

  // a.b[1].c, whose end is here.
  std::vector<std::string> path(bool& global) {
    std::vector<std::string> parts;
    global = false;
    while (true) {
      if (is(TokenKind::kRightBracket) && !skip_brackets()) break;
      if (!is(TokenKind::kIdentifier)) break;
      parts.insert(parts.begin(), text());
      back();
      if (!is(TokenKind::kDot)) return parts;
      back();
      if (!is(TokenKind::kIdentifier) && !is(TokenKind::kRightBracket)) {
        global = true;
        return parts;
      }
    }
    return parts;
  }

  // To behind the bracket that is open here. False: there is none before the statement begins.
  bool to_open_paren() {
    while (at_ > 0) {
      if (is(TokenKind::kSemicolon)) return false;
      if (closes()) {
        if (!skip_brackets()) return false;
        continue;
      }
      if (opens()) {
        const bool paren = is(TokenKind::kLeftParen);
        back();
        return paren;
      }
      back();
    }
    return false;
  }

  void skip_flags() {
    while (is(TokenKind::kEach) || is(TokenKind::kFinal) || is(TokenKind::kRedeclare) ||
           is(TokenKind::kReplaceable))
      back();
  }

 private:
  const TokenList& list_;
  std::size_t at_;  // one behind the token
};

// The bracket is open: is it that of a declaration or of a modifier, and of what?
void find_modified(Backwards& at, CompletionContext& context) {
  std::vector<std::string> outer;
  while (true) {
    bool global = false;
    std::vector<std::string> word = at.path(global);
    if (word.empty()) return;
    if (at.is(TokenKind::kExtends) || at.is(TokenKind::kConstrainedby) ||
        (at.is(TokenKind::kEqual) && outer.empty() && [&] {
          // type T = Real(|
          Backwards before = at;
          before.back();
          if (!before.is(TokenKind::kIdentifier)) return false;
          before.back();
          return before.is(TokenKind::kType) || before.is(TokenKind::kModel) ||
                 before.is(TokenKind::kPackage) || before.is(TokenKind::kConnector) ||
                 before.is(TokenKind::kRecord) || before.is(TokenKind::kBlock) ||
                 before.is(TokenKind::kFunction) || before.is(TokenKind::kClass);
        }())) {
      context.modifier = true;
      context.type = std::move(word);
      context.outer = std::move(outer);
      return;
    }
    if (at.is(TokenKind::kRightBracket)) at.skip_brackets();  // Real[3] x(|
    if (at.is(TokenKind::kIdentifier)) {
      context.type = at.path(global);
      context.modifier = !context.type.empty();
      context.outer = std::move(outer);
      return;
    }
    at.skip_flags();
    if (!at.is(TokenKind::kLeftParen) && !at.is(TokenKind::kComma)) {
      if (!outer.empty()) return;
      context.call = true;
      context.type = std::move(word);
      return;
    }
    // A modifier of a modifier, a further component of a declaration, or a call in a call.
    if (outer.empty()) {
      context.call = true;
      context.type = word;
    }
    outer.insert(outer.begin(), word.begin(), word.end());
    if (!at.to_open_paren()) return;
  }
}

bool begins_with(std::string_view name, std::string_view prefix) {
  if (name.size() < prefix.size()) return false;
  return std::equal(
      prefix.begin(), prefix.end(), name.begin(),
      [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
}

std::vector<std::string_view> views(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

void add_keywords(std::vector<Completion>& out) {
  for (int k = static_cast<int>(TokenKind::kAlgorithm); k <= static_cast<int>(TokenKind::kWithin);
       ++k) {
    const std::string word(spelling(static_cast<TokenKind>(k)));
    out.push_back({CompletionKind::kKeyword, {}, word, word, {}});
  }
}

}  // namespace

CompletionContext completion_context(std::string_view before) {
  CompletionContext context;
  const diag::SourceFile file("", std::string(before));
  diag::Diagnostics ignored;
  const TokenList list = lex(file, ignored);
  Backwards at(list);
  const std::string_view rest = before.substr(at.end());
  const std::size_t line = rest.rfind('\n');
  const std::string_view gap = line == std::string_view::npos ? rest : rest.substr(line);
  if (list.truncated || gap.find("//") != std::string_view::npos) {
    context.nothing = true;
    return context;
  }
  if ((at.is(TokenKind::kIdentifier) || is_keyword(at.kind())) && rest.empty()) {
    context.prefix = at.text();
    at.back();
  }
  if (at.is(TokenKind::kDot)) {
    context.after_dot = true;
    at.back();
    context.path = at.path(context.global);
    if (context.path.empty()) context.global = true;
    return context;
  }
  Backwards flags = at;
  flags.skip_flags();
  if (!flags.is(TokenKind::kLeftParen) && !flags.is(TokenKind::kComma)) return context;
  if (at.to_open_paren()) find_modified(at, context);
  return context;
}

std::vector<Completion> complete(Project& project, std::uint32_t offset) {
  const CompletionContext context = completion_context(project.file().text().substr(0, offset));
  std::vector<Completion> all;
  if (context.nothing) return all;
  Symbols symbols(project.tree());
  ClassNode& scope = project.scope_at(offset);
  const auto add = [&](CompletionKind kind, std::vector<Symbol> list) {
    for (Symbol& s : list) {
      if (!begins_with(s.name, context.prefix)) continue;
      std::string insert = s.name + (kind == CompletionKind::kArgument ? "=" : "");
      std::string name = s.name;
      all.push_back({kind, std::move(s), std::move(name), std::move(insert), {}});
    }
  };
  const auto without_protected = [](std::vector<Symbol> list) {
    std::erase_if(list, [](const Symbol& s) {
      return s.kind == SymbolKind::kAttribute || (s.member != nullptr && s.member->is_protected);
    });
    return list;
  };
  if (context.after_dot) {
    if (context.path.empty()) {
      add(CompletionKind::kSymbol, symbols.elements(project.tree().root()));
    } else if (const auto s = symbols.find(views(context.path), context.global, scope)) {
      if (ClassNode* type = symbols.type_of(*s))
        add(CompletionKind::kSymbol, without_protected(symbols.elements(*type)));
    }
  } else if (context.modifier) {
    const auto type = symbols.find(views(context.type), false, scope);
    ClassNode* node = type ? symbols.type_of(*type) : nullptr;
    const auto inner = node == nullptr ? type : symbols.find_inside(views(context.outer), *node);
    if (inner && (node = symbols.type_of(*inner)) != nullptr) {
      std::vector<Symbol> list = symbols.elements(*node);
      std::erase_if(list, [](const Symbol& s) {
        return s.kind == SymbolKind::kLiteral || (s.member != nullptr && s.member->is_protected);
      });
      add(CompletionKind::kArgument, std::move(list));
    }
  } else {
    if (context.call) {
      const auto function = symbols.find(views(context.type), false, scope);
      if (ClassNode* node = function ? symbols.type_of(*function) : nullptr) {
        std::vector<Symbol> list = without_protected(symbols.elements(*node));
        std::erase_if(list, [](const Symbol& s) {
          return s.kind != SymbolKind::kComponent ||
                 s.member->element->components->prefix.causality != lang::Causality::kInput;
        });
        add(CompletionKind::kArgument, std::move(list));
      }
    }
    add(CompletionKind::kSymbol, symbols.visible(scope));
    std::vector<Completion> keywords;
    add_keywords(keywords);
    for (Completion& k : keywords) {
      if (begins_with(k.label, context.prefix)) all.push_back(std::move(k));
    }
  }
  for (Completion& c : all) {
    if (c.kind != CompletionKind::kKeyword) c.detail = symbols.summary(c.symbol);
  }
  return all;
}

}  // namespace arges::lsp
