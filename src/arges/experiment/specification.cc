#include "arges/experiment/specification.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/nearest.h"
#include "arges/base/parse_number.h"

namespace arges {

namespace {

constexpr double kMostValues = 1e7;

// A piece of the text, with its place.
struct Piece {
  std::string text;
  std::size_t place;
};

[[noreturn]] void refuse(const std::string& what, std::string_view text, std::size_t place) {
  throw UserError(complaint(what, text, place));
}

std::vector<Piece> split(std::string_view all, std::size_t begin, std::size_t end, char separator) {
  std::vector<Piece> pieces;
  for (std::size_t at = begin;;) {
    const std::size_t next = std::min(all.find(separator, at), end);
    pieces.push_back({std::string(all.substr(at, next - at)), at});
    if (next == end) return pieces;
    at = next + 1;
  }
}

double number(std::string_view all, const Piece& piece) {
  const auto first = piece.text.find_first_not_of(' ');
  const auto last = piece.text.find_last_not_of(' ');
  const std::string text =
      first == std::string::npos ? "" : piece.text.substr(first, last - first + 1);
  const auto value = parse_number(text);
  if (!value || !std::isfinite(*value))
    refuse(fmt::format("'{}' is not a finite number", text), all, piece.place);
  return *value;
}

// The name before '=': returns the place after it.
std::size_t take_name(const std::string& text, const char* example, std::string& name) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    refuse(fmt::format("NAME=... is needed, as in {}", example), text, 0);
  name = text.substr(0, equals);
  return equals + 1;
}

std::vector<double> even_values(const std::string& text, const std::vector<Piece>& pieces,
                                bool logarithmic) {
  if (pieces.size() != 4) {
    refuse(fmt::format("a range is {}:FROM:TO:COUNT", logarithmic ? "log" : "lin"), text,
           pieces[0].place);
  }
  const double from = number(text, pieces[1]), to = number(text, pieces[2]);
  const double count = number(text, pieces[3]);
  if (!(count >= 1) || count != std::floor(count) || count > kMostValues)
    refuse(fmt::format("the number of values must be a whole number from 1 to {:.0e}", kMostValues),
           text, pieces[3].place);
  if (count == 1 && from != to)
    refuse("one value is no range: give list:A for a single one", text, pieces[3].place);
  if (count > 1 && from == to)
    refuse("the range is empty: both ends are the same", text, pieces[1].place);
  if (logarithmic && !(from * to > 0))
    refuse("a logarithmic range cannot go through zero", text, pieces[from == 0 ? 1 : 2].place);
  std::vector<double> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double part = values.size() == 1 ? 0 : static_cast<double>(i) / (count - 1);
    values[i] = logarithmic ? from * std::pow(to / from, part) : from + part * (to - from);
  }
  if (values.size() > 1) values.back() = to;
  return values;
}

// A distribution: how many parameters, which of them are allowed, how to draw.
struct Distribution {
  const char* name;
  const char* parameters;
  std::size_t count;
  bool (*allowed)(const double* p);
  double (*draw)(random::Stream& stream, const double* p);
};

const Distribution kDistributions[] = {
    {"uniform", "low, high", 2, [](const double* p) { return p[0] < p[1]; },
     [](random::Stream& s, const double* p) { return s.uniform(p[0], p[1]); }},
    {"normal", "mean, deviation > 0", 2, [](const double* p) { return p[1] > 0; },
     [](random::Stream& s, const double* p) { return s.normal(p[0], p[1]); }},
    {"lognormal", "log mean, log deviation > 0", 2, [](const double* p) { return p[1] > 0; },
     [](random::Stream& s, const double* p) { return s.lognormal(p[0], p[1]); }},
    {"triangular", "low, mode, high", 3,
     [](const double* p) { return p[0] <= p[1] && p[1] <= p[2] && p[0] < p[2]; },
     [](random::Stream& s, const double* p) { return s.triangular(p[0], p[1], p[2]); }},
    {"exponential", "mean > 0", 1, [](const double* p) { return p[0] > 0; },
     [](random::Stream& s, const double* p) { return s.exponential(p[0]); }},
    {"weibull", "shape > 0, scale > 0", 2, [](const double* p) { return p[0] > 0 && p[1] > 0; },
     [](random::Stream& s, const double* p) { return s.weibull(p[0], p[1]); }},
    {"gamma", "shape > 0, scale > 0", 2, [](const double* p) { return p[0] > 0 && p[1] > 0; },
     [](random::Stream& s, const double* p) { return s.gamma(p[0], p[1]); }},
    {"beta", "a > 0, b > 0", 2, [](const double* p) { return p[0] > 0 && p[1] > 0; },
     [](random::Stream& s, const double* p) { return s.beta(p[0], p[1]); }},
    {"integer", "low, high (whole numbers)", 2,
     [](const double* p) {
       return p[0] <= p[1] && p[0] == std::floor(p[0]) && p[1] == std::floor(p[1]) &&
              std::abs(p[0]) < 9e15 && std::abs(p[1]) < 9e15;
     },
     [](random::Stream& s, const double* p) {
       return static_cast<double>(
           s.integer(static_cast<std::int64_t>(p[0]), static_cast<std::int64_t>(p[1])));
     }},
    {"poisson", "mean, 0 < mean <= 500", 1, [](const double* p) { return p[0] > 0 && p[0] <= 500; },
     [](random::Stream& s, const double* p) { return static_cast<double>(s.poisson(p[0])); }},
    {"bernoulli", "0 <= p <= 1", 1, [](const double* p) { return p[0] >= 0 && p[0] <= 1; },
     [](random::Stream& s, const double* p) { return s.bernoulli(p[0]) ? 1.0 : 0.0; }},
};

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

