#include "arges/experiment/specification_pieces.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/parse_number.h"
#include "arges/experiment/specification.h"

namespace arges {

namespace {

std::optional<double> number_or_truth(const std::string& text) {
  if (text == "true" || text == "false") return text == "true" ? 1 : 0;
  const auto value = parse_number(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

}  // namespace

Piece without_blanks(std::string_view all, std::size_t begin, std::size_t end) {
  while (begin < end && all[begin] == ' ') ++begin;
  while (begin < end && all[end - 1] == ' ') --end;
  return {std::string(all.substr(begin, end - begin)), begin};
}

void refuse_text(const std::string& what, std::string_view text, std::size_t place) {
  throw UserError(complaint(what, text, place));
}

std::vector<Piece> split_at(char separator, std::string_view all, std::size_t begin,
                            std::size_t end) {
  std::vector<Piece> pieces;
  for (std::size_t at = begin;;) {
    const std::size_t next = std::min(all.find(separator, at), end);
    pieces.push_back({std::string(all.substr(at, next - at)), at});
    if (next == end) return pieces;
    at = next + 1;
  }
}

std::vector<Piece> split_items(std::string_view all, std::size_t begin, std::size_t end) {
  std::vector<Piece> items;
  int depth = 0;
  bool quoted = false;
  std::size_t first = begin;
  for (std::size_t at = begin; at < end; ++at) {
    const char c = all[at];
    if (c == '"' && !(quoted && all[at - 1] == '\\')) quoted = !quoted;
    if (quoted) continue;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (c != ',' || depth != 0) continue;
    items.push_back(without_blanks(all, first, at));
    first = at + 1;
  }
  items.push_back(without_blanks(all, first, end));
  return items;
}

double number_in(std::string_view all, const Piece& piece) {
  const Piece bare = without_blanks(piece.text, 0, piece.text.size());
  const auto value = parse_number(bare.text);
  if (!value || !std::isfinite(*value))
    refuse_text(fmt::format("'{}' is not a finite number", bare.text), all, piece.place);
  return *value;
}

std::size_t take_name(const std::string& text, const char* example, std::string& name) {
  const std::size_t equals = text.find('=');
  name = without_blanks(text, 0, std::min(equals, text.size())).text;
  if (equals == std::string::npos || name.empty())
    refuse_text(fmt::format("NAME=... is needed, as in {}", example), text, 0);
  return without_blanks(text, equals + 1, text.size()).place;
}

ListItems read_list(const std::string& text, const std::vector<Piece>& items, bool words_allowed) {
  ListItems list;
  for (const Piece& item : items) {
    const auto value = number_or_truth(item.text);
    if (!value && (!words_allowed || item.text.empty()))
      refuse_text(fmt::format("'{}' is not a finite number", item.text), text, item.place);
    if (value) list.values.push_back(*value);
  }
  if (list.values.size() == items.size()) return list;
  list.values.clear();
  for (const Piece& item : items) {
    list.values.push_back(static_cast<double>(list.words.size()));
    list.words.push_back(item.text);
  }
  return list;
}

}  // namespace arges
