#include "arges/experiment/specification.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/nearest.h"
#include "arges/experiment/specification_pieces.h"

namespace arges {

namespace {

constexpr double kMostValues = 1e7;

std::vector<double> even_values(const std::string& text, const std::vector<Piece>& pieces,
                                bool logarithmic) {
  if (pieces.size() != 4) {
    refuse_text(fmt::format("a range is {}:FROM:TO:COUNT", logarithmic ? "log" : "lin"), text,
                pieces[0].place);
  }
  const double from = number_in(text, pieces[1]), to = number_in(text, pieces[2]);
  const double count = number_in(text, pieces[3]);
  if (!(count >= 1) || count != std::floor(count) || count > kMostValues)
    refuse_text(
        fmt::format("the number of values must be a whole number from 1 to {:.0e}", kMostValues),
        text, pieces[3].place);
  if (count == 1 && from != to)
    refuse_text("one value is no range: give list:A for a single one", text, pieces[3].place);
  if (count > 1 && from == to)
    refuse_text("the range is empty: both ends are the same", text, pieces[1].place);
  if (logarithmic && !(from * to > 0))
    refuse_text("a logarithmic range cannot go through zero", text,
                pieces[from == 0 ? 1 : 2].place);
  std::vector<double> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double part = values.size() == 1 ? 0 : static_cast<double>(i) / (count - 1);
    values[i] = logarithmic ? from * std::pow(to / from, part) : from + part * (to - from);
  }
  if (values.size() > 1) values.back() = to;
  return values;
}

}  // namespace

std::string complaint(const std::string& what, std::string_view text, std::size_t place) {
  return fmt::format("{}\n  {}\n  {}^", what, text, std::string(std::min(place, text.size()), ' '));
}

std::optional<Complaint> read_complaint(const std::string& message) {
  // "what", the text, blanks with the mark: the last two lines.
  const std::size_t mark_line = message.rfind('\n');
  if (mark_line == std::string::npos || mark_line == 0 || !message.ends_with("^"))
    return std::nullopt;
  const std::size_t text_line = message.rfind('\n', mark_line - 1);
  if (text_line == std::string::npos || mark_line < text_line + 3) return std::nullopt;
  return Complaint{message.substr(0, text_line),
                   message.substr(text_line + 3, mark_line - text_line - 3),
                   message.size() - mark_line - 4};
}

std::vector<std::string> quoted_words(const std::string& message) {
  std::vector<std::string> words;
  for (std::size_t at = 0;;) {
    const std::size_t open = message.find('\'', at);
    const std::size_t close = open == std::string::npos ? open : message.find('\'', open + 1);
    if (close == std::string::npos) return words;
    words.push_back(message.substr(open + 1, close - open - 1));
    at = close + 1;
  }
}

std::size_t find_piece(std::string_view text, std::string_view piece) {
  const auto in_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  };
  if (piece.empty()) return std::string_view::npos;
  for (std::size_t at = 0; (at = text.find(piece, at)) != std::string_view::npos; ++at) {
    const std::size_t end = at + piece.size();
    const bool goes_on = end < text.size() && in_name(text[end]) && in_name(piece.back());
    if (!goes_on && !(at > 0 && in_name(text[at - 1]) && in_name(piece.front()))) return at;
  }
  return std::string_view::npos;
}

std::string with_whole_text(const std::string& message, const std::vector<std::string>& texts) {
  const std::optional<Complaint> quoted = read_complaint(message);
  const std::vector<std::string> words = quoted_words(message);
  if (!quoted && words.empty()) return message;
  const std::string piece = quoted ? quoted->text : words.front();
  // What is quoted as a whole needs no more.
  if (std::ranges::find(texts, piece) != texts.end()) return message;
  for (const std::string& text : texts) {
    const std::size_t at = find_piece(text, piece);
    if (at == std::string::npos) continue;
    return quoted ? complaint(quoted->what, text, at + quoted->place)
                  : complaint(message, text, at);
  }
  return message;
}

SweepAxis parse_axis(const std::string& text, ListWords words) {
  SweepAxis axis;
  const std::size_t begin = take_name(text, "lf=log:100:10000:9", axis.name);
  const std::size_t colon = text.find(':', begin);
  const Piece word = without_blanks(text, begin, std::min(colon, text.size()));
  const std::string& kind = word.text;
  if (kind == "list" && colon != std::string::npos) {
    ListItems items =
        read_list(text, split_items(text, colon + 1, text.size()), words == ListWords::kAllowed);
    axis.values = std::move(items.values);
    axis.words = std::move(items.words);
  } else if (kind == "lin" || kind == "log") {
    axis.logarithmic = kind == "log";
    axis.values = even_values(text, split_at(':', text, begin, text.size()), axis.logarithmic);
  } else {
    refuse_text(fmt::format("'{}' is no kind of range: lin:FROM:TO:COUNT, log:FROM:TO:COUNT or "
                            "list:A,B,...{}",
                            kind, did_you_mean(kind, {"lin", "log", "list"})),
                text, begin);
  }
  return axis;
}

SearchVariable parse_search_variable(const std::string& text) {
  using Scale = SearchVariable::Scale;
  SearchVariable variable;
  const std::size_t begin = take_name(text, "v0=0:10", variable.name);
  const std::size_t at = std::min(text.find('@', begin), text.size());
  std::vector<Piece> pieces = split_at(':', text, begin, at);
  const Piece word = without_blanks(pieces[0].text, 0, pieces[0].text.size());
  const std::string& kind = word.text;
  if (pieces.size() == 3 && (kind == "log" || kind == "int" || kind == "lin")) {
    if (kind != "lin") variable.scale = kind == "log" ? Scale::kLogarithmic : Scale::kInteger;
    pieces.erase(pieces.begin());
  }
  if (pieces.size() != 2)
    refuse_text("a range to search is LOW:HIGH, log:LOW:HIGH or int:LOW:HIGH", text, begin);
  variable.low = number_in(text, pieces[0]);
  variable.high = number_in(text, pieces[1]);
  if (!(variable.low < variable.high))
    refuse_text("the range is empty: its lower end has to be below the upper one", text,
                pieces[0].place);
  if (variable.scale == Scale::kLogarithmic && !(variable.low > 0))
    refuse_text("a logarithmic range has to be positive", text, pieces[0].place);
  if (variable.scale == Scale::kInteger) {
    for (const Piece& piece : pieces) {
      const double value = number_in(text, piece);
      if (value != std::floor(value) || std::abs(value) > 1e9)
        refuse_text("this has to be a whole number of at most 1e9", text, piece.place);
    }
  }
  if (at < text.size()) {
    variable.start = number_in(text, {text.substr(at + 1), at + 1});
    if (variable.start < variable.low || variable.start > variable.high)
      refuse_text("the first guess lies outside the range", text, at + 1);
  }
  return variable;
}

}  // namespace arges