SweepAxis parse_axis(const std::string& text) {
  SweepAxis axis;
  const std::size_t begin = take_name(text, "lf=log:100:10000:9", axis.name);
  const std::size_t colon = text.find(':', begin);
  const std::string kind = text.substr(begin, colon == std::string::npos ? colon : colon - begin);
  if (kind == "list" && colon != std::string::npos) {
    for (const Piece& piece : split(text, colon + 1, text.size(), ','))
      axis.values.push_back(number(text, piece));
  } else if (kind == "lin" || kind == "log") {
    axis.logarithmic = kind == "log";
    axis.values = even_values(text, split(text, begin, text.size(), ':'), axis.logarithmic);
  } else {
    refuse(fmt::format("'{}' is no kind of range: lin:FROM:TO:COUNT, log:FROM:TO:COUNT or "
                       "list:A,B,...{}",
                       kind, did_you_mean(kind, {"lin", "log", "list"})),
           text, begin);
  }
  return axis;
}

RandomQuantity parse_random(const std::string& text) {
  RandomQuantity quantity;
  const std::size_t begin = take_name(text, "d=uniform(800,1200)", quantity.name);
  quantity.distribution = text.substr(begin);
  const std::size_t open = text.find('(', begin);
  const std::string name = text.substr(begin, open == std::string::npos ? open : open - begin);
  const auto* found = std::ranges::find(kDistributions, name, &Distribution::name);
  if (found == std::end(kDistributions)) {
    std::vector<std::string> known;
    for (const Distribution& each : kDistributions) known.emplace_back(each.name);
    refuse(fmt::format("there is no distribution '{}'{}", name, did_you_mean(name, known)), text,
           begin);
  }
  const Distribution& distribution = *found;
  if (open == std::string::npos || !text.ends_with(")")) {
    refuse(fmt::format("{}({}) needs its parameters in parentheses", name, distribution.parameters),
           text, text.size());
  }
  std::vector<double> parameters;
  for (const Piece& piece : split(text, open + 1, text.size() - 1, ','))
    parameters.push_back(number(text, piece));
  if (parameters.size() != distribution.count || !distribution.allowed(parameters.data()))
    refuse(fmt::format("the parameters are {}({})", name, distribution.parameters), text, open + 1);
  quantity.draw = [&distribution, parameters](random::Stream& stream) {
    return distribution.draw(stream, parameters.data());
  };
  return quantity;
}

SearchVariable parse_search_variable(const std::string& text) {
  using Scale = SearchVariable::Scale;
  SearchVariable variable;
  const std::size_t begin = take_name(text, "v0=0:10", variable.name);
  const std::size_t at = std::min(text.find('@', begin), text.size());
  std::vector<Piece> pieces = split(text, begin, at, ':');
  const std::string kind = pieces[0].text;
  if (pieces.size() == 3 && (kind == "log" || kind == "int" || kind == "lin")) {
    if (kind != "lin") variable.scale = kind == "log" ? Scale::kLogarithmic : Scale::kInteger;
    pieces.erase(pieces.begin());
  }
  if (pieces.size() != 2)
    refuse("a range to search is LOW:HIGH, log:LOW:HIGH or int:LOW:HIGH", text, begin);
  variable.low = number(text, pieces[0]);
  variable.high = number(text, pieces[1]);
  if (!(variable.low < variable.high))
    refuse("the range is empty: its lower end has to be below the upper one", text,
           pieces[0].place);
  if (variable.scale == Scale::kLogarithmic && !(variable.low > 0))
    refuse("a logarithmic range has to be positive", text, pieces[0].place);
  if (variable.scale == Scale::kInteger) {
    for (const Piece& piece : pieces) {
      const double value = number(text, piece);
      if (value != std::floor(value) || std::abs(value) > 1e9)
        refuse("this has to be a whole number of at most 1e9", text, piece.place);
    }
  }
  if (at < text.size()) {
    variable.start = number(text, {text.substr(at + 1), at + 1});
    if (variable.start < variable.low || variable.start > variable.high)
      refuse("the first guess lies outside the range", text, at + 1);
  }
  return variable;
}

}  // namespace arges
