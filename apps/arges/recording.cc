#include "recording.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/nearest.h"
#include "arges/experiment/specification.h"
#include "arges/results/reader.h"

namespace arges::app {

namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// The cells of a text that read_csv() has read, with their places.
std::vector<std::vector<PlacedText>> cells_of(const std::string& text) {
  const std::string header = text.substr(0, text.find('\n', text.find_first_not_of("\r\n")));
  const char separator = header.find(',') != std::string::npos    ? ','
                         : header.find(';') != std::string::npos  ? ';'
                         : header.find('\t') != std::string::npos ? '\t'
                                                                  : ',';
  std::vector<std::vector<PlacedText>> rows;
  std::vector<PlacedText> row{{"", 1, 1}};
  int line = 1, column = 1;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == separator || c == '\n')) {
      const bool ends = c == '\n';
      row.back().text = trimmed(row.back().text);
      if (ends && (row.size() > 1 || !row.back().text.empty())) rows.push_back(row);
      if (ends) row.clear();
      row.push_back({"", ends ? line + 1 : line, ends ? 1 : column + 1});
    } else if (c != '"') {
      row.back().text += c;
    }
    line += c == '\n' ? 1 : 0;
    column = c == '\n' ? 1 : column + 1;
  }
  return rows;
}

}  // namespace

Recording::Recording(const std::string& path) : path_(path), data_(read_result(path)) {
  const std::string bytes = read_whole_file(path, "the recording");
  if (detect_format(bytes, path) == ResultFormat::kCsv) {
    file_ = PlacedFile::of_text(path, bytes);
    cells_ = cells_of(bytes);
  }
  if (cells_.empty() || !data_.manifest.entries.empty()) origin_ = Origin::kSimulated;
  check();
  if (origin_ == Origin::kSimulated) leave_out_events();
}

void Recording::leave_out_events() {
  const std::vector<double> times = data_.times;
  const auto is_alone = [&](std::size_t row) {
    return (row == 0 || times[row - 1] != times[row]) &&
           (row + 1 == times.size() || times[row + 1] != times[row]);
  };
  // The list has one entry a row, behind a header of so many.
  const auto leave_out = [&](auto& list, std::size_t header) {
    std::size_t to = header;
    for (std::size_t row = 0; row < times.size() && header + row < list.size(); ++row) {
      if (!is_alone(row)) continue;
      if (to != header + row) list[to] = std::move(list[header + row]);
      ++to;
    }
    list.resize(to);
  };
  leave_out(data_.times, 0);
  for (std::vector<double>& values : data_.series) leave_out(values, 0);
  if (!cells_.empty()) leave_out(cells_, 1);
  if (data_.rows() == 0)
    throw UserError(fmt::format("'{}' has rows at events only", path_), {"data"});
}

void Recording::check() const {
  if (data_.rows() == 0)
    throw UserError(fmt::format("'{}' has a header, but no rows", path_), {"data"});
  std::vector<std::string> seen{data_.time_name};
  for (const Column& each : data_.layout.columns) {
    if (std::ranges::find(seen, each.name) != seen.end())
      refuse_column(each.name, fmt::format("there are two columns '{}'", each.name));
    seen.push_back(each.name);
  }
  for (std::size_t row = 0; row < data_.rows(); ++row) {
    const double time = data_.times[row];
    if (!std::isfinite(time)) refuse_time(row, fmt::format("the time {} is not finite", time));
    if (row == 0) continue;
    const double before = data_.times[row - 1];
    if (time < before)
      refuse_time(row, fmt::format("the times do not ascend: {} stands behind {}", time, before));
  }
}

std::vector<double> Recording::column(const std::string& name, const std::string& text) const {
  const auto found = data_.find_column(name);
  if (!found) {
    std::vector<std::string> known;
    for (const Column& each : data_.layout.columns) known.push_back(each.name);
    throw UserError(
        complaint(fmt::format("'{}' has no column '{}'{}", path_, name, did_you_mean(name, known)),
                  text, text.rfind(name)));
  }
  const auto values = data_.values(*found);
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (std::isinf(values[row])) {
      refuse_value(row, name,
                   fmt::format("'{}' is not finite here: leave the cell empty where nothing was "
                               "measured",
                               name));
    }
  }
  return {values.begin(), values.end()};
}

void Recording::check_range(double start, double stop) const {
  for (std::size_t row = 0; row < data_.rows(); ++row) {
    const double time = data_.times[row];
    if (time < start)
      refuse_time(row, fmt::format("the time {} is before the start of the run, {}: --start gives "
                                   "another",
                                   time, start));
    if (time > stop)
      refuse_time(row, fmt::format("the time {} is behind the end of the run, {}: --stop gives "
                                   "another",
                                   time, stop));
  }
}

void Recording::refuse_column(const std::string& name, const std::string& what) const {
  // The last of several: that is the one too many.
  std::size_t cell = 0;
  for (std::size_t i = 0; !cells_.empty() && i < cells_[0].size(); ++i) {
    if (cells_[0][i].text == name) cell = i;
  }
  refuse(0, cell, what);
}

void Recording::refuse_time(std::size_t row, const std::string& what) const {
  refuse_value(row, data_.time_name, what);
}

void Recording::refuse_value(std::size_t row, const std::string& name,
                             const std::string& what) const {
  std::size_t cell = 0;
  for (std::size_t i = 0; !cells_.empty() && i < cells_[0].size(); ++i) {
    // The name of the times may have capital letters.
    const bool is_time = name == "time" && cells_[0][i].text.size() == 4 &&
                         (cells_[0][i].text[0] == 't' || cells_[0][i].text[0] == 'T') &&
                         !data_.find_column(cells_[0][i].text);
    if (cells_[0][i].text == name || is_time) cell = i;
  }
  refuse(row + 1, cell, what);
}

void Recording::refuse(std::size_t line, std::size_t cell, const std::string& what) const {
  if (line < cells_.size() && cell < cells_[line].size())
    throw UserError(file_.at(cells_[line][cell], what), {"data"});
  throw UserError(line == 0 ? fmt::format("'{}': {}", path_, what)
                            : fmt::format("'{}', row {}: {}", path_, line, what),
                  {"data"});
}

}  // namespace arges::app
