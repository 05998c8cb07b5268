// ModelicaInternal_* on files, ModelicaStreams_*, ModelicaIO_*.

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/external/registry.h"
#include "arges/external/table_file.h"

namespace arges::external {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& what) { throw EvaluationError(what, false); }

template <class Work>
auto checked(Work work) {
  try {
    return work();
  } catch (const IoError& error) {
    fail(error.what());
  } catch (const fs::filesystem_error& error) {
    fail(error.what());
  }
}

std::vector<std::string> lines_of(const std::string& path) {
  const std::string text = checked([&] { return read_whole_file(path); });
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    if (!lines.back().empty() && lines.back().back() == '\r') lines.back().pop_back();
    at = end + 1;
  }
  return lines;
}

void print(const Call& c) {
  if (c.text(1).empty()) return c.environment().print(c.text(0));
  std::ofstream file(local_path(c.text(1)), std::ios::app);
  file << c.text(0) << '\n';
  if (!file.flush()) fail(fmt::format("'{}' cannot be written", c.text(1)));
}

void read_file(const Call& c) {
  const auto lines = lines_of(c.text(0));
  const int n = c.count(1);
  for (int i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    c.array(1)[i] = c.environment().intern(k < lines.size() ? lines[k] : "");
  }
}

void read_line(const Call& c) {
  const auto lines = lines_of(c.text(0));
  const int number = c.integer(1);
  const bool at_end = number < 1 || static_cast<std::size_t>(number) > lines.size();
  c.set(2, at_end ? 1 : 0);
  c.result_text(at_end ? "" : lines[static_cast<std::size_t>(number) - 1]);
}

void stat(const Call& c) {
  std::error_code none;
  const fs::file_status s = fs::status(local_path(c.text(0)), none);
  // Modelica.Utilities.Types.FileType: NoFile, RegularFile, Directory, SpecialFile.
  c.result(!fs::exists(s) ? 1 : fs::is_regular_file(s) ? 2 : fs::is_directory(s) ? 3 : 4);
}

std::vector<std::string> directory(const std::string& path) {
  return checked([&] {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(local_path(path)))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  });
}

void read_directory(const Call& c) {
  const auto names = directory(c.text(0));
  for (int i = 0; i < c.count(2); ++i) {
    const auto k = static_cast<std::size_t>(i);
    c.array(2)[i] = c.environment().intern(k < names.size() ? names[k] : "");
  }
}

void matrix_sizes(const Call& c) {
  const Matrix m = checked([&] { return read_matrix(c.text(0), c.text(1)); });
  c.array(2)[0] = m.rows;
  c.array(2)[1] = m.columns;
}

void matrix(const Call& c) {
  const Matrix m = checked([&] { return read_matrix(c.text(0), c.text(1)); });
  if (m.rows != c.integer(3) || m.columns != c.integer(4)) {
    fail(fmt::format("matrix '{}' of '{}' is {} x {}, not {} x {}", c.text(1), c.text(0), m.rows,
                     m.columns, c.integer(3), c.integer(4)));
  }
  std::copy(m.values.begin(), m.values.end(), c.array(2));
}

void write_matrix(const Call& c) {
  const Matrix m{c.integer(3), c.integer(4), {c.array(2), c.array(2) + c.count(2)}};
  if (c.text(6) != "4") {
    fail(fmt::format("'{}': MAT files are written in format \"4\", not \"{}\"", c.text(0),
                     c.text(6)));
  }
  checked([&] { write_mat4(c.text(0), c.text(1), m, c.boolean(5)); });
  c.result(1);
}

const Entry kTable[] = {
    {"ModelicaInternal_print", 2, print, false},
    {"ModelicaInternal_readFile", 3, read_file, false},
    {"ModelicaInternal_readLine", 3, read_line, false},
    {"ModelicaInternal_countLines", 1,
     [](const Call& c) { c.result(static_cast<double>(lines_of(c.text(0)).size())); }, false},
    {"ModelicaStreams_closeFile", 1, [](const Call&) {}, false},
    {"ModelicaInternal_stat", 1, stat, false},
    {"ModelicaInternal_fullPathName", 1,
     [](const Call& c) {
       c.result_text(checked([&] { return fs::absolute(local_path(c.text(0))).string(); }));
     },
     false},
    {"ModelicaInternal_temporaryFileName", 0,
     [](const Call& c) {
       const fs::path folder = fs::temp_directory_path();
       int k = 0;
       while (fs::exists(folder / fmt::format("arges-{}", k))) ++k;
       c.result_text((folder / fmt::format("arges-{}", k)).string());
     },
     false},
    {"ModelicaInternal_getNumberOfFiles", 1,
     [](const Call& c) { c.result(static_cast<double>(directory(c.text(0)).size())); }, false},
    {"ModelicaInternal_readDirectory", 3, read_directory, false},
    {"ModelicaInternal_mkdir", 1,
     [](const Call& c) { checked([&] { return fs::create_directory(local_path(c.text(0))); }); },
     false},
    {"ModelicaInternal_rmdir", 1,
     [](const Call& c) { checked([&] { return fs::remove(local_path(c.text(0))); }); }, false},
    {"ModelicaInternal_removeFile", 1,
     [](const Call& c) { checked([&] { return fs::remove(local_path(c.text(0))); }); }, false},
    {"ModelicaInternal_rename", 2,
     [](const Call& c) { checked([&] { fs::rename(local_path(c.text(0)), c.text(1)); }); }, false},
    {"ModelicaInternal_copyFile", 2,
     [](const Call& c) {
       checked([&] { return fs::copy_file(local_path(c.text(0)), c.text(1)); });
     },
     false},
    {"ModelicaIO_readMatrixSizes", 3, matrix_sizes},
    {"ModelicaIO_readRealMatrix", 6, matrix},
    {"ModelicaIO_writeRealMatrix", 7, write_matrix, false},
};

}  // namespace

std::span<const Entry> file_functions() { return kTable; }

}  // namespace arges::external
