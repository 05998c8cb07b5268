#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

#include "arges/base/error.h"
#include "arges/results/reader.h"

namespace arges {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool equal_ignoring_case(std::string_view a, std::string_view lower) {
  if (a.size() != lower.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const char c = a[i] >= 'A' && a[i] <= 'Z' ? static_cast<char>(a[i] - 'A' + 'a') : a[i];
    if (c != lower[i]) return false;
  }
  return true;
}

// Walks over the cells of a table.
class CsvParser {
 public:
  CsvParser(std::string_view bytes, const std::string& name) : rest_(bytes), name_(name) {
    if (rest_.starts_with("\xef\xbb\xbf")) rest_.remove_prefix(3);
    separator_ = find_separator();
  }

  bool at_end() const { return rest_.empty(); }
  std::size_t line() const { return line_; }

  // Skips an empty line; false when the line holds something.
  bool skip_empty_line() {
    if (rest_.starts_with("\r\n")) {
      rest_.remove_prefix(2);
    } else if (rest_.starts_with("\n")) {
      rest_.remove_prefix(1);
    } else {
      return false;
    }
    ++line_;
    return true;
  }

  // The next cell of the line; sets end_of_line after the last one. The text stays valid until the
  // next call.
  std::string_view cell(std::size_t column, bool& end_of_line) {
    std::string_view text;
    if (rest_.starts_with('"')) {
      text = quoted_cell(column);
    } else {
      std::size_t end = 0;
      while (end < rest_.size() && rest_[end] != separator_ && rest_[end] != '\n') ++end;
      text = rest_.substr(0, end);
      rest_.remove_prefix(end);
      if (text.ends_with('\r') && (rest_.empty() || rest_.front() == '\n')) text.remove_suffix(1);
    }
    end_of_line = rest_.empty() || rest_.front() != separator_;
    if (end_of_line) {
      if (rest_.starts_with('\r')) rest_.remove_prefix(1);
      if (!rest_.empty() && rest_.front() != '\n') fail(column, "text after the closing quote");
      if (!rest_.empty()) rest_.remove_prefix(1);
      ++line_;
    } else {
      rest_.remove_prefix(1);
    }
    return text;
  }

  // `line_offset` 1 speaks of the line just finished.
  [[noreturn]] void fail(std::size_t column, const std::string& what,
                         std::size_t at_line = 0) const {
    throw IoError(fmt::format("{}:{}: column {}: {}", name_, at_line == 0 ? line_ : at_line,
                              column + 1, what));
  }

 private:
  char find_separator() const {
    bool quoted = false;
    bool semicolon = false;
    bool tab = false;
    for (const char c : rest_) {
      if (c == '"') quoted = !quoted;
      if (quoted) continue;
      if (c == '\n') break;
      if (c == ',') return ',';
      semicolon = semicolon || c == ';';
      tab = tab || c == '\t';
    }
    if (semicolon) return ';';
    return tab ? '\t' : ',';
  }

  std::string_view quoted_cell(std::size_t column) {
    const std::size_t first_line = line_;
    unquoted_.clear();
    std::size_t i = 1;
    for (;; ++i) {
      if (i >= rest_.size()) fail(column, "the quote is never closed", first_line);
      if (rest_[i] == '\n') ++line_;
      if (rest_[i] == '"') {
        if (i + 1 >= rest_.size() || rest_[i + 1] != '"') break;
        ++i;
      }
      unquoted_ += rest_[i];
    }
    rest_.remove_prefix(i + 1);
    return unquoted_;
  }

  std::string_view rest_;
  const std::string& name_;
  char separator_ = ',';
  std::size_t line_ = 1;
  std::string unquoted_;
};

std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  if (text.size() <= kLongest) return std::string(text);
  return std::string(text.substr(0, kLongest)) + "...";
}

// False when the text is not a number.
bool parse_cell(std::string_view text, double& value) {
  text = trimmed(text);
  if (text.empty()) {
    value = std::numeric_limits<double>::quiet_NaN();
    return true;
  }
  if (equal_ignoring_case(text, "true") || equal_ignoring_case(text, "false")) {
    value = text.size() == 4 ? 1 : 0;
    return true;
  }
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return false;
  if (error == std::errc::result_out_of_range) {
    // Too large or too small for a double: strtod's rounding.
    value = std::strtod(std::string(text).c_str(), nullptr);
    return true;
  }
  return error == std::errc();
}

}  // namespace

Trajectory read_csv(std::string_view bytes, const std::string& name) {
  CsvParser parser(bytes, name);
  while (parser.skip_empty_line()) {
  }
  if (parser.at_end()) throw IoError(fmt::format("{}:1: the table has no header", name));

  std::vector<std::string> names;
  bool end_of_line = false;
  while (!end_of_line) names.emplace_back(trimmed(parser.cell(names.size(), end_of_line)));
  const std::size_t width = names.size();
  double number = 0;
  bool all_numbers = true;
  for (const std::string& cell : names) {
    all_numbers = all_numbers && !cell.empty() && parse_cell(cell, number);
  }
  if (all_numbers) {
    throw IoError(
        fmt::format("{}:1: the first line holds numbers; a header with the names is needed", name));
  }

  std::size_t time_column = 0;
  bool has_time = false;
  for (std::size_t c = width; c-- > 0;) {
    if (!equal_ignoring_case(names[c], "time")) continue;
    time_column = c;
    has_time = true;
  }
  // Any text has a first line; one without a time and without numbers is no table.
  if (!has_time && (width == 1 || parser.at_end()))
    throw IoError(fmt::format("{}:1: no column 'time', and no other that could be one", name));
  Trajectory result;
  if (!has_time) result.time_name = names[time_column];
  for (std::size_t c = 0; c < width; ++c) {
    if (c == time_column) continue;
    Column column;
    column.name = std::move(names[c]);
    result.layout.columns.push_back(std::move(column));
  }
  result.series.resize(width - 1);
  result.series_of.resize(width - 1);
  std::iota(result.series_of.begin(), result.series_of.end(), std::size_t{0});

  while (!parser.at_end()) {
    // With one column, an empty line would be a row without a time.
    if (parser.skip_empty_line()) continue;
    const std::size_t line = parser.line();
    std::size_t c = 0;
    for (end_of_line = false; !end_of_line; ++c) {
      const std::string_view text = parser.cell(c, end_of_line);
      if (c >= width) {
        parser.fail(c, fmt::format("more cells than the header, which has {}", width), line);
      }
      if (!parse_cell(text, number)) {
        parser.fail(c, fmt::format("'{}' is not a number", shown(text)), line);
      }
      if (c == time_column) {
        if (std::isnan(number)) parser.fail(c, "the time is missing", line);
        result.times.push_back(number);
      } else {
        result.series[c < time_column ? c : c - 1].push_back(number);
      }
    }
    if (c < width) {
      parser.fail(c, fmt::format("{} cells, where the header has {}", c, width), line);
    }
  }
  return result;
}

}  // namespace arges
