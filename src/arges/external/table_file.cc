#include "arges/external/table_file.h"

#include <bit>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/external/mat5_file.h"

namespace arges::external {

namespace {

bool ends_with_any(std::string_view path, std::string_view ending) {
  if (path.size() < ending.size()) return false;
  path.remove_prefix(path.size() - ending.size());
  for (std::size_t i = 0; i < ending.size(); ++i) {
    if (std::tolower(static_cast<unsigned char>(path[i])) != ending[i]) return false;
  }
  return true;
}

bool is_separator(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',' || c == ';';
}

// Reads numbers from a text.
class Numbers {
 public:
  explicit Numbers(std::string_view text) : text_(text) {}

  // Over separators and comments; false at the end.
  bool skip() {
    while (at_ < text_.size()) {
      if (text_[at_] == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (is_separator(text_[at_])) {
        ++at_;
      } else {
        return true;
      }
    }
    return false;
  }
  bool next(double* value) {
    if (!skip()) return false;
    const char* begin = text_.data() + at_;
    const char* end = text_.data() + text_.size();
    if (*begin == '+') ++begin;
    const auto [after, error] = std::from_chars(begin, end, *value);
    if (error != std::errc()) return false;
    at_ = static_cast<std::size_t>(after - text_.data());
    return true;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

// "double name(rows, columns)" at `at`: where the numbers begin, or npos.
std::size_t block_header(std::string_view text, std::size_t at, std::string* name, Matrix* size) {
  const std::size_t end = std::min(text.find('\n', at), text.size());
  std::string_view line = text.substr(at, end - at);
  const auto skip_blanks = [&] {
    while (!line.empty() && (line[0] == ' ' || line[0] == '\t')) line.remove_prefix(1);
  };
  skip_blanks();
  for (const std::string_view word : {"double", "float", "int", "char"}) {
    if (!line.starts_with(word)) continue;
    line.remove_prefix(word.size());
    skip_blanks();
    const std::size_t open = line.find('('), close = line.find(')');
    if (open == line.npos || close == line.npos || close < open) return text.npos;
    std::string_view id = line.substr(0, open);
    while (!id.empty() && is_separator(id.back())) id.remove_suffix(1);
    *name = std::string(id);
    Numbers sizes(line.substr(open + 1, close - open - 1));
    double rows = 0, columns = 0;
    if (!sizes.next(&rows) || !sizes.next(&columns)) return text.npos;
    size->rows = static_cast<int>(rows);
    size->columns = static_cast<int>(columns);
    return static_cast<std::size_t>(line.data() + close + 1 - text.data());
  }
  return text.npos;
}

Matrix read_text(const std::string& path, const std::string& name) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  std::string text = read_whole_file(path);
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  if (!text.starts_with("#1"))
    throw IoError(fmt::format("'{}' is no table file: its first line must be #1", path));
  for (std::size_t line = 0; line < text.size();) {
    Matrix m;
    std::string found;
    const std::size_t numbers = block_header(text, line, &found, &m);
    const std::size_t next = std::min(text.find('\n', line), text.size() - 1) + 1;
    line = next;
    if (numbers == std::string::npos || found != name) continue;
    const std::int64_t count = std::int64_t{m.rows} * m.columns;
    Numbers reader(std::string_view(text).substr(numbers));
    for (std::int64_t i = 0; i < count; ++i) {
      double value = 0;
      if (!reader.next(&value)) {
        throw IoError(fmt::format("'{}': table '{}' ends after {} of its {} x {} numbers", path,
                                  name, i, m.rows, m.columns));
      }
      m.values.push_back(value);
    }
    return m;
  }
  throw IoError(fmt::format("'{}' has no table '{}'", path, name));
}

Matrix read_csv(const std::string& path, char delimiter, int header_lines) {
  const std::string text = read_whole_file(path);
  std::istringstream lines(text);
  std::string line;
  Matrix m;
  for (int number = 0; std::getline(lines, line); ++number) {
    if (number < header_lines || line.find_first_not_of(" \t\r") == std::string::npos) continue;
    for (char& c : line) {
      if (c == delimiter) c = ';';
    }
    Numbers reader(line);
    int columns = 0;
    for (double value = 0; reader.next(&value); ++columns) m.values.push_back(value);
    if (m.rows > 0 && columns != m.columns) {
      throw IoError(fmt::format("'{}', line {}: {} numbers, but {} in the lines before", path,
                                number + 1, columns, m.columns));
    }
    m.columns = columns;
    ++m.rows;
  }
  if (m.values.empty()) throw IoError(fmt::format("'{}' holds no numbers", path));
  return m;
}

std::int32_t int_at(std::string_view bytes, std::size_t at, bool swapped) {
  char part[4];
  for (std::size_t i = 0; i < 4; ++i) part[i] = bytes[at + (swapped ? 3 - i : i)];
  std::int32_t value;
  std::memcpy(&value, part, 4);
  return value;
}

double element_at(std::string_view bytes, std::size_t index, int kind, bool swapped) {
  static constexpr std::size_t kBytes[] = {8, 4, 4, 2, 2, 1};
  const std::size_t n = kBytes[kind];
  char part[8] = {};
  for (std::size_t i = 0; i < n; ++i) part[i] = bytes[index * n + (swapped ? n - 1 - i : i)];
  const auto as = [&]<class T>(T value) {
    std::memcpy(&value, part, sizeof value);
    return static_cast<double>(value);
  };
  switch (kind) {
    case 0:
      return as(double{});
    case 1:
      return as(float{});
    case 2:
      return as(std::int32_t{});
    case 3:
      return as(std::int16_t{});
    case 4:
      return as(std::uint16_t{});
    default:
      return as(std::uint8_t{});
  }
}

}  // namespace

std::string local_path(const std::string& name) {
  if (name.starts_with("file://")) return name.substr(7);
  return name;
}

std::string read_whole_file(const std::string& path) {
  std::ifstream file(local_path(path), std::ios::binary);
  if (!file) {
    throw IoError(fmt::format(
        "'{}' cannot be opened: {}; correct its name, which counts from the present folder if it "
        "does not begin with /",
        path, std::strerror(errno)));
  }
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

Matrix read_mat4(const std::string& path, const std::string& name) {
  const std::string text = read_whole_file(path);
  if (text.starts_with("MATLAB 5.0")) return read_mat5(text, path, name);
  if (text.starts_with("MATLAB 7.3")) {
    throw IoError(fmt::format(
        "'{}' is a MAT file of level 7.3; those up to level 7 are read (in MATLAB: save with -v7)",
        path));
  }
  std::string_view bytes = text;
  while (bytes.size() >= 20) {
    const bool swapped = (std::endian::native == std::endian::little) !=
                         (int_at(bytes, 0, false) >= 0 && int_at(bytes, 0, false) < 4053);
    const std::int32_t type = int_at(bytes, 0, swapped);
    const std::int64_t rows = int_at(bytes, 4, swapped), columns = int_at(bytes, 8, swapped);
    const bool complex = int_at(bytes, 12, swapped) != 0;
    const std::int64_t name_bytes = int_at(bytes, 16, swapped);
    const int kind = type / 10 % 10;
    static constexpr std::int64_t kBytes[] = {8, 4, 4, 2, 2, 1};
    const bool sane = type >= 0 && type < 5000 && kind < 6 && rows >= 0 && columns >= 0 &&
                      name_bytes > 0 && name_bytes < 4096;
    const std::int64_t count = sane ? rows * columns * (complex ? 2 : 1) : 0;
    const std::int64_t whole = 20 + name_bytes + (sane ? count * kBytes[kind] : 0);
    if (!sane || whole > static_cast<std::int64_t>(bytes.size()))
      throw IoError(fmt::format("'{}' is no MAT file of level 4, or it is damaged", path));
    const std::string_view found = bytes.substr(20, static_cast<std::size_t>(name_bytes))
                                       .substr(0, bytes.substr(20).find('\0'));
    if (found == name && type % 10 == 0) {
      Matrix m{static_cast<int>(rows), static_cast<int>(columns), {}};
      const std::string_view data = bytes.substr(static_cast<std::size_t>(20 + name_bytes));
      for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < columns; ++j)
          m.values.push_back(
              element_at(data, static_cast<std::size_t>(j * rows + i), kind, swapped));
      }
      return m;
    }
    bytes.remove_prefix(static_cast<std::size_t>(whole));
  }
  throw IoError(fmt::format("'{}' has no matrix '{}'", path, name));
}

void write_mat4(const std::string& path, const std::string& name, const Matrix& matrix,
                bool append) {
  std::ofstream file(local_path(path),
                     std::ios::binary | (append ? std::ios::app : std::ios::trunc));
  const std::int32_t little = std::endian::native == std::endian::little ? 0 : 1000;
  const std::int32_t header[5] = {little, matrix.rows, matrix.columns, 0,
                                  static_cast<std::int32_t>(name.size()) + 1};
  file.write(reinterpret_cast<const char*>(header), sizeof header);
  file.write(name.c_str(), static_cast<std::streamsize>(name.size()) + 1);
  for (int j = 0; j < matrix.columns; ++j) {
    for (int i = 0; i < matrix.rows; ++i) {
      const double value = matrix.values[static_cast<std::size_t>(i * matrix.columns + j)];
      file.write(reinterpret_cast<const char*>(&value), sizeof value);
    }
  }
  file.flush();
  if (!file) throw IoError(fmt::format("'{}' cannot be written", path));
}

Matrix read_matrix(const std::string& path, const std::string& name, char delimiter,
                   int header_lines) {
  if (ends_with_any(path, ".mat")) return read_mat4(path, name);
  if (ends_with_any(path, ".csv")) return read_csv(path, delimiter, header_lines);
  return read_text(path, name);
}

}  // namespace arges::external
