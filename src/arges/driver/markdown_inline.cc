#include <algorithm>
#include <cctype>

#include "arges/base/escape_markup.h"
#include "arges/driver/markdown.h"

namespace arges {

namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t'; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0; }
bool is_mark(char c) { return std::ispunct(static_cast<unsigned char>(c)) != 0; }

std::size_t run_length(std::string_view text, std::size_t at) {
  std::size_t n = 0;
  while (at + n < text.size() && text[at + n] == text[at]) ++n;
  return n;
}

// One construct at the front of the text: its HTML, and how many characters it takes. None: length
// 0.
struct Piece {
  std::string html;
  std::size_t length = 0;
};

Piece code_span(std::string_view text) {
  const std::size_t ticks = run_length(text, 0);
  for (std::size_t at = ticks; at < text.size(); ++at) {
    if (text[at] != '`') continue;
    const std::size_t closing = run_length(text, at);
    if (closing == ticks) {
      std::string_view code = text.substr(ticks, at - ticks);
      if (code.size() > 2 && code.front() == ' ' && code.back() == ' ')
        code = code.substr(1, code.size() - 2);
      return {"<code>" + escape_markup(code) + "</code>", at + ticks};
    }
    at += closing - 1;
  }
  return {std::string(ticks, '`'), ticks};
}

Piece formula(std::string_view text) {
  if (text.size() < 3 || is_space(text[1]) || text[1] == '$') return {};
  const std::size_t end = text.find('$', 1);
  if (end == std::string_view::npos || is_space(text[end - 1])) return {};
  if (end + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[end + 1])) != 0)
    return {};  // $5 and $6
  return {"<span class=\"math\">" + escape_markup(text.substr(1, end - 1)) + "</span>", end + 1};
}

// The end of the part in brackets that begins at `at`; npos when there is none.
std::size_t closing_bracket(std::string_view text, std::size_t at, char open, char close) {
  int depth = 0;
  for (std::size_t i = at; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == open) {
      ++depth;
    } else if (text[i] == close && --depth == 0) {
      return i;
    }
  }
  return std::string_view::npos;
}

Piece link(std::string_view text) {
  const std::size_t label_end = closing_bracket(text, 0, '[', ']');
  if (label_end == std::string_view::npos || label_end + 1 >= text.size() ||
      text[label_end + 1] != '(')
    return {};
  const std::size_t end = closing_bracket(text, label_end + 1, '(', ')');
  if (end == std::string_view::npos) return {};
  std::string_view address = text.substr(label_end + 2, end - label_end - 2);
  address = address.substr(0, address.find(' '));  // the rest is a title
  const std::string label = inline_markdown_to_html(text.substr(1, label_end - 1));
  const bool usable = address.starts_with("https://") || address.starts_with("http://") ||
                      address.starts_with("mailto:") || address.starts_with("#");
  return {usable ? "<a href=\"" + escape_markup(address) + "\">" + label + "</a>" : label, end + 1};
}

Piece address_in_brackets(std::string_view text) {
  if (!text.starts_with("<https://") && !text.starts_with("<http://")) return {};
  const std::size_t end = text.find('>');
  if (end == std::string_view::npos || text.substr(0, end).find(' ') != std::string_view::npos)
    return {};
  const std::string address = escape_markup(text.substr(1, end - 1));
  return {"<a href=\"" + address + "\">" + address + "</a>", end + 1};
}

// *x*, _x_ (not inside a word), **x**. `before` is the character in front of the text.
Piece emphasis(std::string_view text, char before) {
  const char mark = text[0];
  const std::size_t opening = run_length(text, 0);
  if (opening > 2 || opening >= text.size() || is_space(text[opening])) return {};
  if (mark == '_' && is_word(before)) return {};
  for (std::size_t at = opening; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '`') {
      at += code_span(text.substr(at)).length - 1;
    } else if (text[at] == mark) {
      const std::size_t closing = run_length(text, at);
      const std::size_t end = at + opening;
      if (closing == opening && !is_space(text[at - 1]) &&
          !(mark == '_' && end < text.size() && is_word(text[end]))) {
        const char* tag = opening == 2 ? "strong" : "em";
        return {std::string("<") + tag + ">" +
                    inline_markdown_to_html(text.substr(opening, at - opening)) + "</" + tag + ">",
                end};
      }
      at += closing - 1;
    }
  }
  return {};
}

}  // namespace

std::string inline_markdown_to_html(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    Piece piece;
    switch (rest[0]) {
      case '\\':
        if (rest.size() > 1 && is_mark(rest[1])) piece = {escape_markup(rest.substr(1, 1)), 2};
        break;
      case '`':
        piece = code_span(rest);
        break;
      case '$':
        piece = formula(rest);
        break;
      case '!':
        if (rest.size() > 1 && rest[1] == '[') {
          piece = link(rest.substr(1));
          if (piece.length > 0) {
            const std::size_t end = closing_bracket(rest, 1, '[', ']');
            piece = {"<em>" + escape_markup(rest.substr(2, end - 2)) + "</em>", piece.length + 1};
          }
        }
        break;
      case '[':
        piece = link(rest);
        break;
      case '<':
        piece = address_in_brackets(rest);
        break;
      case '*':
      case '_':
        piece = emphasis(rest, at > 0 ? text[at - 1] : ' ');
        if (piece.length == 0) {
          const std::size_t marks = run_length(rest, 0);
          piece = {std::string(rest.substr(0, marks)), marks};
        }
        break;
      default:
        break;
    }
    if (piece.length == 0) piece = {escape_markup(rest.substr(0, 1)), 1};
    out += piece.html;
    at += piece.length;
  }
  return out;
}

std::string heading_anchor(std::string_view heading) {
  std::string anchor;
  for (const char c : heading) {
    if (is_word(c) || c == '-' || c == '_') {
      anchor +=
          static_cast<char>((c & 0x80) != 0 ? c : std::tolower(static_cast<unsigned char>(c)));
    } else if (c == ' ') {
      anchor += '-';
    }
  }
  return anchor;
}

}  // namespace arges
